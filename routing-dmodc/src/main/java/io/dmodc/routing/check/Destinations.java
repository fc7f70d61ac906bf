package io.dmodc.routing.check;

import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.function.IntUnaryOperator;

/**
 * The columns of a table: where each destination is, and who sends to it.
 *
 * <p>The columns to check are bundled by the switch they are at, since these share their legal paths: bundle b holds
 * {@code column[bundleStart[b] .. bundleStart[b + 1]]}, all at {@code bundleHome[b]} (−1: nowhere).
 */
final class Destinations {
    /** Bounds the size of the bundle of destinations that are nowhere, so that work divides evenly. */
    private static final int BUNDLE_MAX = 256;

    final int[] home;
    final int[] exit;
    final boolean[] source;
    final int[] column;
    final int[] bundleHome;
    final int[] bundleStart;
    final int bundleCount;
    private final String kind;

    /** Hosts; sources are the live switches that hosts are cabled to, and live leaves. */
    static Destinations nodes(FabricView view, BitSet checked) {
        int count = view.nodeCount();
        int[] home = new int[count];
        int[] exit = new int[count];
        for (int node = 0; node < count; node++) {
            int s = view.nodeSwitch(node);
            home[node] = s >= 0 && view.alive(s) ? s : -1;
            exit[node] = view.nodePort(node);
        }
        boolean[] source = new boolean[view.switchCount()];
        for (int target = 0; target < view.targetCount(); target++) {
            int s = view.targetSwitch(target);
            source[s] = view.alive(s) && view.rank(s) >= 0;
        }
        return new Destinations("node ", home, exit, source, checked, view::targetOfSwitch, view.targetCount());
    }

    /** Switches themselves, at port 0; every live one is a source. */
    static Destinations switches(FabricView view) {
        int count = view.switchCount();
        int[] home = new int[count];
        boolean[] source = new boolean[count];
        for (int s = 0; s < count; s++) {
            home[s] = view.alive(s) ? s : -1;
            source[s] = view.alive(s) && view.rank(s) >= 0;
        }
        BitSet all = new BitSet();
        all.set(0, count);
        return new Destinations("switch ", home, new int[count], source, all, s -> s, count);
    }

    /** Columns are ordered by {@code place} of their home, so that a bundle and the next lie side by side in a row. */
    private Destinations(
            String kind, int[] home, int[] exit, boolean[] source, BitSet checked, IntUnaryOperator place, int places) {
        this.kind = kind;
        this.home = home;
        this.exit = exit;
        this.source = source;
        int[] start = new int[places + 2];
        checked.stream().forEach(d -> start[placeOf(d, place, places) + 1]++);
        for (int i = 0; i <= places; i++) {
            start[i + 1] += start[i];
        }
        column = new int[start[places + 1]];
        int[] next = start.clone();
        checked.stream().forEach(d -> column[next[placeOf(d, place, places)]++] = d);
        bundleHome = new int[column.length];
        bundleStart = new int[column.length + 1];
        bundleCount = bundle();
    }

    private int placeOf(int d, IntUnaryOperator place, int places) {
        return home[d] < 0 ? places : place.applyAsInt(home[d]);
    }

    private int bundle() {
        int count = 0;
        for (int i = 0; i < column.length; i++) {
            int at = home[column[i]];
            if (count == 0 || at != bundleHome[count - 1] || i - bundleStart[count - 1] == BUNDLE_MAX) {
                bundleHome[count] = at;
                bundleStart[count++] = i;
            }
        }
        bundleStart[count] = column.length;
        return count;
    }

    /** A destination as people call it. */
    String name(FabricView view, int d) {
        return kind + (kind.equals("node ") ? Integer.toString(d) : Story.name(view, d));
    }
}
