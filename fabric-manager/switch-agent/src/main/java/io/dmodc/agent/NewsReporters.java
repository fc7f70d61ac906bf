package io.dmodc.agent;

import io.dmodc.detector.Membership;
import org.jspecify.annotations.Nullable;

/**
 * Which members of the ring tell the manager a piece of news, so that it hears each of them a few times and not once
 * from everybody: the one it comes from and the next {@link #SUCCESSORS} after it on the ring. Ring neighbours share no
 * pod, rack or power feed where that is possible, so hardly anything keeps all of them from their sessions; and the
 * manager has a place of its own in the ring.
 */
final class NewsReporters {
    /** How many after the source report, too. */
    static final int SUCCESSORS = 3;

    /** A membership and the slot of this agent in it. */
    private record Place(Membership slots, int ownSlot) {}

    private volatile @Nullable Place place;

    /** Takes a place in a membership; any thread. */
    void join(Membership slots, int ownSlot) {
        place = new Place(slots, ownSlot);
    }

    /**
     * True if this agent reports what comes from that member: of a silence its observer, of a return the one that came
     * back, whose successors watch it. News from a GUID that the membership does not have is reported by all.
     */
    boolean include(long sourceGuid) {
        Place now = place;
        int source = now == null ? -1 : now.slots.slotOf(sourceGuid);
        return now == null || source < 0 || Math.floorMod(now.ownSlot - source, now.slots.slotCount()) <= SUCCESSORS;
    }
}
