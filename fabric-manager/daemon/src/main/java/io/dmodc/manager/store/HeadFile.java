package io.dmodc.manager.store;

import io.dmodc.settings.Reasons;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Says how far the store must be: number, sum and length after the last append, written after each. A store that is behind
 * it was cut, damaged or exchanged for an older one.
 *
 * <p>Two slots of {@value #SLOT_BYTES} bytes, written in turn, each with a CRC-32C: of a write that a crash tore, the other
 * slot is left. A slot is damaged only then, or by something that is no crash.
 */
final class HeadFile {
    private static final int SLOT_BYTES = 512;
    private static final int SLOTS = 2;
    private static final long MAGIC = 0x464d_5354_4154_4531L;
    private static final int USED_BYTES = 5 * Long.BYTES;

    /**
     * How far the store is.
     *
     * @param number of the last append
     * @param sum of the records after it
     * @param length of the store's file after it, in bytes
     */
    record Mark(long number, RecordSum sum, long length) {}

    private final Path file;
    private final RecordFile.Opener disk;
    private Mark newest;
    private int newestSlot;
    private final boolean oneDamaged;

    /** The slot written last may hold what could not be forced to disk: more than counts. */
    private boolean inDoubt;

    private HeadFile(Path file, RecordFile.Opener disk, Mark newest, int newestSlot, boolean oneDamaged) {
        this.file = file;
        this.disk = disk;
        this.newest = newest;
        this.newestSlot = newestSlot;
        this.oneDamaged = oneDamaged;
    }

    /** Makes the file, over one that is there; written beside and renamed. */
    static HeadFile create(Path file, RecordFile.Opener disk, Mark mark) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        ByteBuffer both = ByteBuffer.allocate(SLOTS * SLOT_BYTES);
        both.put(encode(mark)).put(encode(mark));
        DurableFiles.write(fresh, both.array());
        DurableFiles.rename(fresh, file);
        return new HeadFile(file, disk, mark, 0, false);
    }

    /** @throws DamagedStateException when neither slot can be read */
    static HeadFile open(Path file, RecordFile.Opener disk) throws IOException, DamagedStateException {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length != SLOTS * SLOT_BYTES) {
            throw new DamagedStateException("has " + bytes.length + " bytes; expected " + SLOTS * SLOT_BYTES);
        }
        Mark first = decode(bytes, 0);
        Mark second = decode(bytes, SLOT_BYTES);
        if (first == null && second == null) {
            throw new DamagedStateException("is damaged in both of its slots");
        }
        int slot = first == null || (second != null && isNewer(second, first)) ? 1 : 0;
        Mark newest = Objects.requireNonNull(slot == 0 ? first : second);
        return new HeadFile(file, disk, newest, slot, first == null || second == null);
    }

    /** Of one append the shorter file is the newer one: it was written anew. */
    private static boolean isNewer(Mark mark, Mark other) {
        return mark.number > other.number || (mark.number == other.number && mark.length < other.length);
    }

    private static byte[] encode(Mark mark) {
        ByteBuffer slot = ByteBuffer.allocate(SLOT_BYTES)
                .putLong(MAGIC)
                .putLong(mark.number)
                .putLong(mark.sum.count())
                .putLong(mark.sum.digest())
                .putLong(mark.length);
        return slot.putInt(crc(slot.array(), 0)).array();
    }

    private static @Nullable Mark decode(byte[] slots, int from) {
        int crc = crc(slots, from);
        ByteBuffer slot = ByteBuffer.wrap(slots, from, SLOT_BYTES);
        long magic = slot.getLong();
        Mark mark = new Mark(slot.getLong(), new RecordSum(slot.getLong(), slot.getLong()), slot.getLong());
        return slot.getInt() == crc && magic == MAGIC ? mark : null;
    }

    private static int crc(byte[] bytes, int from) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, USED_BYTES);
        return (int) crc.getValue();
    }

    Mark newest() {
        return newest;
    }

    /**
     * The store must be at least this far. A slot is torn only while an append is noted that is in the store by then, so a
     * damaged slot stands for one append more.
     */
    long numberMin() {
        return newest.number + (oneDamaged ? 1 : 0);
    }

    /** A slot is damaged: how long the store must be is not known. */
    boolean isDamaged() {
        return oneDamaged;
    }

    /** True if the file says this on disk and nothing else. */
    boolean says(Mark mark) {
        return !inDoubt && newest.equals(mark);
    }

    /**
     * Notes an append that is on disk; on disk itself when it returns. The slot that is good stays until then. After a
     * failure the other one may hold this mark or not, until the next {@code write} succeeds.
     */
    void write(Mark mark) throws IOException {
        inDoubt = true;
        int slot = 1 - newestSlot;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(encode(mark));
            for (long at = (long) slot * SLOT_BYTES; bytes.hasRemaining(); ) {
                at += channel.write(bytes, at);
            }
            disk.force(file, channel);
        } catch (IOException e) {
            throw new IOException("state file " + file + " cannot be written: " + Reasons.of(e), e);
        }
        newest = mark;
        newestSlot = slot;
        inDoubt = false;
    }
}
