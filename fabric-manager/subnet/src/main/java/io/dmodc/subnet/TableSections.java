package io.dmodc.subnet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Cuts what {@code dump_fts} prints of all switches into what it prints of each, while it prints: whole lines from one
 * {@code Unicast lids} to the next. Holds one switch's text at a time, {@value #SECTION_MAX} bytes at most. For one thread.
 */
final class TableSections extends OutputStream {
    /** A line of 16 bytes for each LID there can be, and some more. */
    static final int SECTION_MAX = 1 << 20;

    private static final byte HEAD = 'U';

    /** Told of each switch. */
    interface Taker {
        /** @throws IOException if no more is wanted */
        void take(byte[] section) throws IOException;
    }

    private final Taker taker;
    private final ByteArrayOutputStream section = new ByteArrayOutputStream();
    private boolean lineBegins = true;

    TableSections(Taker taker) {
        this.taker = taker;
    }

    @Override
    public void write(int each) throws IOException {
        write(new byte[] {(byte) each}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        int from = offset;
        for (int at = offset; at < offset + length; at++) {
            if (lineBegins && bytes[at] == HEAD) {
                keep(bytes, from, at);
                end();
                from = at;
            }
            lineBegins = bytes[at] == '\n';
        }
        keep(bytes, from, offset + length);
    }

    private void keep(byte[] bytes, int from, int to) throws IOException {
        if (section.size() + to - from > SECTION_MAX) {
            throw new IOException("more than " + SECTION_MAX + " bytes for one switch");
        }
        section.write(bytes, from, to - from);
    }

    /** Nothing more comes: the last switch is told of. */
    void end() throws IOException {
        byte[] whole = section.toByteArray();
        section.reset();
        if (whole.length > 0 && whole[0] == HEAD) {
            taker.take(whole);
        }
    }
}
