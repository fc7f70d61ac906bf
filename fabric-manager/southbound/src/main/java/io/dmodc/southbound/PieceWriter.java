package io.dmodc.southbound;

import static io.dmodc.southbound.SouthboundProtocol.BLOCK_ENTRIES;
import static io.dmodc.southbound.SouthboundProtocol.NO_ROUTE;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.UnsafeByteOperations;
import io.dmodc.southbound.proto.PatternRuns;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.PortTable.Piece;
import io.dmodc.southbound.proto.RawBlocks;
import java.util.Arrays;

/**
 * Writes stretches of changed blocks as pieces of a table, each as runs or raw by its encoded size.
 *
 * <p>Neighbouring raw stretches share a piece, so one in runs that interrupts them has to save what opening another raw
 * piece costs. So a table is never longer than one of raw blocks alone.
 */
final class PieceWriter {
    /** Four tags and as many lengths, of three bytes at most. */
    private static final int RAW_PIECE_BYTES = 16;

    private final PortTable.Builder table;
    private final StretchRuns runs;

    /** Stretches [rawFrom, rawTo) wait to be one raw piece of so many blocks. */
    private int rawFrom;

    private int rawTo;
    private int rawBlocks;

    PieceWriter(PortTable.Builder table, StretchRuns runs) {
        this.table = table;
        this.runs = runs;
    }

    /** Takes the stretches in order. */
    void add(int stretch) {
        PushPatterns.Mark mark = runs.patterns().mark();
        Piece piece = Piece.newBuilder().setRuns(encode(stretch)).build();
        int blocks = runs.endBlock(stretch) - runs.firstBlock(stretch);
        int numbers = numberBytes(stretch);
        int reopen = rawBlocks == 0 ? 0 : RAW_PIECE_BYTES;
        if (delimited(piece.getSerializedSize()) + reopen > blocks * BLOCK_ENTRIES + numbers) {
            runs.patterns().forget(mark);
            rawFrom = rawBlocks == 0 ? stretch : rawFrom;
            rawTo = stretch + 1;
            rawBlocks += blocks;
        } else {
            writeRaw();
            table.addPieces(piece);
        }
    }

    PortTable.Builder done() {
        writeRaw();
        return table;
    }

    private PatternRuns encode(int stretch) {
        PatternRuns.Builder piece = PatternRuns.newBuilder()
                .setFirstBlock(runs.firstBlock(stretch))
                .setBlockCount(runs.endBlock(stretch) - runs.firstBlock(stretch));
        int from = runs.from(stretch);
        for (int run = runs.firstRun(stretch); run < runs.endRun(stretch); run++) {
            int to = runs.end(run);
            int source = runs.source(run);
            piece.addRun(to - from);
            piece.addRun((source & 1) == 1 ? source : 2 * runs.patterns().number(source >> 1, from, to, piece));
            from = to;
        }
        return piece.build();
    }

    private void writeRaw() {
        if (rawBlocks == 0) {
            return;
        }
        byte[] entries = new byte[rawBlocks * BLOCK_ENTRIES];
        RawBlocks.Builder raw = RawBlocks.newBuilder();
        int at = 0;
        for (int stretch = rawFrom; stretch < rawTo; stretch++) {
            for (int block = runs.firstBlock(stretch); block < runs.endBlock(stretch); block++) {
                raw.addBlock(block);
            }
            expand(stretch, entries, at);
            at = raw.getBlockCount() * BLOCK_ENTRIES;
        }
        raw.setEntries(UnsafeByteOperations.unsafeWrap(entries));
        table.addPieces(Piece.newBuilder().setRaw(raw));
        rawBlocks = 0;
    }

    private void expand(int stretch, byte[] entries, int start) {
        int at = start;
        int from = runs.from(stretch);
        for (int run = runs.firstRun(stretch); run < runs.endRun(stretch); run++) {
            int to = runs.end(run);
            int source = runs.source(run);
            if ((source & 1) == 1) {
                Arrays.fill(entries, at, at + to - from, (byte) (source >> 1));
            } else {
                runs.patterns().pattern(source >> 1).fill(entries, at, from, to);
            }
            at += to - from;
            from = to;
        }
        int past = runs.endBlock(stretch) * BLOCK_ENTRIES - from;
        Arrays.fill(entries, at, at + past, NO_ROUTE);
    }

    private int numberBytes(int stretch) {
        int bytes = 0;
        for (int block = runs.firstBlock(stretch); block < runs.endBlock(stretch); block++) {
            bytes += CodedOutputStream.computeUInt32SizeNoTag(block);
        }
        return bytes;
    }

    /** Bytes of a piece, with its tag and length, in the table. */
    private static int delimited(int size) {
        return 1 + CodedOutputStream.computeUInt32SizeNoTag(size) + size;
    }
}
