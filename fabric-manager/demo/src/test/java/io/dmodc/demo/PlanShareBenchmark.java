package io.dmodc.demo;

import io.dmodc.agent.plane.Cable;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * What part of the time until a fault is mended goes into planning the change, with a manager and agents over real sockets: from the first news to
 * the last acknowledgement of what restores something, store, TLS and tables included, as {@code fabricctl epochs} has it. The floor of each
 * fault is the same without the time that planning took, and {@value #BOUND} × that is the bound for the median.
 *
 * <p>Arguments: how many faults of each kind, and shapes. One more round before warms up.
 */
final class PlanShareBenchmark {
    private static final double BOUND = 1.03;

    private final FabricView view;
    private final DemoFabric fabric;
    private final DemoObserver observer;
    private final int runs;

    private PlanShareBenchmark(FabricView view, DemoFabric fabric, DemoObserver observer, int runs) {
        this.view = view;
        this.fabric = fabric;
        this.observer = observer;
        this.runs = runs;
    }

    public static void main(String[] arguments) throws Exception {
        int runs = Integer.parseInt(arguments[0]);
        System.out.println(System.getProperty("os.arch") + ", Java " + Runtime.version() + ", "
                + Runtime.getRuntime().availableProcessors() + " processors, " + runs
                + " faults of each kind; medians in ms");
        for (String shape : List.of(arguments).subList(1, arguments.length)) {
            FabricViewBuilder cabling = PgftGenerator.generate(PgftShape.parse(shape));
            FabricView view = cabling.build(0, new NodeIndexMap(), new GuidNumbers());
            Path state = Files.createTempDirectory("fabric-restored");
            DemoKeys keys = DemoKeys.make(true);
            try (FabricManager manager = new FabricManager(
                            DemoCommand.config(state, view.switchCount()), DemoCommand.guids(view), keys.ofManager());
                    DemoFabric fabric = new DemoFabric(cabling, view, manager.southboundAddress(), keys)) {
                System.out.println(shape + ", " + view.nodeCount() + " nodes, " + view.switchCount() + " switches");
                new PlanShareBenchmark(view, fabric, new DemoObserver(manager), runs).measure();
            } finally {
                DemoCommand.delete(state);
            }
        }
    }

    private void measure() throws DemoFailure {
        fabric.startAgents();
        observer.await("all agents start", this::isWhole);
        observer.awaitWarm();
        for (boolean prints : new boolean[] {false, true}) {
            for (int rank = 0; rank < view.rankMax(); rank++) {
                links(rank, prints);
            }
            for (int rank = 1; rank <= view.rankMax(); rank++) {
                switches(rank, prints);
            }
        }
    }

    private boolean isWhole(FabricSnapshot snapshot) {
        FabricView drawn = snapshot.view();
        return drawn != null && drawn.linkCount() == view.linkCount() && snapshot.tables() != null;
    }

    private void links(int rank, boolean prints) throws DemoFailure {
        List<Cable> cables = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            for (Cable cable : fabric.linksOf(view.switchGuid(s))) {
                if (rank == lowerRank(cable)) {
                    cables.add(cable);
                }
            }
        }
        List<EpochRecord> epochs = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            Cable cable = cables.get((int) (i * 7919L % cables.size()));
            long before = observer.epoch();
            fabric.cut(cable);
            observer.await("cut", snapshot -> !snapshot.isLive(cable.guid(), cable.port()));
            addRestoring(epochs, before);
            fabric.mend(cable);
            observer.await("mended", this::isWhole);
        }
        print("link above rank " + rank + " cut", epochs, prints);
    }

    private int lowerRank(Cable cable) {
        int s = view.switchOf(cable.guid());
        return Math.min(view.rank(s), view.rank(view.peerSwitch(s, cable.port())));
    }

    private void switches(int rank, boolean prints) throws DemoFailure {
        int[] some = IntStream.range(0, view.switchCount())
                .filter(s -> view.rank(s) == rank)
                .toArray();
        List<EpochRecord> epochs = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            int s = some[(int) (i * 7919L % some.length)];
            long before = observer.epoch();
            fabric.powerOff(view.switchGuid(s));
            observer.await(
                    "off",
                    snapshot -> snapshot.view() != null
                            && !snapshot.view().alive(snapshot.view().switchOf(view.switchGuid(s))));
            addRestoring(epochs, before);
            fabric.powerOn(view.switchGuid(s));
            observer.await("on", this::isWhole);
        }
        print("switch of rank " + rank + " off", epochs, prints);
    }

    private void addRestoring(List<EpochRecord> epochs, long before) throws DemoFailure {
        List<EpochRecord> since = observer.ask(snapshot -> snapshot.epochs().stream()
                .filter(epoch -> epoch.epoch() > before
                        && epoch.stage() == Stage.COMPLETE
                        && epoch.restoredNanos() > epoch.noticedNanos())
                .toList());
        if (!since.isEmpty()) {
            epochs.add(since.get(0));
        }
    }

    private static void print(String kind, List<EpochRecord> epochs, boolean prints) {
        if (!prints || epochs.isEmpty()) {
            return;
        }
        double restored =
                median(epochs.stream().map(PlanShareBenchmark::restoredNanos).toList());
        double plan = median(epochs.stream().map(EpochRecord::planNanos).toList());
        double[] ratios = epochs.stream()
                .mapToDouble(epoch -> (double) restoredNanos(epoch) / (restoredNanos(epoch) - epoch.planNanos()))
                .sorted()
                .toArray();
        double ratio = ratios[ratios.length / 2];
        System.out.printf(
                Locale.ROOT,
                "  %-24s restored %7.2f, of which the plan %6.3f: %.3f x (bound %.2f, %s); %d tables, of %d%n",
                kind,
                restored,
                plan,
                ratio,
                BOUND,
                ratio <= BOUND ? "met" : "missed",
                epochs.get(0).switchesPushed(),
                epochs.size());
    }

    private static long restoredNanos(EpochRecord epoch) {
        return epoch.restoredNanos() - epoch.noticedNanos();
    }

    private static double median(List<Long> nanos) {
        return new Percentiles(nanos).at(0.5) / 1e6;
    }
}
