package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.Discovery.Changes;
import io.dmodc.manager.opensm.Discovery.PortEnd;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
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
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Loses cables of a small fabric that is not there, and makes dumps of what is left, as {@link TableKeeper} does of the real one: code that
 * runs for the first time takes five times as long, and a fault is no time for that. Nobody is told, and nothing is written. A second of one processor,
 * some 10 MiB. For one thread.
 */
final class Rehearsal {
    static final int ROUNDS = 60;
    private static final PgftShape SHAPE = PgftShape.parse("2;18,36;1,18;1,1");

    private final FabricViewBuilder fabric = PgftGenerator.generate(SHAPE);
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final FabricView whole = fabric.build(1, nodes, new GuidNumbers());
    private final SwitchRoutes toSwitches = new SwitchRoutes();
    private final Rerouter rerouter = Dmodc.standard().rerouter();

    /**
     * Plays it to the end, or until the thread is interrupted.
     *
     * @return blocks of 64 entries that changed, all rounds together
     */
    int play() {
        Discovery before = discovered();
        DumpTables last = null;
        int blocks = 0;
        for (int round = 0; round < ROUNDS && !Thread.currentThread().isInterrupted(); round++) {
            DumpTables next = lose(round, before, last);
            blocks += last == null || length(next.changesSince(last, DumpForm.LIDS_ONLY)) == 0 ? 0 : next.blocks();
            last = next;
        }
        return blocks;
    }

    /** All of them are made for it. */
    private static long length(Iterable<FilePart> changes) {
        long length = 0;
        for (FilePart each : changes) {
            length += each.bytes().length;
        }
        return length;
    }

    private Discovery discovered() {
        try {
            StringBuilder text = new StringBuilder();
            IbnetWriter.write(whole, new LidMap(), text);
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            return new Discovery(
                    new DiscoveredSubnet(IbnetReader.read("rehearsal", new ByteArrayInputStream(bytes)), 0, 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException("what was written cannot be read", e);
        }
    }

    private DumpTables lose(int round, Discovery before, @Nullable DumpTables last) {
        int leaf = round % whole.leafCount();
        int port = whole.portCount(leaf) - round % 2;
        setUp(leaf, port, false);
        FabricView view = fabric.build(round + 2, nodes, new GuidNumbers());
        LftSet tables = Objects.requireNonNull(
                rerouter.route(view, Parallel.sequential()).tables());
        Map<Long, LftRow> rows = new HashMap<>();
        for (int s = 0; s < view.switchCount(); s++) {
            rows.put(view.switchGuid(s), tables.row(s));
        }
        Discovery found = before.after(Changes.lost(ends(leaf, port), Set.of()), 0, 0);
        DumpTables dump = new DumpTables(last, view, toSwitches.of(view), found, rows);
        setUp(leaf, port, true);
        return dump;
    }

    private Set<PortEnd> ends(int s, int port) {
        return Set.of(
                new PortEnd(whole.switchGuid(s), port),
                new PortEnd(whole.switchGuid(whole.peerSwitch(s, port)), whole.peerPort(s, port)));
    }

    private void setUp(int s, int port, boolean up) {
        for (PortEnd end : ends(s, port)) {
            fabric.apply(new PortSeen(end.guid(), end.port(), up, fabric.neighbour(end.guid(), end.port())));
        }
    }
}
