package io.dmodc.manager.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.SFChunk;
import org.h2.mvstore.SingleFileStore;

/** A real file on a disk that fails when told to: full in the middle of a write, or unable to force what was written. */
final class FailingFile extends SingleFileStore {
    /** How the disk fails from now on. */
    enum Fault {
        NONE,
        FULL,
        NOT_FORCED
    }

    /** Shared by all files of a test. */
    static final class Disk implements RecordFile.Opener {
        Fault fault = Fault.NONE;
        /** Bytes that still fit when it is full. */
        int room;

        /** Files and directories of these names cannot be forced to disk. */
        Set<String> unforced = Set.of();

        @Override
        public void force(Path what, FileChannel channel) throws IOException {
            if (unforced.contains(String.valueOf(what.getFileName()))) {
                throw new IOException("Input/output error");
            }
            RecordFile.Opener.super.force(what, channel);
        }

        @Override
        public SingleFileStore apply(Map<String, Object> settings) {
            return new FailingFile(settings, this);
        }
    }

    private final Disk disk;

    private FailingFile(Map<String, Object> settings, Disk disk) {
        super(settings);
        this.disk = disk;
    }

    @Override
    protected void writeFully(SFChunk chunk, long at, ByteBuffer bytes) {
        if (disk.fault != Fault.FULL) {
            super.writeFully(chunk, at, bytes);
            return;
        }
        ByteBuffer fits = bytes.duplicate();
        fits.limit(Math.min(fits.limit(), fits.position() + disk.room));
        super.writeFully(chunk, at, fits);
        throw DataUtils.newMVStoreException(
                DataUtils.ERROR_WRITING_FAILED, "Writing failed", new IOException("No space left on device"));
    }

    @Override
    public void sync() {
        if (disk.fault == Fault.NOT_FORCED) {
            throw DataUtils.newMVStoreException(
                    DataUtils.ERROR_WRITING_FAILED, "Could not sync", new IOException("Input/output error"));
        }
        super.sync();
    }
}
