package io.dmodc.routing.vtftr.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Follows packets for one destination after the other on every choice, literally by the tables: which leaves they come to,
 * how far it is from there, and which channels they hold.
 *
 * <p>A state is a leaf with where the packet came from (a host, or a root by axis and number) and its virtual channel; what
 * happens from there on depends on nothing else, so each state is gone through once for all sources. With several tables a
 * packet may meet any mixture of them: each switch goes by any one of those in which it is alive.
 */
final class PacketWalk {
    private static final int OPEN = 1;
    private static final int DONE = 2;

    private final List<TurnDump> dumps;
    private final List<BitSet> dead;
    private final List<Integer> roots;
    private final ChannelGraph channels;
    private final boolean turnBack;
    private final int columns;
    private final int vcs;

    private final int[] phase;
    private final boolean[] arrives;
    private final boolean[] loops;
    private final int[] routings;
    private final int[] changes;
    private int destination;

    /**
     * @param dead for each of the tables the leaves that are dead, known or not
     * @param roots numbers to tell roots by, with {@link RootTables#EVERY} for all others
     * @param turnBack roots may send a packet back where it came from when no other spare is alive
     */
    PacketWalk(List<TurnDump> dumps, List<BitSet> dead, List<Integer> roots, ChannelGraph channels, boolean turnBack) {
        this.dumps = dumps;
        this.dead = dead;
        this.roots = roots;
        this.channels = channels;
        this.turnBack = turnBack;
        this.columns = dumps.get(0).columns;
        this.vcs = dumps.stream().mapToInt(TurnDump::vcCount).max().orElseThrow();
        int states = dumps.get(0).leafCount() * (1 + 2 * roots.size()) * vcs;
        this.phase = new int[states];
        this.arrives = new boolean[states];
        this.loops = new boolean[states];
        this.routings = new int[states];
        this.changes = new int[states];
    }

    /** From now on packets are for this leaf. */
    void towards(int leaf) {
        destination = leaf;
        Arrays.fill(phase, 0);
    }

    /** Goes all ways from a source; the other questions are about the last one. */
    void follow(int source) {
        visit(source, 0, 0);
    }

    /** The source's packets arrive on every choice. */
    boolean arrives(int source) {
        return arrives[state(source, 0, 0)];
    }

    /** Some choice leads to the same state twice. */
    boolean loops(int source) {
        return loops[state(source, 0, 0)];
    }

    /** Most routings on any choice. */
    int routings(int source) {
        return routings[state(source, 0, 0)];
    }

    /** Most changes of virtual channel on any choice. */
    int changes(int source) {
        return changes[state(source, 0, 0)];
    }

    private int state(int leaf, int from, int vc) {
        return (leaf * (1 + 2 * roots.size()) + from) * vcs + vc;
    }

    /** @param from 0 a host, then roots of rows, then roots of columns, in the order of {@link #roots} */
    private int visit(int leaf, int from, int vc) {
        int state = state(leaf, from, vc);
        if (phase[state] == 0) {
            phase[state] = OPEN;
            arrives[state] = true;
            loops[state] = false;
            routings[state] = 0;
            changes[state] = 0;
            for (int i = 0; leaf != destination && i < dumps.size(); i++) {
                if (!dead.get(i).get(leaf)) {
                    leave(state, i, leaf, from, vc);
                }
            }
            phase[state] = DONE;
        }
        return state;
    }

    private void leave(int state, int dump, int leaf, int from, int vc) {
        int kind = from == 0 ? 0 : from <= roots.size() ? 1 : 2;
        char turn = dumps.get(dump).turn(kind, leaf, destination);
        int next = turn == 'X' || turn == 'Y' ? dumps.get(dump).nextVc(kind, vc, axis(turn)) : TurnDump.DROP;
        if (next == TurnDump.DROP) {
            arrives[state] = false;
            return;
        }
        Axis axis = axis(turn);
        int line = axis == Axis.X ? leaf / columns : leaf % columns;
        int place = axis == Axis.X ? leaf % columns : leaf / columns;
        boolean anyRoot = false;
        for (int root = 0; root < roots.size(); root++) {
            int up = channels.channel(axis, line, root, place, true, next);
            for (int i = 0; i < dumps.size(); i++) {
                RootEntry entry = dumps.get(i)
                        .roots(axis)
                        .entry(axis, line, roots.get(root), destination / columns, destination % columns);
                if (entry == null) {
                    continue;
                }
                List<Integer> places = downFrom(entry, i, axis, line, place);
                anyRoot = true;
                arrives[state] &= !places.isEmpty();
                for (int to : places) {
                    channels.add(up, channels.channel(axis, line, root, to, false, next));
                    arrive(state, axis, line, root, to, next, from != 0 && next != vc);
                }
            }
            if (from != 0) {
                channels.add(downChannel(leaf, from, vc), up);
            }
        }
        arrives[state] &= anyRoot;
    }

    private static Axis axis(char turn) {
        return turn == 'X' ? Axis.X : Axis.Y;
    }

    private int downChannel(int leaf, int from, int vc) {
        boolean row = from <= roots.size();
        int root = (from - 1) % roots.size();
        return row
                ? channels.channel(Axis.X, leaf / columns, root, leaf % columns, false, vc)
                : channels.channel(Axis.Y, leaf % columns, root, leaf / columns, false, vc);
    }

    private void arrive(int state, Axis axis, int line, int root, int place, int vc, boolean changed) {
        int leaf = axis == Axis.X ? line * columns + place : place * columns + line;
        int from = 1 + axis.index() * roots.size() + root;
        int next = state(leaf, from, vc);
        if (phase[next] == OPEN) {
            loops[state] = true;
            arrives[state] = false;
            return;
        }
        visit(leaf, from, vc);
        arrives[state] &= arrives[next];
        loops[state] |= loops[next];
        routings[state] = Math.max(routings[state], 1 + routings[next]);
        changes[state] = Math.max(changes[state], (changed ? 1 : 0) + changes[next]);
    }

    /** Places in its line that a root may send to, by an entry of it; none if it drops the packet. */
    private List<Integer> downFrom(RootEntry entry, int dump, Axis axis, int line, int came) {
        if (entry.primary() >= 0 && alive(dump, axis, line, entry.primary())) {
            return List.of(entry.primary());
        }
        List<Integer> places = new ArrayList<>();
        boolean back = false;
        for (int spare = entry.spares().nextSetBit(0);
                spare >= 0;
                spare = entry.spares().nextSetBit(spare + 1)) {
            if (alive(dump, axis, line, spare)) {
                back |= spare == came;
                if (spare != came) {
                    places.add(spare);
                }
            }
        }
        if (places.isEmpty() && back && turnBack) {
            places.add(came);
        }
        return places;
    }

    private boolean alive(int dump, Axis axis, int line, int place) {
        return !dead.get(dump).get(axis == Axis.X ? line * columns + place : place * columns + line);
    }
}
