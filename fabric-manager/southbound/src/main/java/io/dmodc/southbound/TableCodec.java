package io.dmodc.southbound;

import static io.dmodc.southbound.SouthboundProtocol.BLOCK_ENTRIES;
import static io.dmodc.southbound.SouthboundProtocol.NO_ROUTE;

import com.google.protobuf.ByteString;
import io.dmodc.southbound.proto.RawBlocks;
import io.dmodc.southbound.proto.TablePush;
import io.dmodc.southbound.proto.TablePush.Piece;
import io.dmodc.southbound.proto.TableRefusal.Reason;
import java.nio.ByteBuffer;
import java.util.Arrays;

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
     * Applies a push, all or nothing.
     *
     * <p>A difference may change the length: entries beyond the present table start as 255, entries beyond the new one go.
     *
     * @param present the table in force; not changed
     * @return the new table, its digest equal to the push's result digest
     * @throws TableRefusedException when the push is malformed, stands on another table or has another result
     */
    public static byte[] apply(TablePush push, byte[] present) {
        int entryCount = push.getEntryCount();
        if (entryCount < 0 || entryCount > SouthboundProtocol.MAX_ENTRIES) {
            throw malformed("table of " + Integer.toUnsignedString(entryCount) + " entries, more than "
                    + SouthboundProtocol.MAX_ENTRIES);
        }
        byte[] next = start(push, present, entryCount);
        RunDecoder runs = new RunDecoder(next);
        int lastBlock = -1;
        for (int i = 0; i < push.getPiecesCount(); i++) {
            Piece piece = push.getPieces(i);
            lastBlock = switch (piece.getEncodingCase()) {
                case RAW -> applyRaw(piece.getRaw(), next, i, lastBlock);
                case RUNS -> runs.apply(piece.getRuns(), i, lastBlock);
                case ENCODING_NOT_SET -> throw malformed("piece " + i + ": unknown encoding");
            };
        }
        long digest = TableDigest.of(next);
        if (digest != push.getResultDigest()) {
            throw new TableRefusedException(
                    Reason.DIGEST_MISMATCH,
                    "result has digest " + hex(digest) + ", meant was " + hex(push.getResultDigest()));
        }
        return next;
    }

    private static byte[] start(TablePush push, byte[] present, int entryCount) {
        byte[] next = new byte[entryCount];
        int kept = 0;
        if (!push.getComplete()) {
            long digest = TableDigest.of(present);
            if (digest != push.getBaseDigest()) {
                throw new TableRefusedException(
                        Reason.BASE_MISMATCH,
                        "present table has digest " + hex(digest) + ", the difference stands on "
                                + hex(push.getBaseDigest()));
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
