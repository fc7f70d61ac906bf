package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.RingOrder;
import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is told of an epoch: why it is computed, how it went, whom it leads around; and what it is computed with. */
class EpochDetailsTest {
    private SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");

    private EpochRecord last() {
        return List.copyOf(fabric.state.epochs()).get(fabric.state.epochs().size() - 1);
    }

    private Effect.Compute lastComputed() {
        return fabric.log.stream()
                .filter(Effect.Compute.class::isInstance)
                .map(Effect.Compute.class::cast)
                .reduce((one, next) -> next)
                .orElseThrow();
    }

    @Test
    void shouldNameTheFirstCauseAndCountTheOthers() {
        fabric.setCable(fabric.cable(leaf, spine), false, true);
        fabric.calm();
        assertThat(last().cause()).isEqualTo("link leaf0 port 3 – l2s0 port 1 down");

        fabric.setLinks(fabric.guid("l2s1"), false, true);
        fabric.calm();
        assertThat(last().cause()).isEqualTo("link l2s1 port 1 – leaf0 port 4 down and 3 more");
    }

    @Test
    void shouldTellWhatWasComputedAndHowLongItTook() {
        fabric.setCable(fabric.cable(leaf, spine), false, true);
        fabric.calm();

        assertThat(fabric.notes(Kind.EPOCH_COMPUTED))
                .last()
                .extracting(LoggedEvent::text)
                .isEqualTo("epoch " + fabric.state.epoch()
                        + ": link leaf0 port 3 – l2s0 port 1 down: routed in 0 µs, checked in 0 µs; transient-safe: any order,"
                        + " planned in 0 µs");
    }

    @Test
    void shouldHoldAnEpochForSupersededThatWasNotComplete() {
        fabric.deaf.add(leaf);
        EpochRecord first = last();
        fabric.setCable(fabric.cable(fabric.guid("leaf1"), spine), false, true);
        fabric.work();
        EpochRecord second = last();
        assertThat(second.stage()).isEqualTo(Stage.PUSHING);

        fabric.setCable(fabric.cable(fabric.guid("leaf2"), spine), false, true);
        fabric.work();

        assertThat(second.stage()).isEqualTo(Stage.SUPERSEDED);
        assertThat(first.stage()).isEqualTo(Stage.COMPLETE);
        assertThat(last().stage()).isEqualTo(Stage.PUSHING);
    }

    /** Also the one with the first index. */
    @Test
    void shouldComputeWithTheRowsOfAllHeadlessSwitches() {
        FabricView view = Objects.requireNonNull(fabric.state.view());
        for (int s = 0; s < 2; s++) {
            fabric.leave(view.switchGuid(s));
        }
        fabric.calm();

        fabric.setCable(fabric.cable(view.switchGuid(2), spine), false, true);
        fabric.calm();

        assertThat(lastComputed().frozenRows()).containsOnlyKeys(0, 1);
    }

    /** One switch forwards nothing; the check names what is lost, four lines of it. */
    @Test
    void shouldSayWhatTheCheckFoundWrong() {
        RoutingEngine forgetful = new RoutingEngine() {
            @Override
            public String name() {
                return "forgetful";
            }

            @Override
            public RoutingResult route(FabricView view, Parallel parallel) {
                LftSet tables = Objects.requireNonNull(
                        Dmodc.standard().route(view, parallel).tables());
                LftRow[] rows = IntStream.range(0, view.switchCount())
                        .mapToObj(s -> s == 0 ? LftRow.noRoutes(view.nodeCount()) : tables.row(s))
                        .toArray(LftRow[]::new);
                return new RoutingResult.Complete(new LftSet(view.epoch(), view.nodeCount(), rows));
            }

            @Override
            public LftSet routeSwitches(FabricView view, Parallel parallel) {
                throw new AssertionError("nobody asks for routes to switches here");
            }
        };
        fabric.engines.put(Effect.Method.INCREMENTAL, forgetful);
        fabric.engines.put(Effect.Method.FRESH, forgetful);
        fabric.setCable(fabric.cable(leaf, spine), false, true);
        fabric.calm();

        assertThat(last().stage()).isEqualTo(Stage.REFUSED);
        assertThat(last().verdict())
                .isEqualTo("INVALID: epoch " + fabric.state.epoch() + ", 48 entries, 32 pairs with a legal path; "
                        + "LIVE_ENTRIES (every entry leads somewhere) fails 8 times:; "
                        + "  leaf0 → node 0: no entry, though a legal path exists; "
                        + "  leaf0 → node 1: no entry, though a legal path exists");
        assertThat(fabric.notes(Kind.EPOCH_REFUSED))
                .last()
                .extracting(LoggedEvent::text)
                .asString()
                .startsWith("epoch " + fabric.state.epoch() + " refused, all switches keep their tables: "
                        + last().verdict());
    }

    @Test
    void shouldSayHowManyHostsAreLedAroundAHeadlessSwitch() {
        fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
        long mid = fabric.guid("l2s0");
        fabric.leave(mid);
        fabric.calm();
        Cable its = Degradation.cables(fabric.whole()).stream()
                .filter(cable -> cable.farGuid() == mid)
                .findFirst()
                .orElseThrow();
        fabric.setCable(its, false, true);
        fabric.calm();

        assertThat(fabric.notes(Kind.SWITCH_BYPASSED))
                .singleElement()
                .extracting(LoggedEvent::text)
                .asString()
                .matches("l2s0: headless, and its table does not fit the fabric any more: packets to [1-9]\\d* hosts"
                        + " are led around it until its agent is back");
    }

    /** The ring keeps the switches of a pod apart, which the first view tells. */
    @Test
    void shouldKeepPodsApartInTheRing() {
        fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();

        assertThat(fabric.state.ringWorstRuns()).extracting(RingOrder.Run::kind).containsExactly(SwitchDomains.POD);
    }

    /** The cables of the one that does not come are out: it does not forward, and nobody waits for its agent. */
    @Test
    void shouldNotWaitForTheAgentOfASwitchThatHasNoLinkAnyMore() {
        SimulatedFabric next = fabric.restarted();
        next.setLinks(spine, false, false);
        next.state.switches.keySet().stream().filter(guid -> guid != spine).forEach(next::join);
        next.pass(1_999 * MILLI);
        assertThat(next.state.discovering()).isTrue();

        next.pass(MILLI);

        assertThat(next.state.discovering()).isFalse();
    }
}
