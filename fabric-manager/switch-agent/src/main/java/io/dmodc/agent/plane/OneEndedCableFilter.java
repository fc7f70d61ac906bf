package io.dmodc.agent.plane;

import io.dmodc.topology.Guid;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Blanks those port lines of an ibnetdiscover text whose other end does not list the cable, so that deleting one line
 * is enough to cut it: the reader itself would complete the missing end from the other one.
 *
 * <p>A line stays when the node it leads to has a line back; and when it leads to a host that has no block at all,
 * because then its line is all there is of that host. (The reader tells by such hosts that a file was cut off, and must
 * go on to.) A line to a switch without a block goes. Every other line stays as it is and where it is, so that line
 * numbers hold.
 */
final class OneEndedCableFilter {
    // Only the start of a line is looked at: a name may hold bytes that are a line end to a pattern.
    private static final Pattern HEADER =
            Pattern.compile("(?i:Switch|Ca|Hca|Rt|Router)\\s+\\d+\\s+\"\\s*([SHR])-(\\w+)\\s*\"");
    private static final Pattern PORT =
            Pattern.compile("\\[\\s*(\\d{1,9})\\s*][^\"#]*\"\\s*([SHR])-(\\w+)\\s*\"\\s*\\[\\s*(\\d{1,9})\\s*]");
    private static final Pattern KEY = Pattern.compile("\\w+\\s*=");

    /** One end of a cable as a block lists it. Nodes are named S or H and sixteen digits. */
    private record End(String node, int port, String far, int farPort) {
        End reversed() {
            return new End(far, farPort, node, port);
        }
    }

    private final Set<String> nodes = new HashSet<>();
    private final Set<End> ends = new HashSet<>();
    private @Nullable String node;

    private OneEndedCableFilter() {}

    /** Returns the text without the lines of half cables. */
    static byte[] only(byte[] text) {
        // One character per byte, whatever the names are written in: what stays comes out as it went in.
        String[] lines = new String(text, StandardCharsets.ISO_8859_1).split("\n", -1);
        OneEndedCableFilter known = new OneEndedCableFilter();
        @Nullable End[] listed = new End[lines.length];
        for (int i = 0; i < lines.length; i++) {
            listed[i] = known.end(lines[i]);
        }
        for (int i = 0; i < lines.length; i++) {
            End end = listed[i];
            if (end != null && known.isHalf(end)) {
                lines[i] = "";
            }
        }
        return String.join("\n", lines).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Takes a line in and returns the end it lists, or null. */
    private @Nullable End end(String raw) {
        String line = raw.strip();
        if (line.startsWith("[")) {
            return port(line);
        }
        Matcher header = HEADER.matcher(line);
        if (header.lookingAt()) {
            node = name(header.group(1), header.group(2));
            nodes.add(node);
        } else if (KEY.matcher(line).lookingAt()) {
            node = null;
        }
        return null;
    }

    private @Nullable End port(String line) {
        Matcher port = PORT.matcher(line);
        if (node == null || !port.lookingAt()) {
            return null;
        }
        String far = name(port.group(2), port.group(3));
        End end = new End(node, Integer.parseInt(port.group(1)), far, Integer.parseInt(port.group(4)));
        ends.add(end);
        return end;
    }

    private boolean isHalf(End end) {
        boolean mustListIt = end.far().startsWith("S") || nodes.contains(end.far());
        return mustListIt && !ends.contains(end.reversed());
    }

    private static String name(String kind, String guid) {
        String type = kind.equals("S") ? "S" : "H";
        try {
            return type + Guid.digits(Guid.parse(guid));
        } catch (IllegalArgumentException e) {
            // The reader will report the line; until then any name will do.
            return type + guid.toLowerCase(Locale.ROOT);
        }
    }
}
