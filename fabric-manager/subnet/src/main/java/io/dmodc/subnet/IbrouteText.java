package io.dmodc.subnet;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.Guid;
import io.dmodc.topology.ibnet.LidMap;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what {@code ibroute}, or {@code dump_fts}, prints of a switch: {@code Unicast lids [0x0-0xc0] of switch … guid …}, and lines
 * {@code 0x0005 003}, whatever stands behind.
 */
public final class IbrouteText {
    private static final Pattern GUID = Pattern.compile(" guid 0x([0-9a-f]{16})(?=\\s|$)");
    private static final Pattern TOP = Pattern.compile("^Unicast lids \\[0x[0-9a-fA-F]{1,4}-0x([0-9a-fA-F]{1,4})\\] ");

    private static final Pattern READ_BY = Pattern.compile(" of switch DR path slid \\d+; dlid \\d+; ([\\d,]+) guid ");

    private IbrouteText() {}

    /**
     * Reads the table.
     *
     * @throws CommandFailedException if it is not of the switch with this GUID: its LID is another's by now
     */
    public static HeldLft table(byte[] printed, long guid) throws CommandFailedException {
        byte[] ports = new byte[LidMap.LID_MAX + 1];
        Arrays.fill(ports, (byte) LftSet.NO_ROUTE);
        int max = 0;
        int top = 0;
        boolean its = false;
        for (int at = 0; at < printed.length; at = lineEnd(printed, at) + 1) {
            if (printed[at] == '0') {
                int lid = number(printed, at + 2, 16);
                int port = number(printed, at + 7, 10);
                if (lid < 1 || lid > LidMap.LID_MAX || port < 0 || port > LftSet.NO_ROUTE) {
                    throw new CommandFailedException("its table has a line without LID and port");
                }
                ports[lid] = (byte) port;
                max = Math.max(max, lid);
            } else if (printed[at] == 'U') {
                String head = line(printed, at);
                its = head.contains(" guid " + Guid.format(guid));
                top = top(head);
            }
        }
        if (!its) {
            throw new CommandFailedException("another switch has its LID");
        }
        return new HeldLft(Arrays.copyOf(ports, max + 1), top);
    }

    /** The switch that what is printed begins with; 0 if it does not name one. */
    static long guid(byte[] printed) {
        Matcher guid = GUID.matcher(line(printed, 0));
        return guid.find() ? Long.parseUnsignedLong(guid.group(1), 16) : 0;
    }

    /** How far the table goes that what is printed begins with; 0 if that is not said. */
    static int top(byte[] printed) {
        return top(line(printed, 0));
    }

    /** By which directed path the table was read that what is printed begins with; empty if that is not said. */
    static String path(byte[] printed) {
        Matcher path = READ_BY.matcher(line(printed, 0));
        return path.find() ? path.group(1) : "";
    }

    private static int top(String head) {
        Matcher said = TOP.matcher(head);
        return said.find() ? Integer.parseInt(said.group(1), 16) : 0;
    }

    private static String line(byte[] printed, int from) {
        return new String(printed, from, lineEnd(printed, from) - from, StandardCharsets.ISO_8859_1);
    }

    private static int lineEnd(byte[] printed, int from) {
        int at = from;
        while (at < printed.length && printed[at] != '\n') {
            at++;
        }
        return at;
    }

    /** −1 if there is none. */
    private static int number(byte[] printed, int from, int radix) {
        int value = 0;
        int at = from;
        for (; at < printed.length && at < from + 4 && Character.digit(printed[at], radix) >= 0; at++) {
            value = value * radix + Character.digit(printed[at], radix);
        }
        return at == from ? -1 : value;
    }
}
