package io.dmodc.agent.plane;

import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TurnTable;
import java.util.Arrays;

/** Entries of a table of turns, put together one by one; without any, nothing is expected and nothing goes on. */
public final class TurnEntries {
    private final byte[] entries;

    /** @param destinationCount how many it tells of */
    public TurnEntries(int destinationCount) {
        entries = new byte[TurnTable.entryCount(destinationCount)];
        Arrays.fill(entries, SouthboundProtocol.NO_ROUTE);
        entries[TurnTable.INPUT_CLASSES_AT] = TurnTable.INPUT_CLASSES;
        entries[TurnTable.VIRTUAL_CHANNELS_AT] = TurnTable.VIRTUAL_CHANNELS;
    }

    /** What comes in by these ports is of this class. */
    public TurnEntries ports(int inputClass, int... ports) {
        for (int port : ports) {
            entries[port] = (byte) inputClass;
        }
        return this;
    }

    /** What came so goes on so. */
    public TurnEntries channel(int inputClass, int vc, int next) {
        entries[TurnTable.channelEntry(inputClass, vc)] = (byte) next;
        return this;
    }

    /** What came so leaves by this port. */
    public TurnEntries route(int destination, int inputClass, int port) {
        entries[TurnTable.portEntry(destination, inputClass)] = (byte) port;
        return this;
    }

    /** Returns a copy. */
    public byte[] bytes() {
        return entries.clone();
    }
}
