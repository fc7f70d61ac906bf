package io.dmodc.southbound;

import static io.dmodc.southbound.SouthboundProtocol.BLOCK_ENTRIES;
import static io.dmodc.southbound.SouthboundProtocol.NO_ROUTE;

import com.google.protobuf.ByteString;
import io.dmodc.southbound.proto.PortSetTable;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.PortTable.Piece;
import io.dmodc.southbound.proto.RawBlocks;
import io.dmodc.southbound.proto.Table;
import io.dmodc.southbound.proto.TablePush;
import io.dmodc.southbound.proto.TableRefusal.Reason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Pushes into tables; {@link RunEncoder} makes them. All methods are pure and may be called from any thread.
 */
public final class TableCodec {
    private TableCodec() {}

    /** Returns how many blocks cover {@code entryCount} entries. */
    public static int blockCount(int entryCount) {
        return (entryCount + BLOCK_ENTRIES - 1) / BLOCK_ENTRIES;
    }

    /**
     * Returns the forwarding table of a push, or nothing when it only moves the epochs.
     *
     * @throws TableRefusedException MALFORMED when it has a table of another kind, or several
     */
    public static Optional<PushedTable> forwarding(TablePush push) {
        if (push.getTablesCount() > 1) {
            throw malformed(push.getTablesCount() + " tables in one push");
        }
        return push.getTablesList().stream().map(TableCodec::forwarding).findFirst();
    }

    private static PushedTable forwarding(Table table) {
        return switch (table.getKindCase()) {
            case ROUTES -> new PushedTable(TableKind.ROUTES, table.getRoutes());
            case TURNS -> new PushedTable(TableKind.TURNS, table.getTurns());
            case ALTERNATIVES, KIND_NOT_SET -> throw malformed("a table of an unknown kind");
        };
    }

    /** Returns whether the table of a push, if it has one, results in this one: as it is in force already. */
    public static boolean resultsIn(TablePush push, TableKind kind, long digest) {
        return push.getTablesList().stream().allMatch(table -> switch (table.getKindCase()) {
            case ROUTES -> kind == TableKind.ROUTES && table.getRoutes().getResultDigest() == digest;
            case TURNS -> kind == TableKind.TURNS && table.getTurns().getResultDigest() == digest;
            case ALTERNATIVES, KIND_NOT_SET -> false;
        });
    }

    /** Returns the alternatives of a push, or nothing when it is of another kind. */
    public static Optional<PortSetTable> alternatives(TablePush push) {
        return push.getTablesCount() == 1 && push.getTables(0).hasAlternatives()
                ? Optional.of(push.getTables(0).getAlternatives())
                : Optional.empty();
    }

    /** Returns a push of routes. */
    public static TablePush push(TableVersion version, PortTable routes) {
        return push(version, TableKind.ROUTES, routes);
    }

    /** Returns a push of a forwarding table. */
    public static TablePush push(TableVersion version, TableKind kind, PortTable entries) {
        return push(
                version,
                switch (kind) {
                    case ROUTES -> Table.newBuilder().setRoutes(entries);
                    case TURNS -> Table.newBuilder().setTurns(entries);
                });
    }

    /** Returns a push of alternatives. */
    public static TablePush push(TableVersion version, PortSetTable alternatives) {
        return push(version, Table.newBuilder().setAlternatives(alternatives));
    }

    private static TablePush push(TableVersion version, Table.Builder table) {
        return TablePush.newBuilder()
                .setLeaderEpoch(version.leaderEpoch())
                .setFabricEpoch(version.fabricEpoch())
                .addTables(table)
                .build();
    }

    /**
     * Applies a table to the present one, whatever the kinds of both, all or nothing.
     *
     * <p>A difference may change the length: entries beyond the present table start as 255, entries beyond the new one go.
     *
     * @param present the table in force; not changed
     * @return the new table, its digest equal to the result digest
     * @throws TableRefusedException when it is malformed, stands on another table or has another result
     */
    public static byte[] apply(PortTable table, byte[] present) {
        int entryCount = table.getEntryCount();
        if (entryCount < 0 || entryCount > SouthboundProtocol.MAX_ENTRIES) {
            throw malformed("table of " + Integer.toUnsignedString(entryCount) + " entries, more than "
                    + SouthboundProtocol.MAX_ENTRIES);
        }
        byte[] next = start(table, present, entryCount);
        RunDecoder runs = new RunDecoder(next);
        int lastBlock = -1;
        for (int i = 0; i < table.getPiecesCount(); i++) {
            Piece piece = table.getPieces(i);
            lastBlock = switch (piece.getEncodingCase()) {
                case RAW -> applyRaw(piece.getRaw(), next, i, lastBlock);
                case RUNS -> runs.apply(piece.getRuns(), i, lastBlock);
                case ENCODING_NOT_SET -> throw malformed("piece " + i + ": unknown encoding");
            };
        }
        long digest = TableDigest.of(next);
        if (digest != table.getResultDigest()) {
            throw new TableRefusedException(
                    Reason.DIGEST_MISMATCH,
                    "result has digest " + hex(digest) + ", meant was " + hex(table.getResultDigest()));
        }
        return next;
    }

    private static byte[] start(PortTable table, byte[] present, int entryCount) {
        byte[] next = new byte[entryCount];
        int kept = 0;
        if (!table.getComplete()) {
            long digest = TableDigest.of(present);
            if (digest != table.getBaseDigest()) {
                throw new TableRefusedException(
                        Reason.BASE_MISMATCH,
                        "present table has digest " + hex(digest) + ", the difference stands on "
                                + hex(table.getBaseDigest()));
            }
            kept = Math.min(present.length, entryCount);
            System.arraycopy(present, 0, next, 0, kept);
        }
        Arrays.fill(next, kept, entryCount, NO_ROUTE);
        return next;
    }

    private static int applyRaw(RawBlocks raw, byte[] next, int piece, int lastBlock) {
        ByteString entries = raw.getEntries();
        if (entries.size() != (long) raw.getBlockCount() * BLOCK_ENTRIES) {
            throw malformed("piece " + piece + ": " + entries.size() + " bytes for " + raw.getBlockCount()
                    + " blocks of " + BLOCK_ENTRIES);
        }
        ByteBuffer bytes = entries.asReadOnlyByteBuffer().slice(); // a view of a frame starts somewhere inside it
        int previous = lastBlock;
        for (int i = 0; i < raw.getBlockCount(); i++) {
            int block = raw.getBlock(i);
            if (block < 0 || block >= blockCount(next.length)) {
                throw malformed("piece " + piece + ": block " + Integer.toUnsignedString(block)
                        + " is outside a table of " + next.length + " entries");
            }
            if (block <= previous) {
                throw malformed("piece " + piece + ": block " + block + " after block " + previous);
            }
            previous = block;
            copyBlock(bytes, i * BLOCK_ENTRIES, next, block);
        }
        return previous;
    }

    private static void copyBlock(ByteBuffer entries, int from, byte[] next, int block) {
        int to = block * BLOCK_ENTRIES;
        int present = Math.min(BLOCK_ENTRIES, next.length - to);
        entries.get(from, next, to, present);
        for (int past = present; past < BLOCK_ENTRIES; past++) {
            if (entries.get(from + past) != NO_ROUTE) {
                throw malformed("block " + block + ": entry " + (to + past) + " past the end is not 255");
            }
        }
    }

    private static TableRefusedException malformed(String text) {
        return new TableRefusedException(Reason.MALFORMED, text);
    }

    private static String hex(long digest) {
        return String.format("0x%016x", digest);
    }
}
