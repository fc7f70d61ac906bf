package io.dmodc.routing.rebalance;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowEdit;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.CostsAndDividers;
import io.dmodc.routing.quality.Progress;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Spreads the shifts of a damaged fabric better than Dmodc's arithmetic does, at the price of entries that no formula gives.
 *
 * <p><b>Idea.</b> Entries of Dmodc's tables are moved among the ports that lead closer (P_{s,d}, equation (2)): any choice
 * among them is up–down, minimal, without loop and without cycle of channels. A channel with f flows in a shift weighs
 * 1 + 8 + … + 8^(f−1), so the worst ones decide; an entry is moved if that lowers the weight of all channels and shifts,
 * and only away from a port that weighs more than the median of its stage.
 *
 * <p><b>Passes.</b> At most {@value #PASSES}. Each of the first half sums up, for every block of {@value LftDelta#BLOCK}
 * entries, what its entries alone would save, and opens the best quarter of the blocks that may change. Then the entries
 * of open blocks are moved, destination by destination, each to the port that saves most. What is kept is the pass with
 * the lowest mean of all shifts that raised neither it nor the highest; if there is none, the tables given. The all-to-all
 * risk does not rise either ({@link AllToAllLimit}); permutations are not looked at.
 *
 * <p><b>Cost.</b> A pass: O(nodes × leaves × hops) to follow the routes, O(nodes × shifts × hops × ports that lead closer)
 * to weigh, shifts as {@link ShiftLoads} bounds them, and the measure of all shifts. Deterministic, whatever
 * {@code parallel} is.
 *
 * <p><b>Source.</b> Candidates: Gliksberg, Capra, Louvet, García, Sohier: High-Quality Fault Resiliency in Fat-Trees,
 * equation (2). Figures: docs/algorithms/rebalance.md.
 */
public final class Rebalance {
    /** Most passes. */
    public static final int PASSES = 8;

    private static final byte[] NONE = {};

    private final FabricView view;
    private final LftSet tables;
    private final CostsAndDividers known;
    private final Parallel parallel;
    private final ShiftLoads loads;
    private final AllToAllLimit allToAll;
    /** Ports that lead closer, by switch, then by place of the destination's switch in {@link ShiftLoads#source}. */
    private final byte[][][] candidates;

    private final int[] sourceIndex;
    private final long[] weight;
    private final long[] median;
    private final int blocksPerRow;
    private final boolean[] open;
    private int openCount;

    private Rebalance(FabricView view, LftSet tables, CostsAndDividers known, int allToAllMost, Parallel parallel) {
        this.view = view;
        this.tables = tables;
        this.known = known;
        this.parallel = parallel;
        loads = new ShiftLoads(view, tables, parallel);
        sourceIndex = new int[view.switchCount()];
        IntStream.range(0, loads.source.length).forEach(i -> sourceIndex[loads.source[i]] = i);
        candidates = new byte[view.switchCount()][loads.source.length][];
        parallel.forEach(candidates.length, this::findCandidates);
        allToAll = new AllToAllLimit(loads, hostsBelow(), allToAllMost);
        weight = new long[loads.place.length];
        median = new long[weight.length];
        blocksPerRow = LftDelta.blockCount(tables.entryCount());
        open = new boolean[view.switchCount() * blocksPerRow];
    }

    /**
     * The bound if none is asked for: a twentieth of all blocks, rounded up.
     *
     * @param tables whose blocks are counted
     */
    public static int standardBlocks(LftSet tables) {
        return (tables.switchCount() * LftDelta.blockCount(tables.entryCount()) + 19) / 20;
    }

    /**
     * Moves entries.
     *
     * @param view one frozen epoch
     * @param tables those of a strict form of Dmodc for it, {@code dmodc} or {@code dmodc-strict}
     * @param known what the same form knows of the view
     * @param blocksMost most blocks of {@link LftDelta#BLOCK} entries that may differ afterwards
     * @param parallel where entries are weighed; the result does not depend on it
     * @param progress hears of passes, of {@link #PASSES}
     * @throws IllegalArgumentException if the tables have another size than the view, or the bound is negative
     */
    public static Rebalanced of(
            FabricView view,
            LftSet tables,
            CostsAndDividers known,
            int blocksMost,
            Parallel parallel,
            Progress progress) {
        return of(view, tables, known, blocksMost, parallel, progress, () -> false);
    }

    /**
     * The same, of as many passes as there is time for.
     *
     * @param enough asked before each pass but the first: there is no further one if it says so
     */
    public static Rebalanced of(
            FabricView view,
            LftSet tables,
            CostsAndDividers known,
            int blocksMost,
            Parallel parallel,
            Progress progress,
            BooleanSupplier enough) {
        if (blocksMost < 0) {
            throw new IllegalArgumentException(blocksMost + " blocks may change; expected 0 or more");
        }
        Rebalanced.Risk before = Rebalanced.Risk.of(view, tables.requireNodesOf(view), parallel);
        Rebalanced best = new Rebalanced(tables, 0, 0, 0, before, before);
        if (blocksMost == 0 || before.isLeast()) {
            return best;
        }
        Rebalance work = new Rebalance(view, tables, known, before.allToAll(), parallel);
        for (int pass = 1; pass <= PASSES && !best.after().isLeast(); pass++) {
            if ((pass > 1 && enough.getAsBoolean()) || !work.pass(blocksMost)) {
                return best;
            }
            Rebalanced now = work.result(before);
            best = now.after().isBelow(best.after(), before) ? now : best;
            progress.reached(pass, PASSES);
        }
        return best;
    }

    /** Neighbouring destinations mostly have the same candidates, and share them. */
    private void findCandidates(int s) {
        byte[] last = {};
        for (int i = 0; i < loads.source.length; i++) {
            int[] ports = known.alternatives(s, loads.node[loads.positionsAt[loads.source[i]][0]]);
            byte[] found = new byte[ports.length];
            for (int k = 0; k < ports.length; k++) {
                found[k] = (byte) ports[k];
            }
            last = Arrays.equals(last, found) ? last : found;
            candidates[s][i] = last;
        }
    }

    private int[] hostsBelow() {
        int[] below = new int[view.switchCount()];
        for (int s = 0; s < below.length; s++) {
            for (int leaf : loads.source) {
                boolean descends = known.cost(s, view.targetOfSwitch(leaf)) == view.rank(s) - view.rank(leaf);
                below[s] += descends ? loads.positionsAt[leaf].length : 0;
            }
        }
        return below;
    }

    /** True if entries were moved. */
    private boolean pass(int blocksMost) {
        weigh();
        if (openCount < blocksMost) {
            open(blocksMost);
        }
        long moved = 0;
        MoveSearch search = new MoveSearch(loads, allToAll);
        for (int d : loads.node) {
            moved += moveEntries(search, d);
        }
        return moved > 0;
    }

    private void weigh() {
        parallel.forEach(weight.length, c -> weight[c] = loads.weight(c));
        int[] stage = new int[weight.length];
        Arrays.setAll(stage, c -> stage(loads.place[c] >> 8, loads.peer[c]));
        for (int each : Arrays.stream(stage).distinct().toArray()) {
            int[] channels = IntStream.range(0, stage.length)
                    .filter(c -> stage[c] == each)
                    .toArray();
            long[] sorted =
                    Arrays.stream(channels).mapToLong(c -> weight[c]).sorted().toArray();
            Arrays.stream(channels).forEach(c -> median[c] = sorted[(sorted.length - 1) / 2]);
        }
    }

    /** Of a channel, by its rank and direction. */
    private int stage(int s, int remote) {
        return 3 * view.rank(s) + (view.isUp(s, remote) ? 0 : view.isDown(s, remote) ? 1 : 2);
    }

    /** Opens the blocks whose entries would save most, each by itself; equal ones by switch, then by column. */
    private void open(int blocksMost) {
        long[] saved = new long[open.length];
        parallel.forEach(blocksPerRow, block -> sumUp(block, saved));
        int[] blocks = IntStream.range(0, open.length)
                .filter(i -> saved[i] > 0 && !open[i])
                .boxed()
                .sorted((one, other) -> Long.compare(saved[other], saved[one]))
                .mapToInt(Integer::intValue)
                .limit(Math.min(blocksMost - openCount, 1 + blocksMost / (PASSES / 2)))
                .toArray();
        for (int block : blocks) {
            open[block] = true;
        }
        openCount += blocks.length;
    }

    private void sumUp(int block, long[] saved) {
        MoveSearch search = new MoveSearch(loads, allToAll);
        int end = Math.min(tables.entryCount(), (block + 1) * LftDelta.BLOCK);
        for (int d = block * LftDelta.BLOCK; d < end; d++) {
            if (loads.home[d] >= 0) {
                search.follow(d);
                for (int i = 0; i < search.tree().size(); i++) {
                    int s = search.tree().switchAt(i);
                    saved[s * blocksPerRow + block] += search.find(s, d, candidates(s, d)) ? search.saves() : 0;
                }
            }
        }
    }

    /** Moves entries for one destination in open blocks until none saves anything. */
    private int moveEntries(MoveSearch search, int d) {
        int moved = 0;
        search.follow(d);
        for (int i = 0; i < search.tree().size(); i++) {
            int s = search.tree().switchAt(i);
            if (open[s * blocksPerRow + d / LftDelta.BLOCK] && search.find(s, d, candidates(s, d))) {
                search.move(s, d);
                moved++;
                i = -1;
            }
        }
        return moved;
    }

    /** Ports that lead closer, if the entry's own weighs more than the median of its stage; else none. */
    private byte[] candidates(int s, int d) {
        int channel = loads.channel(s, d);
        return weight[channel] > median[channel] ? candidates[s][sourceIndex[loads.home[d]]] : NONE;
    }

    private Rebalanced result(Rebalanced.Risk before) {
        LftRow[] rows = new LftRow[tables.switchCount()];
        int entries = 0;
        int blocks = 0;
        int switches = 0;
        byte[] old = new byte[tables.entryCount()];
        for (int s = 0; s < rows.length; s++) {
            LftRowEdit edit = new LftRowEdit(tables.row(s));
            edit.put(0, loads.rows[s], 0, old.length);
            rows[s] = edit.build();
            int changed = LftDelta.changedBlocks(tables.row(s), rows[s]).length;
            tables.copyRow(s, old);
            for (int d = 0; changed > 0 && d < old.length; d++) {
                entries += old[d] == loads.rows[s][d] ? 0 : 1;
            }
            blocks += changed;
            switches += changed > 0 ? 1 : 0;
        }
        LftSet made = new LftSet(tables.epoch(), old.length, rows);
        return new Rebalanced(made, entries, blocks, switches, before, Rebalanced.Risk.of(view, made, parallel));
    }
}
