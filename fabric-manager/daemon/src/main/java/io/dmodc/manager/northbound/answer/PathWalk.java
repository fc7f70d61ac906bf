package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.northbound.answer.DownCables.DownHost;
import io.dmodc.manager.northbound.answer.PathAnswer.Hop;
import io.dmodc.manager.northbound.answer.PathAnswer.PathNode;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Follows a packet through the tables that switches hold, over the links of the last view.
 *
 * <p>Tables are taken by GUID, because the last view may number switches anew before its own tables are there. A walk
 * ends at the latest when it meets a switch again.
 */
public final class PathWalk {
    /**
     * The table a switch forwards by.
     *
     * @param acked the switch is known to hold what it should
     * @param held it is the one the switch holds, and it should hold another one
     */
    record Held(LftRow row, boolean acked, boolean held) {}

    private final FabricView view;
    private final long epoch;
    private final LongFunction<@Nullable Held> tables;
    private final DownCables down;

    /** @param tables by GUID of the switch; {@code null} where none is known */
    PathWalk(FabricView view, long epoch, LongFunction<@Nullable Held> tables, DownCables down) {
        this.view = view;
        this.epoch = epoch;
        this.tables = tables;
        this.down = down;
    }

    /** Walks of one moment; {@code null} while there are no tables. */
    public static @Nullable PathWalk of(FabricSnapshot fabric) {
        FabricView view = fabric.works();
        Tables set = fabric.tables();
        return view == null || set == null
                ? null
                : new PathWalk(view, set.epoch(), guid -> held(fabric.findSwitch(guid)), DownCables.of(fabric));
    }

    private static @Nullable Held held(@Nullable SwitchSnapshot record) {
        LftRow row = record == null ? null : ForwardingRow.of(record);
        return record == null || row == null ? null : new Held(row, record.upToDate(), ForwardingRow.isHeld(record));
    }

    public FabricView view() {
        return view;
    }

    /** Cables and hosts that are down. */
    public DownCables down() {
        return down;
    }

    /** Walks. Arguments are node indices of {@link #view}. */
    public PathAnswer walk(int from, int to) {
        List<Hop> hops = new ArrayList<>();
        BitSet visited = new BitSet();
        int s = view.nodeSwitch(from);
        int inPort = view.nodePort(from);
        int channel = 0;
        String obstacle = obstacleAtTheEnds(from, to);
        while (obstacle.isEmpty()) {
            Held held = tables.apply(view.switchGuid(s));
            Step step = held == null ? Step.NO_ROUTE : Step.by(held.row, inPort, channel, to);
            int port = step.port;
            hops.add(hop(s, port, held));
            obstacle = obstacle(s, port, to, visited, s * Step.STATES + step.state);
            if (obstacle.isEmpty() && view.peerNode(s, port) == to) {
                DownHost destination = down.hostAt(to);
                if (destination != null) {
                    return answer(from, to, false, destination.text(), hops);
                }
                return answer(from, to, true, "delivered by " + view.switchName(s) + " port " + port, hops);
            }
            visited.set(s * Step.STATES + step.state);
            if (obstacle.isEmpty() && step.channel == TurnTableSet.NONE) {
                obstacle = view.switchName(s) + " may not send it on: it has turned from a column to a row before";
            }
            channel = step.channel;
            inPort = obstacle.isEmpty() ? view.peerPort(s, port) : inPort;
            s = obstacle.isEmpty() ? view.peerSwitch(s, port) : s;
        }
        return answer(from, to, false, obstacle, hops);
    }

    /**
     * What a table does with a packet.
     *
     * @param port {@link LftSet#NO_ROUTE}: none
     * @param channel on which it goes on; 0 where tables are by destination alone
     * @param state where a packet that comes here in the same state runs in a loop, 0..{@link #STATES} − 1
     */
    private record Step(int port, int channel, int state) {
        static final int STATES = TurnTableSet.CLASSES * TurnTableSet.CHANNELS;
        static final Step NO_ROUTE = new Step(LftSet.NO_ROUTE, 0, 0);

        static Step by(LftRow row, int inPort, int channel, int to) {
            if (!TurnTableSet.isTurnTable(row)) {
                return to >= row.entryCount() ? NO_ROUTE : new Step(row.port(to), 0, 0);
            }
            int inputClass = row.port(inPort);
            if (inputClass >= TurnTableSet.CLASSES || to >= TurnTableSet.nodeCount(row.entryCount())) {
                return NO_ROUTE;
            }
            int state = inputClass * TurnTableSet.CHANNELS + channel;
            return new Step(
                    row.port(TurnTableSet.entry(inputClass, to)), row.port(TurnTableSet.CHANNEL_MAP + state), state);
        }
    }

    private PathAnswer answer(int from, int to, boolean delivered, String end, List<Hop> hops) {
        return new PathAnswer(epoch, node(from), node(to), delivered, end, List.copyOf(hops));
    }

    /** One that was not seen since the manager started is in no view. */
    private PathNode node(int node) {
        DownHost host = view.nodeSwitch(node) < 0 ? down.hostAt(node) : null;
        return host == null
                ? PathNode.of(view, node)
                : new PathNode(
                        node, Guid.format(host.host().portGuid()), host.host().name());
    }

    /** Why there is no walk at all; empty when there is one. */
    private String obstacleAtTheEnds(int from, int to) {
        DownHost source = down.hostAt(from);
        if (source != null) {
            return source.text();
        }
        if (view.nodeSwitch(from) < 0) {
            return "node " + NodesAnswer.name(view, from) + " is not cabled at present";
        }
        DownHost destination = view.nodeSwitch(to) < 0 ? down.hostAt(to) : null;
        return destination == null ? "" : destination.text();
    }

    /** Why the packet gets no further than switch s; empty when it does. */
    private String obstacle(int s, int port, int to, BitSet visited, int state) {
        String at = view.switchName(s);
        if (!view.alive(s)) {
            return at + " is dead";
        }
        if (visited.get(state)) {
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
        // Newer than the view while tables are computed.
        String broken = down.link(view.switchGuid(s), port);
        if (broken != null) {
            return broken;
        }
        return view.peerSwitch(s, port) >= 0 ? "" : at + " port " + port + " has no live link";
    }

    private Hop hop(int s, int port, @Nullable Held table) {
        boolean exists = port >= 1 && port <= view.portCount(s);
        return new Hop(
                Guid.format(view.switchGuid(s)),
                view.switchName(s),
                port == LftSet.NO_ROUTE ? 0 : port,
                exists ? behind(s, port) : "",
                table != null && table.acked,
                table != null && table.held);
    }

    private String behind(int s, int port) {
        if (view.peerNode(s, port) >= 0) {
            return NodesAnswer.name(view, view.peerNode(s, port));
        }
        int remote = view.peerSwitch(s, port);
        return remote >= 0 ? view.switchName(remote) : "";
    }
}
