package io.dmodc.agent;

import io.dmodc.agent.plane.ForwardingPlane;
import io.dmodc.agent.plane.HelloChannel;
import io.dmodc.agent.plane.HelloState;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PortState;
import io.dmodc.detector.link.HandshakeStatus;
import io.dmodc.detector.link.HelloDropReason;
import io.dmodc.detector.link.LinkHello;
import io.dmodc.detector.link.LinkListener;
import io.dmodc.detector.link.LinkLiveness;
import io.dmodc.detector.link.LinkOutbox;
import io.dmodc.settings.process.HaltOnDefect;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says hello over all cables of a switch that lead to other switches, and knows which are heard.
 *
 * <p>Where the plane has a thread for hellos ({@link HelloChannel.Rounds}), it makes two rounds in an interval: each reads all ports, decides
 * what is due, and the last one within the interval says hello at all of them. So a thread that wakes costs as much for eight ports as for one.
 *
 * <p>Elsewhere one timer is armed on the agent's event loop, for the first of what is due at any port, but at least a tenth of the interval after it
 * fired last: so ports share wake-ups, and what is due is late by a tenth at most.
 *
 * <p>Where no port has carrier nothing wakes. After the process was stopped it wakes once. Nothing is allocated per hello. From any thread.
 */
final class LinkHost implements LinkOutbox, LinkListener {
    private static final Logger LOG = LoggerFactory.getLogger(LinkHost.class);

    private static final long TICK_MIN_NANOS = 1_000_000L;
    private static final int TICKS_PER_INTERVAL = 10;

    /** Two rounds end within an interval, also where each is late by a hundredth of it. */
    private static final double ROUNDS_PER_INTERVAL = 2.04;

    /** Rounds are shorter by chance, up to this part: switches that started together do not stay in step. */
    private static final int ROUND_JITTER = 20;

    /** Hellos that are dropped for good are told so often per port, while it lasts. */
    private static final long COMPLAINT_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final long NEVER = Long.MAX_VALUE;

    private final EventLoop loop;
    private final HelloChannel channel;
    private final HelloConfig config;
    private final long guid;
    private final IntConsumer changed;
    private final IntConsumer doubts;
    private final SplittableRandom random;
    private final @Nullable LinkLiveness[] ports;

    /** Per port: nothing is said of dropped hellos before that time. */
    private final long[] quietUntil;

    private final LinkHello inbound = new LinkHello();
    private final ByteBuffer outbound = ByteBuffer.allocateDirect(LinkHello.LENGTH);
    private final long origin = System.nanoTime();
    private final Runnable wake = HaltOnDefect.guarding(this::wake);
    private final long tickNanos;
    private final HelloChannel.@Nullable Rounds rounds;

    /** The longest time between two rounds; 0: a timer wakes for what is due. */
    private final long roundNanos;

    /** When the timer that counts fires. */
    private long armedFor = NEVER;

    /** The timer does not fire before that. */
    private long restUntil;

    private boolean ended;

    private LinkHost(
            EventLoop loop,
            HelloChannel channel,
            HelloConfig config,
            ForwardingPlane plane,
            long seed,
            IntConsumer changed) {
        this.loop = loop;
        this.channel = channel;
        this.config = config;
        this.guid = plane.guid();
        this.changed = changed;
        doubts = plane::portDoubted;
        long interval = Math.min(config.rules().transmitNanos(), config.rules().receiveNanos());
        tickNanos = Math.max(TICK_MIN_NANOS, interval / TICKS_PER_INTERVAL);
        rounds = channel.rounds();
        roundNanos = rounds == null ? 0 : (long) (interval / ROUNDS_PER_INTERVAL);
        random = new SplittableRandom(seed);
        ports = new LinkLiveness[plane.portCount()];
        quietUntil = new long[plane.portCount()];
    }

    /**
     * Starts on a loop; says nothing before {@link #see}.
     *
     * @param config null: hellos are not wanted
     * @param changed told the number of a port whose hellos came or went
     * @return null when they are not wanted, or the plane carries none
     */
    static @Nullable LinkHost open(
            EventLoop loop, ForwardingPlane plane, @Nullable HelloConfig config, long seed, IntConsumer changed) {
        HelloChannel channel = plane.hellos();
        if (config == null || channel == null) {
            return null;
        }
        LinkHost host = new LinkHost(loop, channel, config, plane, seed, changed);
        if (host.rounds == null) {
            channel.listen(new HelloInbox(loop, plane.portCount(), host::arrived));
        } else {
            channel.listen(host::arrived);
            host.rounds.begin(host::guardedRound);
        }
        return host;
    }

    /** Takes a port's carrier in, and returns it with what the hellos say. */
    synchronized PortState see(PortState state) {
        boolean wanted = state.up() && state.neighbour() instanceof SwitchPort && !ended;
        LinkLiveness port = ports[state.number() - 1];
        if (wanted && port == null) {
            port = newPort(state.number());
            ports[state.number() - 1] = port;
            port.start(now());
            arm(port.nextDeadline());
            callRound();
        } else if (!wanted && port != null) {
            port.stop();
            ports[state.number() - 1] = null;
            port = null;
        }
        return state.with(port == null ? HelloState.OFF : said(port.handshakeStatus()));
    }

    private LinkLiveness newPort(int number) {
        return new LinkLiveness(config.rules(), config.cluster(), guid, number, random.split(), roundNanos, this, this);
    }

    private static HelloState said(HandshakeStatus status) {
        return switch (status) {
            case PENDING -> HelloState.PENDING;
            case HEARD -> HelloState.HEARD;
            case LOST -> HelloState.LOST;
        };
    }

    private synchronized void arrived(int number, ByteBuffer hello) {
        LinkLiveness port = number >= 1 && number <= ports.length ? ports[number - 1] : null;
        if (port == null || ended) {
            return;
        }
        HelloDropReason unread = inbound.read(hello);
        HelloDropReason dropped = unread == null ? port.receive(now(), inbound) : unread;
        arm(port.nextDeadline());
        long now = now();
        if (dropped != null && isTrouble(dropped) && now >= quietUntil[number - 1]) {
            quietUntil[number - 1] = now + COMPLAINT_NANOS;
            LOG.warn("switch 0x{} port {}: {}", Long.toHexString(guid), number, complaint(dropped));
        }
    }

    /** What goes on until somebody sees to it; other drops belong to a beginning, and pass. */
    private static boolean isTrouble(HelloDropReason dropped) {
        return switch (dropped) {
            case LENGTH, MAGIC, VERSION, FIELD, CLUSTER, OWN -> true;
            case DISCRIMINATOR, PEER, STALE, STOPPED -> false;
        };
    }

    private String complaint(HelloDropReason dropped) {
        return switch (dropped) {
            case CLUSTER ->
                "drops hellos of cluster " + inbound.cluster + "; expected links.cluster " + config.cluster();
            case OWN -> "its own hellos come back; expected those of another switch";
            default -> "drops what this agent cannot read (" + dropped + "); expected hellos of its own version";
        };
    }

    /** Sees to it that the timer fires when that is due; one that fires earlier does so, too. */
    private void arm(long due) {
        long at = Math.max(due, restUntil);
        if (rounds == null && due != NEVER && at < armedFor) {
            armedFor = at;
            loop.schedule(wake, Math.max(1, at - now()), TimeUnit.NANOSECONDS);
        }
    }

    /** What begins or ends has the rounds begin or end. */
    private void callRound() {
        if (rounds != null) {
            rounds.call();
        }
    }

    /** The channel's thread would end with a mistake of this end: it is the process that ends. */
    private long guardedRound(long read) {
        try {
            return round(read - origin);
        } catch (RuntimeException | Error e) {
            HaltOnDefect.hand(e);
            return NEVER;
        }
    }

    /** Does what is due, and returns when there is more. One that came early, for a decision, is a round like others: the next one is as far from it. */
    private synchronized long round(long read) {
        long now = now();
        long next = doDue(now, read, LinkLiveness::nextDecision);
        if (next == NEVER && !hasPorts()) {
            return NEVER;
        }
        return origin + Math.min(next, now + roundNanos - random.nextLong(roundNanos / ROUND_JITTER + 1));
    }

    private boolean hasPorts() {
        return !ended && Arrays.stream(ports).anyMatch(Objects::nonNull);
    }

    private synchronized void wake() {
        long now = now();
        if (now < armedFor || ended) {
            return; // an earlier timer has done what this one was armed for
        }
        armedFor = NEVER;
        restUntil = now + tickNanos;
        arm(doDue(now, now, LinkLiveness::nextDeadline));
    }

    /** Returns the first of what a port still waits for. */
    private long doDue(long now, long read, ToLongFunction<LinkLiveness> waitsUntil) {
        long next = NEVER;
        for (LinkLiveness port : ports) {
            if (port != null && !ended) {
                if (port.nextDeadline() <= now) {
                    port.tick(now, read);
                }
                next = Math.min(next, waitsUntil.applyAsLong(port));
            }
        }
        return next;
    }

    @Override
    public void send(int port, LinkHello hello) {
        outbound.clear();
        hello.write(outbound);
        channel.send(port, outbound.flip());
    }

    /** A handshake that begins anew is no news: the port is what it was until it is decided. */
    @Override
    public void heard(int port, HandshakeStatus now) {
        if (now != HandshakeStatus.PENDING) {
            changed.accept(port);
        }
    }

    @Override
    public void doubted(int port) {
        doubts.accept(port);
    }

    /** The plane found out that the cable at a port does not carry; counts once what came until now is read. */
    synchronized void condemn(int number) {
        LinkLiveness port = ports[number - 1];
        if (port != null && !ended) {
            port.condemn(now());
            arm(port.nextDeadline());
            callRound();
        }
    }

    /** Neither speaks nor listens any more, and tells nobody. */
    synchronized void end() {
        ended = true;
        channel.listen((port, hello) -> {});
    }

    private long now() {
        return System.nanoTime() - origin;
    }
}
