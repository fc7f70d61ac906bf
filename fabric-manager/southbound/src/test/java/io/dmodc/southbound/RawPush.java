package io.dmodc.southbound;

import com.google.protobuf.ByteString;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.PortTable.Piece;
import io.dmodc.southbound.proto.RawBlocks;
import java.util.Arrays;

/** The same push with its blocks as they are: what runs and patterns have to be shorter than. */
final class RawPush {
    private RawPush() {}

    /**
     * @param like epochs, digests and number of entries are taken from it
     * @param table the result of the push
     * @param blocks those to send, ascending
     */
    static PortTable of(PortTable like, byte[] table, int[] blocks) {
        PortTable.Builder push = like.toBuilder().clearPieces();
        if (blocks.length > 0) {
            RawBlocks.Builder raw = RawBlocks.newBuilder();
            byte[] filledUp = Arrays.copyOf(table, TableCodec.blockCount(table.length) * 64);
            Arrays.fill(filledUp, table.length, filledUp.length, (byte) 255);
            ByteString entries = ByteString.EMPTY;
            for (int block : blocks) {
                raw.addBlock(block);
                entries = entries.concat(ByteString.copyFrom(filledUp, 64 * block, 64));
            }
            push.addPieces(Piece.newBuilder().setRaw(raw.setEntries(entries)));
        }
        return push.build();
    }
}
