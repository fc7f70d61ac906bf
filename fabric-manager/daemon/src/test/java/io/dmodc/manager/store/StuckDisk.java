package io.dmodc.manager.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.h2.mvstore.SingleFileStore;

/** A disk that stops answering when told to: whoever forces bytes to it hangs until it goes on, or fails. Any thread. */
public final class StuckDisk implements RecordFile.Opener {
    private volatile CountDownLatch answer = new CountDownLatch(0);
    private volatile CountDownLatch hanging = new CountDownLatch(0);
    private volatile boolean fails;

    /** A store on this disk. */
    public StateStore open(Path directory) throws IOException {
        return StateStore.open(directory, this);
    }

    /** From now on it does not answer. */
    public void stick() {
        hanging = new CountDownLatch(1);
        answer = new CountDownLatch(1);
    }

    /** Answers those that hang and all later ones. */
    public void goOn() {
        answer.countDown();
    }

    /** Waits for one that hangs, answers those that do with an error, and later ones without. */
    public void fail() throws InterruptedException {
        if (!hanging.await(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody writes");
        }
        fails = true;
        answer.countDown();
    }

    @Override
    public SingleFileStore apply(Map<String, Object> settings) {
        return new SingleFileStore(settings);
    }

    @Override
    public void force(Path what, FileChannel channel) throws IOException {
        boolean hangs = answer.getCount() > 0;
        if (hangs) {
            hanging.countDown();
        }
        try {
            answer.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
        if (hangs && fails) {
            throw new IOException("Input/output error");
        }
        RecordFile.Opener.super.force(what, channel);
    }
}
