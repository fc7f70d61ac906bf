package io.dmodc.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.IntUnaryOperator;

/**
 * Looks for channels that wait for each other: a packet of some host is in the one and goes on to the next. All packets are walked by the tables that switches
 * hold now, over the cables that work now.
 */
final class ChannelCircle {
    private static final int UNSEEN = 0;
    private static final int OPEN = 1;
    private static final int CLOSED = 2;

    private final SimulatedFabric fabric;
    private final PacketWalk walk;
    private final List<List<Integer>> next = new ArrayList<>();
    private int[] firstChannel = {};
    private int[] state = {};

    ChannelCircle(SimulatedFabric fabric, PacketWalk walk) {
        this.fabric = fabric;
        this.walk = walk;
    }

    /**
     * Switches of a circle, in its order; none if there is none.
     *
     * @param indexOf by host, its index in the tables, or −1
     * @param ends of a switch and a port by which it leaves, whether a packet is not followed any further
     */
    List<SimulatedSwitch> find(IntUnaryOperator indexOf, BiPredicate<SimulatedSwitch, Integer> ends) {
        read(indexOf, ends);
        state = new int[next.size()];
        List<Integer> way = new ArrayList<>();
        for (int channel = 0; channel < state.length; channel++) {
            if (state[channel] == UNSEEN && closes(channel, way)) {
                int last = way.get(way.size() - 1);
                return way.subList(way.indexOf(last), way.size() - 1).stream()
                        .map(this::owner)
                        .toList();
            }
        }
        return List.of();
    }

    private void read(IntUnaryOperator indexOf, BiPredicate<SimulatedSwitch, Integer> ends) {
        firstChannel = new int[fabric.switches.size() + 1];
        for (SimulatedSwitch s : fabric.switches) {
            firstChannel[s.index + 1] = firstChannel[s.index] + s.portCount;
        }
        next.clear();
        for (int channel = 0; channel < firstChannel[fabric.switches.size()]; channel++) {
            next.add(new ArrayList<>());
        }
        for (int to = 0; to < fabric.hosts.size(); to++) {
            int index = indexOf.applyAsInt(to);
            for (int from = 0; index >= 0 && from < fabric.hosts.size(); from++) {
                PacketWalk.End end = walk.walkOn(from, to, index);
                // The last hop leads into a host, or is none; after that of a loop comes one it had before.
                int count = end == PacketWalk.End.LOOP ? walk.hops : walk.hops - 1;
                int followed = 0;
                while (followed < count && !ends.test(walk.at[followed], walk.port[followed])) {
                    followed++;
                }
                for (int i = 0; i + 1 < followed; i++) {
                    add(channel(i), channel(i + 1));
                }
                if (end == PacketWalk.End.LOOP && followed == count) {
                    SimulatedSwitch again = fabric.far(walk.at[count - 1], walk.port[count - 1]);
                    add(channel(count - 1), firstChannel[again.index] + again.plane.port(index) - 1);
                }
            }
        }
    }

    private int channel(int hop) {
        return firstChannel[walk.at[hop].index] + walk.port[hop] - 1;
    }

    private void add(int from, int to) {
        if (!next.get(from).contains(to)) {
            next.get(from).add(to);
        }
    }

    /** Ends with the way to a channel that is on it twice, if there is one. */
    private boolean closes(int channel, List<Integer> way) {
        way.add(channel);
        state[channel] = OPEN;
        for (int after : next.get(channel)) {
            if (state[after] == OPEN) {
                way.add(after);
                return true;
            }
            if (state[after] == UNSEEN && closes(after, way)) {
                return true;
            }
        }
        state[channel] = CLOSED;
        way.remove(way.size() - 1);
        return false;
    }

    private SimulatedSwitch owner(int channel) {
        int at = Arrays.binarySearch(firstChannel, channel);
        return fabric.switches.get(at >= 0 ? at : -at - 2);
    }
}
