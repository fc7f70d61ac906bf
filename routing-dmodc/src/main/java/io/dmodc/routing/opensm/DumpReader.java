package io.dmodc.routing.opensm;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@link OpenSmDump}'s format, line by line, in one text or several; memory is bounded by the view, not by the text. For one thread.
 */
public final class DumpReader {
    private static final Pattern GUID = Pattern.compile(" guid 0x([0-9a-fA-F]{1,16})(?=\\s|$)");
    private static final Pattern ENTRY = Pattern.compile("0x([0-9a-fA-F]{1,8})\\s+(\\d{1,9})(?=\\s|$)(.*)");
    private static final Pattern PORT_GUID = Pattern.compile(" portguid 0x([0-9a-fA-F]{1,16})(?=[\\s:]|$)");

    private final FabricView view;
    private final Lids lids;
    private final Map<Long, Integer> nodes = new HashMap<>();
    private final byte[][] nodeRows;
    private final byte[][] switchRows;
    private final BitSet sections = new BitSet();
    private final List<Long> unknownGuids = new ArrayList<>();
    private int unknownSwitches;
    private long unknownDestinations;
    private long furtherLids;
    private long furtherLidsElsewhere;

    /** Switch whose section is being read; −1 in a section to skip, or before the first. */
    private int current = -1;

    /** The text that is being read, and sections begun in it. */
    private DumpLines lines = new DumpLines("");

    private int sectionCount;

    /** @param lids for entries without port GUID */
    public DumpReader(FabricView view, Lids lids) {
        this.view = view;
        this.lids = lids;
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeGuid(node) != 0) {
                nodes.put(view.nodeGuid(node), node);
            }
        }
        nodeRows = emptyRows(view.nodeCount());
        switchRows = emptyRows(view.switchCount());
    }

    private byte[][] emptyRows(int columns) {
        byte[][] rows = new byte[view.switchCount()][columns];
        for (byte[] row : rows) {
            Arrays.fill(row, (byte) LftSet.NO_ROUTE);
        }
        return rows;
    }

    /**
     * Reads a text, as {@link OpenSmDump#read(String, BufferedReader, FabricView, Lids)} does.
     *
     * @param source name for messages
     */
    public void add(String source, BufferedReader in) throws IOException {
        lines = new DumpLines(source);
        sectionCount = 0;
        current = -1;
        for (String line = lines.next(in); line != null; line = lines.next(in)) {
            if (line.startsWith("Unicast lids")) {
                startSection(line);
            } else if (line.startsWith("Multicast mlids")) {
                current = -1;
            } else if (line.startsWith("0x")) {
                readEntry(line);
            }
        }
        if (sectionCount == 0) {
            throw lines.error("no section", "a line 'Unicast lids … guid 0x…' for each switch");
        }
    }

    private void startSection(String line) {
        Matcher guid = GUID.matcher(line);
        if (!guid.find()) {
            throw lines.error(
                    "header '" + DumpLines.shorten(line) + "'", "' guid 0x' and up to 16 hexadecimal digits in it");
        }
        sectionCount++;
        long value = Long.parseUnsignedLong(guid.group(1), 16);
        current = view.switchOf(value);
        if (current < 0) {
            unknownSwitches++;
            remember(value);
        } else {
            sections.set(current);
        }
    }

    private void readEntry(String line) {
        if (sectionCount == 0) {
            throw lines.error("entry '" + DumpLines.shorten(line) + "' before any section", "'Unicast lids …' first");
        }
        Matcher entry = ENTRY.matcher(line);
        if (!entry.matches()) {
            throw lines.error("entry '" + DumpLines.shorten(line) + "'", "'0x<LID> <port>' and more after white space");
        }
        if (current < 0) {
            return;
        }
        long lid = Long.parseLong(entry.group(1), 16);
        int port = Integer.parseInt(entry.group(2));
        if (lid < 1 || lid > Lids.LID_MAX) {
            throw lines.error("LID 0x" + entry.group(1), "0x0001..0xbfff");
        }
        if (port > view.portCount(current)) {
            throw lines.error(
                    "port " + port + " of switch " + Guid.format(view.switchGuid(current)),
                    "0.." + view.portCount(current));
        }
        Matcher guid = PORT_GUID.matcher(entry.group(3));
        if (guid.find()) {
            setByGuid(Long.parseUnsignedLong(guid.group(1), 16), (int) lid, port);
        } else {
            set(lids.switchAt((int) lid), lids.nodeAt((int) lid), (int) lid, port);
        }
    }

    private void setByGuid(long guid, int lid, int port) {
        int s = view.switchOf(guid);
        int node = nodes.getOrDefault(guid, -1);
        if (s < 0 && node < 0) {
            remember(guid);
        }
        set(s, s >= 0 ? -1 : node, lid, port);
    }

    private void set(int s, int node, int lid, int port) {
        if (s >= 0) {
            set(switchRows[current], s, lids.offsetAtSwitch(s, lid), port);
        } else if (node >= 0) {
            set(nodeRows[current], node, lids.offsetAtNode(node, lid), port);
        } else {
            unknownDestinations++;
        }
    }

    /** A table has one entry a destination: that of its lowest LID, which stands before the others in a dump. */
    private void set(byte[] row, int destination, int offset, int port) {
        if (offset == 0) {
            row[destination] = (byte) port;
        } else {
            furtherLids++;
            furtherLidsElsewhere += row[destination] == (byte) port ? 0 : 1;
        }
    }

    private void remember(long guid) {
        if (unknownGuids.size() < OpenSmTables.GUIDS_MAX && !unknownGuids.contains(guid)) {
            unknownGuids.add(guid);
        }
    }

    /** What was read. */
    public OpenSmTables tables() {
        List<Integer> missing = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.alive(s) && !sections.get(s)) {
                missing.add(s);
            }
        }
        return new OpenSmTables(
                new LftSet(view.epoch(), view.nodeCount(), nodeRows),
                new LftSet(view.epoch(), view.switchCount(), switchRows),
                missing,
                unknownSwitches,
                unknownDestinations,
                furtherLids,
                furtherLidsElsewhere,
                unknownGuids);
    }
}
