package io.dmodc.manager.opensm;

import io.dmodc.settings.Reasons;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that OpenSM loads, and what is in it: what was written there, or what lay there at the start, of a manager before or of
 * somebody else.
 *
 * <p>A dump that leads to no LID which the one before did not know is written with {@linkplain DumpForm#LIDS_ONLY LIDs only} where the OpenSM that dealt them runs, and is
 * to load it soon: one that has dealt others may load wrong tables by it, and end by a LID above its own, for which it has no room. As soon as there is time it is written again with GUIDs, so that an OpenSM which deals LIDs anew when it starts
 * loads what is meant. For one thread.
 */
final class KeptDump {
    private static final Logger LOG = LoggerFactory.getLogger(KeptDump.class);

    private final DumpFile file;
    private final PreparedDump writer;
    private final Troubles troubles;

    /** What the file holds; null when it is not ours. */
    private @Nullable DumpTables written;

    private DumpForm form = DumpForm.WITH_GUIDS;

    private InheritedDump inherited = InheritedDump.none();

    KeptDump(Path file, Troubles troubles) {
        this.file = new DumpFile(file);
        writer = new PreparedDump(this.file);
        this.troubles = troubles;
    }

    /** Looks what is there; takes away what a write left behind that did not come to its end. */
    void open() {
        writer.discard();
        file.discardLeft();
        inherited = InheritedDump.of(file.path());
    }

    /** What lay there when it was {@linkplain #open opened}, until another is in its place. */
    InheritedDump inherited() {
        return inherited;
    }

    Path path() {
        return file.path();
    }

    /** What the file holds; null when it is not ours. */
    @Nullable
    DumpTables written() {
        return written;
    }

    /** True if the file lies there with just these, whoever wrote it. */
    boolean holds(DumpTables tables) {
        for (DumpForm each : DumpForm.values()) {
            if (file.holds(tables.sections(each))) {
                form = each;
                return true;
            }
        }
        return false;
    }

    /**
     * Puts these into the file.
     *
     * @param lidsKnown OpenSM has not dealt any since the fabric was looked at
     * @throws IOException if that fails; what was there is there still
     */
    void write(DumpTables tables, boolean lidsKnown) throws IOException {
        if (file.isDirectory()) {
            throw new IOException("a directory is in its place, which OpenSM takes for a dump without routes");
        }
        DumpTables before = written;
        boolean same = lidsKnown && !isOpenSmAway() && before != null && before.covers(tables);
        DumpForm next = same ? DumpForm.LIDS_ONLY : DumpForm.WITH_GUIDS;
        writer.write(tables, next);
        form = next;
        keep(tables);
    }

    /** Gives back the room of what the last {@link #write} replaced, which takes milliseconds: when nobody waits for it any more. */
    void freeReplaced() {
        writer.freeReplaced();
    }

    /** True if it could not be told, does not answer or is not the master: one that starts, or another one, may deal other LIDs. */
    boolean isOpenSmAway() {
        return troubles.has(Troubles.Kind.SIGNAL) || troubles.has(Troubles.Kind.PRESENCE);
    }

    /**
     * While there is time: writes the file again with GUIDs, if it has LIDs only. What somebody else has written meanwhile, or taken away, is left alone, as ever.
     *
     * @param enough asked again and again: true when something else comes first
     * @return false if it cannot be written
     */
    boolean addGuids(BooleanSupplier enough) {
        DumpTables current = written;
        if (current == null || form == DumpForm.WITH_GUIDS || !file.untouched()) {
            troubles.clear(Troubles.Kind.WITHOUT_GUIDS);
            return true;
        }
        try {
            if (writer.addGuids(current, enough)) {
                form = DumpForm.WITH_GUIDS;
                troubles.clear(Troubles.Kind.WITHOUT_GUIDS);
            }
        } catch (ClosedByInterruptException e) {
            LOG.debug("{}: has no port GUIDs, and this thread is to end", file.path());
        } catch (IOException e) {
            troubles.set(
                    Troubles.Kind.WITHOUT_GUIDS,
                    file.path() + " has no port GUIDs, and cannot be written again with them: " + Reasons.of(e)
                            + "; should OpenSM deal LIDs anew before it is, it loads wrong tables; tried again every second");
            return false;
        }
        return true;
    }

    /**
     * While there is time: has most of the next {@link #write} done.
     *
     * @param enough asked again and again: true when something else comes first
     */
    void prepare(BooleanSupplier enough) {
        DumpTables current = written;
        if (current != null && form == DumpForm.WITH_GUIDS) {
            writer.prepare(current, enough);
        }
    }

    /** What was written is the same text as these. */
    void same(DumpTables tables) {
        written = tables;
    }

    /** The file {@link #holds} these already. */
    void keep(DumpTables tables) {
        written = tables;
        inherited = InheritedDump.none();
        troubles.clear(Troubles.Kind.OVERWRITTEN);
        troubles.clear(Troubles.Kind.WITHOUT_GUIDS);
    }

    /**
     * Takes the file away.
     *
     * @throws IOException if that fails; then it is there still
     */
    void remove() throws IOException {
        file.remove();
        writer.discard();
        written = null;
        inherited = InheritedDump.none();
    }

    /** Leaves nothing but the file. */
    void close() {
        writer.discard();
    }

    /** The first switch and port that the file uses and that is down now, for people; empty for none, and where a directory is in its place. */
    String deadUse(Discovery now) {
        if (file.isDirectory()) {
            return "";
        }
        DumpTables current = written;
        return current != null ? current.deadUse(now) : inherited.deadUse(now);
    }

    /**
     * Looks whether the file is what was written: OpenSM loads what it finds.
     *
     * @return false if it is gone; it is not ours any more then
     */
    boolean isThere() {
        DumpTables current = written;
        if (current == null || !file.exists()) {
            written = null;
            return false;
        }
        if (file.untouched() || holds(current)) {
            troubles.clear(Troubles.Kind.OVERWRITTEN);
        } else {
            troubles.set(
                    Troubles.Kind.OVERWRITTEN,
                    file.path()
                            + " is not what was written: does another manager write it? It is replaced with the next"
                            + " change of tables");
        }
        return true;
    }

    /** True if what was written was read since, by OpenSM for all that is known; false also if that cannot be told. */
    boolean wasRead() {
        return written != null && file.wasRead();
    }
}
