package io.dmodc.subnet;

import io.dmodc.topology.Guid;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes what {@code dump_fts} and {@code ibroute} complain of, for switches that do not tell all blocks of their tables: both exit with 0 then. In
 * place of such a block {@code dump_fts} prints once more what the block before had, which nobody may take for what the switch holds; {@code ibroute}
 * prints no more. A switch that did not even say how far its table goes
 * {@code dump_fts} prints as one whose table is empty, and names it by the path that stands in the table's head, too. Holds a line at a time, of {@value #LINE_MAX} bytes at most, and GUIDs of switches that were asked. For one thread.
 */
final class UntoldBlocks extends OutputStream {
    static final int LINE_MAX = 4096;

    private static final Pattern FAILED =
            Pattern.compile("SubnGet\\((?:LFT)?\\) failed(?:.* Node GUID 0x([0-9a-f]{1,16})\\b)?");

    /** A SwitchInfo that did not come; by path, not by GUID. */
    private static final Pattern TOP_UNKNOWN =
            Pattern.compile("(?:DR path slid \\d+; dlid \\d+; ([\\d,]+) )?Attr 0x12:\\d+\\) bad status");

    /** Of more it is not kept which they are. */
    private static final int PATHS_MAX = 1 << 16;

    private final LongPredicate asked;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Set<Long> named = new HashSet<>();

    /** Some complaint, as all those of {@code ibroute}, does not say of whom. */
    private boolean anyone;

    /** By these paths nobody said how far a table goes. */
    private final Set<String> topless = new HashSet<>();

    /** Of some switch it is not known how far its table goes, nor which it is. */
    private boolean anyTop;

    /** @param asked of which switches, by GUID, it is to be known */
    UntoldBlocks(LongPredicate asked) {
        this.asked = asked;
    }

    @Override
    public void write(int each) {
        if (each == '\n') {
            take(line.toString(StandardCharsets.ISO_8859_1));
            line.reset();
        } else if (line.size() < LINE_MAX) {
            line.write(each);
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        for (int at = offset; at < offset + length; at++) {
            write(bytes[at]);
        }
    }

    private void take(String complaint) {
        Matcher unknown = TOP_UNKNOWN.matcher(complaint);
        if (unknown.find()) {
            anyTop |= unknown.group(1) == null || topless.size() >= PATHS_MAX;
            if (!anyTop) {
                topless.add(unknown.group(1));
            }
        }
        Matcher failed = FAILED.matcher(complaint);
        if (!failed.find()) {
            return;
        }
        if (failed.group(1) == null) {
            anyone = true;
            return;
        }
        long guid = Guid.parse("0x" + failed.group(1));
        if (asked.test(guid)) {
            named.add(guid);
        }
    }

    /**
     * True if this switch is one, by all that was complained of so far, or may be.
     *
     * @param top how far its table is said to go; 0 also if that is not said
     * @param path by which it is said to be read; empty if that is not said
     */
    boolean mayHave(long guid, int top, String path) {
        boolean mayLackTop = anyTop || topless.contains(path) || (path.isEmpty() && !topless.isEmpty());
        return anyone || named.contains(guid) || (top == 0 && mayLackTop);
    }
}
