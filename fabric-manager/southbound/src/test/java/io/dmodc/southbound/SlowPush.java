package io.dmodc.southbound;

import static java.lang.Integer.toUnsignedLong;

import io.dmodc.southbound.proto.PatternRuns;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.PortTable.Piece;
import io.dmodc.southbound.proto.RawBlocks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The document's rules for pieces, sentence by sentence and entry by entry: the slow twin of the decoders. */
final class SlowPush {
    private record Pattern(long divider, long phase, List<Byte> ports) {}

    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private final byte[] table;
    private final List<Pattern> patterns = new ArrayList<>();
    private long portsOfPatterns;
    private long lastBlock = -1;

    private SlowPush(int entryCount) {
        table = new byte[entryCount];
        Arrays.fill(table, (byte) 255);
    }

    /** Returns the table of a complete push, or nothing when it is malformed. Digests are not looked at. */
    static Optional<byte[]> table(PortTable push) {
        if (toUnsignedLong(push.getEntryCount()) > 524_288) {
            return Optional.empty();
        }
        SlowPush slow = new SlowPush(push.getEntryCount());
        try {
            for (Piece piece : push.getPiecesList()) {
                require(piece.hasRaw() || piece.hasRuns());
                if (piece.hasRaw()) {
                    slow.raw(piece.getRaw());
                } else {
                    slow.runs(piece.getRuns());
                }
            }
            return Optional.of(slow.table);
        } catch (Malformed e) {
            return Optional.empty();
        }
    }

    private static void require(boolean condition) throws Malformed {
        if (!condition) {
            throw new Malformed();
        }
    }

    private void nextBlock(long block) throws Malformed {
        require(block > lastBlock && block * 64 < table.length);
        lastBlock = block;
    }

    private void raw(RawBlocks raw) throws Malformed {
        require(raw.getEntries().size() == 64L * raw.getBlockCount());
        for (int i = 0; i < raw.getBlockCount(); i++) {
            long block = toUnsignedLong(raw.getBlock(i));
            nextBlock(block);
            for (int entry = 0; entry < 64; entry++) {
                byte port = raw.getEntries().byteAt(64 * i + entry);
                if (64 * block + entry < table.length) {
                    table[(int) block * 64 + entry] = port;
                } else {
                    require(port == (byte) 255);
                }
            }
        }
    }

    private void runs(PatternRuns runs) throws Malformed {
        long first = toUnsignedLong(runs.getFirstBlock());
        require(runs.getBlockCount() != 0);
        for (long i = 0; i < toUnsignedLong(runs.getBlockCount()); i++) {
            nextBlock(first + i);
        }
        for (PatternRuns.Pattern pattern : runs.getPatternsList()) {
            patterns.add(pattern(pattern));
        }
        long column = 64 * first;
        long end = Math.min(64 * (first + runs.getBlockCount()), table.length);
        require(runs.getRunCount() % 2 == 0);
        for (int i = 0; i < runs.getRunCount(); i += 2) {
            long columns = toUnsignedLong(runs.getRun(i));
            long source = toUnsignedLong(runs.getRun(i + 1));
            require(columns > 0 && column + columns <= end);
            require(source % 2 == 0 ? source / 2 < patterns.size() : source / 2 <= 255);
            for (long c = column; c < column + columns; c++) {
                table[(int) c] = source % 2 == 0 ? port(patterns.get((int) source / 2), c) : (byte) (source / 2);
            }
            column += columns;
        }
        require(column == end);
    }

    private static byte port(Pattern pattern, long c) {
        return pattern.ports.get((int) ((c + pattern.phase) / pattern.divider % pattern.ports.size()));
    }

    private Pattern pattern(PatternRuns.Pattern form) throws Malformed {
        List<Byte> ports = new ArrayList<>();
        if (form.getPorts().isEmpty()) {
            require(toUnsignedLong(form.getBase()) < patterns.size());
            List<Byte> base = patterns.get(form.getBase()).ports;
            List<Boolean> out = new ArrayList<>();
            for (int without : form.getWithoutList()) {
                for (long kept = 0; kept < toUnsignedLong(without) && out.size() < base.size(); kept++) {
                    out.add(false);
                }
                out.add(true);
                require(out.size() <= base.size());
            }
            for (int place = 0; place < base.size(); place++) {
                if (place >= out.size() || !out.get(place)) {
                    ports.add(base.get(place));
                }
            }
        } else {
            form.getPorts().forEach(ports::add);
        }
        portsOfPatterns += ports.size();
        long divider = form.getDivider() == 0 ? 1 : toUnsignedLong(form.getDivider());
        require(!ports.isEmpty() && portsOfPatterns <= 4L * table.length);
        require(divider <= table.length && toUnsignedLong(form.getPhase()) < divider * ports.size());
        return new Pattern(divider, toUnsignedLong(form.getPhase()), ports);
    }
}
