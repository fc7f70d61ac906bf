package io.dmodc.routing.dmodk;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Arrays;
import java.util.Optional;

/**
 * Dmodk: every port from the shape alone, without looking at a link.
 *
 * <p>A switch of level l with number i on its level descends to nodes with the same digits above l, and else climbs
 * through up port {@code ⌊d / (w_1…w_l)⌋ mod (w_{l+1}·p_{l+1})} (Gliksberg et al., section 2). Downwards the parallel
 * link is {@code ⌊d / (w_1…w_l)⌋ mod p_l}: the cable by which a packet for d would also climb.
 *
 * <p>Holds only for the whole PGFT with canonical numbering (switch index level by level, interleaved ports); any
 * other view is refused with the first difference. O(1) an entry.
 */
public final class Dmodk implements RoutingEngine {
    private final PgftShape shape;

    /** m_1…m_l and w_1…w_l at index l. */
    private final int[] nodesBelow;

    private final int[] waysUp;
    private final int[] levelBase;

    /** @param shape what the fabric must be */
    public Dmodk(PgftShape shape) {
        this.shape = shape;
        int levels = shape.levels();
        nodesBelow = new int[levels + 1];
        waysUp = new int[levels + 1];
        levelBase = new int[levels + 2];
        nodesBelow[0] = 1;
        waysUp[0] = 1;
        for (int level = 1; level <= levels; level++) {
            nodesBelow[level] = nodesBelow[level - 1] * shape.m(level);
            waysUp[level] = waysUp[level - 1] * shape.w(level);
            levelBase[level + 1] = levelBase[level] + shape.switchCount(level);
        }
    }

    @Override
    public String name() {
        return "dmodk";
    }

    /**
     * {@inheritDoc}
     *
     * <p>Complete or Unroutable, never Partial.
     */
    @Override
    public RoutingResult route(FabricView view, Parallel parallel) {
        Optional<String> difference = new WholePgft(shape).firstDifference(view);
        if (difference.isPresent()) {
            return new RoutingResult.Unroutable("not the whole " + shape + ": " + difference.get());
        }
        byte[][] rows = new byte[view.switchCount()][];
        parallel.forEach(rows.length, s -> rows[s] = nodeRow(s));
        return new RoutingResult.Complete(new LftSet(view.epoch(), view.nodeCount(), rows));
    }

    /**
     * {@inheritDoc}
     *
     * <p>The d of a switch is {@code nodeCount + switch index}. Two switches have a legal path if the digits that
     * choose their parents agree up to the lower one's level; the way up to an upper switch is given by its digits.
     *
     * @throws IllegalArgumentException if the view is not the whole PGFT
     */
    @Override
    public LftSet routeSwitches(FabricView view, Parallel parallel) {
        new WholePgft(shape).firstDifference(view).ifPresent(difference -> {
            throw new IllegalArgumentException("not the whole " + shape + ": " + difference);
        });
        byte[][] rows = new byte[view.switchCount()][];
        parallel.forEach(rows.length, s -> rows[s] = switchRow(s));
        return new LftSet(view.epoch(), view.switchCount(), rows);
    }

    private byte[] nodeRow(int s) {
        int level = level(s);
        int i = s - levelBase[level];
        byte[] row = new byte[shape.nodeCount()];
        for (int d = 0; d < row.length; d++) {
            boolean below = d / nodesBelow[level] == i / waysUp[level];
            row[d] = (byte) (below ? downPort(level, d / nodesBelow[level - 1] % shape.m(level), d) : upPort(level, d));
        }
        return row;
    }

    private byte[] switchRow(int s) {
        byte[] row = new byte[shape.switchCount()];
        Arrays.fill(row, (byte) LftSet.NO_ROUTE);
        int level = level(s);
        for (int target = 0; target < row.length; target++) {
            int targetLevel = level(target);
            int common = waysUp[Math.min(level, targetLevel)];
            if (target == s) {
                row[target] = 0;
            } else if ((s - levelBase[level]) % common == (target - levelBase[targetLevel]) % common) {
                row[target] = (byte) portToSwitch(level, s - levelBase[level], targetLevel, target);
            }
        }
        return row;
    }

    private int portToSwitch(int level, int i, int targetLevel, int target) {
        int d = shape.nodeCount() + target;
        int j = target - levelBase[targetLevel];
        if (level <= targetLevel) {
            return level < targetLevel ? upPortTo(level, j / waysUp[level] % shape.w(level + 1), d) : upPort(level, d);
        }
        int subtree = j / waysUp[targetLevel];
        boolean below = subtree / (nodesBelow[level] / nodesBelow[targetLevel]) == i / waysUp[level];
        int child = subtree / (nodesBelow[level - 1] / nodesBelow[targetLevel]) % shape.m(level);
        return below ? downPort(level, child, d) : upPort(level, d);
    }

    private int downPort(int level, int child, int d) {
        return 1 + child + d / waysUp[level] % shape.p(level) * shape.m(level);
    }

    private int upPort(int level, int d) {
        int upPorts = shape.w(level + 1) * shape.p(level + 1);
        return 1 + shape.downPortCount(level) + d / waysUp[level] % upPorts;
    }

    private int upPortTo(int level, int parent, int d) {
        int link = d / waysUp[level] % shape.p(level + 1);
        return 1 + shape.downPortCount(level) + parent + link * shape.w(level + 1);
    }

    private int level(int s) {
        int level = 1;
        while (s >= levelBase[level + 1]) {
            level++;
        }
        return level;
    }
}
