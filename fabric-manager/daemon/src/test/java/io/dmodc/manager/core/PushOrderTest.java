package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In which order tables of one round leave, when the store has what they rest on. */
class PushOrderTest {
    private final SimulatedFabric fabric = new SimulatedFabric("3;8,4,4;1,4,4;1,1,1").start();

    /** The cable of a leaf comes back while one above the leaves is cut. */
    @BeforeEach
    void cutOneAndMendAnother() {
        FabricView whole = fabric.whole();
        List<Cable> cables = Degradation.cables(whole);
        Cable back = cables.stream()
                .filter(cable -> atLeaf(whole, cable))
                .findFirst()
                .orElseThrow();
        Cable cut = cables.stream()
                .filter(cable -> !atLeaf(whole, cable))
                .findFirst()
                .orElseThrow();
        fabric.setCable(back, false, true);
        fabric.work();
        fabric.setCable(back, true, true);
        fabric.work();
        fabric.pass(fabric.state.holdDown.nextDeadline() - fabric.now - 1);
        fabric.log.clear();
        fabric.now += 2;
        fabric.setCable(cut, false, true);
        fabric.calm();
    }

    private static boolean atLeaf(FabricView whole, Cable cable) {
        return whole.isLeaf(whole.switchOf(cable.guid())) || whole.isLeaf(whole.switchOf(cable.farGuid()));
    }

    @Test
    void shouldSendWhatMendsBeforeWhatOnlyMovesTrafficAndSpinesBeforeLeaves() {
        FabricView view = Objects.requireNonNull(fabric.state.view());
        BitSet restoring = fabric.state.change.restoring();

        List<Integer> pushed = fabric.log.stream()
                .filter(effect -> effect instanceof Effect.Push)
                .map(effect -> view.switchOf(((Effect.Push) effect).update().guid()))
                .distinct()
                .toList();

        assertThat(pushed).anyMatch(restoring::get).anyMatch(s -> !restoring.get(s));
        assertThat(pushed.stream().map(s -> !restoring.get(s))).isSorted();
        assertThat(pushed.stream().filter(restoring::get).map(view::isLeaf))
                .contains(true, false)
                .isSorted();
    }

    @Test
    void shouldKeepTheTablesOfAnEpochWhenItsPushesHaveLeft() {
        int keptAt = indexOf(effect -> effect instanceof Effect.Persist persist
                && persist.records().stream().anyMatch(PushOrderTest::isKeptEpoch));
        int firstPush = indexOf(effect -> effect instanceof Effect.Push);

        assertThat(firstPush).isNotNegative();
        assertThat(keptAt).isGreaterThan(firstPush);
    }

    private static boolean isKeptEpoch(StateRecord record) {
        return record instanceof KeptEpoch;
    }

    private int indexOf(Predicate<Effect> wanted) {
        for (int i = 0; i < fabric.log.size(); i++) {
            if (wanted.test(fabric.log.get(i))) {
                return i;
            }
        }
        return -1;
    }
}
