package io.dmodc.manager.store;

import io.dmodc.manager.state.StateRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A file of records on its way into a fresh one, some records at a time, while appends go into both. */
final class StoreRewrite implements AutoCloseable {
    private final RecordFile from;
    private final RecordFile to;
    private byte @Nullable [] copied;

    StoreRewrite(RecordFile from, Path fresh, RecordFile.Opener opener) throws IOException {
        this.from = from;
        to = RecordFile.create(fresh, opener);
    }

    /** Copies up to this many records and forces them to disk; true when there are no more. */
    boolean step(int countMax) {
        byte[] last = from.copyTo(to, copied, countMax);
        if (last != null) {
            copied = last;
            to.commit(0);
        }
        return last == null;
    }

    /** What was appended to the old file meanwhile: records that are copied already, and those that will be. */
    void apply(List<StateRecord> more) {
        more.forEach(to::apply);
    }

    /**
     * Ends with a file that has everything the old one has.
     *
     * @throws IOException in one line when it has not; the old file is whole then
     */
    RecordFile finish(long number) throws IOException {
        to.commit(number);
        if (!to.head().equals(from.head())) {
            throw new IOException("the store written anew differs from the old one; the old one stays");
        }
        to.resume(from.liveBytes());
        return to;
    }

    @Override
    public void close() {
        to.close();
    }
}
