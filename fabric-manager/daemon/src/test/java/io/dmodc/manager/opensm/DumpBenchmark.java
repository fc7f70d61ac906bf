package io.dmodc.manager.opensm;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableWatch;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.subnet.DiscoveredSubnet;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.ibnet.IbnetReader;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;

/**
 * What a lost leaf uplink costs from the changed cabling to the dump in its place: view and tables, check, tables to the switches with theirs,
 * dump that changed, writing what differs from what is prepared. Without rounds, core and OpenSM. Run by hand:
 * {@code DumpBenchmark DIRECTORY ROUNDS SHAPE}; the directory is where the dump is written. Of ROUNDS 1 the only cable that is measured is the
 * third that is lost after {@link Rehearsal}, as in a manager that has just started; {@code -Drehearse=false}: without it.
 * {@code -Dprepare=false}: all of each dump is written when it is due.
 */
final class DumpBenchmark {
    private DumpBenchmark() {}

    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args.length > 0 ? args[0] : "/dev/shm");
        int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 60;
        String shape = args.length > 2 ? args[2] : "3;18,18,6;1,18,6;1,1,3";
        if (!"false".equals(System.getProperty("rehearse"))) {
            new Rehearsal().play();
        }
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse(shape));
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView whole = fabric.build(1, nodes, new GuidNumbers());
        Parallel parallel = Parallel.on(ForkJoinPool.commonPool());
        Rerouter rerouter = Dmodc.standard().rerouter();
        TableWatch watch = new TableWatch();
        SwitchRoutes toSwitches = new SwitchRoutes();
        DumpFile file = new DumpFile(directory.resolve("benchmark.dump"));
        PreparedDump writer = new PreparedDump(file);
        DumpTables dump = null;
        long[][] nanos = new long[5][rounds];
        int blocks = 0;
        int leaf = 0;
        for (int round = -rounds; round < rounds; round++) {
            while (!whole.isLeaf(leaf)) {
                leaf = (leaf + 1) % whole.switchCount();
            }
            int port = uplink(whole, leaf);
            setPort(fabric, whole, leaf, port, false);
            Discovery found = discovery(fabric, nodes);
            long begun = clock();
            FabricView view = fabric.build(round + rounds + 2, nodes, new GuidNumbers());
            LftSet tables =
                    Objects.requireNonNull(rerouter.route(view, parallel).tables());
            long routed = clock();
            if (!watch.check(view, tables, SurplusEntryRule.FORBIDDEN, parallel).valid()) {
                throw new IllegalStateException("not valid");
            }
            long checked = clock();
            LftSet between = toSwitches.of(view);
            long reached = clock();
            Map<Long, LftRow> rows = new HashMap<>();
            for (int s = 0; s < view.switchCount(); s++) {
                rows.put(view.switchGuid(s), tables.row(s));
            }
            dump = new DumpTables(dump, view, between, found, rows);
            long composed = clock();
            writer.write(dump, DumpForm.LIDS_ONLY);
            long written = clock();
            if (!"false".equals(System.getProperty("prepare"))) {
                writer.prepare(dump, () -> false);
            }
            if (round >= 0) {
                nanos[0][round] = routed - begun;
                nanos[1][round] = checked - routed;
                nanos[2][round] = reached - checked;
                nanos[3][round] = composed - reached;
                nanos[4][round] = written - composed;
                blocks = dump.blocks();
            }
            setPort(fabric, whole, leaf, port, true);
            leaf = (leaf + 1) % whole.switchCount();
        }
        String[] names = {"view and tables", "check", "tables to switches", "sections", "write"};
        double sum = 0;
        for (int i = 0; i < names.length; i++) {
            Arrays.sort(nanos[i]);
            double median = nanos[i][rounds / 2] / 1e6;
            sum += median;
            System.out.printf(
                    Locale.ROOT,
                    "%-20s %7.2f ms median, %7.2f ms at most%n",
                    names[i],
                    median,
                    nanos[i][rounds - 1] / 1e6);
        }
        System.out.printf(Locale.ROOT, "%s: %.1f ms, %d blocks in the last dump%n", shape, sum, blocks);
        writer.discard();
        file.remove();
    }

    /** Processor time of this thread, so that what else the machine does does not count; waiting for a disk does not count either. */
    private static long clock() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static int uplink(FabricView view, int leaf) {
        int port = 1;
        while (view.peerSwitch(leaf, port) < 0) {
            port++;
        }
        return port;
    }

    private static void setPort(FabricViewBuilder fabric, FabricView whole, int s, int port, boolean up) {
        long guid = whole.switchGuid(s);
        long far = whole.switchGuid(whole.peerSwitch(s, port));
        int farPort = whole.peerPort(s, port);
        fabric.apply(new PortSeen(guid, port, up, fabric.neighbour(guid, port)));
        fabric.apply(new PortSeen(far, farPort, up, fabric.neighbour(far, farPort)));
    }

    /** As {@code ibnetdiscover} shows it; drawn from a copy, so that the measured view is not drawn already. */
    private static Discovery discovery(FabricViewBuilder fabric, NodeIndexMap nodes) throws IOException {
        FabricViewBuilder copy = new FabricViewBuilder();
        FabricView known = fabric.build(1, nodes, new GuidNumbers());
        for (int s = 0; s < known.switchCount(); s++) {
            copy.restore(fabric.claims(known.switchGuid(s)));
        }
        fabric.forgetLastView();
        StringBuilder text = new StringBuilder();
        IbnetWriter.write(copy.build(1, nodes, new GuidNumbers()), new LidMap(), text);
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        return new Discovery(
                new DiscoveredSubnet(IbnetReader.read("benchmark", new ByteArrayInputStream(bytes)), 0, 0), 0);
    }
}
