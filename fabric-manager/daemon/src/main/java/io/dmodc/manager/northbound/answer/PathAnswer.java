package io.dmodc.manager.northbound.answer;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.List;

/**
 * The way from one node to another by the tables that switches hold.
 *
 * @param epoch of these tables
 * @param delivered it arrives
 * @param end where it ends, and why there
 */
public record PathAnswer(long epoch, PathNode from, PathNode to, boolean delivered, String end, List<Hop> hops) {

    /** A node at an end. */
    public record PathNode(int index, String guid, String name) {
        static PathNode of(FabricView view, int node) {
            return new PathNode(node, Guid.format(view.nodeGuid(node)), NodesAnswer.name(view, node));
        }
    }

    /**
     * A switch on the way.
     *
     * @param port where it leaves; 0 where the table has no route
     * @param next name of the switch or node behind that port; empty where nothing is
     * @param acked the switch is known to hold the table it should
     * @param held the port is that of the table it holds, and it should hold another one: its agent is away, or the push
     *     is under way
     */
    public record Hop(String guid, String name, int port, String next, boolean acked, boolean held) {}
}
