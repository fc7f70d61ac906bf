package io.dmodc.agent.linux;

import io.dmodc.agent.linux.AnnouncementCodec.Reading;
import io.dmodc.agent.linux.CableSocket.Sent;
import io.dmodc.agent.linux.Complaints.Kind;
import io.dmodc.agent.linux.FarEndTracker.Verdict;
import io.dmodc.agent.plane.HelloChannel;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.southbound.Guids;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One port of {@link AnnouncedCabling}: its socket while there is one, and who was heard through it. What goes wrong here harms no
 * other port: it is told in one line, and tried again every {@link #SOON_NANOS} at first and every {@link #LATE_NANOS} later.
 *
 * <p>Hellos go by a {@link DirectSocket} while the far end announces that what is announced so arrives there; else they are multicast as
 * announcements are. So both ends need not begin together, and where something keeps the direct way shut hellos go all the same.
 *
 * <p>For the cabling's thread, but for {@link #sendHello}, {@link #sendWithdrawal}, {@link #readWithdrawals}, {@link #isDirect}, {@link #isOpen}, {@link #farAddress} and {@link #farEnd}.
 */
final class CablePort {
    /** As often a port that just got carrier is tried again; a link-local address takes two seconds where the kernel insists. */
    static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    static final long SOON_FOR_NANOS = TimeUnit.SECONDS.toNanos(3);

    static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** By then the address of a socket that was closed is free, however late the selectors' threads are. */
    private static final long FREED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** So long it counts that something came directly: the far end's next announcement is late then. */
    private static final long HEARD_NANOS = FarEndTracker.INTERVAL_NANOS * 3 / 2;

    /** So long it counts that the far end says it hears this one directly: one announcement may be lost. */
    private static final long TRUST_NANOS = FarEndTracker.INTERVAL_NANOS * 5 / 2;

    /** The direct way is opened anew when nothing came by it so long: the address that the far end knows of this one may be another. */
    private static final long RENEWAL_NANOS = TRUST_NANOS;

    /** While the far end says that it hears this one directly every third announcement is multicast: more often than it has to be heard. */
    private static final long MULTICAST_NANOS = FarEndTracker.INTERVAL_NANOS * 5 / 2;

    /** A hello that could not be sent is sent with the port's first announcement, unless it is older. */
    static final long HELD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long NEVER = FarEndTracker.NEVER;

    private static final Logger LOG = LoggerFactory.getLogger(CablePort.class);

    /** Who is told, on the cabling's thread unless it says otherwise. */
    interface Ears {
        void farEndChanged(int port);

        void hello(int port, ByteBuffer hello);

        /** On the thread that reads withdrawals. */
        void withdrawal(int port, ByteBuffer frame);
    }

    private final int number;
    private final Announcer self;
    private final Selector selector;
    private final @Nullable Selector withdrawalSelector;
    private final Ears ears;
    private final FarEndTracker tracker;
    private final Complaints complaints = new Complaints();
    private final ByteBuffer held = ByteBuffer.allocate(HelloChannel.MAX_BYTES).limit(0);
    private long heldAt;

    private @Nullable String name;
    private long since;
    private long retryAt;
    private boolean hastened;
    private long mac;
    private volatile @Nullable CableSocket socket;

    /** Open while {@link #socket} is, at a switch; the thread that reads it may close it. */
    private volatile @Nullable CableSocket withdrawalSocket;

    /** Open while the socket is and its far end is known. */
    private volatile @Nullable DirectSocket direct;

    /** When the direct way is to be opened anew, unless something came by it. */
    private long renewDirectAt;

    private long directlyHeardUntil;

    /** The announcement that is due then goes to whoever is at the other end. */
    private long multicastAt;

    /** From where the far end announces itself; null: it has not, since the port was opened. */
    private volatile @Nullable Inet6Address farAddress;

    /** Hellos go directly until that time of {@link System#nanoTime}. */
    private volatile long trustedUntil = System.nanoTime();

    private volatile @Nullable FarEnd farEnd;

    /** @param withdrawalSelector read by a thread of its own; {@code null}: nobody withdraws anything here */
    CablePort(int number, Announcer self, Selector selector, @Nullable Selector withdrawalSelector, Ears ears) {
        this.number = number;
        this.self = self;
        this.selector = selector;
        this.withdrawalSelector = withdrawalSelector;
        this.ears = ears;
        tracker = new FarEndTracker(self);
    }

    /**
     * The port has carrier, or none.
     *
     * @param interfaceName null: none
     * @param wasLost whether carrier was away since the last call
     */
    void carrier(@Nullable String interfaceName, boolean wasLost, long now) {
        if (wasLost || !Objects.equals(interfaceName, name)) {
            boolean wasOpen = socket != null;
            closeSocket(); // an interface that is back already may have been elsewhere, and has left its groups
            complaints.forget();
            begin(now);
            retryAt = wasOpen ? now + SOON_NANOS : now; // its address is free after the selectors' next turn
        }
        name = interfaceName;
    }

    /** A cable was plugged in or out: nothing is known of what it leads to. */
    private void begin(long now) {
        since = now;
        retryAt = now;
        hastened = false;
        multicastAt = now;
        if (socket != null) {
            tracker.begin(now);
        }
    }

    /** When {@link #work} has something to do. */
    long dueAt() {
        if (name == null) {
            return NEVER;
        }
        return socket == null ? retryAt : Math.max(tracker.announceAt(), retryAt);
    }

    /** Opens what is to be opened, and announces what is to be announced. */
    void work(InterfaceTable interfaces, ByteBuffer scratch, long now) {
        inspect(interfaces, now);
        if (name != null && socket == null) {
            open(name, interfaces, now);
        }
        CableSocket open = socket;
        if (open != null && tracker.announceAt() <= now) {
            announce(open, scratch, now);
        }
    }

    /** An interface that went, or was made anew, leaves a socket that says and hears nothing. */
    void inspect(InterfaceTable interfaces, long now) {
        CableSocket open = socket;
        if (open == null || name == null) {
            return;
        }
        Integer index = interfaces.index(name);
        boolean whole = withdrawalSelector == null || withdrawalSocket != null;
        if (index == null || index != open.index() || !whole) {
            closeSocket();
            begin(now);
        } else {
            mac = open.mac();
        }
    }

    private void open(String interfaceName, InterfaceTable interfaces, long now) {
        Ipv6Settings.skipDetection(interfaceName);
        try {
            Integer index = interfaces.index(interfaceName);
            NetworkInterface through = index == null ? null : NetworkInterface.getByName(interfaceName);
            if (through == null) {
                hasten(interfaceName);
                retry(now);
                complainOfInterface(interfaceName, now);
                return;
            }
            openForWithdrawals(through);
            CableSocket open = CableSocket.open(through, selector, this::read, CableSocket.UDP_PORT);
            mac = open.mac();
            socket = open;
            retryAt = 0;
            multicastAt = now;
            tracker.begin(now);
        } catch (IOException e) {
            closeSocket();
            retry(now);
            if (now - since >= FREED_NANOS) {
                complain(Kind.NO_SOCKET, now, "nobody is heard or told here: " + e.getMessage());
            }
        }
    }

    private void openForWithdrawals(NetworkInterface through) throws IOException {
        Selector reads = withdrawalSelector;
        if (reads != null) {
            withdrawalSocket = CableSocket.open(through, reads, this::readWithdrawals, CableSocket.WITHDRAWAL_PORT);
            reads.wakeup(); // it waits with the sockets it had
        }
    }

    private void hasten(String interfaceName) {
        if (!hastened) {
            hastened = Ipv6Settings.addAddress(interfaceName);
        }
    }

    private void retry(long now) {
        retryAt = now + (now - since < SOON_FOR_NANOS ? SOON_NANOS : LATE_NANOS);
    }

    private void complainOfInterface(String interfaceName, long now) {
        if (now - since >= SOON_FOR_NANOS) {
            String why = Ipv6Settings.isOff(interfaceName)
                    ? "IPv6 is off there; expected net.ipv6.conf." + interfaceName + ".disable_ipv6 = 0"
                    : "it has no IPv6 address; expected a link-local one";
            complain(Kind.NO_INTERFACE, now, "nobody is heard or told here: " + why);
        }
    }

    private void announce(CableSocket open, ByteBuffer scratch, long now) {
        scratch.clear();
        AnnouncementCodec.write(self.at(number, mac, tracker.asks(), now < directlyHeardUntil), scratch);
        scratch.flip();
        DirectSocket way = direct;
        boolean arrived = way != null && way.send(scratch) && isDirect();
        if (arrived && now < multicastAt && !tracker.asks()) {
            retryAt = 0;
            tracker.announced(now);
            return;
        }
        multicastAt = now + MULTICAST_NANOS;
        Sent sent = open.send(scratch.rewind());
        if (sent == Sent.NO_ADDRESS && name != null) {
            hasten(name);
        }
        if (isRefused(sent)) {
            retry(now);
            if (now - since >= SOON_FOR_NANOS) {
                complain(Kind.NO_SENDING, now, "nothing can be sent here (" + open.refusal() + ")");
            }
        } else {
            retryAt = 0;
            tracker.announced(now);
            releaseHello(open);
        }
    }

    /** Says hello, directly while the far end says that so it hears what is sent; from any thread. */
    void sendHello(ByteBuffer hello) {
        DirectSocket way = direct;
        if (way != null && isDirect() && way.send(hello)) {
            return;
        }
        CableSocket open = socket;
        if (open == null || isRefused(open.send(hello))) {
            holdHello(hello);
        }
    }

    /** Sends what its sender says again; from any thread. */
    void sendWithdrawal(ByteBuffer frame) {
        CableSocket open = withdrawalSocket;
        if (open != null) {
            open.send(frame);
        }
    }

    private static boolean isRefused(Sent sent) {
        return sent == Sent.NO_ADDRESS || sent == Sent.REFUSED;
    }

    private void holdHello(ByteBuffer hello) {
        synchronized (held) {
            held.clear().put(hello).flip();
            heldAt = System.nanoTime();
        }
    }

    private void releaseHello(CableSocket open) {
        synchronized (held) {
            if (held.hasRemaining() && System.nanoTime() - heldAt <= HELD_NANOS) {
                open.send(held);
            }
            held.limit(0);
        }
    }

    /** Reads one of the frames that wait; then it is another port's turn. */
    private void read(ByteBuffer scratch, long now) {
        CableSocket open = socket;
        if (open == null) {
            return;
        }
        try {
            scratch.clear();
            Inet6Address from = open.receive(scratch);
            if (from != null) {
                hear(scratch.flip(), from, now);
            }
        } catch (IOException e) {
            closeSocket();
            retry(now);
            complain(Kind.NO_SOCKET, now, "nobody is heard here: " + e.getMessage());
        }
    }

    /** As {@link #read}, of what the known far end sends to this one alone. */
    private void readDirectly(ByteBuffer scratch, long now) {
        DirectSocket way = direct;
        if (way == null) {
            return;
        }
        try {
            scratch.clear();
            if (way.receive(scratch)) {
                directlyHeardUntil = now + HEARD_NANOS;
                renewDirectAt = now + RENEWAL_NANOS;
                hear(scratch.flip(), null, now);
            }
        } catch (IOException e) {
            trustedUntil = System.nanoTime(); // nobody listens there
        }
    }

    /** Reads withdrawals that wait, a list at most; on their own thread. One that cannot be read is opened again with the port. */
    private void readWithdrawals(ByteBuffer scratch, long now) {
        CableSocket open = withdrawalSocket;
        try {
            for (int i = 0; open != null && i < WithdrawalCodec.FRAMES_MAX; i++) {
                scratch.clear();
                if (open.receive(scratch) == null) {
                    return;
                }
                ears.withdrawal(number, scratch.flip());
            }
        } catch (IOException e) {
            LOG.debug("{}: withdrawals cannot be read", number, e);
            withdrawalSocket = null;
            open.close();
        }
    }

    /** @param from null: from where the direct way leads */
    private void hear(ByteBuffer frame, @Nullable Inet6Address from, long now) {
        if (frame.remaining() <= HelloChannel.MAX_BYTES) {
            ears.hello(number, frame);
            return;
        }
        Reading reading = AnnouncementCodec.read(frame);
        Announcement said = reading.announcement();
        if (said == null) {
            complain(Kind.UNREADABLE, now, "drops what it cannot read (" + reading.dropped() + ")");
        } else if (hear(said, now)) {
            trustedUntil = System.nanoTime() + (said.hearsDirectly() ? TRUST_NANOS : 0);
            leadTo(from, now);
        }
    }

    /** Returns whether it was said by the far end, and both ends are switches: who says hello. */
    private boolean hear(Announcement said, long now) {
        Verdict verdict = tracker.heard(now, said);
        if (said.asks() || verdict == Verdict.CHANGED) {
            multicastAt = now; // who asks may hear nothing else yet
        }
        switch (verdict) {
            case KNOWN -> {}
            case CHANGED -> {
                farEnd = tracker.farEnd();
                LOG.info("{}: leads to {}", where(), FarEndText.of(farEnd));
                ears.farEndChanged(number);
            }
            case CHANGED_AGAIN -> {
                farEnd = tracker.farEnd();
                if (complaints.take(Kind.CHANGED_AGAIN, now)) {
                    LOG.info("{}: leads to {}, as it says now", where(), FarEndText.of(farEnd));
                }
                ears.farEndChanged(number);
            }
            case OWN ->
                complain(Kind.LOOP, now, "its own announcements come back; expected the cable to lead elsewhere");
            case ANOTHER_CLUSTER ->
                complain(
                        Kind.ANOTHER_CLUSTER,
                        now,
                        "ignores " + FarEndText.of(said.farEnd()) + " of cluster " + said.cluster()
                                + "; expected links.cluster " + self.cluster());
            case SECOND ->
                complain(
                        Kind.SECOND,
                        now,
                        "ignores " + FarEndText.of(said.farEnd()) + " beside " + FarEndText.of(farEnd)
                                + "; expected one far end of a cable");
        }
        boolean isFarEnd = verdict == Verdict.KNOWN || verdict == Verdict.CHANGED || verdict == Verdict.CHANGED_AGAIN;
        return isFarEnd && self.host() == null && said.sender() instanceof SwitchPort;
    }

    /** @param far null: nothing is to be changed */
    private void leadTo(@Nullable Inet6Address far, long now) {
        CableSocket open = socket;
        DirectSocket way = direct;
        if (far == null || open == null) {
            return;
        }
        farAddress = far;
        if (way != null && (renewDirectAt <= now || !way.leadsTo(far))) {
            closeDirect(); // its address is free after the selector's next turn: the next announcement opens it
        } else if (way == null) {
            openDirect(open, far, now);
        }
    }

    private void openDirect(CableSocket open, Inet6Address far, long now) {
        try {
            direct = DirectSocket.open(open.group(), far, selector, this::readDirectly);
            renewDirectAt = now + RENEWAL_NANOS;
        } catch (IOException e) {
            LOG.debug("{}: hellos are multicast", where(), e);
        }
    }

    private void closeDirect() {
        DirectSocket way = direct;
        direct = null;
        directlyHeardUntil = 0;
        if (way != null) {
            way.close();
        }
    }

    private void complain(Kind kind, long now, String what) {
        if (complaints.take(kind, now)) {
            LOG.warn("{}: {}", where(), what);
        }
    }

    private String where() {
        String at = name == null ? "" : " (" + name + ")";
        return self.host() == null
                ? "switch " + Guids.text(self.guid()) + ": port " + number + at
                : "host port " + Guids.text(self.guid()) + at;
    }

    private void closeSocket() {
        CableSocket open = socket;
        CableSocket withdrawing = withdrawalSocket;
        socket = null;
        withdrawalSocket = null;
        farAddress = null;
        closeDirect();
        tracker.end();
        if (open != null) {
            open.close();
        }
        if (withdrawing != null && withdrawalSelector != null) {
            withdrawing.close();
            withdrawalSelector.wakeup(); // or it would be half open until something comes
        }
    }

    /** Closes for good. */
    void close() {
        name = null;
        closeSocket();
    }

    /** Returns from where the far end, a switch, announces itself; null: it has not, since the port was opened. From any thread. */
    @Nullable
    Inet6Address farAddress() {
        return farAddress;
    }

    /** From any thread. */
    boolean isDirect() {
        return direct != null && trustedUntil - System.nanoTime() > 0;
    }

    /** From any thread. */
    boolean isOpen() {
        return socket != null;
    }

    /** From any thread. */
    @Nullable
    FarEnd farEnd() {
        return farEnd;
    }
}
