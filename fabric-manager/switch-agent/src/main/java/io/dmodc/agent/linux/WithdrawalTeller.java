package io.dmodc.agent.linux;

import io.dmodc.agent.linux.RouteBook.RouteState;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.southbound.Guids;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the switches at the far ends of all cables which addresses this one leads nothing to any more: all of them, each time, at once when there
 * are more than before, again after 10, 100 and 1,100 ms because frames may be lost, and then every second while there are any.
 *
 * <p>What is led again is taken back {@link #HOLD_NANOS} after its route is written, so that news that goes round in a circle comes to an end, and a port that flaps
 * moves nothing at others. What had a route, was withdrawn, and has none by the table now stays withdrawn, until one is written: a neighbour that still
 * has an older table must not come back before. Lists go out at a {@link Pace}; one that must wait is told as it is then.
 *
 * <p>Times are nanoseconds of one clock, not negative. At most {@value WithdrawalCodec#ADDRESSES_MAX} addresses; what is more waits for the manager. Not
 * thread-safe.
 */
final class WithdrawalTeller {
    static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    static final int LISTS_AT_ONCE = 32;
    static final long LIST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    static final long NEVER = Long.MAX_VALUE;

    /** Instead of when it is taken back: there is a route, which leads nowhere. */
    private static final long LOST = NEVER;

    /** Likewise: there was no route at last. */
    private static final long UNROUTED = NEVER - 1;

    /** After each time, so long until the next; the last one counts on while there is anything to be said. */
    private static final long[] AGAIN_NANOS = {
        TimeUnit.MILLISECONDS.toNanos(10), TimeUnit.MILLISECONDS.toNanos(90), TimeUnit.SECONDS.toNanos(1)
    };

    private static final Logger LOG = LoggerFactory.getLogger(WithdrawalTeller.class);

    private final long guid;
    private final int portCount;
    private final Cabling cabling;
    private final Pace pace = new Pace(LISTS_AT_ONCE, LIST_NANOS);

    /** What is withdrawn, and when each is taken back. */
    private final Map<RouteAddress, Long> withdrawn = new LinkedHashMap<>();

    /** Of the list that was told last; grows with each. */
    private int number;

    private List<ByteBuffer> frames = List.of();
    private int times;
    private long againAt = NEVER;
    private boolean changed = true;
    private boolean begun;
    private boolean full;

    /** @param number any; another one in each run, so that what a run before said counts no more */
    WithdrawalTeller(long guid, int portCount, int number, Cabling cabling) {
        this.guid = guid;
        this.portCount = portCount;
        this.number = number;
        this.cabling = cabling;
    }

    /**
     * Says what leads nowhere now; {@link #tick} says it.
     *
     * @param unreached addresses whose route carries nothing
     * @param routeStates of other addresses
     */
    void withdraw(Set<RouteAddress> unreached, Function<RouteAddress, RouteState> routeStates, long now) {
        begun = true;
        if (unreached.isEmpty() && withdrawn.isEmpty()) {
            return;
        }
        withdrawn.replaceAll((address, until) ->
                unreached.contains(address) ? Long.valueOf(LOST) : until(until, routeStates.apply(address), now));
        if (withdrawn.size() == WithdrawalCodec.ADDRESSES_MAX
                && !withdrawn.keySet().containsAll(unreached)) {
            changed |= withdrawn.keySet().retainAll(unreached);
        }
        boolean fits = true;
        for (RouteAddress address : unreached) {
            boolean room = withdrawn.size() < WithdrawalCodec.ADDRESSES_MAX;
            fits &= room || withdrawn.containsKey(address);
            changed |= room && withdrawn.putIfAbsent(address, LOST) == null;
        }
        if (!fits && !full) {
            LOG.warn(
                    "switch {}: tells its neighbours of {} addresses that it leads nothing to, and of no more",
                    Guids.text(guid),
                    WithdrawalCodec.ADDRESSES_MAX);
        }
        full = !fits;
    }

    /** Returns until when an address is withdrawn that is led again, or not at all. */
    private static long until(long until, RouteState state, long now) {
        return switch (state) {
            case UNROUTED -> UNROUTED;
            case DUE -> until; // packets go by the old route still
            case WRITTEN -> until == LOST ? now + HOLD_NANOS : until == UNROUTED ? now : until;
        };
    }

    /** Says what is due. */
    void tick(long now) {
        if (!begun) {
            return;
        }
        changed |= withdrawn.values().removeIf(until -> until < UNROUTED && until - now <= 0);
        if (changed && pace.take(now)) {
            changed = false;
            frames = WithdrawalCodec.write(++number, guid, withdrawn.keySet());
            times = 0;
            tellAll(now);
        } else if (againAt != NEVER && againAt - now <= 0) {
            tellAll(now);
        }
    }

    private void tellAll(long now) {
        for (int port = 1; port <= portCount; port++) {
            send(port);
        }
        boolean again = times < AGAIN_NANOS.length || frames.size() > 1 || !isEmpty(frames.get(0));
        againAt = again ? now + AGAIN_NANOS[Math.min(times, AGAIN_NANOS.length - 1)] : NEVER;
        times++;
    }

    private static boolean isEmpty(ByteBuffer frame) {
        return frame.remaining() == WithdrawalCodec.HEAD_BYTES;
    }

    /** Returns when {@link #tick} has something to say; {@link #NEVER}: not before something else happens. */
    long nextDeadline(long now) {
        if (!begun) {
            return NEVER;
        }
        long next = changed ? pace.nextAt(now) : againAt;
        for (long until : withdrawn.values()) {
            next = until < UNROUTED && until < next ? until : next;
        }
        return next;
    }

    /** Says it to whoever is new at a port, or hears again, and soon once more to all. */
    void tell(int port, long now) {
        if (!frames.isEmpty()) {
            send(port);
            times = 0;
            againAt = now + AGAIN_NANOS[0];
        }
    }

    private void send(int port) {
        FarEnd far = cabling.farEnd(port);
        if (far != null && far.neighbour() instanceof SwitchPort) {
            frames.forEach(frame -> cabling.withdrawals().send(port, frame.duplicate()));
        }
    }
}
