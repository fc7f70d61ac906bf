package io.dmodc.demo;

import io.dmodc.agent.plane.Cable;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What TLS costs at the agents' door: two fabrics in one process, one with TLS and one in clear text, on which the same cables
 * are cut in turn. Prints how long all agents took to be in session with their tables, the times from a cut to the last
 * acknowledgement, and the ratio of their medians.
 *
 * <p>Arguments: the shape, and how many cables to cut.
 */
final class DoorBenchmark {
    private static final int WARM_CUTS = 20;

    private DoorBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        FabricViewBuilder cabling = PgftGenerator.generate(PgftShape.parse(arguments[0]));
        FabricView view = cabling.build(0, new NodeIndexMap(), new GuidNumbers());
        int cuts = Integer.parseInt(arguments[1]);
        System.out.printf(Locale.ROOT, "%d nodes, %d switches%n", view.nodeCount(), view.switchCount());
        try (Running off = new Running("off", false, cabling, view);
                Running tls = new Running("TLS", true, cabling, view)) {
            List<Cable> cables = new ArrayList<>();
            for (int s = 0; s < view.switchCount(); s++) {
                cables.addAll(off.fabric.linksOf(view.switchGuid(s)));
            }
            for (int i = 0; i < WARM_CUTS + cuts; i++) {
                if (i == WARM_CUTS) {
                    off.acked.clear();
                    tls.acked.clear();
                }
                // Spread over the fabric, and who is first takes turns.
                Cable cable = cables.get((int) ((long) i * 7919 % cables.size()));
                (i % 2 == 0 ? off : tls).cut(cable);
                (i % 2 == 0 ? tls : off).cut(cable);
            }
            Percentiles clear = new Percentiles(off.acked);
            Percentiles proved = new Percentiles(tls.acked);
            System.out.println("off: cut to the last acknowledgement: " + clear.text());
            System.out.println("TLS: cut to the last acknowledgement: " + proved.text());
            System.out.printf(
                    Locale.ROOT, "ratio of medians, TLS to off: %.3f%n", (double) proved.at(0.5) / clear.at(0.5));
        }
    }

    /** A manager and its agents. */
    private static final class Running implements AutoCloseable {
        private final Path state = Files.createTempDirectory("fabric-door");
        private final FabricManager manager;
        private final DemoFabric fabric;
        private final DemoObserver observer;
        private final List<Long> acked = new ArrayList<>();

        Running(String name, boolean certificates, FabricViewBuilder cabling, FabricView view)
                throws IOException, DemoFailure {
            ManagerConfig config = DemoCommand.config(state, view.switchCount());
            DemoKeys keys = DemoKeys.make(certificates);
            manager = new FabricManager(config, DemoCommand.guids(view), keys.ofManager());
            fabric = new DemoFabric(cabling, view, manager.southboundAddress(), keys);
            observer = new DemoObserver(manager);
            long start = System.nanoTime();
            fabric.startAgents();
            observer.awaitSoon("agents connect", snapshot -> connected(snapshot) == view.switchCount());
            long connected = System.nanoTime();
            observer.await("all agents start", snapshot -> {
                FabricView drawn = snapshot.view();
                return drawn != null && drawn.linkCount() == view.linkCount() && snapshot.tables() != null;
            });
            System.out.printf(
                    Locale.ROOT,
                    "%s: all agents in session after %.2f s, with tables after %.2f s%n",
                    name,
                    (connected - start) / 1e9,
                    (System.nanoTime() - start) / 1e9);
            observer.awaitWarm();
        }

        private static long connected(FabricSnapshot snapshot) {
            return snapshot.switches().stream()
                    .filter(known -> known.agentConnected())
                    .count();
        }

        void cut(Cable cable) throws DemoFailure {
            long epochBefore = observer.epoch();
            long eventBefore = observer.lastEventNumber();
            long start = System.nanoTime();
            fabric.cut(cable);
            observer.await("cut", snapshot -> !snapshot.isLive(cable.guid(), cable.port()));
            acked.add(observer.outcome(start, epochBefore, eventBefore).acked());
            fabric.mend(cable);
            observer.await("mended", snapshot -> snapshot.isLive(cable.guid(), cable.port()));
        }

        @Override
        public void close() throws IOException {
            fabric.close();
            manager.close();
            DemoCommand.delete(state);
        }
    }
}
