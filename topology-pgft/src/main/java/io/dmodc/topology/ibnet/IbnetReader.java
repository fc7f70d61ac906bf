package io.dmodc.topology.ibnet;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.NodeIndexMap;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a fabric from the text {@code ibnetdiscover} prints, ibdiagnet's flavour of it included.
 *
 * <p><b>Tolerant where nothing is lost.</b> A line that cannot be used, such as a shell's prompt, is counted and
 * reported with its number. A port that only one end of the cable names completes the other end, unless that end names
 * another cable. Hosts may have several ports, and sit on any switch; one without a block of its own is taken from its
 * switch's line. An address above {@link LidMap#LID_MAX}, as ports have that are not up, counts as none, and the last
 * line needs no line feed; both are reported. Loop-backs are left out.
 *
 * <p><b>Aggregation nodes</b> are told by their description or device number, or by being inside of their switch (the
 * one port cabled to its last one, a GUID that follows its own, of the same system); they are
 * {@linkplain io.dmodc.topology.Host.Kind#AGGREGATION destinations that are no hosts}.
 *
 * <p><b>Strict where a wrong fabric would come out:</b> no switch at all; a switch header that cannot be read or has
 * more than {@link FabricView#PORT_MAX} ports; a port's line that cannot be read and whose cable no other line tells;
 * no cable at all; a zero byte; a line or file above the bounds; and what shows that the file was cut off: a cable to a
 * switch without a block, hosts but no host block at all, an unusable last line without a line feed, or one whose
 * address is not that of the other end, or a missing host block together with one. ({@code ibnetdiscover} prints a
 * block for each node it names, switches first, so any cut among the switches is noticed.)
 *
 * <p><b>Identities.</b> A destination is a host's port GUID: as the host's own line gives it, else as the switch's line
 * does, else host GUID + port number − 1, which is how adapters are numbered whose first port shares their GUID.
 */
public final class IbnetReader {
    private static final Pattern HEADER = Pattern.compile("(Switch|Ca|Hca|Rt|Router)\\s.*", Pattern.CASE_INSENSITIVE);
    private static final Pattern KEY = Pattern.compile("(\\w+)\\s*=\\s*(\\S+)");
    private static final Pattern OWN_PORT = Pattern.compile("\\[\\s*(\\d{1,3})\\s*].*");
    private static final Pattern FAR_NODE = Pattern.compile(".*\"[SHR]-.*");

    /** A name that ends in {@code $ % > #}, or {@code user@host} and anything up to one of them; then a command. */
    private static final Pattern PROMPT =
            Pattern.compile("(\\(\\S+\\)\\s+)?([^\\s\"=\\[(@#$%>]*+|[^\\s\"@]*+@[^\"]*)[#$%>](\\s.*)?");

    private static final int SHOWN_MAX = 60;

    private final String source;
    private final IbnetLines lines;
    private final Map<Long, NodeBlock> switches = new LinkedHashMap<>();
    private final Map<Long, NodeBlock> hosts = new LinkedHashMap<>();
    private final SkippedLines skipped = new SkippedLines();
    private final LinkRates rates = new LinkRates();

    private @Nullable NodeBlock current;
    private long device;
    private long systemImage;
    private boolean prompt;

    private IbnetReader(String source, InputStream in) {
        this.source = source;
        this.lines = new IbnetLines(source, in);
    }

    /**
     * Reads a file.
     *
     * @throws IbnetFormatException in one line, if the file cannot be opened or is no usable {@code ibnetdiscover} text
     */
    public static IbnetFabric read(Path file) throws IbnetFormatException {
        String source = file.toString();
        try (InputStream in = Files.newInputStream(file)) {
            return read(source, in);
        } catch (IbnetFormatException e) {
            throw e;
        } catch (IOException e) {
            throw unreadable(source, e);
        }
    }

    /**
     * Reads a text to its end; the caller closes it.
     *
     * @param source how messages name it
     * @throws IbnetFormatException in one line, if it is no usable {@code ibnetdiscover} text
     */
    public static IbnetFabric read(String source, InputStream in) throws IbnetFormatException {
        return new IbnetReader(source, in).read();
    }

    static IbnetFormatException unreadable(String source, IOException e) {
        String why = e instanceof NoSuchFileException ? "no such file" : String.valueOf(e.getMessage());
        return new IbnetFormatException(
                source, "cannot be read (" + why + "); expected a file of ibnetdiscover text", e);
    }

    private IbnetFabric read() throws IbnetFormatException {
        int skippedBefore = 0;
        for (String line = lines.next(); line != null; line = lines.next()) {
            skippedBefore = skipped.count();
            takeLine(line.strip());
        }
        if (switches.isEmpty()) {
            String found = lines.number() == 0 ? "the file is empty" : "the file ends without any switch";
            throw bad(found + "; expected the blocks ibnetdiscover prints, 'Switch 36 \"S-…\" …'");
        }
        boolean cut = lines.cut() && !prompt;
        if (cut && skipped.count() > skippedBefore) {
            throw bad("the file ends within this line; expected a whole one (is the file truncated?)");
        }
        return new CablePairing(source, switches, hosts, skipped, rates, cut, lines.number()).connect();
    }

    private void takeLine(String line) throws IbnetFormatException {
        prompt = PROMPT.matcher(line).matches();
        if (line.isEmpty() || line.startsWith("#")) {
            return;
        }
        if (prompt) {
            skip("'" + shorten(line) + "' is a shell's prompt");
        } else if (line.startsWith("[")) {
            takePort(line);
        } else if (HEADER.matcher(line).matches()) {
            takeHeader(line);
        } else {
            takeKey(line);
        }
    }

    /** {@code vendid=0x2c9} and the like stand before a header, so they end the block before. */
    private void takeKey(String line) {
        Matcher key = KEY.matcher(line);
        if (!key.lookingAt()) {
            skip("'" + shorten(line) + "' is neither a comment, a key, a node nor a port");
            return;
        }
        current = null;
        if (key.group(1).equals("devid")) {
            device = numberOf(key.group(2));
        } else if (key.group(1).equals("sysimgguid")) {
            systemImage = numberOf(key.group(2));
        }
    }

    private static long numberOf(String number) {
        try {
            return Guid.parse(number);
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    private void takeHeader(String line) throws IbnetFormatException {
        boolean isSwitch = line.regionMatches(true, 0, "Switch", 0, 6);
        current = null;
        try {
            current = enter(header(line, isSwitch));
        } catch (IllegalArgumentException e) {
            String problem = "'" + shorten(line) + "': " + e.getMessage();
            if (isSwitch) {
                throw bad(problem);
            }
            skip(problem);
        }
        device = 0;
        systemImage = 0;
    }

    private NodeBlock header(String line, boolean isSwitch) {
        LineCursor cursor = new LineCursor(line.substring(line.split("\\s", 2)[0].length()));
        int portCount = cursor.number("port count");
        NodeId id = cursor.nodeId();
        if (id.isSwitch() != isSwitch) {
            throw new IllegalArgumentException(
                    "expected the name of a " + (isSwitch ? "switch, S-" : "host, H- or R-"));
        }
        if (portCount < 1 || portCount > FabricView.PORT_MAX) {
            throw new IllegalArgumentException(id + ": " + portCount + " ports, expected 1.." + FabricView.PORT_MAX);
        }
        LineComment tail = LineComment.parse(cursor.rest());
        boolean before = tail.name().isEmpty() && tail.after().lid() == LidMap.NONE;
        return new NodeBlock(
                id, lines.number(), tail.name(), portCount, before ? tail.before() : tail.after(), device, systemImage);
    }

    private NodeBlock enter(NodeBlock block) throws IbnetFormatException {
        Map<Long, NodeBlock> known = block.id.isSwitch() ? switches : hosts;
        NodeBlock before = known.putIfAbsent(block.id.guid(), block);
        if (before == null) {
            if (known.size() > NodeIndexMap.INDEX_MAX) {
                throw bad("too many nodes; expected at most " + NodeIndexMap.INDEX_MAX + " of a kind");
            }
            return block;
        }
        if (before.portCount != block.portCount) {
            throw new IllegalArgumentException(block.id + ": " + block.portCount + " ports, expected "
                    + before.portCount + " as on line " + before.line);
        }
        skip(block.id + " a second time; first on line " + before.line);
        return before;
    }

    private void takePort(String line) {
        NodeBlock block = current;
        if (block == null) {
            skip("'" + shorten(line) + "' is outside of any node's block");
            return;
        }
        try {
            PortLine port = portLine(block, line);
            if (!block.has(port.port())) {
                throw new IllegalArgumentException(
                        block.id + ": port " + port.port() + " outside 1.." + block.portCount);
            }
            PortLine before = block.port(port.port());
            if (before == null) {
                block.put(port);
                takeRate(block, port.port(), line);
            } else if (!before.leadsTo(port.far(), port.farPort())) {
                throw new IllegalArgumentException(
                        block.id + ": port " + port.port() + " a second time; first on line " + before.line());
            }
        } catch (IllegalArgumentException e) {
            skip("'" + shorten(line) + "': " + e.getMessage());
        }
    }

    /** Right of all names, which may look like one. What a host's line says of its cable, its switch's line says, too. */
    private void takeRate(NodeBlock block, int port, String line) {
        if (block.id.isSwitch()) {
            LinkRate.in(line.substring(line.lastIndexOf('"') + 1))
                    .ifPresent(rate -> rates.put(block.id.guid(), port, rate));
        }
    }

    private PortLine portLine(NodeBlock block, String line) {
        try {
            return PortLine.parse(lines.number(), block.id, line);
        } catch (IllegalArgumentException e) {
            Matcher own = OWN_PORT.matcher(line);
            if (own.matches() || FAR_NODE.matcher(line).matches()) {
                int port = own.matches() ? Integer.parseInt(own.group(1)) : 0;
                block.damage(lines.number(), port, "'" + shorten(line) + "': " + e.getMessage());
            }
            throw e;
        }
    }

    private void skip(String reason) {
        skipped.add(lines.number(), reason);
    }

    /** Control characters could garble a terminal, and a whole line would garble the message. */
    private static String shorten(String line) {
        String shown = line.length() <= SHOWN_MAX ? line : line.substring(0, SHOWN_MAX) + "…";
        return shown.replaceAll("\\p{Cntrl}+", " ");
    }

    private IbnetFormatException bad(String problem) {
        return new IbnetFormatException(source, Math.max(lines.number(), 1), problem);
    }
}
