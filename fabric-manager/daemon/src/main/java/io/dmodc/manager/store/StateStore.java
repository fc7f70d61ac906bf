package io.dmodc.manager.store;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.HeadFile.Mark;
import io.dmodc.settings.Reasons;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.h2.mvstore.SingleFileStore;
import org.jspecify.annotations.Nullable;

/**
 * The manager's records on disk: what is appended survives a crash of the process or the machine, and what is read is
 * exactly what was appended last, or nothing: a store that was damaged, cut or exchanged for an older one is refused.
 *
 * <p>{@code state.mv}: a {@link RecordFile}. {@code state.head}: a {@link HeadFile}, written after each append. An append
 * counts once it is in both; one that a crash cut short counts whole or not at all. {@code lock}: held while a manager
 * runs; it says which.
 *
 * <p>The file grows with each append. Beyond {@link #lengthMax} it is written anew, by steps of {@link #tidy} or when it is
 * opened. One thread at a time.
 */
public final class StateStore implements AutoCloseable {
    /** Bytes that a file may always have before it is written anew. */
    static final long LENGTH_ALWAYS = 16 << 20;

    /** Records copied by one step of {@link #tidy}. */
    private static final int STEP_RECORDS = 500;

    private final StateFiles files;
    private final DirectoryLock lock;
    private final RecordFile.Opener opener;
    private final HeadFile head;

    /** {@code null} after an append that failed. */
    private @Nullable RecordFile records;

    /** {@link DurableFiles#identity} of the file last open: another one under its name holds none of what is appended. */
    private @Nullable Object identity;

    /** Of the last append that counts. */
    private Mark mark;

    /** A fresh file has its name until a power cut: no append counts before that is for good. */
    private boolean nameDue;

    private long liveBytes;
    private @Nullable StoredState opened;
    private @Nullable StoreRewrite rewrite;

    private final long lengthAlways;

    private StateStore(StateFiles files, DirectoryLock lock, RecordFile.Opener opener, long lengthAlways)
            throws IOException {
        this.files = files;
        this.lock = lock;
        this.opener = opener;
        this.lengthAlways = lengthAlways;
        StateFiles.Found found = files.settle(opener);
        head = found.head();
        mark = head.newest();
        liveBytes = found.liveBytes();
        opened = found.state();
        identity = DurableFiles.identity(files.records());
        records = reopen();
        while (records.length() > lengthMax() && tidy()) {
            // Nobody waits for a record yet.
        }
    }

    /**
     * Opens the store of a directory, makes both where they are missing, and keeps every other manager out until it is
     * closed. The files of a release before this store are taken over once and kept as {@code *.old}.
     *
     * @throws IOException in one line when the directory cannot be used, or another manager has it
     * @throws IllegalArgumentException in one line when a file is damaged, older than what was written last, or of a newer
     *     release: which, what is wrong, what to do. Nothing was changed then
     */
    public static StateStore open(Path directory) throws IOException {
        return open(directory, SingleFileStore::new);
    }

    static StateStore open(Path directory, RecordFile.Opener opener) throws IOException {
        return open(directory, opener, LENGTH_ALWAYS);
    }

    /** @param lengthAlways as {@link #LENGTH_ALWAYS}, which no test wants to wait for */
    static StateStore open(Path directory, RecordFile.Opener opener, long lengthAlways) throws IOException {
        DirectoryLock lock = DirectoryLock.of(directory);
        try {
            return new StateStore(new StateFiles(directory), lock, opener, lengthAlways);
        } catch (IOException | RuntimeException | Error e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Reads a directory as {@link #open} would, and changes nothing.
     *
     * @return {@code null} when there is no state
     * @throws IOException as {@link #open}
     * @throws IllegalArgumentException as {@link #open}
     */
    public static @Nullable StoredState read(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return null;
        }
        DirectoryLock lock = DirectoryLock.of(directory);
        try (lock) {
            return new StateFiles(directory).read(SingleFileStore::new);
        }
    }

    /**
     * Puts this state into a directory, whole or not at all.
     *
     * @param replace keeps a state that is there, damaged or not, as {@code *.old} instead of refusing
     * @throws IOException in one line when the directory cannot be used, or another manager has it
     * @throws IllegalArgumentException in one line when there is a state already
     */
    public static void write(Path directory, StoredState state, boolean replace) throws IOException {
        DirectoryLock lock = DirectoryLock.of(directory);
        try (lock) {
            new StateFiles(directory).replace(state.records(), replace, SingleFileStore::new);
        }
    }

    /** Where the files are. Any thread. */
    public Path directory() {
        return files.directory();
    }

    /** All records that count now; the caller's own. */
    public StoredState state() throws IOException {
        StoredState first = opened;
        opened = null;
        if (first != null) {
            return first;
        }
        try {
            return usable().verify();
        } catch (DamagedStateException e) {
            throw new IOException("state file " + files.records() + " " + e.getMessage(), e);
        }
    }

    /**
     * Takes these records in, in order and together; they are on disk when it returns.
     *
     * @throws IOException in one line when the disk does not take them: none of them counts then, and the next append
     *     can succeed
     */
    public void append(List<StateRecord> more) throws IOException {
        if (more.isEmpty()) {
            return;
        }
        RecordFile file = usable();
        settle();
        opened = null;
        boolean done = false;
        try {
            more.forEach(file::apply);
            file.commit(mark.number() + 1);
            Mark next = new Mark(mark.number() + 1, file.head().sum(), file.length());
            requireInPlace();
            head.write(next);
            mark = next;
            liveBytes = file.liveBytes();
            done = true;
        } catch (RuntimeException e) {
            throw cannot(RecordFile.reason(e), e);
        } finally {
            if (!done) {
                fail(file);
            }
        }
        if (rewrite != null) {
            rewrite.apply(more);
        }
    }

    private void fail(RecordFile file) {
        dropRewrite();
        file.close();
        records = null;
    }

    private RecordFile usable() throws IOException {
        RecordFile file = records;
        if (file == null) {
            file = reopen();
            records = file;
        }
        return file;
    }

    /** The file that is open is the one under its name. */
    private boolean isInPlace() throws IOException {
        return Objects.equals(identity, DurableFiles.identity(files.records()));
    }

    private void requireInPlace() throws IOException {
        try {
            if (!isInPlace()) {
                throw new IOException("another file has its name");
            }
        } catch (IOException e) {
            throw cannot(Reasons.of(e), e);
        }
    }

    /** Ends what an exchange or a failed append left undone, before anything else is written. */
    private void settle() throws IOException {
        if (nameDue) {
            try {
                DurableFiles.forceName(files.records(), opener);
            } catch (IOException e) {
                throw cannot(Reasons.of(e), e);
            }
            nameDue = false;
        }
        if (!head.says(mark)) {
            head.write(mark);
        }
    }

    private IOException cannot(String why, Exception cause) {
        return new IOException("state file " + files.records() + " cannot be written: " + why, cause);
    }

    /**
     * Without what a failed append left behind the last one that counts. The head says so first: the file is never shorter
     * than its head may ask for.
     */
    private RecordFile reopen() throws IOException {
        settle();
        RecordFile file = null;
        try {
            boolean inPlace = isInPlace();
            if (inPlace) {
                files.cut(mark.length(), opener);
            }
            file = RecordFile.open(files.records(), opener, false);
            if (file.head().number() != mark.number() || !file.head().sum().equals(mark.sum())) {
                throw new DamagedStateException("was replaced or cut since this manager began; restart it");
            }
            file.resume(liveBytes);
            if (!inPlace) {
                identity = DurableFiles.identity(files.records());
                nameDue = true;
                mark = new Mark(mark.number(), mark.sum(), file.length());
            }
            return file;
        } catch (DamagedStateException e) {
            if (file != null) {
                file.close();
            }
            throw cannot(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw cannot(Reasons.of(e), e);
        }
    }

    /** Length of a file that is worth keeping, in bytes: four times what its records need, and 16 MiB always. */
    private long lengthMax() {
        return Math.max(lengthAlways, 4 * liveBytes);
    }

    /** The file is twice as long as is worth keeping: {@link #tidy} must not wait for a quiet moment any more. */
    public boolean isOvergrown() {
        return records != null && records.length() > 2 * lengthMax();
    }

    /**
     * Does one short step of writing an overlong file anew; appends go on between steps.
     *
     * @return whether there is more to do
     * @throws IOException in one line when the disk does not take it; the file stays as it is
     */
    public boolean tidy() throws IOException {
        RecordFile file = records;
        if (file == null || (rewrite == null && file.length() <= lengthMax())) {
            return false;
        }
        boolean done = false;
        try {
            if (rewrite == null) {
                rewrite = new StoreRewrite(file, files.fresh(), opener);
            }
            boolean copied = rewrite.step(STEP_RECORDS);
            if (copied) {
                exchange(file, rewrite);
            }
            done = true;
            return !copied;
        } catch (RuntimeException e) {
            throw new IOException("state file " + files.fresh() + " cannot be written: " + RecordFile.reason(e), e);
        } finally {
            if (!done) {
                dropRewrite();
            }
        }
    }

    /** Once the fresh file has the name there is no way back: what fails from then on is done before the next append. */
    private void exchange(RecordFile file, StoreRewrite written) throws IOException {
        RecordFile fresh = written.finish(mark.number());
        Object next = DurableFiles.identity(files.fresh());
        DurableFiles.move(files.fresh(), files.records());
        rewrite = null;
        records = fresh;
        identity = next;
        nameDue = true;
        mark = new Mark(mark.number(), mark.sum(), fresh.length());
        file.close();
        settle();
    }

    private void dropRewrite() {
        if (rewrite != null) {
            rewrite.close();
            rewrite = null;
        }
    }

    /** Nothing waits to be written: what was appended is on disk. */
    @Override
    public void close() throws IOException {
        dropRewrite();
        if (records != null) {
            records.close();
            records = null;
        }
        lock.close();
    }
}
