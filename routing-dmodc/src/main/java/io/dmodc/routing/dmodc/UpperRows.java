package io.dmodc.routing.dmodc;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.PortPattern;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes upper rows: what parts above have for all targets.
 *
 * <p><b>Idea.</b> The candidates for a target are the neighbours above that reach it turning lowest. For all targets
 * they are found word by word ({@link CandidateRuns}). Where cables were lost one by one, many parts have all
 * neighbours of another one but a few; such a {@link Variant} takes the sets of that one and leaves out what it lacks,
 * as long as something remains: neighbours that remain turn no higher for it.
 */
final class UpperRows {
    /** Parts a thread takes at a time, with one set of buffers. */
    private static final int PIECE = 16;

    /** Less than this and looking for variants does not pay. */
    private static final int PARTS_MIN = 4;

    /** A part that has all neighbours of another one but a few. */
    private record Variant(RowPart part, RowPart whole, long groups) {}

    private final CostLayers costs;

    /** As of the last update. */
    private TargetColumns targetColumns;

    /** Sets of the parts that have variants, while an update is under way. */
    private final Map<RowPart, CandidateSetRuns> wholes = new HashMap<>();

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
            forEach(parts.size(), moved.moved, parallel, (i, runs, builder) -> {
                if (!parts.get(i).isNew) {
                    patch(parts.get(i), moved, runs, builder);
                }
            });
        }
        make(parts, parallel);
    }

    private void make(List<RowPart> parts, Parallel parallel) {
        @Nullable Variant[] variants = findVariants(parts);
        for (Variant variant : variants) {
            if (variant != null) {
                wholes.put(variant.whole, new CandidateSetRuns());
            }
        }
        forEach(parts.size(), targetColumns, parallel, (i, runs, builder) -> {
            if (variants[i] == null) {
                make(parts.get(i), runs, builder);
            }
        });
        if (!wholes.isEmpty()) {
            forEach(parts.size(), targetColumns, parallel, (i, runs, builder) -> {
                Variant variant = variants[i];
                if (variant != null) {
                    make(variant, runs, builder);
                }
            });
            wholes.clear();
        }
        shareEqual(parts);
    }

    private interface Maker {
        void make(int i, CandidateRuns runs, LftRowBuilder builder);
    }

    private static void forEach(int count, TargetColumns columns, Parallel parallel, Maker maker) {
        WorkSplitter.forEachPiece(
                count,
                PIECE,
                (start, end) -> {
                    CandidateRuns runs = new CandidateRuns(columns);
                    LftRowBuilder builder = new LftRowBuilder();
                    for (int i = start; i < end; i++) {
                        maker.make(i, runs, builder);
                    }
                },
                parallel);
    }

    private @Nullable Variant[] findVariants(List<RowPart> parts) {
        @Nullable Variant[] variants = new Variant[parts.size()];
        if (parts.size() < PARTS_MIN) {
            return variants;
        }
        Map<Integer, RowPart> largest = new HashMap<>();
        for (RowPart part : parts) {
            if (part.isNew && part.layout.isSmallAndSingle()) {
                for (int remote : part.side.remotes) {
                    largest.merge(remote, part, (a, b) -> b.side.remotes.length > a.side.remotes.length ? b : a);
                }
            }
        }
        for (int i = 0; i < variants.length; i++) {
            RowPart part = parts.get(i);
            RowPart whole = largest.get(part.side.remotes[0]);
            if (part.isNew && part.layout.isSmallAndSingle() && whole != null && whole != part) {
                long groups = placesIn(whole.side.remotes, part.side.remotes);
                variants[i] = groups == 0 ? null : new Variant(part, whole, groups);
            }
        }
        return variants;
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
        part.isNew = false;
        if (changed.isEmpty()) {
            return;
        }
        builder.begin(part.row);
        CandidateSetRuns kept = wholes.get(part);
        if (kept == null) {
            runs.begin(part.layout);
        } else {
            runs.begin(part.layout, kept);
        }
        addRuns(part, changed, targetColumns, runs);
        runs.end(builder::put);
        part.row = builder.build();
    }

    private void patch(RowPart part, MovedColumns moved, CandidateRuns runs, LftRowBuilder builder) {
        RunList scattered = new RunList();
        builder.begin(part.row.fittedTo(moved.all.columnCount));
        runs.begin(part.layout);
        addRuns(part, moved.targets, moved.moved, runs);
        runs.end(scattered::add);
        moved.addVacated(scattered);
        scattered.sorted().putInto(builder);
        part.row = builder.build();
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

    private void make(Variant variant, CandidateRuns runs, LftRowBuilder builder) {
        RowPart part = variant.part;
        CandidateSetRuns whole = wholes.get(variant.whole);
        PortPattern[] patterns = whole == null ? null : patterns(variant, whole);
        if (whole == null || patterns == null) {
            make(part, runs, builder);
            return;
        }
        part.isNew = false;
        builder.begin(part.row);
        targetColumns.stretches.forEachRun(whole, (set, from, to) -> patterns[set], builder::put);
        part.row = builder.build();
    }

    /**
     * A pattern for each set of the whole part. Null where no candidate of a set remains: then those that turn higher
     * are asked, as for any other part.
     */
    private static PortPattern @Nullable [] patterns(Variant variant, CandidateSetRuns whole) {
        PortLayout layout = variant.part.layout;
        byte[] portAt = layout.portsAt(variant.groups);
        PortPattern[] patterns = new PortPattern[whole.setCount()];
        for (int set = 0; set < patterns.length; set++) {
            long left = whole.groups(set) & variant.groups;
            if (left == 0 && whole.groups(set) != 0) {
                return null;
            }
            patterns[set] = layout.pattern(left, portAt);
        }
        return patterns;
    }

    /** So that rows which come out equal are one. */
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
