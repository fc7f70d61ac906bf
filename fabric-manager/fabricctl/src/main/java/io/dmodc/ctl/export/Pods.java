package io.dmodc.ctl.export;

import io.dmodc.topology.DisjointSets;
import io.dmodc.topology.FabricView;
import java.util.Set;

/**
 * Which switches hang together when the fabric is cut off above a rank: the pods of that rank. At the top rank they are
 * the parts of the fabric that have no legal path to each other. Only cables between adjacent ranks count.
 *
 * <p>O(cables) time for all ranks, one int a switch and rank. Immutable once made.
 */
public final class Pods {
    /** The switch is above the rank asked for, or on no rank. */
    public static final int NONE = -1;

    private final int[][] pod;

    private Pods(int[][] pod) {
        this.pod = pod;
    }

    /** @param alone switches whose cables do not count: each stays a pod of its own */
    public static Pods of(FabricView view, Set<Integer> alone) {
        DisjointSets joined = new DisjointSets(view.switchCount());
        int[][] pod = new int[view.rankMax() + 1][view.switchCount()];
        for (int rank = 0; rank < pod.length; rank++) {
            for (int s = 0; s < view.switchCount(); s++) {
                if (view.rank(s) == rank && !alone.contains(s)) {
                    joinBelow(view, s, alone, joined);
                }
            }
            for (int s = 0; s < view.switchCount(); s++) {
                boolean in = view.rank(s) >= 0 && view.rank(s) <= rank;
                pod[rank][s] = in ? joined.lowest(s) : NONE;
            }
        }
        return new Pods(pod);
    }

    private static void joinBelow(FabricView view, int s, Set<Integer> alone, DisjointSets joined) {
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            int far = view.groupRemote(group);
            if (view.isDown(s, far) && !alone.contains(far)) {
                joined.join(s, far);
            }
        }
    }

    /** Highest rank, −1 in a fabric without leaves. */
    public int rankMax() {
        return pod.length - 1;
    }

    /** The lowest switch index in the pod of that rank a switch is in, or {@link #NONE}. */
    public int podOf(int rank, int s) {
        return pod[rank][s];
    }

    /** The part of the whole fabric a switch is in, or {@link #NONE}. */
    public int partOf(int s) {
        return pod.length == 0 ? NONE : pod[pod.length - 1][s];
    }
}
