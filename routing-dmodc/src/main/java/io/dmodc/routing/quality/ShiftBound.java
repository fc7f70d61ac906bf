package io.dmodc.routing.quality;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The least risk that any tables can have under a shift, by cuts.
 *
 * <p><b>Idea.</b> Each node sends one flow and receives one. Those between a set of switches and all others leave it, and
 * enter it, by its live links to others, so some port carries at least flows / links, rounded up, and as all sources of a
 * pattern differ, and all destinations, that is its risk. The sets looked at are the parts into which the links among
 * ranks 0..r fall: each leaf, each pod, up to the highest rank but one. More sets could only raise the bound.
 *
 * <p>Positions of a set are runs; how many of a run's flows stay inside under a shift is the overlap of two intervals on
 * a circle. O(cuts × runs² ) a shift, or O(positions) where runs are short.
 */
final class ShiftBound {
    /** Switches with nodes that links join, and how many links lead out. */
    private static final class Cut {
        final List<int[]> runs = new ArrayList<>();
        int links;
        int nodes;
    }

    private final ArrivingRoutes routes;
    private final FabricView view;
    private final List<Cut> cuts = new ArrayList<>();

    ShiftBound(ArrivingRoutes routes) {
        this.routes = routes;
        view = routes.channels.view;
        int[] part = new int[view.switchCount()];
        Arrays.setAll(part, s -> s);
        for (int rank = 0; rank < Math.max(1, view.rankMax()); rank++) {
            join(part, rank);
            addCuts(part, rank);
        }
    }

    /** Joins what links among ranks 0..rank join that those below did not. */
    private void join(int[] part, int rank) {
        for (int s = 0; s < part.length; s++) {
            for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
                int remote = view.groupRemote(g);
                boolean among = isAmong(s, rank) && isAmong(remote, rank);
                if (among) {
                    part[root(part, Math.max(s, remote))] = root(part, Math.min(s, remote));
                }
            }
        }
    }

    private boolean isAmong(int s, int rank) {
        return view.rank(s) >= 0 && view.rank(s) <= rank;
    }

    private static int root(int[] part, int of) {
        int at = of;
        while (part[at] != at) {
            part[at] = part[part[at]];
            at = part[at];
        }
        return at;
    }

    private void addCuts(int[] part, int rank) {
        Cut[] ofRoot = new Cut[part.length];
        int last = -1;
        for (int i = 0; i < routes.nodeCount(); i++) {
            int root = root(part, routes.home[routes.node[i]]);
            if (ofRoot[root] == null) {
                ofRoot[root] = new Cut();
            }
            Cut cut = ofRoot[root];
            if (root == last) {
                cut.runs.get(cut.runs.size() - 1)[1] = i + 1;
            } else {
                cut.runs.add(new int[] {i, i + 1});
            }
            cut.nodes++;
            last = root;
        }
        for (int s = 0; s < part.length; s++) {
            Cut cut = ofRoot[root(part, s)];
            for (int g = view.groupStart(s); cut != null && g < view.groupStart(s + 1); g++) {
                cut.links += root(part, view.groupRemote(g)) == root(part, s) ? 0 : view.groupSize(g);
            }
        }
        for (Cut cut : ofRoot) {
            if (cut != null && cut.links > 0) {
                cuts.add(cut);
            }
        }
    }

    /** The bound under the shift by {@code k}, at least 1 where there are two nodes. */
    int of(int k) {
        int least = routes.nodeCount() > 1 ? 1 : 0;
        for (Cut cut : cuts) {
            if (cut.nodes > (long) least * cut.links) {
                int crossing = cut.nodes - inside(cut, k);
                least = Math.max(least, (crossing + cut.links - 1) / cut.links);
            }
        }
        return least;
    }

    /** Flows from the cut's nodes to its own. */
    private int inside(Cut cut, int k) {
        int n = routes.nodeCount();
        int inside = 0;
        for (int[] from : cut.runs) {
            for (int[] to : cut.runs) {
                inside += overlap(from[0] + k, from[1] + k, to[0], to[1]);
                inside += overlap(from[0] + k - n, from[1] + k - n, to[0], to[1]);
            }
        }
        return inside;
    }

    private static int overlap(int from, int to, int otherFrom, int otherTo) {
        return Math.max(0, Math.min(to, otherTo) - Math.max(from, otherFrom));
    }
}
