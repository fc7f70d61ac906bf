package io.dmodc.routing.rebalance;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.PortPattern;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Lays moved entries over the tables of one epoch after the other, and drops those that are no choice any more.
 *
 * <p><b>Idea.</b> A pattern of a strict row is the ports of all candidates, P_{s,d} of equation (2), and says so
 * ({@link PortPattern#interchangeable}). So whether a move is still a choice is read from the engine's own row: its port is among the
 * ports of the pattern at its column, or is the engine's own entry. A port that died, and one that leads closer no more, is
 * neither. Nothing is computed, and the rows of the engine are not touched: where nothing is moved they are the very same.
 *
 * <p>A moved entry is a run of one column whose pattern has the same ports, the chosen one first, and stays at that; so it
 * is still known by which other ports the destination is reached. Where an engine wrote literal entries, P is not known, and moves
 * are dropped: those of other engines than {@code dmodc} and {@code dmodc-strict}, and of candidate groups of very unlike sizes.
 *
 * <p><b>Cost.</b> Nothing without moves. Else a reference for each switch, O(log runs) for each move of a row that is not the
 * same object as the time before, and the spans with moves made anew; of others the last row is used again. Not thread-safe.
 */
public final class MovedRows {
    /** Patterns kept so that equal parts of rows are the same objects; all are forgotten beyond. */
    private static final int PATTERNS_MAX = 1 << 16;

    /** The same of those of the engine, of which each has 1 kB here. */
    private static final int ENGINE_PATTERNS_MAX = 1 << 12;

    /** By GUID of the switch, what was laid over what. */
    private Map<Long, Row> rows = new HashMap<>();

    private final Map<PortPattern, PortPattern> patterns = new HashMap<>();

    /** By pattern of the engine, and port: that port chosen, or {@link PortPattern#NO_ROUTE} if it is no choice. */
    private final Map<PortPattern, @Nullable PortPattern[]> chosen = new HashMap<>();

    private final LftRowBuilder builder = new LftRowBuilder();

    /**
     * One row.
     *
     * @param base of the engine
     * @param kept {@code null} if all were dropped
     */
    private record Row(LftRow base, @Nullable RowMoves kept, LftRow laid) {}

    /**
     * Tables with entries moved.
     *
     * @param moves that are in the tables; the others were dropped
     */
    public record Laid(LftSet tables, EntryMoves moves) {}

    /**
     * Lays moves over.
     *
     * @param tables of the engine for this view; the same are returned if nothing is moved
     */
    public Laid lay(FabricView view, LftSet tables, EntryMoves moves) {
        Map<Long, Row> before = rows;
        rows = new HashMap<>();
        if (moves.isEmpty()) {
            return new Laid(tables, moves);
        }
        LftRow[] all = new LftRow[tables.switchCount()];
        for (int s = 0; s < all.length; s++) {
            all[s] = tables.row(s);
        }
        boolean dropped = false;
        Map<Long, RowMoves> kept = new TreeMap<>();
        for (Map.Entry<Long, RowMoves> each : moves.rows().entrySet()) {
            int s = view.switchOf(each.getKey());
            Row row = s < 0 ? null : row(all[s], each.getValue(), before.get(each.getKey()));
            RowMoves laid = row == null ? null : row.kept;
            if (row != null && laid != null) {
                all[s] = row.laid;
                rows.put(each.getKey(), row);
                kept.put(each.getKey(), laid);
            }
            dropped |= !each.getValue().equals(laid);
        }
        return new Laid(new LftSet(tables.epoch(), tables.entryCount(), all), dropped ? EntryMoves.of(kept) : moves);
    }

    @SuppressWarnings("ReferenceEquality") // rows that nothing concerned are the same objects
    private Row row(LftRow base, RowMoves moves, @Nullable Row before) {
        return before != null && before.base == base && moves.equals(before.kept)
                ? before
                : laid(base, moves, before == null ? base : before.laid);
    }

    private Row laid(LftRow base, RowMoves moves, LftRow previous) {
        BitSet legal = new BitSet(moves.size());
        builder.begin(base, previous);
        for (int i = 0; i < moves.size(); i++) {
            int column = moves.column(i);
            PortPattern pattern = column < base.entryCount() ? pattern(base, column) : PortPattern.NO_ROUTE;
            boolean engines = pattern.port(column) == moves.port(i);
            PortPattern now = engines ? pattern : chosen(pattern, moves.port(i));
            legal.set(i, engines || now.interchangeable());
            if (!engines && legal.get(i)) {
                builder.put(column, column + 1, now);
            }
        }
        return new Row(base, moves.only(legal), builder.build());
    }

    private static PortPattern pattern(LftRow row, int column) {
        PortPattern[] found = new PortPattern[1];
        row.forEachRun(column, column + 1, (from, to, pattern) -> found[0] = pattern);
        return found[0];
    }

    private static boolean isChoice(PortPattern pattern, int port) {
        boolean found = false;
        for (int i = 0; pattern.interchangeable() && i < pattern.portCount() && !found; i++) {
            found = (pattern.ports()[i] & 0xff) == port;
        }
        return found;
    }

    /** Rows share patterns, so most have been asked for before. */
    private PortPattern chosen(PortPattern pattern, int port) {
        if (chosen.size() >= ENGINE_PATTERNS_MAX) {
            chosen.clear();
        }
        @Nullable PortPattern[] known = chosen.computeIfAbsent(pattern, any -> new PortPattern[1 << Byte.SIZE]);
        PortPattern found = known[port];
        if (found == null) {
            found = isChoice(pattern, port) ? constant(pattern, port) : PortPattern.NO_ROUTE;
            known[port] = found;
        }
        return found;
    }

    /** The same ports, each once, and one of them in every column. */
    private PortPattern constant(PortPattern pattern, int port) {
        BitSet others = new BitSet();
        for (byte each : pattern.ports()) {
            others.set(each & 0xff);
        }
        others.clear(port);
        byte[] ports = new byte[1 + others.cardinality()];
        ports[0] = (byte) port;
        int other = -1;
        for (int i = 1; i < ports.length; i++) {
            other = others.nextSetBit(other + 1);
            ports[i] = (byte) other;
        }
        if (patterns.size() >= PATTERNS_MAX) {
            patterns.clear();
        }
        return patterns.computeIfAbsent(PortPattern.ofCandidates(PortPattern.NUMBER_MAX, 0, ports), same -> same);
    }
}
