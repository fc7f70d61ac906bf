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
 * prints no more. A switch that did not even say how far its table goes {@code dump_fts} prints as one whose table is empty. Holds a line at a time, of {@value #LINE_MAX} bytes at most, and GUIDs of switches that were asked. For one thread.
 */
final class UntoldBlocks extends OutputStream {
    static final int LINE_MAX = 4096;

    private static final Pattern FAILED =
            Pattern.compile("SubnGet\\((?:LFT)?\\) failed(?:.* Node GUID 0x([0-9a-f]{1,16})\\b)?");

    /** A SwitchInfo that did not come; by path, not by GUID. */
    private static final Pattern TOP_UNKNOWN = Pattern.compile("Attr 0x12:\\d+\\) bad status");

    private final LongPredicate asked;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Set<Long> named = new HashSet<>();

    /** Some complaint, as all those of {@code ibroute}, does not say of whom. */
    private boolean anyone;

    /** Of some switch it is not known how far its table goes. */
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
        anyTop |= TOP_UNKNOWN.matcher(complaint).find();
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
     */
    boolean mayHave(long guid, int top) {
        return anyone || named.contains(guid) || (anyTop && top == 0);
    }
}
