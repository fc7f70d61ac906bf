package io.dmodc.agent.exec;

import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.southbound.SouthboundProtocol;
import java.util.Arrays;

/** A table as the program says it, entry by entry. Grows with what it says. */
final class TableReader {
    private static final int FIRST_ENTRIES = 1024;

    private byte[] entries = new byte[0];

    /** Highest index said plus one. */
    private int size;

    /** @throws GarbageException when the index does not grow, so that no table has more entries than there can be */
    void take(ProgramWord.Entry entry) throws GarbageException {
        if (entry.index() < size) {
            throw new GarbageException("it said index " + entry.index() + " after index " + (size - 1));
        }
        if (entry.index() >= entries.length) {
            int longer = Math.max(FIRST_ENTRIES, Math.max(2 * entries.length, entry.index() + 1));
            grow(Math.min(longer, SouthboundProtocol.MAX_ENTRIES));
        }
        entries[entry.index()] = (byte) entry.port();
        size = entry.index() + 1;
    }

    private void grow(int length) {
        int before = entries.length;
        entries = Arrays.copyOf(entries, length);
        Arrays.fill(entries, before, length, SouthboundProtocol.NO_ROUTE);
    }

    /** @throws GarbageException when the table ends before an entry that was said */
    InstalledTable table(ProgramWord.Read end) throws GarbageException {
        int length = end.entries() < 0 ? size : end.entries();
        if (length < size) {
            throw new GarbageException("it said index " + (size - 1) + " of a table of " + length + " entries");
        }
        if (length > entries.length) {
            grow(length);
        }
        return new InstalledTable(end.version(), Arrays.copyOf(entries, length));
    }
}
