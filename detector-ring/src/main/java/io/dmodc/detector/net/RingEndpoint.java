package io.dmodc.detector.net;

import io.dmodc.detector.Membership;
import io.dmodc.detector.RingDetector;
import io.dmodc.detector.RingRules;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * One agent's place on the heartbeat ring: a UDP socket and the detector behind it, both on one {@link RingLoop}.
 *
 * <p>All methods may be called from any thread; what they start runs on the loop. Hundreds of endpoints can share
 * one: each costs a socket, one timer, and what its detector and its
 * replay windows keep of the members it hears.
 */
public final class RingEndpoint implements AutoCloseable {
    /**
     * What the kernel keeps for a socket whose reader is stopped. Linux doubles it and counts its bookkeeping, 768 bytes
     * for a datagram: 682 of them; later ones are lost. In calm that is a minute at η = 100 ms.
     */
    private static final int KERNEL_BYTES = 256 * 1024;

    private final RingLoop loop;
    private final RingDriver driver;
    private final long ownGuid;
    private final InetSocketAddress localAddress;
    private RingKey key;

    /** Hears of agents by GUID. Called on the endpoint's loop; must not block. */
    public interface Listener {
        /**
         * An agent is held dead.
         *
         * @param subjectGuid  who fell silent
         * @param incarnation  in which incarnation, unsigned
         * @param observerGuid who noticed
         * @param silenceNanos how long the observer had heard nothing
         * @param hops         0: this endpoint noticed; 1: told by the one that noticed; more: passed on
         */
        void onSilent(long subjectGuid, int incarnation, long observerGuid, long silenceNanos, int hops);

        /** An agent is alive in a newer incarnation than known: it came back or refuted its death. */
        void onAlive(long subjectGuid, int incarnation, int hops);

        /** This endpoint refuted its own death: the agent must remember the raised number for its next start. */
        void onOwnIncarnation(int incarnation);

        /** Tables older than (leader epoch, fabric epoch) must not be applied any more. */
        void onRevoked(long leaderEpoch, long fabricEpoch, int hops);

        /**
         * This endpoint has heard nobody for more than δ although it sends, and has stopped its heartbeats: what arrives does not
         * reach it. Or it hears again. Each is told once, in turn.
         */
        void onDeaf(boolean deaf);

        /**
         * Datagrams of a member that has the key keep coming from another address than the membership says, and are dropped.
         * Told once for each GUID and address until the membership changes, of 16 such pairs at most.
         *
         * @param guid who sends them
         * @param expected where the membership has it
         * @param actual where they come from
         */
        void onForeignSource(long guid, InetSocketAddress expected, InetSocketAddress actual);
    }

    private RingEndpoint(RingLoop loop, RingDriver driver, InetSocketAddress localAddress, long ownGuid, RingKey key) {
        this.loop = loop;
        this.driver = driver;
        this.localAddress = localAddress;
        this.ownGuid = ownGuid;
        this.key = key;
    }

    /**
     * Opens and binds the socket. The endpoint is silent until {@link #install}.
     *
     * @param loop           stays the caller's
     * @param local          address to bind, port 0 for any; also the source of all datagrams, so on a machine with
     *     several addresses name the one the membership tells the others
     * @param ownGuid        GUID of this agent's switch
     * @param ownIncarnation unsigned, above that of all earlier runs of this agent
     * @param key            the same for all members of the ring; {@link #use} changes it
     * @throws UncheckedIOException in one line naming the address, if it cannot be bound
     */
    public static RingEndpoint bind(
            RingLoop loop, InetSocketAddress local, long ownGuid, int ownIncarnation, RingKey key, Listener listener) {
        RingDriver driver = new RingDriver(loop, ownGuid, ownIncarnation, key, listener);
        try {
            DatagramChannel channel = open(local);
            RingEndpoint endpoint =
                    new RingEndpoint(loop, driver, (InetSocketAddress) channel.getLocalAddress(), ownGuid, key);
            if (!loop.execute(() -> endpoint.begin(channel))) {
                channel.close();
            }
            return endpoint;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    new IOException("detector socket " + local + ": cannot bind UDP: " + e.getMessage(), e));
        }
    }

    private static DatagramChannel open(InetSocketAddress local) throws IOException {
        InetAddress address = local.getAddress();
        if (address == null) {
            throw new IOException("no address of that name");
        }
        DatagramChannel channel = address instanceof Inet4Address && !address.isAnyLocalAddress()
                ? DatagramChannel.open(StandardProtocolFamily.INET)
                : DatagramChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.SO_RCVBUF, KERNEL_BYTES);
            channel.bind(local);
            return channel;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private void begin(DatagramChannel channel) {
        driver.open(channel);
        try {
            channel.register(loop.selector(), SelectionKey.OP_READ, driver);
        } catch (IOException e) {
            driver.close(); // closed in the meantime
        }
    }

    public InetSocketAddress localAddress() {
        return localAddress;
    }

    /**
     * Takes part in this membership from now on. One with a lower epoch than the installed one, or the same, is
     * ignored.
     *
     * @param membership the manager's slot table
     * @param ownSlot    this agent's slot in it
     * @param addresses  where each slot's detector receives, resolved, in slot order; shared, not copied, if it is an
     *     immutable list
     * @throws IllegalArgumentException in one line, if the slot is not this agent's or the sizes differ
     */
    public void install(Membership membership, int ownSlot, List<InetSocketAddress> addresses, RingRules rules) {
        List<InetSocketAddress> owned = List.copyOf(addresses);
        if (owned.size() != membership.slotCount()) {
            throw new IllegalArgumentException(membership + ": " + owned.size() + " addresses, expected one per slot");
        }
        membership.checkOwnSlot(ownSlot, ownGuid);
        onLoop(() -> driver.install(membership, ownSlot, owned, rules));
    }

    /**
     * Tells all members that tables older than this pair must not be applied any more; see {@link RingDetector#revoke}.
     */
    public void revoke(long leaderEpoch, long fabricEpoch) {
        onLoop(() -> driver.revoke(leaderEpoch, fabricEpoch));
    }

    /**
     * Sends under this key from now on, and accepts what it accepts; nothing else changes. A ring changes its key without a
     * false death if all members accept the new one before the first sends under it, and all send under it before the
     * first ceases to accept the old one. The key that is used already costs nothing.
     */
    public synchronized void use(RingKey newKey) {
        if (!newKey.equals(key)) {
            key = newKey;
            onLoop(() -> driver.use(newKey));
        }
    }

    /** Counts since the socket was bound; live, readable from any thread, also after {@link #close}. */
    public RingCounters counters() {
        return driver.counters();
    }

    /** How the endpoint stands; live, readable from any thread, after {@link #close} as it was last. */
    public RingVitals vitals() {
        return driver.vitals();
    }

    /** Falls silent and deaf without closing, as a stopped agent would: everything that arrives is dropped. */
    public void pause() {
        onLoop(driver::pause);
    }

    /** Takes part again; if the others have given this agent up meanwhile, it refutes. */
    public void resume() {
        onLoop(driver::resume);
    }

    /** Closes the socket without a word to the others. Waits for it, unless called on the loop. */
    @Override
    public void close() {
        if (loop.isCurrent()) {
            driver.close();
            return;
        }
        CompletableFuture<Void> closed = new CompletableFuture<>();
        if (loop.execute(() -> {
            driver.close();
            loop.releaseClosed();
            closed.complete(null);
        })) {
            closed.join();
        }
    }

    /** Does nothing where the loop has ended, and the socket with it. */
    private void onLoop(Runnable work) {
        loop.execute(work);
    }
}
