package io.dmodc.detector.link;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One end of a cable: says hello over it and listens for the other end, as BFD does in asynchronous mode.
 *
 * <p>Idea: each end sends at its own pace and counts on hearing the other at the other's pace. A three-way handshake
 * (DOWN, INIT, UP) makes an end come up only when it is heard, too; an end that hears nothing any more says DOWN at
 * once, so that a cable that carries one way only is down at both ends.
 *
 * <p>Bounds. Detection: the far end's multiplier times the larger of the interval this end can take and the one the far
 * end wants, after the last hello. Sending: one hello per interval less 0 to 25 % by chance, or in the last round within the interval, which is at
 * least {@link LinkRules#slowNanos} until UP; besides one at the start and one per change of state. Memory: one hello
 * and some numbers. Nothing is allocated after the start.
 *
 * <p>What differs from the RFC: no demand mode, no echo, no poll sequence (the intervals of a session never change but
 * with its state), no authentication. A sequence number drops overtaken hellos, which could take a session down again.
 * An end that was not run in time gives the far end two more intervals, once per hello heard, before it blames it; one that reads in rounds
 * blames nobody for what it may not have read yet; and one that left the far end without a hello for two thirds of the detection time does not believe it
 * for a moment that the cable is silent. Who can ask the far
 * end otherwise is told after half the detection time ({@link LinkListener#doubted}) and may end the wait ({@link #condemn}). And
 * {@link HandshakeStatus} is told apart from the state: an end that knows its peer to have just restarted, or itself to
 * have been away, waits for the handshake, {@link LinkRules#graceNanos} at most.
 *
 * <p>Times are nanoseconds of any monotonic clock; each end has its own. Not thread-safe.
 *
 * <p>Sources: Katz, Ward, <i>Bidirectional Forwarding Detection</i>, RFC 5880, sections 6.2 and 6.8.
 */
public final class LinkLiveness {
    private static final long NEVER = Long.MAX_VALUE;

    private final LinkRules rules;
    private final int cluster;
    private final long guid;
    private final int port;
    private final RandomGenerator random;
    private final long roundNanos;
    private final LinkOutbox outbox;
    private final LinkListener listener;
    private final LinkHello hello = new LinkHello();

    private boolean running;
    private LinkState state = LinkState.DOWN;
    private LinkDiagnosis diagnosis = LinkDiagnosis.NONE;
    private HandshakeStatus handshakeStatus = HandshakeStatus.PENDING;
    private int ownDiscriminator;
    private int sequence;
    private long sendAt = NEVER;

    /** When the last hello was said, and within which time the far end was told to expect another. */
    private long saidAt;

    private long saidNanos;
    private long doubtAt = NEVER;
    private boolean doubted;
    private long expireAt = NEVER;
    private long decideAt = NEVER;
    private boolean spared;
    private long excusedUntil;
    private long lateWakeUps;

    /** The far end as last heard; 0: none is known. */
    private int remoteDiscriminator;

    private int remoteSequence;
    private long remoteGuid;
    private int remotePort;
    private long remoteReceiveNanos;
    private long detectionNanos;

    /**
     * Makes an end without carrier.
     *
     * @param cluster same for all ports of a fabric
     * @param guid of the switch
     * @param port 1..254
     * @param random spreads the hellos and numbers the sessions; may be shared with other ends
     */
    public LinkLiveness(
            LinkRules rules,
            int cluster,
            long guid,
            int port,
            RandomGenerator random,
            LinkOutbox outbox,
            LinkListener listener) {
        this(rules, cluster, guid, port, random, 0, outbox, listener);
    }

    /**
     * Makes an end whose hellos are read, and said, in rounds with those of other ends.
     *
     * @param roundNanos longest time between two calls of {@link #tick}, right before which what came is given to {@link #receive}; whoever calls so
     *     sees to it that the rounds of different switches differ. 0: {@link #tick} is called when something is due
     */
    public LinkLiveness(
            LinkRules rules,
            int cluster,
            long guid,
            int port,
            RandomGenerator random,
            long roundNanos,
            LinkOutbox outbox,
            LinkListener listener) {
        this.rules = rules;
        this.cluster = cluster;
        this.guid = guid;
        this.port = port;
        this.random = random;
        this.roundNanos = roundNanos;
        this.outbox = outbox;
        this.listener = listener;
    }

    /** The port has carrier: a new session begins, with a hello at once. */
    public void start(long now) {
        running = true;
        state = LinkState.DOWN;
        diagnosis = LinkDiagnosis.NONE;
        do {
            ownDiscriminator = random.nextInt();
        } while (ownDiscriminator == 0);
        sequence = 0;
        excusedUntil = now;
        saidAt = now;
        saidNanos = rules.slowNanos();
        forgetPeer();
        pend(now);
        send(now);
    }

    /** The port lost its carrier: nothing is sent, received or decided until the next start. */
    public void stop() {
        running = false;
        state = LinkState.DOWN;
        forgetPeer();
        sendAt = NEVER;
        decideAt = NEVER;
        handshakeStatus = HandshakeStatus.PENDING;
    }

    /**
     * Takes a hello in.
     *
     * @return why it was not acted on, or null
     */
    public @Nullable HelloDropReason receive(long now, LinkHello from) {
        HelloDropReason drop = refusal(from);
        if (drop != null) {
            return drop;
        }
        excuse(now);
        boolean anotherSession = remoteDiscriminator != 0 && from.ownDiscriminator != remoteDiscriminator;
        learn(now, from);
        LinkState next = next(state, from.state);
        if (next != state) {
            state = next;
            if (next == LinkState.DOWN) {
                boolean unheard = from.diagnosis == LinkDiagnosis.EXPIRED && now >= excusedUntil;
                neighbourWentDown(now, unheard && !anotherSession);
            } else if (next == LinkState.UP) {
                cameUp();
            }
            send(now);
        }
        return null;
    }

    private @Nullable HelloDropReason refusal(LinkHello from) {
        if (!running) {
            return HelloDropReason.STOPPED;
        }
        if (from.cluster != cluster) {
            return HelloDropReason.CLUSTER;
        }
        if (from.senderGuid == guid) {
            return HelloDropReason.OWN;
        }
        boolean addressed = from.yourDiscriminator == ownDiscriminator;
        boolean introduces = from.yourDiscriminator == 0 && from.state == LinkState.DOWN;
        if (!addressed && !introduces) {
            return HelloDropReason.DISCRIMINATOR;
        }
        if (remoteDiscriminator == 0) {
            return null;
        }
        if (from.ownDiscriminator != remoteDiscriminator) {
            return introduces ? null : HelloDropReason.PEER;
        }
        if (from.senderGuid != remoteGuid || from.senderPort != remotePort) {
            return HelloDropReason.PEER;
        }
        return from.sequence - remoteSequence <= 0 ? HelloDropReason.STALE : null;
    }

    private void learn(long now, LinkHello from) {
        remoteDiscriminator = from.ownDiscriminator;
        remoteSequence = from.sequence;
        remoteGuid = from.senderGuid;
        remotePort = from.senderPort;
        remoteReceiveNanos = from.receiveNanos;
        detectionNanos = from.multiplier * Math.max(rules.receiveNanos(), from.transmitNanos);
        expireAt = now + detectionNanos;
        doubtAt = now + detectionNanos / 2 - roundNanos / 2; // it came at some time since the last round
        doubted = false;
        spared = false;
    }

    /** The table of RFC 5880, 6.8.6. */
    static LinkState next(LinkState own, LinkState heard) {
        return switch (own) {
            case DOWN ->
                switch (heard) {
                    case DOWN -> LinkState.INIT;
                    case INIT -> LinkState.UP;
                    case UP -> LinkState.DOWN;
                };
            case INIT -> heard == LinkState.DOWN ? LinkState.INIT : LinkState.UP;
            case UP -> heard == LinkState.DOWN ? LinkState.DOWN : LinkState.UP;
        };
    }

    private void cameUp() {
        diagnosis = LinkDiagnosis.NONE;
        decide(HandshakeStatus.HEARD);
    }

    /** @param unheard the far end says that the cable brings it nothing; otherwise one of the two was away */
    private void neighbourWentDown(long now, boolean unheard) {
        diagnosis = LinkDiagnosis.NEIGHBOUR_DOWN;
        if (unheard) {
            decide(HandshakeStatus.LOST);
        } else {
            pend(now);
        }
    }

    /** Does what is due, where all that came is read at once; earlier calls do nothing. */
    public void tick(long now) {
        tick(now, now);
    }

    /**
     * Does what is due; earlier calls do nothing.
     *
     * @param read what came until then was given to {@link #receive}, what came since may wait: silence is judged by that time
     */
    public void tick(long now, long read) {
        if (!running) {
            return;
        }
        excuse(now);
        if (doubtAt <= read) {
            doubt();
        }
        if (expireAt <= read) {
            expire(now);
        }
        if (decideAt <= read) {
            decide(HandshakeStatus.LOST);
        }
        if (sendAt <= now) {
            send(now);
        }
    }

    /**
     * Whoever was not run for an interval cannot know what it would have heard. If it said nothing for so long that the far end
     * may rightly have missed it, that one's word about the cable does not count for a moment. Several short delays are as one: what counts is the last hello.
     */
    private void excuse(long now) {
        if (now - saidAt > rules.multiplier() * saidNanos * 2 / 3) {
            excusedUntil = now + rules.slowNanos();
        }
        long late = now - Math.min(now, nextDeadline());
        if (late <= rules.transmitNanos()) {
            return;
        }
        lateWakeUps++;
        sendAt = now;
        if (!spared && expireAt != NEVER) {
            spared = true;
            expireAt = Math.max(expireAt, now + 2 * rules.receiveNanos());
        }
        if (doubtAt != NEVER) {
            doubtAt = Math.max(doubtAt, now + rules.receiveNanos());
        }
    }

    private void doubt() {
        doubtAt = NEVER;
        if (state == LinkState.UP) {
            doubted = true;
            listener.doubted(port);
        }
    }

    /**
     * It was found out that the cable does not carry: as if the detection time were over now, for the next {@link #tick}, unless the far end was heard since it
     * was doubted or is until then.
     */
    public void condemn(long now) {
        if (running && doubted) {
            expireAt = Math.min(expireAt, now);
            spared = true;
        }
    }

    private void expire(long now) {
        boolean wasDown = state == LinkState.DOWN;
        forgetPeer();
        if (!wasDown) {
            state = LinkState.DOWN;
            diagnosis = LinkDiagnosis.EXPIRED;
            decide(HandshakeStatus.LOST);
            send(now);
        }
    }

    private void forgetPeer() {
        remoteDiscriminator = 0;
        remoteReceiveNanos = 0;
        detectionNanos = 0;
        doubtAt = NEVER;
        doubted = false;
        expireAt = NEVER;
        spared = false;
    }

    private void pend(long now) {
        decide(HandshakeStatus.PENDING);
        decideAt = now + rules.graceNanos();
    }

    private void decide(HandshakeStatus next) {
        decideAt = NEVER;
        if (handshakeStatus != next) {
            handshakeStatus = next;
            listener.heard(port, next);
        }
    }

    private void send(long now) {
        long wanted = state == LinkState.UP ? rules.transmitNanos() : rules.slowNanos();
        hello.cluster = cluster;
        hello.senderGuid = guid;
        hello.senderPort = port;
        hello.state = state;
        hello.diagnosis = diagnosis;
        hello.multiplier = rules.multiplier();
        hello.ownDiscriminator = ownDiscriminator;
        hello.yourDiscriminator = remoteDiscriminator;
        hello.transmitNanos = wanted;
        hello.receiveNanos = rules.receiveNanos();
        hello.sequence = ++sequence;
        long interval = Math.max(wanted, remoteReceiveNanos);
        saidAt = now;
        saidNanos = interval;
        sendAt = now + interval - (roundNanos > 0 ? roundNanos : random.nextLong(interval / 4 + 1));
        outbox.send(port, hello);
    }

    /** When {@link #tick} has something to do; {@code Long.MAX_VALUE}: never. */
    public long nextDeadline() {
        return Math.min(Math.min(sendAt, doubtAt), Math.min(expireAt, decideAt));
    }

    /** The same without the next hello, which may wait for a round. */
    public long nextDecision() {
        return Math.min(doubtAt, Math.min(expireAt, decideAt));
    }

    public LinkState state() {
        return state;
    }

    /** Why it last went down; NONE while UP. */
    public LinkDiagnosis diagnosis() {
        return diagnosis;
    }

    public HandshakeStatus handshakeStatus() {
        return handshakeStatus;
    }

    /** How long the far end may stay unheard; 0 while none is known. */
    public long detectionNanos() {
        return detectionNanos;
    }

    /** GUID of the switch at the far end; 0 while none is known. */
    public long remoteGuid() {
        return remoteDiscriminator == 0 ? 0 : remoteGuid;
    }

    /** How often {@link #tick} came more than an interval late. */
    public long lateWakeUps() {
        return lateWakeUps;
    }
}
