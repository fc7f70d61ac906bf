package io.dmodc.agent.linux;

import io.dmodc.agent.plane.PlaneException;
import java.io.IOException;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the table of ports as the kernel's interfaces are: hears what happens to them, and reads them all where it may have missed something. */
final class InterfaceWatch implements AutoCloseable {
    /** A monitor that ended is started again after this. */
    static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What happened while {@code ip monitor} was starting is found by reading all interfaces so much later. */
    private static final long LISTENING_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private static final Logger LOG = LoggerFactory.getLogger(InterfaceWatch.class);

    private final String who;
    private final IpProgram program;
    private final PortTable ports;
    private final PlaneWorker worker;
    private final PlaneWorker auditor;
    private final Consumer<BitSet> changed;
    private final Runnable missed;

    /** The auditor is to look at what was missed. */
    private final AtomicBoolean lookDue = new AtomicBoolean();

    private volatile @Nullable LinkMonitor monitor;
    private volatile boolean closed;

    /**
     * @param worker starts the monitor, which gets its priority
     * @param auditor reads, which takes long
     * @param changed told the ports that changed, perhaps none, on any thread
     * @param missed called on the auditor when routes may have gone without a word
     */
    InterfaceWatch(
            String who,
            IpProgram program,
            PortTable ports,
            PlaneWorker worker,
            PlaneWorker auditor,
            Consumer<BitSet> changed,
            Runnable missed) {
        this.who = who;
        this.program = program;
        this.ports = ports;
        this.worker = worker;
        this.auditor = auditor;
        this.changed = changed;
        this.missed = missed;
    }

    /**
     * Begins, and knows all interfaces when this returns.
     *
     * @throws PlaneException in one line, when {@code ip} does not work
     */
    void start() throws PlaneException {
        listen();
        read();
        auditor.later(LISTENING_NANOS, this::readOrTell);
    }

    private void listen() throws PlaneException {
        try {
            monitor = LinkMonitor.start(
                    program,
                    link -> changed.accept(ports.see(link)),
                    this::newsLost,
                    () -> worker.later(AGAIN_NANOS, this::listenAgain));
        } catch (IOException e) {
            throw new PlaneException(String.valueOf(e.getMessage()));
        }
    }

    /** More happened at once than the kernel keeps for the monitor. That is told before what was kept, which is older than what was lost. */
    private void newsLost() {
        lookLater("lost news of interfaces");
    }

    /** All is read a while later, once however often there is reason to meanwhile. */
    private void lookLater(String why) {
        if (lookDue.compareAndSet(false, true)) {
            auditor.later(LISTENING_NANOS, () -> {
                lookDue.set(false);
                LOG.warn("{}: ip monitor {}; all are read", who, why);
                missed.run();
            });
        }
    }

    /** What happened meanwhile is not known: routes may have gone with an interface that is there again. */
    private void listenAgain() {
        if (closed) {
            return;
        }
        LOG.warn("{}: ip monitor ended, and is started again", who);
        try {
            listen();
            lookLater("was started again");
        } catch (PlaneException e) {
            LOG.warn("{}: {}", who, e.getMessage());
            worker.later(AGAIN_NANOS, this::listenAgain);
        }
    }

    /** One reading at a time, whoever reads. */
    private synchronized void read() throws PlaneException {
        ports.beginReading();
        changed.accept(ports.seeAll(program.run(LinkState::read, "ip", "-o", "link", "show")));
    }

    /** Reads all interfaces. On the auditor. */
    void readOrTell() {
        try {
            read();
        } catch (PlaneException e) {
            LOG.warn("{}: {}", who, e.getMessage());
        }
    }

    @Override
    public void close() {
        closed = true;
        LinkMonitor listening = monitor;
        if (listening != null) {
            listening.close();
        }
    }
}
