package io.dmodc.southbound;

import io.dmodc.southbound.proto.TableRefusal.Reason;

/**
 * A table of turns: by which port and on which virtual channel a switch of a grid forwards, by where a packet came in. A leaf of a
 * two-dimensional fat-tree that sends what came from its row on to its column, and what came from its column on to its row, needs
 * more than an output port for each destination (VTFTR).
 *
 * <p>A view of the entries of a table, one byte each:
 *
 * <ul>
 *   <li>0: {@value #INPUT_CLASSES}; 255: {@value #VIRTUAL_CHANNELS}; between them, for each port, the input class of what comes in by it,
 *       {@link #NONE} where nothing is expected;
 *   <li>from {@value #CHANNELS_AT} on, by input class and virtual channel, the virtual channel to go on to another switch, {@link #NONE} where
 *       that is not allowed; what is left up to the destinations is {@link #NONE};
 *   <li>from {@value #DESTINATIONS_AT} on, by destination and input class, the output port, {@link #NONE} without a route.
 * </ul>
 *
 * <p>Thread-safe while nobody changes the array.
 */
public final class TurnTable {
    public static final int INPUT_CLASSES = 3;
    public static final int VIRTUAL_CHANNELS = 2;

    /** Input class of what comes to a leaf switch from a host of its own, and to a root switch from a leaf switch. */
    public static final int FROM_BELOW = 0;

    /** Input class of what comes to a leaf switch from a root switch of its row. */
    public static final int FROM_ROW = 1;

    /** Input class of what comes to a leaf switch from a root switch of its column. */
    public static final int FROM_COLUMN = 2;

    /** No input class, no virtual channel, or no port. */
    public static final int NONE = Byte.toUnsignedInt(SouthboundProtocol.NO_ROUTE);

    /** Entry that says how many input classes there are; those of ports 1..254 follow. */
    public static final int INPUT_CLASSES_AT = 0;

    /** Entry that says how many virtual channels there are. */
    public static final int VIRTUAL_CHANNELS_AT = 255;

    /** First entry of the virtual channels. */
    public static final int CHANNELS_AT = 256;

    /** First entry of the destinations. */
    public static final int DESTINATIONS_AT = 320;

    private final byte[] entries;

    private TurnTable(byte[] entries) {
        this.entries = entries;
    }

    /**
     * Reads the entries of a table.
     *
     * @param entries nobody changes them any more
     * @throws TableRefusedException MALFORMED when it is none; ports of destinations may be any
     */
    public static TurnTable of(byte[] entries) {
        if (entries.length < DESTINATIONS_AT || (entries.length - DESTINATIONS_AT) % INPUT_CLASSES != 0) {
            throw malformed(entries.length + " entries; expected " + DESTINATIONS_AT + " and " + INPUT_CLASSES
                    + " for each destination");
        }
        check(entries, INPUT_CLASSES_AT, INPUT_CLASSES, "input classes");
        for (int port = 1; port <= SouthboundProtocol.MAX_PORTS; port++) {
            checkOrNone(entries, port, INPUT_CLASSES, "an input class");
        }
        check(entries, VIRTUAL_CHANNELS_AT, VIRTUAL_CHANNELS, "virtual channels");
        int channelsEnd = channelEntry(INPUT_CLASSES, 0);
        for (int at = CHANNELS_AT; at < channelsEnd; at++) {
            checkOrNone(entries, at, VIRTUAL_CHANNELS, "a virtual channel");
        }
        for (int at = channelsEnd; at < DESTINATIONS_AT; at++) {
            check(entries, at, NONE, "behind the virtual channels");
        }
        return new TurnTable(entries);
    }

    private static void check(byte[] entries, int at, int expected, String what) {
        int value = Byte.toUnsignedInt(entries[at]);
        if (value != expected) {
            throw malformed("entry " + at + " is " + value + "; expected " + expected + " " + what);
        }
    }

    private static void checkOrNone(byte[] entries, int at, int count, String what) {
        int value = Byte.toUnsignedInt(entries[at]);
        if (value >= count && value != NONE) {
            throw malformed("entry " + at + " is " + value + "; expected " + what + ", 0.." + (count - 1) + ", or 255");
        }
    }

    private static TableRefusedException malformed(String text) {
        return new TableRefusedException(Reason.MALFORMED, "table of turns: " + text);
    }

    /** Returns where the table has the virtual channel to go on. */
    public static int channelEntry(int inputClass, int vc) {
        return CHANNELS_AT + VIRTUAL_CHANNELS * inputClass + vc;
    }

    /** Returns where the table has the output port. */
    public static int portEntry(int destination, int inputClass) {
        return TableKind.TURNS.firstEntryOf(destination) + inputClass;
    }

    /** Returns how many entries a table of so many destinations has. */
    public static int entryCount(int destinationCount) {
        return TableKind.TURNS.firstEntryOf(destinationCount);
    }

    /** Returns how many destinations it tells of. */
    public int destinationCount() {
        return TableKind.TURNS.destinationCount(entries.length);
    }

    /**
     * Returns the input class of what comes in by a port; {@link #NONE}: nothing is expected there.
     *
     * @param port 1..254
     */
    public int inputClass(int port) {
        if (port < 1 || port > SouthboundProtocol.MAX_PORTS) {
            throw new IllegalArgumentException("port " + port + " outside 1.." + SouthboundProtocol.MAX_PORTS);
        }
        return Byte.toUnsignedInt(entries[port]);
    }

    /**
     * Returns the output port for a destination, as the table has it; {@link #NONE}: no route.
     *
     * @param inputClass 0..2
     * @param destination 0 or more; those behind the table have no route
     */
    public int port(int inputClass, int destination) {
        return destination < destinationCount()
                ? Byte.toUnsignedInt(entries[portEntry(destination, inputClass)])
                : NONE;
    }

    /**
     * Returns the virtual channel on which to go on to another switch; {@link #NONE}: that is not allowed.
     *
     * @param inputClass 0..2
     * @param vc 0..1, on which it came
     */
    public int nextVc(int inputClass, int vc) {
        return Byte.toUnsignedInt(entries[channelEntry(inputClass, vc)]);
    }
}
