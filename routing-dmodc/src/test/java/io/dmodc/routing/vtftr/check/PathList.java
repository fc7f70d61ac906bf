package io.dmodc.routing.vtftr.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * All paths from a leaf to another, one after the other, without any memory: the slow twin of {@link PacketWalk}. For grids
 * in which all roots of a line have the same entries.
 */
final class PathList {
    /** Longer ones go round. */
    private static final int ROUTINGS_MAX = 12;

    final List<String> paths = new ArrayList<>();
    final Set<String> dependencies = new TreeSet<>();
    boolean loops;
    boolean dropped;
    int routings;
    int changes;

    private final TurnDump dump;
    private final int destination;
    private final BitSet dead;

    PathList(TurnDump dump, int source, int destination) {
        this.dump = dump;
        this.destination = destination;
        dead = (BitSet) dump.faults.clone();
        dead.or(dump.bursts);
        go(source, 0, 0, "", name(source), 0, 0);
    }

    private void go(int leaf, int from, int vc, String channel, String path, int length, int changed) {
        if (leaf == destination) {
            paths.add(path);
            routings = Math.max(routings, length);
            changes = Math.max(changes, changed);
            return;
        }
        if (length == ROUTINGS_MAX) {
            loops = true;
            return;
        }
        char turn = dump.turn(from, leaf, destination);
        Axis axis = turn == 'X' ? Axis.X : Axis.Y;
        int next = turn == 'X' || turn == 'Y' ? dump.nextVc(from, vc, axis) : TurnDump.DROP;
        if (next == TurnDump.DROP) {
            dropped = true;
            return;
        }
        int r = leaf / dump.columns;
        int c = leaf % dump.columns;
        int line = axis == Axis.X ? r : c;
        int came = axis == Axis.X ? c : r;
        RootEntry entry = Dumps.entry(dump, axis, line, destination / dump.columns, destination % dump.columns);
        String up = axis + "" + line + " up from " + came + " on " + next;
        depend(channel, up);
        BitSet places = places(entry, axis, line, came);
        dropped |= places.isEmpty();
        for (int place : places.stream().toArray()) {
            String down = axis + "" + line + " down to " + place + " on " + next;
            depend(up, down);
            int to = leafAt(axis, line, place);
            String step = path + (axis == Axis.X ? " -row-" : " -column-") + next + "-> " + name(to);
            go(to, 1 + axis.index(), next, down, step, length + 1, changed + (from != 0 && next != vc ? 1 : 0));
        }
    }

    private void depend(String from, String to) {
        if (!from.isEmpty()) {
            dependencies.add(from + " > " + to);
        }
    }

    private BitSet places(RootEntry entry, Axis axis, int line, int came) {
        BitSet places = new BitSet();
        if (entry.primary() >= 0 && !dead.get(leafAt(axis, line, entry.primary()))) {
            places.set(entry.primary());
            return places;
        }
        entry.spares().stream()
                .filter(place -> !dead.get(leafAt(axis, line, place)))
                .forEach(places::set);
        if (places.cardinality() > 1) {
            places.clear(came);
        }
        return places;
    }

    private int leafAt(Axis axis, int line, int place) {
        return axis == Axis.X ? line * dump.columns + place : place * dump.columns + line;
    }

    private String name(int leaf) {
        return leaf / dump.columns + "" + leaf % dump.columns;
    }
}
