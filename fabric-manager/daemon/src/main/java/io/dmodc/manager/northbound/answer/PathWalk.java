package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.manager.northbound.answer.PathAnswer.Hop;
import io.dmodc.manager.northbound.answer.PathAnswer.PathNode;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Follows a packet through the tables in force, over the links of the last view.
 *
 * <p>Tables are taken by GUID, because the last view may number switches anew before its own tables are there. A walk
 * ends at the latest when it meets a switch again.
 */
public final class PathWalk {
    /** A desired table, and whether the switch is known to hold it. */
    record Held(LftRow row, boolean acked) {}

    private final FabricView view;
    private final long epoch;
    private final Map<Long, Held> tables;

    PathWalk(FabricView view, long epoch, Map<Long, Held> tables) {
        this.view = view;
        this.epoch = epoch;
        this.tables = tables;
    }

    /** Takes what a walk needs; on the loop thread. Rows and view are immutable, only references are copied. */
    public static @Nullable PathWalk prepare(FabricState state) {
        FabricView view = state.view();
        LftSet set = state.tables();
        if (view == null || set == null) {
            return null;
        }
        Map<Long, Held> tables = new HashMap<>();
        for (SwitchRecord record : state.switches()) {
            LftRow row = record.desiredRow();
            if (row != null) {
                tables.put(record.guid(), new Held(row, record.upToDate()));
            }
        }
        return new PathWalk(view, set.epoch(), tables);
    }

    public FabricView view() {
        return view;
    }

    /** Walks; on any thread. Arguments are node indices of {@link #view}. */
    public PathAnswer walk(int from, int to) {
        List<Hop> hops = new ArrayList<>();
        BitSet visited = new BitSet();
        int s = view.nodeSwitch(from);
        String obstacle = s < 0 ? "node " + NodesAnswer.name(view, from) + " is not cabled at present" : "";
        while (obstacle.isEmpty()) {
            Held held = tables.get(view.switchGuid(s));
            int port = held == null || to >= held.row.entryCount() ? LftSet.NO_ROUTE : held.row.port(to);
            hops.add(hop(s, port, held != null && held.acked));
            obstacle = obstacle(s, port, to, visited);
            if (obstacle.isEmpty() && view.peerNode(s, port) == to) {
                return answer(from, to, true, "delivered by " + view.switchName(s) + " port " + port, hops);
            }
            visited.set(s);
            s = obstacle.isEmpty() ? view.peerSwitch(s, port) : s;
        }
        return answer(from, to, false, obstacle, hops);
    }

    private PathAnswer answer(int from, int to, boolean delivered, String end, List<Hop> hops) {
        return new PathAnswer(epoch, PathNode.of(view, from), PathNode.of(view, to), delivered, end, List.copyOf(hops));
    }

    /** Why the packet gets no further than switch s; empty when it does. */
    private String obstacle(int s, int port, int to, BitSet visited) {
        String at = view.switchName(s);
        if (!view.alive(s)) {
            return at + " is dead";
        }
        if (visited.get(s)) {
            return at + " was passed before: a loop";
        }
        if (port == LftSet.NO_ROUTE) {
            return at + " has no route to " + NodesAnswer.name(view, to);
        }
        if (port < 1 || port > view.portCount(s)) {
            return at + " sends it to port " + port + ", which it has not";
        }
        if (view.peerNode(s, port) >= 0) {
            return view.peerNode(s, port) == to ? "" : at + " port " + port + " leads to another node";
        }
        return view.peerSwitch(s, port) >= 0 ? "" : at + " port " + port + " has no live link";
    }

    private Hop hop(int s, int port, boolean acked) {
        boolean exists = port >= 1 && port <= view.portCount(s);
        return new Hop(
                Guid.format(view.switchGuid(s)),
                view.switchName(s),
                port == LftSet.NO_ROUTE ? 0 : port,
                exists ? behind(s, port) : "",
                acked);
    }

    private String behind(int s, int port) {
        if (view.peerNode(s, port) >= 0) {
            return NodesAnswer.name(view, view.peerNode(s, port));
        }
        int remote = view.peerSwitch(s, port);
        return remote >= 0 ? view.switchName(remote) : "";
    }
}
