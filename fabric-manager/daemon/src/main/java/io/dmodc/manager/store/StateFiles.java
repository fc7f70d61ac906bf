package io.dmodc.manager.store;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.HeadFile.Mark;
import io.dmodc.settings.Reasons;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which files make up the store of a directory, and whether they may be believed. Who calls holds the directory's lock.
 *
 * <p>Both files are made beside and renamed, the records first. So a directory with records and no head was left by a crash
 * while it was made, if nothing was appended yet, and lost its head otherwise; one with a head and no records lost them.
 */
final class StateFiles {
    static final String RECORDS = "state.mv";
    static final String HEAD = "state.head";
    static final String OLD = ".old";

    private static final String REMEDY =
            "; restore " + RECORDS + " and " + HEAD + " from one backup, or put an export there"
                    + " with 'fabric-manager state import FILE --replace', or move both away to start with nothing: node indices and"
                    + " levels are dealt anew then, which may change every table, and what was expected is forgotten";

    private final Path directory;

    StateFiles(Path directory) {
        this.directory = directory;
    }

    /**
     * A store that may be believed.
     *
     * @param liveBytes of its records
     */
    record Found(StoredState state, long liveBytes, HeadFile head) {}

    /** What one file holds, read and compared. */
    private record Checked(StoredState state, long liveBytes, Mark mark) {}

    Path directory() {
        return directory;
    }

    Path records() {
        return directory.resolve(RECORDS);
    }

    /** Where the records are written anew. */
    Path fresh() {
        return directory.resolve(RECORDS + ".new");
    }

    private Path head() {
        return directory.resolve(HEAD);
    }

    /** The records without what was never noted in the head. */
    private Path cutCopy() {
        return directory.resolve(RECORDS + ".cut");
    }

    /**
     * Makes the store where there is none, from what an earlier release left if it did; mends what a crash left.
     *
     * @throws IllegalArgumentException in one line when the store may not be believed; nothing was changed then
     */
    Found settle(RecordFile.Opener opener) throws IOException {
        FormerFiles former = new FormerFiles(directory);
        if (isMissing()) {
            List<StateRecord> records = former.records();
            checkBounds(records);
            create(records, 0, opener);
        } else {
            former.refuseLateOnes();
        }
        HeadFile head = headThere(opener);
        Checked checked = check(head, opener);
        if (Files.exists(cutCopy())) {
            DurableFiles.force(cutCopy());
            DurableFiles.rename(cutCopy(), records());
        }
        if (head == null || head.isDamaged() || !head.newest().equals(checked.mark)) {
            head = HeadFile.create(head(), opener, checked.mark);
        }
        Files.deleteIfExists(fresh());
        former.retire();
        return new Found(checked.state, checked.liveBytes, head);
    }

    /** The state as {@link #settle} would give it, changing nothing; {@code null} when there is none. */
    @Nullable
    StoredState read(RecordFile.Opener opener) throws IOException {
        if (isMissing()) {
            List<StateRecord> records = new FormerFiles(directory).records();
            checkBounds(records);
            StoredState former = StoredState.of(records);
            return former.isEmpty() ? null : former;
        }
        try {
            return check(headThere(opener), opener).state;
        } finally {
            Files.deleteIfExists(cutCopy());
        }
    }

    /**
     * Puts these records in the place of what is there. Until the new file has its name the old one counts, and from then on
     * the new one: its number is higher than what the old head asks for.
     */
    void replace(Collection<StateRecord> records, boolean mayReplace, RecordFile.Opener opener) throws IOException {
        boolean former = !new FormerFiles(directory).isMissing();
        if (!mayReplace && (former || !isMissing())) {
            throw new IllegalArgumentException("state directory " + directory
                    + " holds a state; expected an empty one, or --replace, which keeps the old one as *" + OLD);
        }
        checkBounds(records);
        keepOld(records());
        keepOld(head());
        long number = 0;
        if (Files.exists(head())) {
            try {
                number = HeadFile.open(head(), opener).numberMin() + 1;
            } catch (DamagedStateException e) {
                // It asks for nothing that can be read, and is kept beside.
                Files.delete(head());
            }
        }
        create(records, number, opener);
        new FormerFiles(directory).retire();
        HeadFile.create(head(), opener, check(headThere(opener), opener).mark);
    }

    private void checkBounds(Collection<StateRecord> records) {
        try {
            records.forEach(RecordBounds::check);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("state for " + directory + ": " + e.getMessage(), e);
        }
    }

    private static void keepOld(Path file) throws IOException {
        if (Files.exists(file)) {
            Path old = file.resolveSibling(file.getFileName() + OLD);
            Files.copy(file, old, StandardCopyOption.REPLACE_EXISTING);
            DurableFiles.force(old);
        }
    }

    private boolean isMissing() {
        return !Files.exists(records()) && !Files.exists(head());
    }

    private void create(Collection<StateRecord> records, long number, RecordFile.Opener opener) throws IOException {
        try (RecordFile file = RecordFile.create(fresh(), opener)) {
            records.forEach(file::apply);
            file.commit(number);
        } catch (RuntimeException e) {
            throw new IOException("state file " + fresh() + " cannot be written: " + RecordFile.reason(e), e);
        }
        DurableFiles.rename(fresh(), records());
    }

    private @Nullable HeadFile headThere(RecordFile.Opener opener) throws IOException {
        try {
            return Files.exists(head()) ? HeadFile.open(head(), opener) : null;
        } catch (DamagedStateException e) {
            throw refused(head(), e);
        }
    }

    /** The file as it is, or without an end that was never noted: then as a copy, which takes its place if it may. */
    private Checked check(@Nullable HeadFile head, RecordFile.Opener opener) throws IOException {
        Files.deleteIfExists(cutCopy());
        if (!Files.exists(records())) {
            throw refused(records(), new DamagedStateException("is missing, though " + head() + " is there"));
        }
        boolean longer = head != null
                && !head.isDamaged()
                && Files.size(records()) > head.newest().length();
        try {
            Checked whole = check(records(), head, opener);
            if (head == null || !longer || whole.mark.number() > head.newest().number()) {
                return whole;
            }
            // What stands behind the last append is the rest of one that a crash tore; the next must not mix with it.
            Checked cut = checkCut(head, opener);
            return cut == null ? whole : cut;
        } catch (NewerFormatException e) {
            throw new IllegalArgumentException("state file " + records() + " " + e.getMessage(), e);
        } catch (DamagedStateException e) {
            Checked cut = head != null && longer ? checkCut(head, opener) : null;
            if (cut == null) {
                throw refused(records(), e);
            }
            return cut;
        }
    }

    /** The file up to where the head says; {@code null} when that is not the state that the head tells of. */
    private @Nullable Checked checkCut(HeadFile head, RecordFile.Opener opener) throws IOException {
        try (InputStream in = Files.newInputStream(records());
                OutputStream out = Files.newOutputStream(cutCopy())) {
            copy(in, out, head.newest().length());
        } catch (IOException e) {
            Files.deleteIfExists(cutCopy()); // It would take the last room there is.
            throw new IOException(
                    "state file " + records() + " cannot be copied to " + cutCopy() + ": " + Reasons.of(e), e);
        }
        try {
            return check(cutCopy(), head, opener);
        } catch (DamagedStateException e) {
            Files.delete(cutCopy());
            return null;
        }
    }

    private static void copy(InputStream in, OutputStream out, long length) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (long rest = length; rest > 0; ) {
            int read = in.read(buffer, 0, (int) Math.min(rest, buffer.length));
            if (read < 0) {
                return;
            }
            out.write(buffer, 0, read);
            rest -= read;
        }
    }

    private static Checked check(Path file, @Nullable HeadFile head, RecordFile.Opener opener)
            throws IOException, DamagedStateException {
        if (!Files.isReadable(file)) {
            // Nothing is wrong with it: least of all must anybody be told to move it away.
            throw new IOException("state file " + file + " cannot be read: permission denied");
        }
        if (Files.size(file) == 0) {
            throw new DamagedStateException("is empty");
        }
        try (RecordFile records = RecordFile.open(file, opener, true)) {
            StoreHead found = records.head();
            refuseOld(found, head);
            StoredState state = records.verify();
            return new Checked(state, records.liveBytes(), new Mark(found.number(), found.sum(), records.length()));
        }
    }

    private static void refuseOld(StoreHead found, @Nullable HeadFile head) throws DamagedStateException {
        if (head == null) {
            if (found.number() > 0) {
                throw new DamagedStateException("holds append " + found.number() + ", but " + HEAD
                        + ", which says how far it must be, is missing");
            }
            return;
        }
        if (found.number() < head.numberMin()) {
            throw new DamagedStateException("holds append " + found.number() + ", but append " + head.numberMin()
                    + " was written: it was cut short, damaged, or exchanged for an older copy");
        }
        if (found.number() == head.newest().number()
                && !found.sum().equals(head.newest().sum())) {
            throw new DamagedStateException(
                    "holds another append " + found.number() + " than the one that " + HEAD + " tells of");
        }
    }

    private static IllegalArgumentException refused(Path file, DamagedStateException problem) {
        return new IllegalArgumentException("state file " + file + " " + problem.getMessage() + REMEDY, problem);
    }

    /** Takes away what stands behind this length: a failed append. */
    void cut(long length, RecordFile.Opener disk) throws IOException {
        try (FileChannel channel = FileChannel.open(records(), StandardOpenOption.WRITE)) {
            if (channel.size() > length) {
                channel.truncate(length);
                disk.force(records(), channel);
            }
        }
    }
}
