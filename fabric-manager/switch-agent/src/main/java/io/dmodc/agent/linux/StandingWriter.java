package io.dmodc.agent.linux;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has standing routes written behind everything else: {@value RoutesWriter#STANDING_PIECE} lines at a time, then a pause as long as these
 * took and no shorter than {@link #PAUSE_NANOS}. So a repair or a table waits for no more than such a piece, and half of the time at least is
 * nobody's. Used by the worker's thread.
 */
final class StandingWriter {
    /** So long after something changed it begins: whoever acts on the news needs the processor more. */
    static final long BEGIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final Logger LOG = LoggerFactory.getLogger(StandingWriter.class);

    /** Who else uses the kernel. */
    interface Host {
        /** Takes in what happened to ports and writes what is due; false: what the kernel holds is not known. */
        boolean ready();

        /** The kernel holds what nobody knew of, as after an interface was renamed: it is to be read soon. */
        void surprised();

        /** The program ended. */
        void lost(IOException why);
    }

    private final String who;
    private final PlaneWorker worker;
    private final StandingRoutes routes;
    private final RoutesWriter writer;
    private final Host host;
    private boolean begun;
    private String lastTrouble = "";

    /** The kernel was to be read because of what was written last. */
    private boolean surprised;

    StandingWriter(String who, PlaneWorker worker, StandingRoutes routes, RoutesWriter writer, Host host) {
        this.who = who;
        this.worker = worker;
        this.routes = routes;
        this.writer = writer;
        this.host = host;
    }

    /** Begins soon, unless there is nothing to do. To be called after each change. */
    void begin() {
        if (!begun && !routes.isSettled()) {
            begun = true;
            worker.later(BEGIN_NANOS, this::goOn);
        }
    }

    private void goOn() {
        boolean more = false;
        try {
            if (host.ready()) {
                long start = System.nanoTime();
                more = writer.writeStanding();
                long took = System.nanoTime() - start;
                if (more) {
                    worker.later(Math.max(PAUSE_NANOS, took), this::goOn);
                } else {
                    tell();
                }
            }
        } catch (IOException e) {
            host.lost(e);
        } finally {
            begun = more;
        }
    }

    /** What is refused by a surprise is written by what the kernel is found to hold, and is told if it is refused then, too. */
    private void tell() {
        String trouble = writer.standingTrouble();
        boolean again = writer.standingSurprised() && !surprised;
        if (again) {
            host.surprised();
        } else {
            if (!trouble.isEmpty() && !trouble.equals(lastTrouble)) {
                LOG.warn("{}: {} standing routes are missing: {}", who, routes.refusedCount(), trouble);
            }
            lastTrouble = trouble;
        }
        surprised = again;
        LOG.debug("{}: {} standing routes", who, routes.heldCount());
    }
}
