package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.Method;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens after an engine came to nothing, in virtual time. */
class RefusedEpochTest {
    private static final long SECOND = 1000 * SimulatedFabric.MILLI;

    private final SimulatedFabric fabric = new SimulatedFabric("2;2,2;1,2;1,1");

    private static final RoutingEngine BROKEN = new BrokenEngine();

    private List<Method> methods() {
        return fabric.log.stream()
                .filter(Effect.Compute.class::isInstance)
                .map(effect -> ((Effect.Compute) effect).method())
                .toList();
    }

    private String alarm() {
        return fabric.state.alarms().stream()
                .filter(alarm -> alarm.kind() == Alarm.Kind.EPOCH_REFUSED)
                .map(Alarm::text)
                .findAny()
                .orElse("");
    }

    private void breakEngines(Method... broken) {
        fabric.start();
        fabric.log.clear();
        for (Method method : broken) {
            fabric.engines.put(method, BROKEN);
        }
    }

    private void change(boolean up) {
        long leaf = fabric.guid("leaf0");
        for (int port = 1; port <= fabric.metal.portCount(leaf); port++) {
            if (fabric.metal.neighbour(leaf, port) instanceof io.dmodc.topology.FabricChange.ToSwitch to) {
                fabric.setCable(new Cable(leaf, port, to.guid(), to.port()), up, true);
                return;
            }
        }
        throw new AssertionError("leaf0 has no cable");
    }

    @Test
    void shouldTryOnceFromScratchAndSayNoMoreWhenThatSucceeds() {
        breakEngines(Method.INCREMENTAL);

        change(false);
        fabric.calm();

        assertThat(methods()).containsExactly(Method.INCREMENTAL, Method.FRESH);
        assertThat(fabric.notes(Kind.EPOCH_REFUSED))
                .singleElement()
                .satisfies(note -> assertThat(note.text())
                        .endsWith("all switches keep their tables: it is broken; tried again from scratch"));
        assertThat(alarm()).isEmpty();
        assertThat(fabric.state.calm()).isTrue();
    }

    @Test
    void shouldUseTheFallBackEngineAndSayThatItsTablesAreInForceUntilTheNextChange() {
        fabric.state.fallBackTo("minhop");
        breakEngines(Method.INCREMENTAL, Method.FRESH);
        fabric.engines.put(Method.FALLBACK, new MinHop());

        change(false);
        fabric.calm();

        assertThat(methods()).containsExactly(Method.INCREMENTAL, Method.FRESH, Method.FALLBACK);
        long serving = fabric.state.epoch();
        assertThat(alarm())
                .matches("epoch \\d+ refused: it is broken; epoch " + serving
                        + " of the fall-back engine minhop is in force until the next change");
        assertThat(fabric.held.values()).isNotEmpty();
        assertThat(fabric.state.outstanding()).isZero();

        fabric.engines.clear();
        change(true);
        fabric.pass(60 * SECOND);

        assertThat(methods()).last().isEqualTo(Method.INCREMENTAL);
        assertThat(alarm()).isEmpty();
    }

    @Test
    void shouldTryAgainAfterWaitsThatDoubleUpToFiveMinutes() {
        fabric.state.fallBackTo("minhop");
        breakEngines(Method.values());

        change(false);
        fabric.work();
        assertThat(methods()).containsExactly(Method.INCREMENTAL, Method.FRESH, Method.FALLBACK);
        assertThat(alarm())
                .contains(
                        "switches keep their tables: it is broken; tried again from scratch in 5 s, or with the next");

        long[] waits = {5, 10, 20, 40, 80, 160, 300, 300};
        for (long wait : waits) {
            assertThat(alarm()).contains("from scratch in " + wait + " s");
            fabric.log.clear();
            pass(wait - 1);
            assertThat(methods()).as("before %d s are over", wait).isEmpty();
            pass(1);
            assertThat(methods()).as("after %d s", wait).containsExactly(Method.FRESH, Method.FALLBACK);
        }
        long id = fabric.state.alarms().iterator().next().id();

        fabric.engines.clear();
        pass(300);

        assertThat(alarm()).isEmpty();
        assertThat(id).as("one alarm all the time").isPositive();
        assertThat(fabric.state.calm()).isTrue();
    }

    /** Exactly: the wait began with the refusal, and nothing else happens meanwhile. */
    private void pass(long seconds) {
        fabric.now += seconds * SECOND;
        fabric.send(new TimePassed(fabric.now));
        fabric.work();
    }

    @Test
    void shouldComputeNewsAtOnceWhileItWaits() {
        breakEngines(Method.values());
        change(false);
        fabric.pass(SECOND);
        fabric.log.clear();

        // Up again: held down for a second, well before the five are over.
        change(true);
        fabric.pass(3 * SECOND);

        assertThat(methods()).containsExactly(Method.INCREMENTAL, Method.FRESH);
        assertThat(alarm()).contains("in 5 s");
    }

    @Test
    void shouldTryTheSameAgainWhenTheFabricChangedMeanwhile() {
        fabric.state.fallBackTo("minhop");
        breakEngines(Method.INCREMENTAL, Method.FRESH);
        fabric.engines.put(Method.FALLBACK, new MinHop());
        fabric.holdComputations = true;
        change(false);
        fabric.work();
        fabric.finishComputation(true);
        fabric.finishComputation(true);
        assertThat(methods()).last().isEqualTo(Method.FALLBACK);

        change(true);
        fabric.pass(2 * SECOND);
        fabric.finishComputation(false);

        assertThat(methods()).containsExactly(Method.INCREMENTAL, Method.FRESH, Method.FALLBACK, Method.FALLBACK);
        assertThat(fabric.notes(Kind.EPOCH_SUPERSEDED)).hasSize(1);
        assertThat(alarm()).contains("of the fall-back engine minhop is in force");
    }

    /** What the engine and the view before may have got wrong must not come along. */
    @Test
    void shouldDrawTheViewAfreshForAFreshStart() {
        breakEngines(Method.INCREMENTAL);

        change(false);
        fabric.calm();

        List<FabricView> views = fabric.log.stream()
                .filter(Effect.Compute.class::isInstance)
                .map(effect -> ((Effect.Compute) effect).view())
                .toList();
        assertThat(views).hasSize(2);
        assertThat(views.get(1).epoch()).isEqualTo(views.get(0).epoch() + 1);
        assertThat(views.get(1).linkCount()).isEqualTo(views.get(0).linkCount());
    }
}
