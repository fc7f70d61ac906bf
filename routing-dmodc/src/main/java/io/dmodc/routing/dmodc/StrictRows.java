package io.dmodc.routing.dmodc;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.Parallel;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the strict form: equations (1), (3) and (4) with candidates below where a path only descends, else above.
 *
 * <p><b>Idea.</b> What a row has for targets that are not below depends on the neighbours above, their ports and the
 * divider alone: switches that agree in these (the leaves of a pod, the switches under the same cores) share one upper
 * row, made for all targets. In the same way they share the runs of the columns below. A row is the upper row with the
 * runs below put into it. So a whole fabric of thousands of switches has some dozens of parts, and what is left to do for
 * a switch is to put a few runs into a row of references.
 *
 * <p><b>After a fault</b> an upper row is patched in the words of targets that changed behind it, and only rows with a
 * changed part are put together again.
 */
final class StrictRows implements Rows {
    /** Switches a thread takes at a time, with one row builder. */
    private static final int PIECE = 64;

    private static final RunList NO_RUNS = new RunList();

    /** What switches with the same neighbours and ports on one side, and the same divider, have in their rows. */
    private static final class Part {
        final IntKey key;
        final PortLayout layout;
        final int rank;

        /** Target of the switch itself, or −1. Only below. */
        final int own;

        final int[] remotes;
        int members;
        long stamp;

        /** Above: for all targets. */
        LftRow row;

        /** Below: for the targets there. */
        RunList runs = NO_RUNS;

        boolean isNew = true;

        /** Below: the last row made of these runs, and what they were put into. */
        @Nullable
        Joined joined;

        Part(IntKey key, PortLayout layout, LftRow row) {
            this.key = key;
            this.layout = layout;
            this.row = row;
            rank = key.get(1);
            own = key.get(2);
            remotes = new int[key.size() - 3];
            Arrays.setAll(remotes, i -> key.get(i + 3));
        }
    }

    private record Joined(LftRow upper, LftRow row) {}

    private final Destinations destinations;
    private final Reach reach;
    private final Dividers dividers;
    private final LftRow noRoutes;
    private final PortLayouts layouts;

    private FabricView view;
    private long updates;
    private LftRow[] rows;
    private final @Nullable Part[] above;
    private final @Nullable Part[] below;
    private final Map<IntKey, Part> partsAbove = new HashMap<>();
    private final Map<IntKey, Part> partsBelow = new HashMap<>();
    private final IntKey partKey = new IntKey();
    private final boolean[] queued;
    private int[] queue = new int[64];
    private int queueCount;

    /** Parts of one side that the update concerns. */
    private final List<Part> due = new ArrayList<>();

    StrictRows(FabricView view, Destinations destinations, Reach reach, Dividers dividers) {
        this.view = view;
        this.destinations = destinations;
        this.reach = reach;
        this.dividers = dividers;
        layouts = new PortLayouts(destinations.formulaOffset);
        noRoutes = LftRow.noRoutes(destinations.columnCount);
        rows = new LftRow[view.switchCount()];
        Arrays.fill(rows, noRoutes);
        above = new Part[rows.length];
        below = new Part[rows.length];
        queued = new boolean[rows.length];
    }

    @Override
    public LftRow[] update(FabricView newView, int[] switches, Parallel parallel) {
        view = newView;
        updates++;
        rows = rows.clone();
        for (int s : switches) {
            above[s] = replace(above[s], find(s, true), partsAbove);
            below[s] = replace(below[s], find(s, false), partsBelow);
            enqueue(s);
        }
        reach.forEachChanged(this::queueNeighbours);
        makeParts(above, this::makeAbove, parallel);
        shareEqualUpperRows();
        makeParts(below, this::makeBelow, parallel);
        int pieces = (queueCount + PIECE - 1) / PIECE;
        (pieces < 4 ? Parallel.sequential() : parallel).forEach(pieces, this::joinPiece);
        for (int i = 0; i < queueCount; i++) {
            queued[queue[i]] = false;
        }
        queueCount = 0;
        return rows;
    }

    private void enqueue(int s) {
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
        boolean belowChanged = reach.belowChanged(s).length > 0;
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            int remote = view.groupRemote(g);
            if (view.isDown(s, remote) || (belowChanged && view.isUp(s, remote))) {
                enqueue(remote);
            }
        }
    }

    private @Nullable Part find(int s, boolean up) {
        int own = up ? -1 : destinations.switchTarget[s];
        if (!reach.routes(s)) {
            return null;
        }
        partKey.clear();
        partKey.add(0);
        partKey.add(view.rank(s));
        partKey.add(own);
        layouts.begin(dividers.of(s));
        for (int g = view.groupStart(s); g < view.groupStart(s + 1); g++) {
            int remote = view.groupRemote(g);
            if (up ? view.isUp(s, remote) : view.isDown(s, remote)) {
                partKey.add(remote);
                layouts.addGroup(view, g);
            }
        }
        if (layouts.groupCount() == 0 && own < 0) {
            return null;
        }
        PortLayout layout = layouts.find();
        partKey.set(0, layout.id());
        Map<IntKey, Part> parts = up ? partsAbove : partsBelow;
        Part part = parts.get(partKey);
        if (part == null) {
            part = new Part(partKey.copy(), layout, noRoutes);
            parts.put(part.key, part);
            layouts.keep(layout);
        }
        return part;
    }

    private @Nullable Part replace(@Nullable Part old, @Nullable Part now, Map<IntKey, Part> parts) {
        if (now != null) {
            now.members++;
        }
        if (old != null && --old.members == 0) {
            parts.remove(old.key);
            layouts.release(old.layout);
        }
        return now;
    }

    private interface Maker {
        void make(Part part, CandidateRuns runs);
    }

    private void makeParts(@Nullable Part[] parts, Maker maker, Parallel parallel) {
        due.clear();
        for (int i = 0; i < queueCount; i++) {
            Part part = parts[queue[i]];
            if (part != null && part.stamp != updates) {
                part.stamp = updates;
                due.add(part);
            }
        }
        Work.forEach(
                due.size(),
                i -> {
                    Part part = due.get(i);
                    maker.make(part, new CandidateRuns(destinations, part.layout));
                    part.isNew = false;
                },
                parallel);
    }

    private void makeAbove(Part part, CandidateRuns runs) {
        int[] words = part.isNew ? reach.allWords() : reach.wordsChangedAt(part.remotes);
        if (words.length == 0) {
            return;
        }
        runs.begin(part.layout);
        int layers = reach.rankMax() - part.rank;
        long[][] bits = new long[layers * part.remotes.length][];
        int[] bitsAt = new int[bits.length];
        for (int layer = 0, i = 0; layer < layers; layer++) {
            for (int remote : part.remotes) {
                bits[i] = reach.layer(remote, part.rank + 1 + layer);
                bitsAt[i++] = reach.layerAt(remote, part.rank + 1 + layer);
            }
        }
        for (int w : words) {
            findCandidates(w, bits, bitsAt, runs.candidates(), part.remotes.length);
            runs.add(w, destinations.targetsOfWord(w));
        }
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(part.row);
        runs.end().putInto(builder);
        part.row = builder.build();
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

    private void makeBelow(Part part, CandidateRuns runs) {
        if (!part.isNew && reach.wordsChangedAt(part.remotes).length == 0) {
            return;
        }
        runs.begin(part.layout);
        long[][] bits = new long[part.remotes.length][];
        Arrays.setAll(bits, i -> reach.layer(part.remotes[i], part.rank - 1));
        for (int w = 0; w < reach.words(); w++) {
            for (int i = 0; i < bits.length; i++) {
                runs.candidates()[i] = bits[i][w];
            }
            long routed = runs.routed();
            if (part.own >> 6 == w) {
                routed &= ~(1L << part.own);
            }
            if (routed != 0) {
                runs.add(w, routed);
            }
        }
        if (part.own >= 0) {
            runs.addOwn(part.own);
        }
        part.runs = runs.end();
        part.joined = null;
    }

    /** So that rows which come out equal are one. */
    private void shareEqualUpperRows() {
        Map<Integer, LftRow> first = new HashMap<>();
        for (Part part : due) {
            LftRow known = first.putIfAbsent(part.row.partsHash(), part.row);
            if (known != null && known.sameParts(part.row)) {
                part.row = known;
            }
        }
    }

    private void joinPiece(int piece) {
        LftRowBuilder builder = new LftRowBuilder();
        int end = Math.min(queueCount, (piece + 1) * PIECE);
        for (int i = piece * PIECE; i < end; i++) {
            int s = queue[i];
            rows[s] = join(above[s], below[s], rows[s], builder);
        }
    }

    private LftRow join(@Nullable Part upper, @Nullable Part lower, LftRow previous, LftRowBuilder builder) {
        LftRow base = upper == null ? noRoutes : upper.row;
        if (lower == null) {
            return base;
        }
        Joined known = lower.joined;
        if (known != null && known.upper == base) {
            return known.row;
        }
        builder.begin(base, previous);
        lower.runs.putInto(builder);
        LftRow row = builder.build();
        lower.joined = new Joined(base, row);
        return row;
    }
}
