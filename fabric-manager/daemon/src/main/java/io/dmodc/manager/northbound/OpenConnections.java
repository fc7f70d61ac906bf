package io.dmodc.manager.northbound;

import io.dmodc.settings.process.LogLimit;
import io.netty.channel.Channel;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections there are, and which of them makes room when there are as many as there may be: the one that has had no request under way
 * for longest, since it was opened or since its last answer. So nobody keeps others out by connections on which nothing is asked. Only where
 * each has a request under way is the newcomer turned away.
 *
 * <p>Clients of other machines have all places but {@value #OWN_PLACES}: somebody on the manager's own machine gets in whatever those do.
 * Thread-safe.
 */
final class OpenConnections {
    static final int OWN_PLACES = 64;

    private static final long LOG_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(OpenConnections.class);

    private final int max;
    private final LongSupplier nanos;
    private final LogLimit log = new LogLimit(LOG_PERIOD_NANOS, 1);
    private final LongAdder closed = new LongAdder();
    private final Map<Channel, Place> all = new HashMap<>();
    /** Those without a request under way, for longest first. */
    private final Set<Channel> idle = new LinkedHashSet<>();

    private int foreign;

    private static final class Place {
        final boolean own;
        int underWay;

        Place(boolean own) {
            this.own = own;
        }
    }

    /**
     * @param max connections, more than {@value #OWN_PLACES}
     * @param nanos the time, for the log
     */
    OpenConnections(int max, LongSupplier nanos) {
        this.max = max;
        this.nanos = nanos;
    }

    /** A connection was accepted; it, or another one, may be closed. */
    void accepted(Channel newcomer) {
        InetSocketAddress remote = (InetSocketAddress) newcomer.remoteAddress();
        InetSocketAddress local = (InetSocketAddress) newcomer.localAddress();
        if (remote == null || local == null) {
            return; // It is closed already.
        }
        accepted(newcomer, Command.isOwnMachine(remote.getAddress(), local.getAddress()));
    }

    /** @param own it comes from the manager's own machine */
    void accepted(Channel newcomer, boolean own) {
        Channel leaver = enter(newcomer, own);
        newcomer.closeFuture().addListener(end -> left(newcomer));
        if (leaver == null) {
            return;
        }
        closed.increment();
        leaver.close();
        int leftOut = log.admit(nanos.getAsLong());
        if (leftOut != LogLimit.LEAVE_OUT) {
            LOG.warn(
                    "closed the connection from {}, {}: all {} connections of REST and page are in use; {} more were closed since the"
                            + " last such line",
                    leaver.remoteAddress(),
                    leaver == newcomer ? "just opened" : "longest without a request",
                    max,
                    leftOut);
        }
    }

    /** Returns who has to go; {@code null}: nobody. */
    private synchronized @Nullable Channel enter(Channel newcomer, boolean own) {
        boolean foreignFull = !own && foreign == max - OWN_PLACES;
        Channel leaver = null;
        if (foreignFull || all.size() == max) {
            leaver = longestIdle(foreignFull);
            if (leaver == null) {
                return newcomer;
            }
            left(leaver);
        }
        all.put(newcomer, new Place(own));
        idle.add(newcomer);
        foreign += own ? 0 : 1;
        return leaver;
    }

    private @Nullable Channel longestIdle(boolean foreignOnly) {
        for (Channel one : idle) {
            if (!foreignOnly || !place(one).own) {
                return one;
            }
        }
        return null;
    }

    private Place place(Channel one) {
        return all.getOrDefault(one, new Place(true));
    }

    /** A request came over it; returns how many are under way with this one. */
    synchronized int begun(Channel one) {
        idle.remove(one);
        return ++place(one).underWay;
    }

    /** One of its requests was answered, or given up. */
    synchronized void ended(Channel one) {
        if (--place(one).underWay == 0 && all.containsKey(one)) {
            idle.add(one);
        }
    }

    private synchronized void left(Channel one) {
        Place place = all.remove(one);
        idle.remove(one);
        foreign -= place == null || place.own ? 0 : 1;
    }

    /** Those closed since the start because there were as many as there may be. */
    long closed() {
        return closed.sum();
    }
}
