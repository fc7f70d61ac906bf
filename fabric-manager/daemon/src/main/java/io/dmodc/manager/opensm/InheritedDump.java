package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.Discovery.FoundSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ports that a dump uses which lies there at the start, of a manager before or of somebody else: OpenSM loads it whoever wrote
 * it. What is no dump uses none; nor does it use a port that its switch has not, because OpenSM does not load such a file. Of a line {@value #LINE_MAX} bytes count, of a file {@value #BYTES_MAX}, of GUIDs
 * {@value #SWITCHES_MAX}.
 */
final class InheritedDump {
    private static final int LINE_MAX = 256;

    /** A dump of 27,648 nodes and 2,880 switches has 3 GiB. */
    private static final long BYTES_MAX = 8L << 30;

    private static final int SWITCHES_MAX = 1 << 16;
    private static final int CHUNK = 1 << 16;
    private static final BitSet NO_PORTS = new BitSet();
    private static final Pattern HEAD = Pattern.compile("Unicast lids.* guid 0x([0-9a-fA-F]{1,16})(\\s.*)?");

    private final Map<Long, BitSet> used = new TreeMap<>(Long::compareUnsigned);

    /** Of the section that is read; thrown away before the first. */
    private BitSet section = new BitSet();

    private InheritedDump() {}

    /** One that is not there. */
    static InheritedDump none() {
        return new InheritedDump();
    }

    static InheritedDump of(Path file) {
        InheritedDump dump = new InheritedDump();
        if (!Files.isRegularFile(file)) {
            return dump; // To open a pipe may take for ever.
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), CHUNK)) {
            dump.read(in);
            return dump;
        } catch (IOException e) {
            return none(); // There is none, or OpenSM cannot read it either.
        }
    }

    private void read(InputStream in) throws IOException {
        byte[] line = new byte[LINE_MAX];
        int length = 0;
        long count = 0;
        for (int each = in.read(); each >= 0 && count < BYTES_MAX; each = in.read(), count++) {
            if (each == '\n') {
                take(line, length);
                length = 0;
            } else if (length < LINE_MAX) {
                line[length++] = (byte) each;
            }
        }
        take(line, length);
    }

    private void take(byte[] line, int length) {
        if (length > 0 && line[0] == '0') {
            section.set(port(line, length));
        } else if (length > 0 && line[0] == 'U') {
            Matcher head = HEAD.matcher(new String(line, 0, length, StandardCharsets.ISO_8859_1));
            section = new BitSet();
            if (head.matches() && used.size() < SWITCHES_MAX) {
                used.put(Long.parseUnsignedLong(head.group(1), 16), section);
            }
        }
    }

    /** Of {@code 0x0005 003}, whatever stands behind; 0 where there is none. Not by a pattern: there may be millions. */
    private static int port(byte[] line, int length) {
        int at = 0;
        while (at < length && line[at] > ' ') {
            at++;
        }
        while (at < length && line[at] == ' ') {
            at++;
        }
        int port = 0;
        for (; at < length && line[at] >= '0' && line[at] <= '9' && port <= FabricView.PORT_MAX; at++) {
            port = 10 * port + line[at] - '0';
        }
        return port;
    }

    /** The first switch and port that it uses and that is down now, for people; empty for none. */
    String deadUse(Discovery now) {
        for (long guid : used.keySet()) {
            FoundSwitch found = now.switches().get(guid);
            int dead = found == null ? 0 : deadPort(found);
            if (found != null && dead > 0) {
                return found.name() + " (" + Guid.format(guid) + ") port " + dead;
            }
        }
        return "";
    }

    /** The first port of this switch that it uses and that is down; 0 for none. */
    int deadPort(FoundSwitch found) {
        BitSet ports = used.getOrDefault(found.guid(), NO_PORTS);
        return ports.stream()
                .filter(port -> port <= found.portCount() && !found.isUp(port))
                .findFirst()
                .orElse(0);
    }

    /** True if it has entries of this switch. */
    boolean has(long guid) {
        return used.containsKey(guid);
    }

    /** True if an entry of this switch leads to this port. */
    boolean uses(long guid, int port) {
        return used.getOrDefault(guid, NO_PORTS).get(port);
    }
}
