package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Neighbour;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the far end of one port, and when this end is to announce itself there.
 *
 * <p>This end announces itself at once when the port can carry it, at once when the far end asks or is another than before (but not
 * sooner than {@link #SPACING_NANOS} after the last time), and at every full second of the clock, so that all ports of a switch
 * share a wake-up. Who was heard first stays until the port loses carrier or that one was silent for {@link #SILENCE_NANOS}. What one
 * announcer says of itself is taken over once a second at most, so that one that changes its mind all the time keeps nobody busy.
 *
 * <p>Times are nanoseconds of any monotonic clock, not negative. Not thread-safe.
 */
final class FarEndTracker {
    static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Three announcements are missed, and the next one is late. */
    static final long SILENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(3_500);

    static final long SPACING_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** When one announcer may say something else of itself; a little less than its interval, because packets jitter. */
    static final long CHANGE_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    static final long NEVER = Long.MAX_VALUE;

    /** What an announcement was. */
    enum Verdict {
        /** Of whom it was expected, with nothing new. */
        KNOWN,
        /** The far end is another one than before. */
        CHANGED,
        /** The far end says another thing of itself. */
        CHANGED_AGAIN,
        /** This end's own: the cable is a loop. */
        OWN,
        ANOTHER_CLUSTER,
        /** Another end speaks on the same cable: there is something between that is no cable. */
        SECOND
    }

    private final Announcer self;

    private boolean speaks;
    private boolean heard;
    private long announceAt = NEVER;
    private long announcedAt = -SPACING_NANOS;
    private long heardAt;
    private long changedAt;
    private @Nullable Announcement last;

    FarEndTracker(Announcer self) {
        this.self = self;
    }

    /** The port can carry announcements from now on. */
    void begin(long now) {
        speaks = true;
        heard = false;
        announceAt = now;
    }

    /** The port carries nothing any more; who was heard last stays known. */
    void end() {
        speaks = false;
        heard = false;
        announceAt = NEVER;
    }

    /** When {@link #announced} is due; {@link #NEVER} while the port carries nothing. */
    long announceAt() {
        return announceAt;
    }

    /** This end has announced itself. */
    void announced(long now) {
        announcedAt = now;
        announceAt = (now / INTERVAL_NANOS + 1) * INTERVAL_NANOS;
    }

    /** True while nobody was heard since the port carries announcements. */
    boolean asks() {
        return !heard;
    }

    Verdict heard(long now, Announcement said) {
        if (said.cluster() != self.cluster()) {
            return Verdict.ANOTHER_CLUSTER;
        }
        if (self.isSelf(said.sender())) {
            return Verdict.OWN;
        }
        boolean same = last != null && isSame(last.sender(), said.sender());
        if (!same && heard && now - heardAt < SILENCE_NANOS) {
            return Verdict.SECOND;
        }
        if (said.asks() || !same) {
            answer(now);
        }
        return take(now, said, same);
    }

    private Verdict take(long now, Announcement said, boolean same) {
        boolean another = last == null || !saysTheSame(last.sender(), said.sender()) || last.mac() != said.mac();
        boolean soon = same && heard && now - changedAt < CHANGE_NANOS;
        heard = true;
        heardAt = now;
        if (!another || soon) {
            return Verdict.KNOWN;
        }
        last = said;
        changedAt = now;
        return same ? Verdict.CHANGED_AGAIN : Verdict.CHANGED;
    }

    private void answer(long now) {
        if (speaks) {
            announceAt = Math.min(announceAt, Math.max(now, announcedAt + SPACING_NANOS));
        }
    }

    private static boolean isSame(Neighbour one, Neighbour other) {
        if (one instanceof SwitchPort a) {
            return other instanceof SwitchPort b && a.guid() == b.guid() && a.port() == b.port();
        }
        return one instanceof HostPort a && other instanceof HostPort b && a.portGuid() == b.portGuid();
    }

    /** What the JVM makes of a record's components to compare them would be all that it makes in an agent of switches alone. */
    private static boolean saysTheSame(Neighbour one, Neighbour other) {
        return one instanceof SwitchPort ? isSame(one, other) : one.equals(other);
    }

    /** Returns who was heard last and counted; null: nobody was. */
    @Nullable
    FarEnd farEnd() {
        return last == null ? null : last.farEnd();
    }
}
