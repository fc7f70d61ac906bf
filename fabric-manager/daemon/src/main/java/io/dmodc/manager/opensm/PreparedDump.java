package io.dmodc.manager.opensm;

import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes dumps that are fast to write and to load: while there is time, the dump that is in force is written once more beside it, of {@link DumpForm#LIDS_ONLY}, and when tables change only the lines that
 * differ are written over there, before that file takes the place of the other. A lost cable changes some hundred blocks of a table of ten thousand.
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
     * Puts these into the file; {@link #freeReplaced} is to follow.
     *
     * @param form that of LIDs only is the fast one
     * @throws IOException if that fails; what was there is there still
     */
    void write(DumpTables tables, DumpForm form) throws IOException {
        DumpTables last = prepared;
        prepared = null;
        if (form == DumpForm.LIDS_ONLY && last != null && file.isPrepared() && tables.sameLayout(last)) {
            file.change(tables.changesSince(last, form));
        } else {
            file.write(tables.sections(form));
        }
    }

    /**
     * Puts the same tables into the file once more, with the GUIDs that it has not.
     *
     * @param enough asked again and again: true when something else comes first
     * @return false if that was so, or somebody has touched the file meanwhile; what was there is there still
     * @throws IOException if that fails; likewise
     */
    boolean addGuids(DumpTables current, BooleanSupplier enough) throws IOException {
        prepared = null;
        boolean whole = file.prepare(current.sections(DumpForm.WITH_GUIDS), enough) && file.untouched();
        if (whole) {
            file.change(List.of());
            file.freeReplaced();
        } else {
            file.discard();
        }
        return whole;
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
        DumpForm form = DumpForm.LIDS_ONLY;
        refused = current.length(form) > LENGTH_MAX ? current : null;
        try {
            if (refused == null && file.prepare(current.sections(form), enough)) {
                prepared = current;
            }
        } catch (IOException e) {
            LOG.debug("{}: nothing is prepared: {}", file.path(), e.toString());
            refused = current;
        }
    }

    /** Gives back the room of what was replaced. */
    void freeReplaced() {
        file.freeReplaced();
    }

    /** Nothing is prepared any more, and nothing half written is left. */
    void discard() {
        prepared = null;
        file.discard();
    }
}
