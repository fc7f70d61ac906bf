package io.dmodc.routing.change;

import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricView;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Circles of channels during a change, found from the definition: of each column the packets of all hosts are followed hop by hop and round by round, from drain to
 * drain. A packet may wait in any buffer for any number of rounds, and in each is forwarded by what its switch held before it, or holds after it. Which channel
 * such a packet has and which it wants next is noted, and a circle of these looked for. Knows rows and links only.
 */
final class ChannelTwin {
    private static final int NO_CHANNEL = -1;

    private final FabricView works;
    private final LftRow[][] held;
    private final Map<Integer, Set<Integer>> waitsFor = new HashMap<>();

    private ChannelTwin(FabricView works, LftRow[][] held) {
        this.works = works;
        this.held = held;
    }

    /**
     * True if some packets can wait for each other in a circle.
     *
     * @param held by round and switch; 0 is before
     * @param drains rounds before which no packet is left that was sent before
     */
    static boolean closesCircle(FabricView works, LftRow[][] held, BitSet drains) {
        boolean closes = false;
        for (int first = 1; first < held.length; ) {
            int last = first;
            while (last + 1 < held.length && !drains.get(last + 1)) {
                last++;
            }
            ChannelTwin twin = new ChannelTwin(works, held);
            for (int d = 0; d < works.nodeCount(); d++) {
                twin.follow(d, first, last);
            }
            closes |= twin.hasCircle();
            first = last + 1;
        }
        return closes;
    }

    /** True if they can by these rows alone. */
    static boolean hasCircle(FabricView works, LftRow[] rows) {
        return closesCircle(works, new LftRow[][] {rows, rows}, new BitSet());
    }

    private record State(int at, int channel, int round) {}

    private void follow(int d, int first, int last) {
        Set<State> seen = new HashSet<>();
        Deque<State> open = new ArrayDeque<>();
        for (int target = 0; target < works.targetCount(); target++) {
            for (int round = first; round <= last; round++) {
                open.add(new State(works.targetSwitch(target), NO_CHANNEL, round));
            }
        }
        while (!open.isEmpty()) {
            State state = open.remove();
            if (works.alive(state.at) && seen.add(state)) {
                for (int when : new int[] {state.round - 1, state.round}) {
                    int port = held[when][state.at].port(d);
                    boolean arrived = state.at == works.nodeSwitch(d) && port == works.nodePort(d);
                    boolean known = port >= 1 && port <= works.portCount(state.at);
                    int next = !arrived && known ? works.peerSwitch(state.at, port) : -1;
                    if (next >= 0) {
                        int channel = 256 * state.at + port;
                        if (state.channel != NO_CHANNEL) {
                            waitsFor.computeIfAbsent(state.channel, any -> new HashSet<>())
                                    .add(channel);
                        }
                        for (int round = state.round; round <= last; round++) {
                            open.add(new State(next, channel, round));
                        }
                    }
                }
            }
        }
    }

    private boolean hasCircle() {
        Set<Integer> done = new HashSet<>();
        for (int channel : waitsFor.keySet()) {
            if (comesBack(channel, new HashSet<>(), done)) {
                return true;
            }
        }
        return false;
    }

    private boolean comesBack(int channel, Set<Integer> way, Set<Integer> done) {
        if (done.contains(channel)) {
            return false;
        }
        if (!way.add(channel)) {
            return true;
        }
        boolean back = false;
        for (int next : waitsFor.getOrDefault(channel, Set.of())) {
            back |= comesBack(next, way, done);
        }
        way.remove(channel);
        done.add(channel);
        return back;
    }
}
