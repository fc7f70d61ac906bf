package io.dmodc.ctl;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableWatch;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Random faults, one at a time: view, reroute from the last epoch, block delta, check; then the repair.
 *
 * <p>One more fault of each kind is also routed anew, and the tables compared.
 */
final class FaultBench {
    /** A fault that can be undone. */
    interface Fault {
        void set(FabricViewBuilder fabric, boolean broken);
    }

    private final Fabric fabric;
    private final Dmodc engine;
    private final Parallel parallel;
    private final SplittableRandom random;
    private final Rerouter rerouter;
    private final TableWatch watch = new TableWatch();
    private final FabricView whole;
    private final List<Cable> cables;
    private LftSet tables;
    private long epoch;

    private final Samples view = new Samples();
    private final Samples reroute = new Samples();
    private final Samples delta = new Samples();
    private final Samples check = new Samples();
    private final Samples heal = new Samples();
    private long rows;
    private long blocks;

    /** @param fabric its numbers are left alone: hosts that appear get theirs in a copy */
    FaultBench(Fabric fabric, Dmodc engine, Parallel parallel, long seed) {
        this.fabric = fabric.withNodes(NodeIndexMap.of(fabric.view()));
        this.engine = engine;
        this.parallel = parallel;
        random = new SplittableRandom(seed);
        rerouter = engine.rerouter();
        whole = this.fabric.draw(++epoch);
        cables = Degradation.cables(whole);
        tables = route(whole);
        watch.check(whole, tables, SurplusEntryRule.FORBIDDEN, parallel);
    }

    private LftSet route(FabricView next) {
        return FullRerouteBench.tables(rerouter.route(next, parallel));
    }

    /**
     * Measures each kind of fault that this fabric can have.
     *
     * @param repetition of each kind, after as many to warm up
     */
    Map<String, BenchReport.Fault> allKinds(Repetition repetition) {
        Map<String, BenchReport.Fault> measured = new LinkedHashMap<>();
        links(BenchReport.ANY_LINK, cables, repetition, measured);
        links("leafUplink", cablesAbove(0), repetition, measured);
        if (whole.rankMax() > 1) {
            links("topLink", cablesAbove(whole.rankMax() - 1), repetition, measured);
        }
        if (whole.rankMax() > 0) {
            switches("spineSwitch", s -> whole.rank(s) == whole.rankMax(), repetition, measured);
        }
        if (IntStream.range(0, whole.switchCount()).filter(this::isLiveLeaf).count() > 1) {
            switches("leafSwitch", this::isLiveLeaf, repetition, measured);
        }
        hosts(repetition, measured);
        return measured;
    }

    private void hosts(Repetition repetition, Map<String, BenchReport.Fault> measured) {
        HostChanges hosts = new HostChanges(fabric.builder(), whole, random);
        // Each of them takes an index for good: two kinds, each as often again to warm up, and one to be routed anew.
        if (!hosts.isEmpty() && whole.nodeCount() + 4 * repetition.count() + 2 <= NodeIndexMap.INDEX_MAX + 1) {
            hosts.freePorts();
            settle();
            measured.put("hostAppears", run(repetition, hosts::appears));
            hosts.occupyPorts();
            settle();
            measured.put("hostReplaced", run(repetition, hosts::replaced));
        }
    }

    /** Takes in what happened, unmeasured. */
    private void settle() {
        FabricView next = fabric.draw(++epoch);
        tables = route(next);
        watch.check(next, tables, SurplusEntryRule.FORBIDDEN, parallel);
    }

    /** One lost link, drawn among all; null if there is none. */
    BenchReport.@Nullable Fault anyLink(Repetition repetition) {
        return cables.isEmpty() ? null : run(repetition, () -> cut(cables));
    }

    /** Those with one end on this rank and the other on the rank above. */
    private List<Cable> cablesAbove(int rank) {
        return cables.stream()
                .filter(cable -> Math.min(rankOf(cable.guid()), rankOf(cable.farGuid())) == rank
                        && Math.max(rankOf(cable.guid()), rankOf(cable.farGuid())) == rank + 1)
                .toList();
    }

    private boolean isLiveLeaf(int s) {
        return whole.alive(s) && whole.isLeaf(s);
    }

    private void links(String kind, List<Cable> some, Repetition repetition, Map<String, BenchReport.Fault> measured) {
        if (!some.isEmpty()) {
            measured.put(kind, run(repetition, () -> cut(some)));
        }
    }

    private void switches(
            String kind, IntPredicate which, Repetition repetition, Map<String, BenchReport.Fault> measured) {
        int[] some = IntStream.range(0, whole.switchCount())
                .filter(whole::alive)
                .filter(which)
                .toArray();
        if (some.length > 0) {
            measured.put(kind, run(repetition, () -> kill(whole.switchGuid(some[random.nextInt(some.length)]))));
        }
    }

    private int rankOf(long guid) {
        return whole.rank(whole.switchOf(guid));
    }

    private Fault cut(List<Cable> some) {
        Cable cable = some.get(random.nextInt(some.size()));
        return (to, broken) -> {
            to.apply(new PortSeen(cable.guid(), cable.port(), !broken, to.neighbour(cable.guid(), cable.port())));
            to.apply(new PortSeen(
                    cable.farGuid(), cable.farPort(), !broken, to.neighbour(cable.farGuid(), cable.farPort())));
        };
    }

    private static Fault kill(long guid) {
        return (to, broken) -> to.apply(new SwitchState(guid, !broken));
    }

    private interface Draw {
        Fault next();
    }

    private BenchReport.Fault run(Repetition repetition, Draw draw) {
        repetition.run(() -> thereAndBack(draw.next()));
        forget();
        int count = repetition.run(() -> thereAndBack(draw.next()));
        BenchReport.Fault measured = new BenchReport.Fault(
                count,
                view.median(),
                reroute.median(),
                reroute.p99(),
                delta.median(),
                check.median(),
                heal.median(),
                rows / count,
                blocks / count);
        Fault last = draw.next();
        step(last, true);
        verify();
        step(last, false);
        return measured;
    }

    private void thereAndBack(Fault fault) {
        step(fault, true);
        step(fault, false);
    }

    private void forget() {
        view.clear();
        reroute.clear();
        delta.clear();
        check.clear();
        heal.clear();
        rows = 0;
        blocks = 0;
    }

    private void step(Fault fault, boolean broken) {
        fault.set(fabric.builder(), broken);
        long start = System.nanoTime();
        FabricView next = fabric.draw(++epoch);
        long drawn = view.add(start);
        LftSet now = route(next);
        long routed = System.nanoTime();
        LftDelta blocksOf = new LftDelta();
        for (int s = 0; s < now.switchCount(); s++) {
            if (now.row(s) != tables.row(s)) {
                int changed = blocksOf.blocks(tables.row(s), now.row(s)).length;
                rows += broken && changed > 0 ? 1 : 0;
                blocks += broken ? changed : 0;
            }
        }
        if (broken) {
            delta.add(routed);
            reroute.add(drawn);
        } else {
            heal.add(drawn);
        }
        long compared = System.nanoTime();
        watch.check(next, now, SurplusEntryRule.FORBIDDEN, parallel);
        if (broken) {
            check.add(compared);
        }
        tables = now;
    }

    private void verify() {
        LftSet anew = FullRerouteBench.tables(engine.route(fabric.draw(++epoch), parallel));
        for (int s = 0; s < anew.switchCount(); s++) {
            if (!tables.row(s).sameEntries(anew.row(s))) {
                throw new IllegalStateException(
                        "defect: the table of " + whole.switchName(s) + " differs from routing anew");
            }
        }
    }
}
