package io.dmodc.routing.quality;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * Shifts: with n nodes, the node at position i sends to the node at position i + k mod n, k in 1..n−1.
 *
 * <p><b>Idea.</b> The way of a flow depends on the switch of its source, not on the source. A run of neighbouring
 * positions at one switch therefore sends to a window of destinations, and from shift k to k + 1 that window slides by
 * one:
 *
 * <pre>
 *  run of switch s        a . . b)
 *  destinations, shift k        [a+k . . b+k)
 *                shift k + 1      [a+k+1 . . b+k+1)      − (s, a+k)   + (s, b+k)
 * </pre>
 *
 * Two routes are walked per run, however long it is. Leaves usually are one run each, so all n − 1 shifts cost O(n ×
 * leaves × hops) instead of O(n² × hops), and one pass over the channels a shift. Where runs are short, or the next
 * shift is not the next number, all n flows are counted anew.
 */
final class Shifts implements Pattern {
    /** Patterns a worker takes at a time where each is the next one: enough to make counting the first one anew cheap. */
    static final int PIECE = 128;

    /** The same where most are counted anew, whatever the piece. */
    private static final int SAMPLE_PIECE = 16;

    /** 128 bytes a channel: more save little, once they are as many as the nodes of a leaf. */
    private static final int LANES = 32;

    private final ArrivingRoutes routes;
    /** Ascending. */
    private final int[] distance;
    /** Run r is the positions {@code runStart[r] .. runStart[r + 1]}. */
    private final int[] runStart;

    private Shifts(ArrivingRoutes routes, int[] distance) {
        this.routes = routes;
        this.distance = distance;
        int n = routes.nodeCount();
        int[] starts = new int[n + 1];
        int runs = 0;
        for (int i = 0; i < n; i++) {
            if (i == 0 || home(i) != home(i - 1)) {
                starts[runs++] = i;
            }
        }
        starts[runs] = n;
        runStart = Arrays.copyOf(starts, runs + 1);
    }

    /** All of 1..n−1. */
    static Shifts all(ArrivingRoutes routes) {
        int[] distance = new int[Math.max(0, routes.nodeCount() - 1)];
        Arrays.setAll(distance, i -> i + 1);
        return new Shifts(routes, distance);
    }

    /** Some of 1..n−1, each at most once; all of them if there are not more than {@code count}. */
    static Shifts sample(ArrivingRoutes routes, int count, long seed) {
        int most = routes.nodeCount() - 1;
        if (count >= most) {
            return all(routes);
        }
        BitSet drawn = new BitSet();
        SplittableRandom random = new SplittableRandom(seed);
        for (int last = most - count + 1; last <= most; last++) {
            int distance = 1 + random.nextInt(last);
            drawn.set(drawn.get(distance) ? last : distance);
        }
        return new Shifts(routes, drawn.stream().toArray());
    }

    @Override
    public int count() {
        return distance.length;
    }

    @Override
    public int pieceSize() {
        return isWhole() ? PIECE : SAMPLE_PIECE;
    }

    @Override
    public int lanes() {
        return isWhole() && longRuns() ? LANES : 1;
    }

    private boolean isWhole() {
        return distance.length == routes.nodeCount() - 1;
    }

    private boolean longRuns() {
        return 2 * (runStart.length - 1) < routes.nodeCount();
    }

    @Override
    public int number(int i) {
        return distance[i];
    }

    @Override
    public void load(FlowSink sink, int i, boolean first) {
        boolean slides = !first && distance[i] == distance[i - 1] + 1 && longRuns();
        if (slides) {
            slide(sink, distance[i - 1]);
        } else {
            count(sink, distance[i]);
        }
    }

    private void slide(FlowSink sink, int k) {
        for (int run = 1; run < runStart.length; run++) {
            sink.remove(home(runStart[run - 1]), destination(runStart[run - 1] + k));
        }
        for (int run = 1; run < runStart.length; run++) {
            sink.add(home(runStart[run - 1]), destination(runStart[run] + k));
        }
    }

    private void count(FlowSink sink, int k) {
        sink.clear();
        for (int i = 0; i < routes.nodeCount(); i++) {
            sink.add(home(i), destination(i + k));
        }
    }

    @Override
    public void forEachFlow(int from, int to, FlowVisitor visitor) {
        int at = from;
        while (at < to) {
            int end = at + 1;
            while (end < to && distance[end] == distance[end - 1] + 1) {
                end++;
            }
            for (int run = 1; run < runStart.length; run++) {
                visitRun(runStart[run - 1], runStart[run], at, end, at - from, visitor);
            }
            at = end;
        }
    }

    /**
     * Flows of the run {@code a .. b − 1} in patterns {@code at .. end − 1}, whose distances are neighbours: position p is
     * sent to in those by p − b + 1 .. p − a.
     */
    private void visitRun(int a, int b, int at, int end, int lane, FlowVisitor visitor) {
        int k = distance[at];
        int count = end - at;
        for (int p = a + k; p < b + k + count - 1; p++) {
            int first = Math.max(0, p - b + 1 - k);
            int last = Math.min(count - 1, p - a - k);
            visitor.flow(home(a), destination(p), lane + first, lane + last + 1);
        }
    }

    private int home(int position) {
        return routes.home[routes.node[position]];
    }

    private int destination(int position) {
        int n = routes.nodeCount();
        return routes.node[position < n ? position : position - n];
    }
}
