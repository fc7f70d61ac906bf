package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.Removed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is dealt to a host port that gave its index back goes with the tables that have it given back: not before, and not without. */
class RecordWriterTest {
    private static final NodeIndex ANEW = new NodeIndex(7, 81);

    private final RecordWriter records = new RecordWriter();
    private final List<Effect> effects = new ArrayList<>();

    @Test
    void shouldKeepWhatIsDealtAnewWithWhatWasGivenBack() {
        records.stage(new Removed(ANEW.key()));
        records.dealt(ANEW);
        records.flush(effects);

        assertThat(effects).isEmpty();
        assertThat(records.nodesUnderWay()).containsExactly(7L);
        assertThat(records.nodesPersisted()).as("no tables rest on it yet").isTrue();

        records.takeStaged();
        assertThat(records.nodesPersisted()).isFalse();
        records.flush(effects);
        assertThat(effects).singleElement().isEqualTo(new Effect.Persist(1, List.of(ANEW)));

        records.persisted(1);
        assertThat(records.nodesPersisted()).isTrue();
        assertThat(records.nodesUnderWay()).isEmpty();
    }
}
