package io.dmodc.detector.net;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.RingDetector;
import io.dmodc.detector.RingListener;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingOutbox;
import io.dmodc.detector.RingRules;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives one {@link RingDetector} from a socket and a timer. Everything but {@link #counters} and {@link #vitals} runs
 * on the loop's thread.
 *
 * <p>One timer at a time is armed, for the detector's next deadline; where that moves, another one is. Who is alone on a loop sends a
 * heartbeat that is due soon when it is woken by one that came: so along a ring each follows the one before it, and an agent wakes
 * once in η instead of twice, but for the one that all follow. Among many on a loop that would be a turn of the loop for each. Timers fire
 * at multiples of η / {@value #WAKE_UPS_PER_HEARTBEAT} of the JVM's clock, never before the deadline: endpoints that
 * share a loop, as in a process with many agents, wake it together, which halves what a heartbeat costs.
 */
final class RingDriver implements RingOutbox, RingLoop.Socket {
    private static final Logger log = LoggerFactory.getLogger(RingDriver.class);

    private static final long NEVER = Long.MAX_VALUE;

    private static final int WAKE_UPS_PER_HEARTBEAT = 20;

    /**
     * Most times a due suspicion waits for the socket to run dry. {@link RingLoop#READS_PER_TURN} datagrams are
     * read each time, so this is more than the kernel keeps of them.
     */
    private static final int DRAINS_MAX = 16;

    private final RingLoop loop;
    private final long ownGuid;
    private final RingEndpoint.Listener listener;
    private final RingCounters counters = new RingCounters();
    private final RingVitals vitals = new RingVitals();
    private final RingDetector detector;
    private final DatagramFilter filter;
    private final DatagramSender datagrams;
    private final ForeignSources foreignSources = new ForeignSources();
    private final Runnable wake = this::wakeOrEnd;
    private final long origin = System.nanoTime();

    /** While it is open. */
    private @Nullable DatagramChannel channel;

    private @Nullable Membership membership;
    private @Nullable InetSocketAddress source;
    private long sourceGuid;
    private List<InetSocketAddress> addresses = List.of();
    private long gridNanos = 1;
    private boolean paused;
    private long armedFor = NEVER;
    private RingLoop.@Nullable Timer armed;
    private int drains;
    private long receivedBeforeDrain;

    RingDriver(RingLoop loop, long ownGuid, int ownIncarnation, RingKey key, RingEndpoint.Listener listener) {
        this.loop = loop;
        this.ownGuid = ownGuid;
        this.listener = listener;
        this.detector = new RingDetector(ownGuid, ownIncarnation, this, new GuidListener());
        this.filter = new DatagramFilter(key.newMac(), ownGuid, detector);
        this.datagrams = new DatagramSender(key.newMac());
    }

    RingCounters counters() {
        return counters;
    }

    RingVitals vitals() {
        return vitals;
    }

    void install(Membership table, int ownSlot, List<InetSocketAddress> slotAddresses, RingRules rules) {
        if (membership != null && table.epoch() <= membership.epoch()) {
            return;
        }
        detector.spreadNews(); // to the slots and addresses it was told in
        // First the addresses: installing sends to the new neighbours.
        membership = table;
        addresses = slotAddresses;
        filter.install(table, slotAddresses);
        foreignSources.restart(rules.suspicionNanos());
        gridNanos = Math.max(1, rules.heartbeatNanos() / WAKE_UPS_PER_HEARTBEAT);
        vitals.setSuspicionNanos(rules.suspicionNanos());
        detector.install(now(), table, ownSlot, rules);
        finish();
    }

    /** What was heard stays heard: the replay windows are of senders, not of keys. */
    void use(RingKey key) {
        filter.use(key.newMac());
        datagrams.use(key.newMac());
    }

    void revoke(long leaderEpoch, long fabricEpoch) {
        detector.revoke(leaderEpoch, fabricEpoch);
        finish();
    }

    void pause() {
        paused = true;
    }

    void resume() {
        paused = false;
        drains = 0;
        armedFor = NEVER;
        finish();
    }

    /** Begins to receive. */
    void open(DatagramChannel opened) {
        channel = opened;
    }

    @Override
    public void close() {
        DatagramChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                log.debug("detector of 0x{}", Long.toHexString(ownGuid), e);
            }
        }
    }

    @Override
    public void read(ByteBuffer scratch) {
        try {
            for (int i = 0; i < RingLoop.READS_PER_TURN && readOne(scratch); i++) {}
            detector.spreadNews();
            if (channel != null && !paused && loop.isOfOne()) {
                detector.tickEarly(now());
            }
            finish();
        } catch (RuntimeException e) {
            log.warn("detector socket {}: a datagram was not dealt with", channel, e);
        } catch (Error e) {
            endThread(e);
        }
    }

    /** Returns whether something waited. */
    private boolean readOne(ByteBuffer scratch) {
        DatagramChannel open = channel;
        if (open == null) {
            return false;
        }
        scratch.clear();
        try {
            if (!(open.receive(scratch) instanceof InetSocketAddress sender)) {
                return false;
            }
            receive(scratch.flip(), sender);
            return true;
        } catch (IOException e) {
            log.debug("detector socket {}", open, e);
            return false;
        }
    }

    private void receive(ByteBuffer bytes, InetSocketAddress sender) {
        counters.countReceived();
        DropReason dropped = paused ? DropReason.PAUSED : take(bytes, sender);
        if (dropped != null) {
            counters.countDropped(dropped);
        }
    }

    private @Nullable DropReason take(ByteBuffer bytes, InetSocketAddress sender) {
        DropReason refused = filter.refusal(bytes, sender);
        if (refused != null) {
            if (refused == DropReason.SOURCE) {
                tellForeignSource(bytes, sender);
            }
            return refused;
        }
        source = sender;
        sourceGuid = filter.message().senderGuid;
        return detector.receive(now(), filter.message());
    }

    private void tellForeignSource(ByteBuffer bytes, InetSocketAddress actual) {
        InetSocketAddress expected = filter.expectedSource(bytes);
        long guid = filter.message().senderGuid;
        if (expected != null && foreignSources.isNews(guid, actual, now())) {
            guard(() -> listener.onForeignSource(guid, expected, actual));
        }
    }

    @Override
    public void send(int slot, RingMessage message) {
        write(message, guid(slot), addresses.get(slot));
    }

    @Override
    public void reply(RingMessage message) {
        if (source != null) {
            write(message, sourceGuid, source);
        }
    }

    private long guid(int slot) {
        return membership == null ? 0 : membership.guid(slot);
    }

    private void write(RingMessage message, long receiver, InetSocketAddress to) {
        DatagramChannel open = channel;
        if (open == null || paused) {
            return;
        }
        try {
            datagrams.send(open, message, receiver, to);
            counters.countSent();
        } catch (IOException e) {
            // UDP sends fail for reasons that pass (no route, full buffer): to the ring that is loss.
            counters.countSendFailure();
            log.debug("detector socket {}", open, e);
        }
    }

    /** After each batch of work the timer fits the next deadline. */
    private void finish() {
        counters.setLateWakeUps(detector.lateWakeUps());
        counters.setVouched(detector.vouched());
        vitals.update(detector, now(), origin);
        if (drains == 0) {
            arm(onGrid(detector.nextDeadline(), origin, gridNanos));
        } // else the timer that ends the draining is armed, and an earlier one must not accuse in its place
    }

    /** The first instant from {@code due} on whose distance from {@code -origin} is a multiple of the grid. */
    static long onGrid(long due, long origin, long gridNanos) {
        return due == NEVER ? NEVER : due + Math.floorMod(-(origin + due), gridNanos);
    }

    private void arm(long due) {
        if (channel == null || paused || due == armedFor) {
            return;
        }
        if (armed != null) {
            armed.cancel();
        }
        armedFor = due;
        armed = due == NEVER ? null : loop.timer(origin + due, wake);
    }

    /** A mistake here ends the process, not the ring alone. */
    private void wakeOrEnd() {
        try {
            wake();
        } catch (RuntimeException | Error e) {
            endThread(e);
        }
    }

    /** Tells whom the process has for the end of a thread. */
    private static void endThread(Throwable cause) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
    }

    private void wake() {
        long now = now();
        if (now < armedFor || paused || channel == null) {
            return; // an earlier timer has taken over, or nobody is home
        }
        armedFor = NEVER;
        armed = null;
        if (detector.isSuspicionDue(now) && mustDrain()) {
            arm(now);
            return;
        }
        drains = 0;
        detector.tick(now);
        finish();
    }

    /**
     * Lets the loop pass over its sockets before anybody is accused, and again while that brought datagrams: after a
     * pause the heartbeats that prove the emitter alive wait in the socket. A timer armed now fires after that pass.
     */
    private boolean mustDrain() {
        long received = counters.received();
        boolean goOn = drains == 0 || (received != receivedBeforeDrain && drains < DRAINS_MAX);
        receivedBeforeDrain = received;
        drains++;
        return goOn;
    }

    private long now() {
        return System.nanoTime() - origin;
    }

    /** Keeps a listener that throws from stopping the ring. */
    private void guard(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException e) {
            log.warn("detector of 0x{}: listener failed", Long.toHexString(ownGuid), e);
        }
    }

    /** Turns slots into GUIDs. */
    private final class GuidListener implements RingListener {
        @Override
        public void agentSilent(int subjectSlot, int incarnation, int observerSlot, long silenceNanos, int hops) {
            if (hops == 0) {
                counters.countSuspicion();
            }
            guard(() -> listener.onSilent(guid(subjectSlot), incarnation, guid(observerSlot), silenceNanos, hops));
        }

        @Override
        public void agentAlive(int slot, int incarnation, int hops) {
            guard(() -> listener.onAlive(guid(slot), incarnation, hops));
        }

        @Override
        public void ownIncarnation(int incarnation) {
            counters.countRefutation();
            guard(() -> listener.onOwnIncarnation(incarnation));
        }

        @Override
        public void deaf(boolean isDeaf) {
            guard(() -> listener.onDeaf(isDeaf));
        }

        @Override
        public void revoked(long leaderEpoch, long fabricEpoch, int hops) {
            guard(() -> listener.onRevoked(leaderEpoch, fabricEpoch, hops));
        }

        private long guid(int slot) {
            return membership == null ? 0 : membership.guid(slot);
        }
    }
}
