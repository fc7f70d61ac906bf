package io.dmodc.manager.store;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.state.StoredState;
import io.dmodc.settings.Reasons;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVMap;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.SingleFileStore;
import org.jspecify.annotations.Nullable;

/**
 * One file of records in MVStore's format, only ever added to: space that became free is not used again, so what an append
 * leaves behind never damages what was there before. {@link StateStore} writes it anew when too much of it is dead.
 *
 * <p>Map {@code records}: {@link RecordKeys} to a message and its CRC-32C over key and message. Map {@code head}: one entry,
 * the {@link StoreHead}. MVStore itself checks headers only, and where a file ends badly it quietly takes an older state;
 * so {@link #verify} reads everything, and who opens a file compares {@link #head} with what it must be.
 *
 * <p>One thread at a time. After a failed {@link #commit} it must be closed.
 */
final class RecordFile implements AutoCloseable {
    private static final Map<String, Object> SETTINGS =
            Map.of("cacheSize", 8, "pageSplitSize", 4096, "autoCompactFillRate", 0);
    private static final byte[] HEAD_KEY = {0};

    private final MVStore store;
    private final MVMap<byte[], byte[]> records;
    private final MVMap<byte[], byte[]> heads;
    private StoreHead head;
    private RecordSum sum;
    private long liveBytes;

    private RecordFile(MVStore store, @Nullable StoreHead made) throws DamagedStateException {
        this.store = store;
        store.setVersionsToKeep(0);
        store.setRetentionTime(0);
        store.setReuseSpace(false);
        if (made == null && (!store.hasMap("records") || !store.hasMap("head"))) {
            throw new DamagedStateException("holds no state");
        }
        MVMap.Builder<byte[], byte[]> entries =
                new MVMap.Builder<byte[], byte[]>().keyType(EntryBytes.TYPE).valueType(EntryBytes.TYPE);
        records = store.openMap("records", entries);
        heads = store.openMap("head", entries);
        head = made == null ? readHead() : made;
        sum = head.sum();
    }

    /** How MVStore comes to its file, and how bytes and names beside it are forced to disk; a test hands in one that fails. */
    interface Opener extends Function<Map<String, Object>, SingleFileStore> {
        /**
         * Forces what was written to disk.
         *
         * @param what a file or a directory, open in this channel
         */
        default void force(Path what, FileChannel channel) throws IOException {
            channel.force(true);
        }
    }

    /** Makes an empty file, over one that is there. */
    static RecordFile create(Path file, Opener opener) throws IOException {
        Files.deleteIfExists(file);
        try {
            return open(file, opener, false, new StoreHead(0, RecordSum.ZERO));
        } catch (DamagedStateException e) {
            throw new IOException("state file " + file + " cannot be written: " + reason(e), e);
        }
    }

    /**
     * Opens a file, changing nothing yet.
     *
     * @throws DamagedStateException when MVStore finds no state in it
     * @throws IOException in one line when another manager has it open: {@link DirectoryLock} cannot tell once somebody took its file away
     */
    static RecordFile open(Path file, Opener opener, boolean readOnly) throws IOException, DamagedStateException {
        return open(file, opener, readOnly, null);
    }

    private static RecordFile open(Path file, Opener opener, boolean readOnly, @Nullable StoreHead made)
            throws IOException, DamagedStateException {
        SingleFileStore bytes = opener.apply(SETTINGS);
        MVStore store = null;
        try {
            bytes.open(file.toAbsolutePath().toString(), readOnly, null);
            store = new MVStore.Builder()
                    .adoptFileStore(bytes)
                    .autoCommitDisabled()
                    .autoCommitBufferSize(0)
                    .open();
            return new RecordFile(store, made);
        } catch (RuntimeException | AssertionError | StackOverflowError | OutOfMemoryError e) {
            close(store, bytes);
            if (e instanceof MVStoreException failure && failure.getErrorCode() == DataUtils.ERROR_FILE_LOCKED) {
                throw new IOException(
                        "state file " + file + " is in use by another manager, though the directory's "
                                + DirectoryLock.FILE + " was free: removed while that manager runs? Stop it first",
                        e);
            }
            throw new DamagedStateException("cannot be read (" + reason(e) + ")", e);
        } catch (DamagedStateException e) {
            close(store, bytes);
            throw e;
        }
    }

    private static void close(@Nullable MVStore store, SingleFileStore bytes) {
        if (store != null) {
            store.closeImmediately();
        } else {
            try {
                bytes.close();
            } catch (RuntimeException e) {
                // It was never open.
            }
        }
    }

    private StoreHead readHead() throws DamagedStateException {
        byte[] value = heads.get(HEAD_KEY);
        if (value == null) {
            throw new DamagedStateException("has no head");
        }
        return StoreHead.decode(checked(HEAD_KEY, value));
    }

    /** What is on disk says this of itself. */
    StoreHead head() {
        return head;
    }

    /** Bytes of all keys and values: what a file written anew is little larger than. */
    long liveBytes() {
        return liveBytes;
    }

    /**
     * Reads everything and compares it with the head.
     *
     * @return all records
     * @throws DamagedStateException when anything is missing, doubled, old or changed
     */
    StoredState verify() throws DamagedStateException {
        RecordSum found = RecordSum.ZERO;
        long bytes = 0;
        StoredState state = new StoredState();
        try {
            Cursor<byte[], byte[]> cursor = records.cursor(null);
            while (cursor.hasNext()) {
                byte[] key = cursor.next();
                byte[] value = cursor.getValue();
                StateRecord record = RecordCodec.decode(checked(key, value));
                if (!record.key().equals(RecordKeys.decode(key))) {
                    throw new DamagedStateException("has " + record.key() + " under another key");
                }
                checkBounds(record);
                found = found.plus(key, value);
                bytes += key.length + value.length;
                state.apply(record);
            }
        } catch (RuntimeException | AssertionError | StackOverflowError | OutOfMemoryError e) {
            throw new DamagedStateException("cannot be read (" + reason(e) + ")", e);
        }
        if (!found.equals(head.sum())) {
            throw new DamagedStateException("has " + found.count() + " records that are not the "
                    + head.sum().count() + " of append " + head.number());
        }
        liveBytes = bytes;
        return state;
    }

    private static void checkBounds(StateRecord record) throws DamagedStateException {
        try {
            RecordBounds.check(record);
        } catch (IllegalArgumentException e) {
            throw new DamagedStateException("has " + e.getMessage(), e);
        }
    }

    /** The message in a value. */
    private static byte[] checked(byte[] key, byte[] value) throws DamagedStateException {
        int length = value.length - Integer.BYTES;
        if (length < 0 || ByteBuffer.wrap(value).getInt(length) != RecordSum.crc(key, value, length)) {
            throw new DamagedStateException("has a record whose checksum is wrong");
        }
        return Arrays.copyOf(value, length);
    }

    private static byte[] sealed(byte[] key, byte[] message) {
        return ByteBuffer.allocate(message.length + Integer.BYTES)
                .put(message)
                .putInt(RecordSum.crc(key, message, message.length))
                .array();
    }

    /** Goes on with a file that was verified before, as {@link #verify} would. */
    void resume(long verifiedBytes) {
        liveBytes = verifiedBytes;
    }

    /** Takes a record in, for the next {@link #commit}. */
    void apply(StateRecord record) {
        if (record instanceof Removed removed) {
            put(RecordKeys.encode(removed.key()), null);
        } else {
            byte[] key = RecordKeys.encode(record.key());
            put(key, sealed(key, RecordCodec.encode(record)));
        }
    }

    private void put(byte[] key, byte @Nullable [] value) {
        byte[] before = value == null ? records.remove(key) : records.put(key, value);
        if (before != null) {
            sum = sum.minus(key, before);
            liveBytes -= key.length + before.length;
        }
        if (value != null) {
            sum = sum.plus(key, value);
            liveBytes += key.length + value.length;
        }
    }

    /**
     * Writes what was taken in, all or nothing.
     *
     * @param number of the append
     */
    void commit(long number) {
        StoreHead next = new StoreHead(number, sum);
        commitHead(next.encode());
        head = next;
    }

    /** Writes what was taken in under this head. */
    void commitHead(byte[] encoded) {
        heads.put(HEAD_KEY, sealed(HEAD_KEY, encoded));
        store.commit();
        store.sync();
    }

    /** Copies up to this many entries that come after a key; returns the last key copied, {@code null} at the end. */
    byte @Nullable [] copyTo(RecordFile other, byte @Nullable [] after, int countMax) {
        byte[] key = after == null ? records.firstKey() : records.higherKey(after);
        byte[] last = null;
        for (int i = 0; key != null && i < countMax; i++) {
            other.put(key, Objects.requireNonNull(records.get(key)));
            last = key;
            key = records.higherKey(key);
        }
        return last;
    }

    /** Bytes of the file. */
    long length() {
        return store.getFileStore().size();
    }

    /** Every append is on disk already, and the file is left as it is. */
    @Override
    public void close() {
        store.closeImmediately();
    }

    /** What a failure of MVStore comes down to, in a few words. */
    static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && !(cause instanceof IOException)) {
            cause = cause.getCause();
        }
        String text = cause instanceof IOException io ? Reasons.of(io) : String.valueOf(cause.getMessage());
        text = text.replaceAll(" ?\\[2\\.[^\\]]*]", "").replaceAll("\\s*\\R\\s*", " ");
        return cause.getMessage() == null
                ? cause.getClass().getSimpleName()
                : text.length() <= 120 ? text : text.substring(0, 120) + "…";
    }
}
