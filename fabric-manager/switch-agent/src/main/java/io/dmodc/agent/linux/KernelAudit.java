package io.dmodc.agent.linux;

import io.dmodc.agent.plane.PlaneException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the kernel with what it should hold, which others may have changed, and knows whether it is known what it holds: not before it was read, nor since
 * {@code ip} ended in the middle of something.
 *
 * <p>To read takes long, so the auditor does, and no repair waits for that. What it read counts unless the kernel began to be read again meanwhile; of routes that were
 * written meanwhile it does not ({@link RouteBook#beginReading}). Where nothing is known the worker reads itself.
 *
 * <p>For the worker, but for {@link #audit}.
 */
final class KernelAudit {
    /** So often the kernel is compared with what it should hold, and all interfaces are read. */
    static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** A program that ended, or an interface that refused a route, is tried again after this. */
    static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Logger LOG = LoggerFactory.getLogger(KernelAudit.class);

    /** A thread that does one thing after another, some of them later. */
    interface Later {
        void later(long nanos, Runnable work);
    }

    /** What the kernel holds now. */
    interface Reader {
        KernelRoutes read() throws PlaneException;
    }

    /** Whose kernel it is. */
    interface Host {
        /** Reads all interfaces, what their links carry, and sees to the kernel's settings; on the auditor. */
        void readPorts();

        /** Ports that refused routes may be tried again. */
        void unblock();

        /** Writes what is due, by what is known now. */
        void settleAndWrite();
    }

    private final String who;
    private final Later worker;
    private final Later auditor;
    private final RouteBook book;
    private final NextHops nextHops;
    private final Reader kernel;
    private final Host host;

    private boolean everRead;
    private boolean known;

    /** How often the kernel was begun to be read, or {@code ip} ended: what was read counts while nothing of that happened since. */
    private int readings;

    private boolean againArmed;

    /** The auditor is to make an audit, and has not read the ports for it yet. */
    private boolean asked;

    KernelAudit(String who, Later worker, Later auditor, RouteBook book, NextHops nextHops, Reader kernel, Host host) {
        this.who = who;
        this.worker = worker;
        this.auditor = auditor;
        this.book = book;
        this.nextHops = nextHops;
        this.kernel = kernel;
        this.host = host;
    }

    /** Returns whether what the kernel holds was read since the last time that {@code ip} ended in the middle of something. */
    boolean isKnown() {
        return known;
    }

    /** Returns whether it was read at all. */
    boolean everRead() {
        return everRead;
    }

    /**
     * Reads the kernel at once, for whom there is no going on without.
     *
     * @throws PlaneException in one line, when it cannot be read; it is tried again
     */
    void readNow() throws PlaneException {
        beginReading();
        try {
            take(kernel.read());
        } catch (PlaneException e) {
            again();
            throw e;
        }
    }

    private int beginReading() {
        book.beginReading();
        nextHops.beginReading();
        return ++readings;
    }

    private void take(KernelRoutes now) {
        book.kernelHolds(now.ours(), now.standing(), now.foreign());
        nextHops.kernelHolds(now.neighbours());
        known = true;
        everRead = true;
    }

    /** The program ended in the middle of something: the kernel is read, by whoever does it first. */
    void lost(IOException why) {
        known = false;
        readings++;
        LOG.warn("{}: {}", who, why.getMessage());
        again();
    }

    /** Has ports that refused routes tried again, and the kernel compared, {@link #AGAIN_NANOS} later; once, however often it is asked for meanwhile. */
    void again() {
        if (!againArmed) {
            againArmed = true;
            worker.later(AGAIN_NANOS, () -> {
                againArmed = false;
                host.unblock();
                if (known || !everRead) {
                    ask();
                } else {
                    readAfterLoss();
                }
            });
        }
    }

    /** By the worker itself: no port is repaired before. */
    private void readAfterLoss() {
        try {
            compare(beginReading(), kernel.read());
        } catch (PlaneException e) {
            tellUnread(e);
            again();
        }
    }

    private void tellUnread(PlaneException e) {
        LOG.warn("{}: the kernel's routes were not read: {}", who, e.getMessage());
    }

    /** Has the auditor make an audit, unless one waits for it: while {@code ip} hangs they do not become more. */
    void ask() {
        if (!asked) {
            asked = true;
            auditor.later(0, this::audit);
        }
    }

    /** Compares all there is with what should be, and has written what is missing. On the auditor. */
    void audit() {
        try {
            host.readPorts();
        } finally {
            worker.later(0, this::auditKernel);
        }
    }

    private void auditKernel() {
        asked = false;
        if (everRead) {
            int reading = beginReading();
            auditor.later(0, () -> read(reading));
        }
    }

    private void read(int reading) {
        try {
            KernelRoutes now = kernel.read();
            worker.later(0, () -> compare(reading, now));
        } catch (PlaneException e) {
            tellUnread(e);
            worker.later(0, this::again);
        }
    }

    private void compare(int reading, KernelRoutes now) {
        if (reading != readings) {
            return; // it is, or was, read later
        }
        if (book.isRemovedMeanwhile()) {
            again();
            return;
        }
        int stood = book.standing().heldCount();
        take(now);
        int missing = book.dueCount();
        if (missing > 0) {
            LOG.warn("{}: {} routes are not as they were written; writes them again", who, missing);
        }
        int gone = stood - book.standing().heldCount();
        if (gone > 0) {
            LOG.warn("{}: {} standing routes are gone; writes them again", who, gone);
        }
        host.settleAndWrite();
    }
}
