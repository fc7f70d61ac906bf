package io.dmodc.routing.dmodc;

import io.dmodc.routing.CandidateChanges;
import io.dmodc.routing.CandidatePorts;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.Parallel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes upper rows: what parts above have for all targets.
 *
 * <p><b>Idea.</b> The candidates for a target are the neighbours above that reach it turning lowest. For all targets
 * they are found word by word ({@link CandidateRuns}). Where cables were lost one by one, many parts have all
 * neighbours of another one, their {@link RowPart#whole}, but a few. Such a variant reads the sets of that one and
 * leaves out what it lacks, as long as something remains: neighbours that remain turn no higher for it. So thousands of
 * rows share their sets, and after a fault these are found once for all of them. A whole is no variant itself: for each
 * neighbour the largest part is taken.
 */
final class UpperRows {
    /** Parts a thread takes at a time, with one set of buffers. */
    private static final int PIECE = 16;

    /** Variants: they are much quicker, and seldom use the buffers. */
    private static final int VARIANTS_PIECE = 256;

    private final CostLayers costs;

    /** As of the last update. */
    private TargetColumns targetColumns;

    UpperRows(TargetColumns targetColumns, CostLayers costs) {
        this.targetColumns = targetColumns;
        this.costs = costs;
    }

    /**
     * Makes new parts, and patches the others where the last update of {@link CostLayers} changed something, or columns
     * moved.
     */
    void make(List<RowPart> parts, TargetColumns columns, @Nullable MovedColumns moved, Parallel parallel) {
        targetColumns = columns;
        if (moved != null) {
            forEach(parts.size(), PIECE, moved.moved, parallel, (i, runs, builder) -> {
                if (!parts.get(i).isNew) {
                    patch(parts.get(i), moved, runs, builder);
                }
            });
        }
        make(parts, parallel);
    }

    private void make(List<RowPart> parts, Parallel parallel) {
        findWholes(parts);
        List<RowPart> alone = new ArrayList<>();
        List<RowPart> variants = new ArrayList<>();
        for (RowPart part : parts) {
            (part.whole == null ? alone : variants).add(part);
        }
        forEach(alone.size(), PIECE, targetColumns, parallel, (i, runs, builder) -> make(alone.get(i), runs, builder));
        forEach(variants.size(), VARIANTS_PIECE, targetColumns, parallel, (i, runs, builder) -> {
            if (!read(variants.get(i))) {
                make(variants.get(i), runs, builder);
            }
        });
        shareEqual(alone);
    }

    private interface Maker {
        void make(int i, CandidateRuns runs, LftRowBuilder builder);
    }

    private static void forEach(int count, int piece, TargetColumns columns, Parallel parallel, Maker maker) {
        WorkSplitter.forEachPiece(
                count,
                piece,
                (start, end) -> {
                    CandidateRuns runs = new CandidateRuns(columns);
                    LftRowBuilder builder = new LftRowBuilder();
                    for (int i = start; i < end; i++) {
                        maker.make(i, runs, builder);
                    }
                },
                parallel);
    }

    /** Gives new parts a whole, if there is one among those at hand; one that nobody has any more is no use. */
    private static void findWholes(List<RowPart> parts) {
        BitSet asked = new BitSet();
        for (RowPart part : parts) {
            if (part.whole != null && part.whole.members == 0) {
                part.whole = null;
            }
            if (part.isNew && part.ports != null) {
                asked.set(part.side.remotes[0]);
            }
        }
        if (!asked.isEmpty()) {
            Map<Integer, RowPart> largest = largest(parts, asked);
            for (RowPart part : parts) {
                RowPart whole = part.isNew && part.ports != null ? largest.get(part.side.remotes[0]) : null;
                if (whole != null) {
                    makeVariant(part, whole);
                }
            }
        }
    }

    /** By neighbour, of those asked for, the part with most neighbours of those that may be wholes. */
    private static Map<Integer, RowPart> largest(List<RowPart> parts, BitSet asked) {
        Map<Integer, RowPart> largest = new HashMap<>();
        for (RowPart part : parts) {
            if (part.ports != null && part.whole == null) {
                for (int remote : part.side.remotes) {
                    if (asked.get(remote)) {
                        largest.merge(remote, part, (a, b) -> b.side.remotes.length > a.side.remotes.length ? b : a);
                    }
                }
            }
        }
        return largest;
    }

    private static void makeVariant(RowPart part, RowPart whole) {
        long neighbours = placesIn(whole.side.remotes, part.side.remotes);
        if (neighbours != 0 && whole.ports != null && part.ports != null) {
            part.whole = whole;
            part.ports = part.ports.at(whole.ports.placed(neighbours));
        }
    }

    /** Bits of the places that {@code some} have among {@code all}, both in one order; 0 unless all of them are there. */
    private static long placesIn(int[] all, int[] some) {
        long places = 0;
        int next = 0;
        for (int i = 0; i < all.length && next < some.length; i++) {
            if (all[i] == some[next]) {
                places |= 1L << i;
                next++;
            }
        }
        return next == some.length && some.length < all.length ? places : 0;
    }

    private void make(RowPart part, CandidateRuns runs, LftRowBuilder builder) {
        int[] remotes = part.side.remotes;
        TargetSet changed = part.isNew ? costs.allTargets() : costs.changedAt(remotes);
        if (changed.isEmpty()) {
            part.replace(part.row);
            return;
        }
        builder.begin(part.row);
        runs.begin(part.layout);
        addRuns(part, changed, targetColumns, runs);
        if (part.ports == null) {
            runs.end(builder::put);
        } else {
            runs.end(builder, part.ports);
        }
        LftRow row = builder.build();
        row.partsHash(part.row, builder.otherSpans());
        part.replace(row);
    }

    /**
     * Makes a row of that of its whole, which is up to date. Where the last one was read from a row of the whole, only what changed in that since is looked at.
     *
     * @return false if it cannot be made so: then those that turn higher are to be asked, as for any other part
     */
    private static boolean read(RowPart part) {
        RowPart whole = part.whole;
        CandidatePorts ports = part.ports;
        if (whole == null || whole.ports == null || ports == null) {
            return false;
        }
        if (!part.isNew && whole.stamp != part.stamp) {
            return true;
        }
        CandidateChanges changes = part.readFrom == null ? null : whole.changesSince(part.readFrom);
        LftRow row = changes == null ? whole.row.with(whole.ports, ports) : changes.read(part.row, ports);
        if (row == null) {
            part.whole = null;
            return false;
        }
        part.isNew = false;
        part.readFrom = whole.row;
        part.row = row;
        return true;
    }

    private void patch(RowPart part, MovedColumns moved, CandidateRuns runs, LftRowBuilder builder) {
        RunList scattered = new RunList();
        builder.begin(part.row.fittedTo(moved.all.columnCount));
        runs.begin(part.layout);
        addRuns(part, moved.targets, moved.moved, runs);
        runs.end(scattered::add);
        moved.addVacated(scattered);
        scattered.sorted().putInto(builder);
        LftRow row = builder.build();
        if (row.entryCount() == part.row.entryCount()) {
            row.partsHash(part.row, builder.otherSpans());
        }
        part.row = row;
        part.readFrom = null;
    }

    private void addRuns(RowPart part, TargetSet targets, TargetColumns columns, CandidateRuns runs) {
        int[] remotes = part.side.remotes;
        int layers = costs.rankMax() - part.rank;
        long[][] bits = new long[layers * remotes.length][];
        int[] bitsAt = new int[bits.length];
        for (int layer = 0, i = 0; layer < layers; layer++) {
            for (int remote : remotes) {
                bits[i] = costs.layer(remote, part.rank + 1 + layer);
                bitsAt[i++] = costs.layerAt(remote, part.rank + 1 + layer);
            }
        }
        for (int i = 0; i < targets.count(); i++) {
            int w = targets.word(i);
            findCandidates(w, bits, bitsAt, runs.candidates(), remotes.length);
            runs.add(w, targets.bits(i) & columns.targetsOfWord(w));
        }
    }

    /** A neighbour is a candidate where no neighbour reaches the target turning lower than this one does. */
    private static void findCandidates(int w, long[][] bits, int[] bitsAt, long[] candidates, int remoteCount) {
        Arrays.fill(candidates, 0, remoteCount, 0);
        long lower = 0;
        for (int start = 0; start < bits.length; start += remoteCount) {
            long reached = lower;
            for (int i = 0; i < remoteCount; i++) {
                long word = bits[start + i][bitsAt[start + i] + w];
                reached |= word;
                candidates[i] |= word & ~lower;
            }
            lower = reached;
        }
    }

    /** So that rows which come out equal are one; those of variants have ports of their own. */
    private static void shareEqual(List<RowPart> parts) {
        Map<Integer, LftRow> first = new HashMap<>();
        for (RowPart part : parts) {
            LftRow known = first.putIfAbsent(part.row.partsHash(), part.row);
            if (known != null && known.sameParts(part.row)) {
                part.row = known;
            }
        }
    }
}
