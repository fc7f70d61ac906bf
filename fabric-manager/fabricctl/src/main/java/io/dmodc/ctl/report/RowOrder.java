package io.dmodc.ctl.report;

import io.dmodc.ctl.export.Pods;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * In which order switches stand in their row: pods side by side, the leaves of a pod by their hosts, a switch above the
 * leaves where those below it are in the mean. So few lines cross, and the order is the same each time.
 */
final class RowOrder {
    final Pods pods;

    /** By rank from the leaves: switch indices from left to right. */
    final List<List<Integer>> rows = new ArrayList<>();

    private final FabricView view;

    /** Place in its row, 0..1. */
    final double[] at;

    RowOrder(FabricView view) {
        this.view = view;
        this.pods = Pods.of(view, Set.of());
        this.at = new double[view.switchCount()];
        double[] key = new double[view.switchCount()];
        for (int rank = 0; rank <= view.rankMax(); rank++) {
            List<Integer> row = new ArrayList<>();
            for (int s = 0; s < view.switchCount(); s++) {
                if (view.rank(s) == rank) {
                    row.add(s);
                    key[s] = rank == 0 ? view.targetOfSwitch(s) : meanBelow(s);
                }
            }
            Comparator<Integer> byPod = this::byPod;
            row.sort(byPod.thenComparing(s -> key[s]).thenComparing(Comparator.naturalOrder()));
            for (int i = 0; i < row.size(); i++) {
                at[row.get(i)] = (i + 0.5) / row.size();
            }
            rows.add(List.copyOf(row));
        }
    }

    private double meanBelow(int s) {
        double sum = 0;
        int count = 0;
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            if (view.isDown(s, view.groupRemote(group))) {
                sum += at[view.groupRemote(group)];
                count++;
            }
        }
        return count == 0 ? 1 : sum / count;
    }

    /** Larger pods first decide. */
    private int byPod(int a, int b) {
        for (int rank = pods.rankMax(); rank >= view.rank(a); rank--) {
            int order = Integer.compare(pods.podOf(rank, a), pods.podOf(rank, b));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
