package io.dmodc.manager.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StateRecord.Kind;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.LastAlarm;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.topology.SwitchClaims;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records add up to a state: the last of each key counts, and what is about something else is apart. */
class StoredStateTest {
    @Test
    void shouldKeepTheLastRecordOfEachKey() {
        StoredState state = StoredState.of(List.of(
                new LeaderEpoch(3),
                new LeaderEpoch(4),
                new FabricEpoch(7),
                new LastAlarm(9),
                new SwitchLevel(0x10, 1),
                new SwitchLevel(0x10, 2),
                new SwitchLevel(0x11, 0)));

        assertThat(state.leaderEpoch()).isEqualTo(4);
        assertThat(state.fabricEpoch()).isEqualTo(7);
        assertThat(state.lastAlarm()).isEqualTo(9);
        assertThat(state.all(SwitchLevel.class)).containsExactly(new SwitchLevel(0x10, 2), new SwitchLevel(0x11, 0));
        assertThat(state.find(new StateRecord.Key(Kind.LEVEL, 0x11, 0, ""))).isEqualTo(new SwitchLevel(0x11, 0));
        assertThat(state.isEmpty()).isFalse();
    }

    @Test
    void shouldBeEmptyBeforeTheFirstManagerAndAfterTheLastRecordWasTakenAway() {
        StoredState state = new StoredState();
        assertThat(state.isEmpty()).isTrue();
        assertThat(state.leaderEpoch()).isZero();
        assertThat(state.fabricEpoch()).isZero();
        assertThat(state.lastAlarm()).isZero();

        state.apply(new NodeIndex(0xa0, 5));
        state.apply(new Removed(new NodeIndex(0xa0, 5).key()));

        assertThat(state.isEmpty()).isTrue();
        assertThat(state.records()).isEmpty();
    }

    /** Every kind is about a thing of its own: none replaces another one, whatever the GUID. */
    @Test
    void shouldKeepRecordsOfEveryKindApartAndListThemByKindAndUnsignedGuid() {
        List<StateRecord> inOrder = List.of(
                new LeaderEpoch(1),
                new FabricEpoch(2),
                new NodeIndex(1, 0),
                new NodeIndex(-1, 1),
                new SwitchLevel(1, 0),
                new KnownSwitch(new SwitchClaims(1, "leaf0", 0, List.of()), true),
                new ExpectedSwitch(1, "leaf0", 4, List.of()),
                new HeldTable(1, 1, 2, 3, 42, false, List.of()),
                new OpenAlarm("host", 1, 2, 1, 0, 0),
                new OpenAlarm("link", 1, 2, 2, 0, 0),
                new OpenAlarm("link", 1, 3, 3, 0, 0),
                new LastAlarm(3));
        StoredState state = new StoredState();
        for (int i = inOrder.size() - 1; i >= 0; i--) {
            state.apply(inOrder.get(i));
        }

        assertThat(state.records()).containsExactlyElementsOf(inOrder);
        assertThat(inOrder)
                .allSatisfy(record -> assertThat(state.find(record.key())).isSameAs(record));
    }

    @Test
    void shouldNameARecordInOneLine() {
        assertThat(new NodeIndex(0x10, 3).key()).hasToString("NODE_INDEX 0x0000000000000010 0");
        assertThat(new OpenAlarm("link", 0x10, 3, 1, 0, 0).key()).hasToString("ALARM 0x0000000000000010 3 link");
    }
}
