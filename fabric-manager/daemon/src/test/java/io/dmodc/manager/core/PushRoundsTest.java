package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.change.ChangePlan;
import io.dmodc.routing.change.ChangeWatch;
import io.dmodc.routing.change.RowsInForce;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who waits for a round of all is asked again when it is over, and not with each table that is acknowledged. */
class PushRoundsTest {
    private final SimulatedFabric fabric = new SimulatedFabric("3;4,4,4;1,4,4;1,1,1");
    private final FabricView view = fabric.whole();
    private final PushRounds rounds = new PushRounds(fabric.state);

    /** One column is not proven by the cabling. */
    private PlannedChange inRoundsForAll() {
        LftSet tables = Objects.requireNonNull(
                Dmodc.standard().route(view, Parallel.sequential()).tables());
        BitSet notRight = new BitSet();
        notRight.set(0);
        ChangePlan plan =
                new ChangeWatch(view, tables, new BitSet()).plan(view, RowsInForce.of(tables), tables, notRight);
        return new PlannedChange(plan, Map.of(), new BitSet(), new BitSet(), 0, "", 0);
    }

    @Test
    void shouldAskAgainOnceAfterEachRound() {
        rounds.begin(view, inRoundsForAll());
        assertThat(rounds.change().roundsForAll()).isTrue();
        for (int s = 0; s < view.switchCount(); s++) {
            rounds.follows(view.switchGuid(s), s < 5 ? 3 : s < 9 ? 2 : 1);
        }
        for (int s = 0; s < 9; s++) {
            assertThat(rounds.mayLeave(view.switchGuid(s), s < 5 ? 3 : 2, 0)).isFalse();
        }

        for (int s = 9; s < view.switchCount(); s++) {
            assertThat(rounds.takeReady(0)).isEmpty();
            rounds.follows(view.switchGuid(s), PushRounds.DONE);
        }
        assertThat(rounds.takeReady(0)).hasSize(9);
        for (int s = 0; s < 9; s++) {
            assertThat(rounds.mayLeave(view.switchGuid(s), s < 5 ? 3 : 2, 0)).isEqualTo(s >= 5);
        }
        for (int s = 5; s < 9; s++) {
            assertThat(rounds.takeReady(0)).isEmpty();
            rounds.follows(view.switchGuid(s), PushRounds.DONE);
        }
        assertThat(rounds.takeReady(0)).hasSize(5);
        assertThat(rounds.mayLeave(view.switchGuid(0), 3, 0)).isTrue();
    }
}
