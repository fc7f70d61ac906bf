package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.NodeTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EventDispatchTest {
    private final FabricState state = new FabricState(
            ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE),
            0,
            0,
            StoredState.of(List.of(new LeaderEpoch(1))),
            Set.of());

    static Iterable<FabricEvent> events() {
        return AnyRecord.ofEach(FabricEvent.class);
    }

    @ParameterizedTest
    @MethodSource("events")
    void shouldTakeEveryKindOfEvent(FabricEvent event) {
        assertThatCode(() -> new FabricStep(state).accept(event, new ArrayList<>()))
                .doesNotThrowAnyException();
    }

    @Test
    void shouldKnowAllKinds() {
        assertThat(events()).hasSizeGreaterThan(10).doesNotHaveDuplicates();
    }
}
