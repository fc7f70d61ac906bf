package io.dmodc.manager.opensm;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes dumps fast: while there is time, the dump that is in force is written once more beside it, and when tables change only the lines that differ are written over
 * there, before that file takes the place of the other. A lost cable changes some hundred blocks of a table of ten thousand.
 *
 * <p>What is prepared was never in the dump's place, so no OpenSM has it open, however slowly it reads. It takes the room that a dump
 * is written in anyway. For one thread.
 */
final class PreparedDump {
    private static final Logger LOG = LoggerFactory.getLogger(PreparedDump.class);

    /** A larger dump is not prepared: usually the file is in memory. */
    private static final long LENGTH_MAX = 512L << 20;

    private final DumpFile file;

    /** What is prepared; null when nothing is. */
    private @Nullable DumpTables prepared;

    /** What is not tried again: it is too large, or there was no room. */
    private @Nullable DumpTables refused;

    PreparedDump(DumpFile file) {
        this.file = file;
    }

    /**
     * Puts these into the file.
     *
     * @throws IOException if that fails; what was there is there still
     */
    void write(DumpTables tables) throws IOException {
        DumpTables last = prepared;
        prepared = null;
        if (last != null && file.isPrepared() && tables.sameLayout(last)) {
            file.change(tables.changesSince(last));
        } else {
            file.write(sections(tables));
        }
    }

    /**
     * Prepares for the dump that follows this one, unless something is prepared.
     *
     * @param enough asked again and again: true when something else comes first
     */
    @SuppressWarnings("ReferenceEquality") // the very ones
    void prepare(DumpTables current, BooleanSupplier enough) {
        if (prepared != null || current == refused) {
            return;
        }
        refused = current.length() > LENGTH_MAX ? current : null;
        try {
            if (refused == null && file.prepare(sections(current), enough)) {
                prepared = current;
            }
        } catch (IOException e) {
            LOG.debug("{}: nothing is prepared: {}", file.path(), e.toString());
            refused = current;
        }
    }

    /** Nothing is prepared any more, and nothing half written is left. */
    void discard() {
        prepared = null;
        file.discard();
    }

    /** What the file is to hold. */
    static Iterable<byte[]> sections(DumpTables tables) {
        return () -> tables.tables().stream().map(SwitchTable::section).iterator();
    }
}
