package io.dmodc.routing.dmodc;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the strict form: equations (1), (3) and (4) with candidates below where a path only descends, else above.
 *
 * <p><b>Idea.</b> What a row has for targets that are not below depends on the neighbours above, their ports and the
 * divider alone: switches that agree in these (the leaves of a pod, the switches under the same cores) share one upper
 * row, made for all targets. In the same way they share the runs of the columns below. A row is the upper row with the
 * runs below put into it. So a whole fabric of thousands of switches has some dozens of parts, and what is left to do
 * for a switch is to put a few runs into a row of references.
 *
 * <p><b>After a fault</b> an upper row is patched in the words of targets that changed behind it, and only rows with a
 * changed part are put together again. Where columns moved, each part is patched in these.
 */
final class StrictRows implements RowMaker {
    /** Parts or switches a thread takes at a time, with one set of buffers. */
    private static final int PIECE = 256;

    private TargetColumns targetColumns;
    private final CostLayers costs;
    private final Dividers dividers;
    private final DmodcForm form;
    private LftRow noRoutes;
    private final PortLayouts layouts;
    private final UpperRows upperRows;

    private FabricView view;
    private long updates;
    private LftRow[] rows;

    /** Of what the row of a switch was joined; null where one side is all of it. */
    private final @Nullable LftRow[] joinedUpper;

    private final @Nullable RunList[] joinedLower;

    private final @Nullable RowPart[] above;
    private final @Nullable RowPart[] below;
    private final Interner<RowPart> partsAbove = new Interner<>();
    private final Interner<RowPart> partsBelow = new Interner<>();
    private final IntKey partKey = new IntKey(5);
    private final boolean[] queued;

    /** Of the queued those below which something may have changed. */
    private final boolean[] queuedBelow;

    private int[] queue = new int[64];
    private int queueCount;

    /** What the next update is to take in. */
    private @Nullable MovedColumns moved;

    StrictRows(FabricView view, TargetColumns targetColumns, CostLayers costs, Dividers dividers, DmodcForm form) {
        this.view = view;
        this.targetColumns = targetColumns;
        this.costs = costs;
        this.dividers = dividers;
        this.form = form;
        layouts = new PortLayouts(targetColumns.formulaOffset, true);
        upperRows = new UpperRows(targetColumns, costs);
        noRoutes = LftRow.noRoutes(targetColumns.columnCount);
        rows = new LftRow[view.switchCount()];
        Arrays.fill(rows, noRoutes);
        joinedUpper = new LftRow[rows.length];
        joinedLower = new RunList[rows.length];
        above = new RowPart[rows.length];
        below = new RowPart[rows.length];
        queued = new boolean[rows.length];
        queuedBelow = new boolean[rows.length];
    }

    @Override
    public void move(MovedColumns columns) {
        moved = columns;
        targetColumns = columns.all;
        noRoutes = noRoutes.fittedTo(targetColumns.columnCount);
    }

    @Override
    public LftRow[] update(FabricView newView, int[] switches, Parallel parallel) {
        view = newView;
        updates++;
        rows = rows.clone();
        for (int s : switches) {
            above[s] = replace(above[s], find(s, true), true);
            below[s] = replace(below[s], find(s, false), false);
            enqueue(s, true);
        }
        if (moved != null) {
            for (int s = 0; s < rows.length; s++) {
                enqueue(s, true);
            }
        } else if (switches.length < rows.length) {
            costs.forEachChanged(this::queueNeighbours);
        }
        upperRows.make(due(above, queued), targetColumns, moved, parallel);
        List<RowPart> lower = due(below, queuedBelow);
        WorkSplitter.forEachPiece(lower.size(), PIECE, (start, end) -> makeBelow(lower.subList(start, end)), parallel);
        WorkSplitter.forEachPiece(queueCount, PIECE, this::join, parallel);
        for (int i = 0; i < queueCount; i++) {
            queued[queue[i]] = false;
            queuedBelow[queue[i]] = false;
        }
        queueCount = 0;
        moved = null;
        return rows;
    }

    private void enqueue(int s, boolean changedBelow) {
        queuedBelow[s] |= changedBelow;
        if (!queued[s]) {
            queued[s] = true;
            if (queueCount == queue.length) {
                queue = Arrays.copyOf(queue, 2 * queueCount);
            }
            queue[queueCount++] = s;
        }
    }

    /** What changed at a switch concerns all below it, and those above it if it has other targets below. */
    private void queueNeighbours(int s) {
        for (int remote : costs.remotesBelow(s)) {
            enqueue(remote, false);
        }
        if (!costs.belowChanged(s).isEmpty()) {
            for (int remote : costs.remotesAbove(s)) {
                enqueue(remote, true);
            }
        }
    }

    private @Nullable RowPart find(int s, boolean up) {
        Side side = up ? costs.above(s) : costs.below(s);
        if (side == null || (side.remotes.length == 0 && side.own < 0)) {
            return null;
        }
        SidePorts ports = costs.ports(s, up);
        int divider = dividers.of(s);
        partKey.values[0] = side.id;
        partKey.values[1] = ports.id;
        partKey.values[2] = view.rank(s);
        partKey.values[3] = divider;
        partKey.values[4] = up || !form.hasDescentDivider() ? divider : dividers.descent(s);
        partKey.count = 5;
        if (!up && side.isOwnAlone()) { // No two switches share it, and dividers do not matter.
            RowPart old = below[s];
            return old != null && old.side == side ? old : part(partKey.copy(), side, ports);
        }
        return (up ? partsAbove : partsBelow).find(partKey, key -> part(key, side, ports));
    }

    private RowPart part(IntKey key, Side side, SidePorts ports) {
        PortLayout layout = layouts.find(ports, key.values[3], key.values[4]);
        layout.members++;
        return new RowPart(key, side, layout, key.values[2], noRoutes);
    }

    private @Nullable RowPart replace(@Nullable RowPart old, @Nullable RowPart now, boolean up) {
        Shared.replace(old, now, up ? partsAbove : partsBelow);
        if (old != null && old.members == 0 && --old.layout.members == 0) {
            layouts.forget(old.layout);
        }
        return now;
    }

    /** Parts on one side of those of the queued switches that are concerned there, each once. */
    private List<RowPart> due(@Nullable RowPart[] parts, boolean[] concerned) {
        List<RowPart> due = new ArrayList<>();
        for (int i = 0; i < queueCount; i++) {
            RowPart part = concerned[queue[i]] ? parts[queue[i]] : null;
            if (part != null && part.stamp != updates) {
                part.stamp = updates;
                due.add(part);
            }
        }
        return due;
    }

    private void makeBelow(List<RowPart> parts) {
        CandidateRuns runs = new CandidateRuns(targetColumns);
        CandidateRuns movedRuns = moved == null ? runs : new CandidateRuns(moved.moved);
        for (RowPart part : parts) {
            int[] remotes = part.side.remotes;
            if (part.isNew || costs.isChangedAt(remotes)) {
                part.isNew = false;
                part.runs = remotes.length == 0 ? ownRuns(part.side.own) : runsBelow(part, runs);
                part.joined = null;
            } else if (moved != null) {
                patchBelow(part, moved, movedRuns);
            }
        }
    }

    private void patchBelow(RowPart part, MovedColumns columns, CandidateRuns runs) {
        RunList left = columns.removedFrom(part.runs);
        RunList found = new RunList();
        runs.begin(part.layout);
        LayerBits[] below = bitsOf(sidesBelow(part));
        LayerBits all = part.side.bits();
        for (int i = 0; i < columns.targets.count(); i++) {
            int w = columns.targets.word(i);
            addWord(w, below, all.words[all.at + w] & columns.targets.bits(i), part.side.own, runs);
        }
        runs.end(found::add);
        if (part.side.own >= 0) {
            columns.moved.addOwnRuns(part.side.own, found);
        }
        if (left != part.runs || !found.isEmpty()) {
            found.addAll(left);
            part.runs = found.sorted();
            part.joined = null;
        }
    }

    /** What is below each of the switches below. */
    private Side[] sidesBelow(RowPart part) {
        Side[] sides = new Side[part.side.remotes.length];
        Arrays.setAll(sides, i -> costs.routedBelow(part.side.remotes[i]));
        return sides;
    }

    private static LayerBits[] bitsOf(Side[] sides) {
        LayerBits[] bits = new LayerBits[sides.length];
        Arrays.setAll(bits, i -> sides[i].bits());
        return bits;
    }

    private RunList runsBelow(RowPart part, CandidateRuns runs) {
        RunList found = new RunList();
        runs.begin(part.layout);
        Side[] sides = sidesBelow(part);
        if (followEachOther(sides)) {
            for (int i = 0; i < sides.length; i++) {
                addAllOf(i, sides[i], runs);
            }
        } else {
            LayerBits[] below = bitsOf(sides);
            LayerBits all = part.side.bits();
            for (int w = 0; w < all.length; w++) {
                addWord(w, below, all.words[all.at + w], part.side.own, runs);
            }
        }
        runs.end(found::add);
        if (part.side.own >= 0) {
            targetColumns.addOwnRuns(part.side.own, found);
        }
        return found.sorted();
    }

    /** True if every set begins after the one before it ends: so it is on the way down in a tree. */
    private static boolean followEachOther(Side[] sides) {
        int last = -1;
        for (Side side : sides) {
            int first = side.isOwnAlone() ? side.own : side.bits().first();
            if (first >= 0) {
                if (first <= last) {
                    return false;
                }
                last = side.isOwnAlone() ? side.own : side.bits().last();
            }
        }
        return true;
    }

    private static void addAllOf(int group, Side side, CandidateRuns runs) {
        if (side.isOwnAlone()) {
            runs.addAllOf(group, side.own >> 6, 1L << side.own);
            return;
        }
        LayerBits targets = side.bits();
        for (int w = targets.from; w < targets.to; w++) {
            if (targets.words[targets.at + w] != 0) {
                runs.addAllOf(group, w, targets.words[targets.at + w]);
            }
        }
    }

    private static void addWord(int w, LayerBits[] below, long targets, int own, CandidateRuns runs) {
        long routed = own >> 6 == w ? targets & ~(1L << own) : targets;
        if (routed != 0) {
            for (int i = 0; i < below.length; i++) {
                runs.candidates()[i] = below[i].words[below[i].at + w];
            }
            runs.add(w, routed);
        }
    }

    /** The columns of a target at its own switch. */
    private RunList ownRuns(int target) {
        RunList runs = new RunList();
        targetColumns.addOwnRuns(target, runs);
        return runs;
    }

    private void join(int start, int end) {
        LftRowBuilder builder = new LftRowBuilder();
        for (int i = start; i < end; i++) {
            int s = queue[i];
            rows[s] = join(s, builder);
        }
    }

    private LftRow join(int s, LftRowBuilder builder) {
        RowPart upper = above[s];
        RowPart lower = below[s];
        LftRow base = upper == null ? noRoutes : upper.row;
        LftRow lastBase = joinedUpper[s];
        RunList lastRuns = joinedLower[s];
        if (lower != null && lastBase == base && lastRuns == lower.runs) {
            return rows[s];
        }
        joinedUpper[s] = lower == null ? null : base;
        joinedLower[s] = lower == null ? null : lower.runs;
        if (lower == null) {
            return base;
        }
        RowPart.Joined known = lower.joined;
        if (known != null && known.upper() == base) {
            return known.row();
        }
        LftRow row = lastBase != null && lastRuns == lower.runs ? rows[s].rebased(lastBase, base) : null;
        if (row == null) {
            builder.begin(base, rows[s]);
            lower.runs.putInto(builder);
            row = builder.buildOnBase();
        }
        if (lower.members > 1) {
            lower.joined = new RowPart.Joined(base, row);
        }
        return row;
    }
}
