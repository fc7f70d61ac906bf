package io.dmodc.routing.rebalance;

import io.dmodc.routing.LftDelta;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which entries of which switches are moved to which port: all that has to be remembered of a rebalance, by GUID, node index
 * and port. Immutable.
 */
public final class EntryMoves {
    /** Most entries: some bytes each, in memory, in a record and in an event. */
    public static final int MOVES_MAX = 1 << 16;

    /** Nothing is moved. */
    public static final EntryMoves NONE = new EntryMoves(new TreeMap<>());

    private final NavigableMap<Long, RowMoves> rows;
    private final int size;

    private EntryMoves(NavigableMap<Long, RowMoves> rows) {
        this.rows = Collections.unmodifiableNavigableMap(rows);
        size = rows.values().stream().mapToInt(RowMoves::size).sum();
        if (size > MOVES_MAX) {
            throw new IllegalArgumentException(size + " moved entries; expected at most " + MOVES_MAX);
        }
    }

    /**
     * Those of some rows; copied.
     *
     * @param rows by GUID of the switch
     * @throws IllegalArgumentException in a few words when they are more than {@link #MOVES_MAX}
     */
    public static EntryMoves of(Map<Long, RowMoves> rows) {
        NavigableMap<Long, RowMoves> sorted = new TreeMap<>(Long::compareUnsigned);
        sorted.putAll(rows);
        return sorted.isEmpty() ? NONE : new EntryMoves(sorted);
    }

    /**
     * What tables have otherwise than others.
     *
     * @param view whose switches and nodes both are about
     * @throws IllegalArgumentException in a few words when that is more than {@link #MOVES_MAX} entries
     */
    public static EntryMoves between(FabricView view, LftSet from, LftSet to) {
        Map<Long, RowMoves> rows = new TreeMap<>();
        for (int s = 0; s < view.switchCount(); s++) {
            RowMoves moves = between(from.row(s), to.row(s));
            if (moves != null) {
                rows.put(view.switchGuid(s), moves);
            }
        }
        return of(rows);
    }

    private static @Nullable RowMoves between(LftRow from, LftRow to) {
        RowMoves.Builder moves = new RowMoves.Builder();
        for (int block : LftDelta.changedBlocks(from, to)) {
            int end = Math.min(from.entryCount(), (block + 1) * LftDelta.BLOCK);
            for (int d = block * LftDelta.BLOCK; d < end; d++) {
                if (from.port(d) != to.port(d)) {
                    moves.add(d, to.port(d));
                }
            }
        }
        return moves.build();
    }

    /** By GUID of the switch, ascending; read only. */
    public NavigableMap<Long, RowMoves> rows() {
        return rows;
    }

    /** Entries that are moved. */
    public int size() {
        return size;
    }

    /** Switches with such. */
    public int switchCount() {
        return rows.size();
    }

    /** Blocks of {@link LftDelta#BLOCK} entries in which they are. */
    public int blockCount() {
        return rows.values().stream().mapToInt(RowMoves::blockCount).sum();
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EntryMoves that && rows.equals(that.rows);
    }

    @Override
    public int hashCode() {
        return rows.hashCode();
    }

    /** {@code 0x0000000000000007:12=3,13=5;…}: by switch, as {@link RowMoves} writes them; empty for none. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(";");
        rows.forEach((guid, moves) -> text.add(Guid.format(guid) + ":" + moves));
        return text.toString();
    }

    /** @throws IllegalArgumentException in a few words when it is not what {@link #toString} gives */
    public static EntryMoves parse(String text) {
        if (text.isEmpty()) {
            return NONE;
        }
        Map<Long, RowMoves> rows = new TreeMap<>();
        for (String row : text.split(";", -1)) {
            int colon = row.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("moved entries '" + row + "'; expected GUID:COLUMN=PORT,…");
            }
            rows.put(Guid.parse(row.substring(0, colon)), RowMoves.parse(row.substring(colon + 1)));
        }
        return of(rows);
    }
}
