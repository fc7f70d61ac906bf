package io.dmodc.subnet;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a command has printed, in pieces of {@value #PIECE} bytes: it takes the room of that and a piece, also while it grows, when an array would be there twice or
 * three times. For one thread.
 */
final class PrintedText extends OutputStream {
    static final int PIECE = 1 << 16;

    private final List<byte[]> pieces = new ArrayList<>();

    /** Of the last piece. */
    private int used = PIECE;

    @Override
    public void write(int each) {
        write(new byte[] {(byte) each}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        for (int done = 0; done < length; ) {
            if (used == PIECE) {
                pieces.add(new byte[PIECE]);
                used = 0;
            }
            int some = Math.min(length - done, PIECE - used);
            System.arraycopy(bytes, offset + done, pieces.get(pieces.size() - 1), used, some);
            used += some;
            done += some;
        }
    }

    /** Its first bytes, no more than a piece. */
    String top(int count) {
        return pieces.isEmpty()
                ? ""
                : new String(
                        pieces.get(0),
                        0,
                        Math.min(count, pieces.size() == 1 ? used : PIECE),
                        StandardCharsets.ISO_8859_1);
    }

    /** From its start on. */
    InputStream in() {
        List<InputStream> all = new ArrayList<>();
        for (byte[] piece : pieces) {
            boolean last = all.size() == pieces.size() - 1;
            all.add(new ByteArrayInputStream(piece, 0, last ? used : PIECE));
        }
        return new SequenceInputStream(Collections.enumeration(all));
    }
}
