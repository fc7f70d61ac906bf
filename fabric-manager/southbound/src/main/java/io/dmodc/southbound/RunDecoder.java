package io.dmodc.southbound;

import static io.dmodc.southbound.SouthboundProtocol.BLOCK_ENTRIES;

import com.google.protobuf.ByteString;
import io.dmodc.southbound.proto.PatternRuns;
import io.dmodc.southbound.proto.TableRefusal.Reason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Expands the {@link PatternRuns} of one table into the one under construction.
 *
 * <p>Nothing is believed: blocks lie inside the table and ascend, runs are as long as their blocks together, dividers are
 * at most as large as the table and all its patterns together have at most
 * {@value SouthboundProtocol#PATTERN_PORTS_PER_ENTRY} ports for each of its entries. So memory is O(entries) and time
 * O(entries + bytes of what came), whatever it says.
 */
final class RunDecoder {
    private final byte[] table;
    private final List<Pattern> patterns = new ArrayList<>();
    private long portsLeft;

    RunDecoder(byte[] table) {
        this.table = table;
        this.portsLeft = (long) SouthboundProtocol.PATTERN_PORTS_PER_ENTRY * table.length;
    }

    /**
     * Expands one piece.
     *
     * @param piece its index in the table, for the refusal
     * @param lastBlock highest block of the pieces before, or -1
     * @return its highest block
     */
    int apply(PatternRuns form, int piece, int lastBlock) {
        long first = Integer.toUnsignedLong(form.getFirstBlock());
        long end = first + Integer.toUnsignedLong(form.getBlockCount());
        if (end == first || end > TableCodec.blockCount(table.length)) {
            throw malformed(
                    piece,
                    (end - first) + " blocks from block " + first + " on, of a table of " + table.length + " entries");
        }
        if (first <= lastBlock) {
            throw malformed(piece, "block " + first + " after block " + lastBlock);
        }
        for (PatternRuns.Pattern pattern : form.getPatternsList()) {
            patterns.add(pattern(pattern, piece));
        }
        expand(form, piece, (int) first * BLOCK_ENTRIES, (int) Math.min(end * BLOCK_ENTRIES, table.length));
        return (int) end - 1;
    }

    private Pattern pattern(PatternRuns.Pattern form, int piece) {
        byte[] ports = form.getPorts().isEmpty() ? derived(form, piece) : listed(form.getPorts(), piece);
        long divider = Math.max(1, Integer.toUnsignedLong(form.getDivider()));
        long phase = Integer.toUnsignedLong(form.getPhase());
        if (divider > table.length || phase >= divider * ports.length) {
            throw malformed(
                    piece,
                    "pattern " + patterns.size() + ": divider " + divider + " and phase " + phase + " for "
                            + ports.length + " ports and " + table.length + " entries");
        }
        return new Pattern((int) divider, (int) phase, ports);
    }

    private byte[] listed(ByteString ports, int piece) {
        take(ports.size(), piece);
        return ports.toByteArray();
    }

    private byte[] derived(PatternRuns.Pattern form, int piece) {
        int number = patterns.size();
        if (Integer.compareUnsigned(form.getBase(), number) >= 0) {
            throw malformed(
                    piece,
                    "pattern " + number + " stands on pattern " + Integer.toUnsignedString(form.getBase())
                            + ", expected an earlier one");
        }
        byte[] base = patterns.get(form.getBase()).ports();
        if (form.getWithoutCount() >= base.length) {
            throw malformed(
                    piece,
                    "pattern " + number + ": " + form.getWithoutCount() + " of " + base.length
                            + " ports left out, expected to keep one");
        }
        take(base.length - form.getWithoutCount(), piece);
        byte[] ports = new byte[base.length - form.getWithoutCount()];
        int read = 0;
        int written = 0;
        for (int i = 0; i < form.getWithoutCount(); i++) {
            long kept = Integer.toUnsignedLong(form.getWithout(i));
            int out = form.getWithoutCount() - i;
            if (kept > base.length - read - out) {
                throw malformed(
                        piece,
                        "pattern " + number + ": " + out + " places left out after the next " + kept + " of its last "
                                + (base.length - read) + " ports");
            }
            System.arraycopy(base, read, ports, written, (int) kept);
            written += (int) kept;
            read += (int) kept + 1;
        }
        System.arraycopy(base, read, ports, written, base.length - read);
        return ports;
    }

    private void take(int ports, int piece) {
        portsLeft -= ports;
        if (portsLeft < 0) {
            throw malformed(
                    piece,
                    "pattern " + patterns.size() + ": more than " + SouthboundProtocol.PATTERN_PORTS_PER_ENTRY
                            + " ports of patterns for each of " + table.length + " entries");
        }
    }

    private void expand(PatternRuns form, int piece, int from, int to) {
        int at = from;
        for (int i = 0; i + 1 < form.getRunCount(); i += 2) {
            long length = Integer.toUnsignedLong(form.getRun(i));
            if (length == 0 || length > to - at) {
                throw malformed(piece, "run of " + length + " columns at column " + at + ", expected 1.." + (to - at));
            }
            int end = at + (int) length;
            fill(at, end, form.getRun(i + 1), piece);
            at = end;
        }
        if (at != to || form.getRunCount() % 2 != 0) {
            throw malformed(
                    piece, form.getRunCount() + " numbers of runs up to column " + at + ", expected pairs up to " + to);
        }
    }

    private void fill(int from, int to, int source, int piece) {
        int index = source >>> 1;
        if ((source & 1) == 1 && index <= 255) {
            Arrays.fill(table, from, to, (byte) index);
        } else if ((source & 1) == 0 && index < patterns.size()) {
            patterns.get(index).fill(table, from, from, to);
        } else {
            throw malformed(
                    piece,
                    "run of source " + Integer.toUnsignedString(source) + " at column " + from
                            + ", expected a port up to 255 or one of " + patterns.size() + " patterns");
        }
    }

    private static TableRefusedException malformed(int piece, String text) {
        return new TableRefusedException(Reason.MALFORMED, "piece " + piece + ": " + text);
    }
}
