package io.dmodc.ctl;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Random faults of one kind, one at a time: view, reroute from the last epoch, block delta; then the repair. Ends by
 * comparing the tables with routing anew.
 */
final class FaultBench {
    /** A fault that can be undone. */
    private interface Fault {
        void set(FabricViewBuilder fabric, boolean broken);
    }

    private final Fabric fabric;
    private final Dmodc engine;
    private final Parallel parallel;
    private final SplittableRandom random;
    private final Rerouter rerouter;
    private final FabricView whole;
    private final List<Cable> cables;
    private LftSet tables;
    private long epoch;

    private final Samples view = new Samples();
    private final Samples reroute = new Samples();
    private final Samples delta = new Samples();
    private final Samples heal = new Samples();
    private long rows;
    private long blocks;

    FaultBench(Fabric fabric, Dmodc engine, Parallel parallel, long seed) {
        this.fabric = fabric;
        this.engine = engine;
        this.parallel = parallel;
        random = new SplittableRandom(seed);
        rerouter = engine.rerouter();
        whole = fabric.draw(++epoch);
        cables = Degradation.cables(whole);
        tables = route(whole);
    }

    private LftSet route(FabricView next) {
        return Objects.requireNonNull(rerouter.route(next, parallel).tables());
    }

    BenchReport.Fault anyLink(int warmUp, int count) {
        return run(warmUp, count, () -> cut(cables));
    }

    /** Links with an end on this rank and the other on the rank above. */
    BenchReport.Fault linkAbove(int rank, int warmUp, int count) {
        List<Cable> some = cables.stream()
                .filter(cable -> Math.min(rankOf(cable.guid()), rankOf(cable.farGuid())) == rank)
                .toList();
        return run(warmUp, count, () -> cut(some));
    }

    BenchReport.Fault switchAt(int rank, int warmUp, int count) {
        int[] some = IntStream.range(0, whole.switchCount())
                .filter(s -> whole.alive(s) && whole.rank(s) == rank)
                .toArray();
        return run(warmUp, count, () -> kill(whole.switchGuid(some[random.nextInt(some.length)])));
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

    private BenchReport.Fault run(int warmUp, int count, Draw draw) {
        for (int i = -warmUp; i < count; i++) {
            if (i == 0) {
                forget();
            }
            Fault fault = draw.next();
            step(fault, true);
            if (i == count - 1) {
                verify();
            }
            step(fault, false);
        }
        return new BenchReport.Fault(
                count,
                view.median(),
                reroute.median(),
                reroute.p99(),
                delta.median(),
                heal.median(),
                rows / count,
                blocks / count);
    }

    private void forget() {
        view.clear();
        reroute.clear();
        delta.clear();
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
        for (int s = 0; s < now.switchCount(); s++) {
            if (now.row(s) != tables.row(s)) {
                int changed = LftDelta.changedBlocks(tables.row(s), now.row(s)).length;
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
        tables = now;
    }

    private void verify() {
        LftSet anew = Objects.requireNonNull(
                engine.route(fabric.draw(++epoch), parallel).tables());
        for (int s = 0; s < anew.switchCount(); s++) {
            if (!tables.row(s).sameEntries(anew.row(s))) {
                throw new IllegalStateException(
                        "defect: the table of " + whole.switchName(s) + " differs from routing anew");
            }
        }
    }
}
