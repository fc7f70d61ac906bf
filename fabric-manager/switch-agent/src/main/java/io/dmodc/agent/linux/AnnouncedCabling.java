package io.dmodc.agent.linux;

import io.dmodc.agent.plane.HelloChannel;
import io.dmodc.southbound.SouthboundProtocol;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out over the cables who is at their far ends: each end announces itself, in a frame of its own, to whoever is at the other
 * end, and listens. No file says what is plugged in where. Hellos and withdrawals go over the same cables.
 *
 * <p>UDP to {@code ff12::d37d}, port {@value CableSocket#UDP_PORT}, over each port's interface ({@link CableSocket}), and hellos to one address ({@link DirectSocket}); what is said is
 * in {@link AnnouncementCodec}, when in {@link FarEndTracker}, and what happens to interfaces in {@link CablePort}. One daemon thread
 * reads and announces. While there are hellos it sleeps from round to round, is not woken by what comes meanwhile, and reads all ports then: to be
 * woken costs more than to read. Withdrawals cannot wait for a round: they go by sockets of their own, read by another thread when they come. At most
 * {@value SouthboundProtocol#MAX_PORTS} ports.
 *
 * <p>Nothing is signed: who can put frames on a cable can say who is at its end, as with LLDP.
 */
public final class AnnouncedCabling implements Cabling {
    private static final Logger LOG = LoggerFactory.getLogger(AnnouncedCabling.class);

    /** As often interfaces are looked at that nobody told anything of. */
    private static final long INSPECTION_NANOS = FarEndTracker.INTERVAL_NANOS;

    /** Longer than any frame, so that one that is too long is seen to be. */
    private static final int SCRATCH_BYTES = 2 * AnnouncementCodec.LENGTH;

    /** So often ports are read in one round while they have more. */
    private static final int PASSES_MAX = 8;

    /** So long withdrawals rest after some were read, however many come. */
    private static final long WITHDRAWAL_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Who ends the cabling waits so long for each of its threads. */
    private static final long END_MILLIS = 2_000;

    private final Selector selector;

    /** Of a switch alone. */
    private final @Nullable Selector withdrawalSelector;

    private final CablePort[] ports;
    private final Thread thread = new Thread(this::run, "cabling");
    private final Thread withdrawalThread = new Thread(this::hearWithdrawals, UrgentThreads.WITHDRAWALS);
    private final long origin = System.nanoTime();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
    private final InterfaceFile interfaces = new InterfaceFile(InterfaceTable.FILE);
    private final Hellos hellos = new Hellos();
    private final Withdrawn withdrawals = new Withdrawn();
    private final Consumer<SelectionKey> reader = this::read;

    private volatile IntConsumer changed = port -> {};
    private volatile boolean closed;

    /** By port number: what was told and not looked at yet. */
    private final @Nullable String[] names;

    private final BitSet told = new BitSet();
    private final BitSet lost = new BitSet();

    /** What came until then is read. */
    private long readAt;

    /** When the next round of hellos is due; never: frames are read when they come. */
    private long roundAt = FarEndTracker.NEVER;

    /** Whether there is news that does not wait for the next round. */
    private final AtomicBoolean called = new AtomicBoolean();

    private long inspectAt;
    private boolean noIpv6Told;

    @SuppressWarnings("ThreadPriorityCheck") // a hint: nothing rests on it
    private AnnouncedCabling(Announcer self, int portCount, Selector selector, @Nullable Selector withdrawalSelector) {
        this.selector = selector;
        this.withdrawalSelector = withdrawalSelector;
        names = new String[portCount + 1];
        ports = new CablePort[portCount];
        for (int i = 0; i < portCount; i++) {
            ports[i] = new CablePort(i + 1, self, selector, withdrawalSelector, new PortEars());
        }
        thread.setDaemon(true);
        if (self.host() == null) {
            // Repairs wait where it holds a lock and the processor was taken from it.
            thread.setPriority(Thread.MAX_PRIORITY - 1);
        }
        withdrawalThread.setDaemon(true);
        withdrawalThread.setPriority(Thread.MAX_PRIORITY);
    }

    /**
     * Starts; says nothing before {@link #carrier}.
     *
     * @param self who speaks at this end
     * @param portCount 1..254
     * @throws IOException in one line, when this machine has no IPv6
     */
    public static AnnouncedCabling start(Announcer self, int portCount) throws IOException {
        if (portCount < 1 || portCount > SouthboundProtocol.MAX_PORTS) {
            throw new IllegalArgumentException(portCount + " ports; expected 1.." + SouthboundProtocol.MAX_PORTS);
        }
        checkIpv6();
        Selector withdrawals = self.host() == null ? Selector.open() : null;
        AnnouncedCabling cabling = new AnnouncedCabling(self, portCount, Selector.open(), withdrawals);
        cabling.thread.start();
        cabling.withdrawalThread.start();
        return cabling;
    }

    /** Java decides once per process, when it looks for the first time. */
    private static void checkIpv6() throws IOException {
        try {
            DatagramChannel.open(StandardProtocolFamily.INET6).close();
        } catch (UnsupportedOperationException | IOException e) {
            throw new IOException(
                    "no IPv6, by which cables are found out: expected an interface with an IPv6 address, such as lo with ::1,"
                            + " at the start of this program",
                    e);
        }
    }

    @Override
    public void carrier(int port, @Nullable String interfaceName) {
        if (port < 1 || port > ports.length) {
            throw new IllegalArgumentException("port " + port + " outside 1.." + ports.length);
        }
        synchronized (told) {
            names[port] = interfaceName;
            told.set(port);
            if (interfaceName == null) {
                lost.set(port);
            }
        }
        wake();
    }

    private void wake() {
        called.set(true);
        selector.wakeup();
        LockSupport.unpark(thread);
    }

    @Override
    public @Nullable FarEnd farEnd(int port) {
        return ports[port - 1].farEnd();
    }

    /** True while a port says and hears something. */
    boolean isOpen(int port) {
        return ports[port - 1].isOpen();
    }

    /** True while hellos go to the far end alone. */
    boolean isDirect(int port) {
        return ports[port - 1].isDirect();
    }

    /** From where the far end announces itself; null: it has not. */
    @Nullable
    Inet6Address farAddress(int port) {
        return ports[port - 1].farAddress();
    }

    @Override
    public boolean answers(int port) {
        Inet6Address far = farAddress(port);
        return far != null && FarKernel.answers(far, CableSocket.UDP_PORT);
    }

    @Override
    public HelloChannel hellos() {
        return hellos;
    }

    @Override
    public CableFrames withdrawals() {
        return withdrawals;
    }

    @Override
    public void listen(IntConsumer listener) {
        changed = listener;
    }

    @Override
    public void close() {
        closed = true;
        wake();
        if (withdrawalSelector != null) {
            withdrawalSelector.wakeup();
        }
        try {
            for (Thread each : List.of(thread, withdrawalThread)) {
                if (each != Thread.currentThread()) {
                    each.join(END_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closed) {
                if (roundAt == FarEndTracker.NEVER) {
                    await(nextDue());
                } else {
                    rest(roundAt);
                }
                takeNews();
                work();
                makeRound();
            }
        } catch (IOException | ClosedSelectorException e) {
            throw new IllegalStateException("the cabling's selector failed", e);
        } finally {
            for (CablePort port : ports) {
                port.close();
            }
            interfaces.close();
            close(selector);
        }
    }

    /** Waits for nothing but them: a neighbour that has lost a way is heard at once, whatever else there is to do. */
    private void hearWithdrawals() {
        Selector reads = withdrawalSelector;
        if (reads == null) {
            return;
        }
        ByteBuffer frame = ByteBuffer.allocateDirect(WithdrawalCodec.MAX_BYTES + 1);
        Consumer<SelectionKey> each = key -> ((CableSocket.Reader) key.attachment()).read(frame, now());
        try {
            while (!closed) {
                if (reads.select(each) > 0) {
                    LockSupport.parkNanos(this, WITHDRAWAL_REST_NANOS);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("the selector of withdrawals failed", e);
        } finally {
            close(reads);
        }
    }

    private static void close(Selector one) {
        try {
            one.close();
        } catch (IOException e) {
            LOG.debug("selector", e);
        }
    }

    private long now() {
        return System.nanoTime() - origin;
    }

    private long nextDue() {
        long due = FarEndTracker.NEVER;
        for (CablePort port : ports) {
            due = Math.min(due, port.dueAt());
        }
        return due;
    }

    private void await(long due) throws IOException {
        readAt = now();
        long left = due - readAt;
        if (left <= 0) {
            selector.selectNow(reader);
        } else {
            // 0 is for ever; rounded up, so that what is due then is due indeed.
            long millis = due == FarEndTracker.NEVER ? 0 : TimeUnit.NANOSECONDS.toMillis(left) + 1;
            selector.select(reader, millis);
        }
    }

    /** Not by the selector, which ends when something comes. */
    private void rest(long until) throws IOException {
        long left = until - now();
        if (left > 0 && !called.get()) {
            LockSupport.parkNanos(this, left);
        }
        readAt = now();
        int passes = 0;
        while (selector.selectNow(reader) > 0 && passes < PASSES_MAX) {
            passes++;
        }
    }

    private void read(SelectionKey key) {
        ((CableSocket.Reader) key.attachment()).read(scratch, now());
    }

    private void makeRound() {
        boolean news = called.getAndSet(false);
        long now = now();
        if (news || roundAt <= now) {
            long next = hellos.round.run(readAt + origin);
            roundAt = next == Long.MAX_VALUE ? FarEndTracker.NEVER : next - origin;
        }
    }

    private void takeNews() {
        synchronized (told) {
            long now = now();
            for (int port = told.nextSetBit(0); port >= 0; port = told.nextSetBit(port + 1)) {
                ports[port - 1].carrier(names[port], lost.get(port), now);
                inspectAt = now;
            }
            told.clear();
            lost.clear();
        }
    }

    private void work() {
        long now = now();
        boolean inspect = inspectAt <= now;
        if (!inspect && nextDue() > now) {
            return;
        }
        InterfaceTable table = readInterfaces();
        for (CablePort port : ports) {
            if (port.dueAt() <= now) {
                port.work(table, scratch, now);
            } else if (inspect) {
                port.inspect(table, now);
            }
        }
        if (inspect) {
            // At whole seconds, as ports announce themselves: the interfaces are read once for both.
            inspectAt = (now / INSPECTION_NANOS + 1) * INSPECTION_NANOS;
        }
    }

    private InterfaceTable readInterfaces() {
        try {
            return interfaces.read();
        } catch (IOException e) {
            if (!noIpv6Told) {
                noIpv6Told = true;
                LOG.warn("no port hears or tells anybody: {} cannot be read ({})", InterfaceTable.FILE, e.getMessage());
            }
            return InterfaceTable.of("");
        }
    }

    private final class PortEars implements CablePort.Ears {
        @Override
        public void farEndChanged(int port) {
            changed.accept(port);
        }

        @Override
        public void hello(int port, ByteBuffer hello) {
            hellos.listener.arrived(port, hello);
        }

        @Override
        public void withdrawal(int port, ByteBuffer frame) {
            withdrawals.ear.arrived(port, frame);
        }
    }

    /** The way for hellos. */
    private final class Hellos implements HelloChannel, HelloChannel.Rounds {
        private volatile Listener listener = (port, hello) -> {};
        private volatile Round round = read -> Long.MAX_VALUE;

        @Override
        public Rounds rounds() {
            return this;
        }

        @Override
        public void begin(Round wanted) {
            round = wanted;
        }

        @Override
        public void call() {
            wake();
        }

        @Override
        public void send(int port, ByteBuffer hello) {
            ports[port - 1].sendHello(hello);
        }

        @Override
        public void listen(Listener told) {
            listener = told;
        }
    }

    /** The way for withdrawals. */
    private final class Withdrawn implements CableFrames {
        private volatile Ear ear = (port, frame) -> {};

        @Override
        public void send(int port, ByteBuffer frame) {
            ports[port - 1].sendWithdrawal(frame);
        }

        @Override
        public void listen(Ear told) {
            ear = told;
        }
    }
}
