package io.dmodc.agent;

import io.dmodc.detector.Membership;
import org.jspecify.annotations.Nullable;

/**
 * Which members of the ring tell the manager a piece of news, so that it hears each of them a few times and not once
 * from everybody: the one it comes from and the next {@link #SUCCESSORS} after it on the ring. Ring neighbours share no
 * pod, rack or power feed where that is possible, so hardly anything keeps all of them from their sessions; and the
 * manager has a place of its own in the ring.
 */
public final class NewsReporters {
    /** How many after the source report, too. */
    public static final int SUCCESSORS = 3;

    /** A membership and the slot of this agent in it. */
    private record Place(Membership slots, int ownSlot) {}

    private volatile @Nullable Place place;

    /** Takes a place in a membership; any thread. */
    public void join(Membership slots, int ownSlot) {
        place = new Place(slots, ownSlot);
    }

    /**
     * True if this agent reports what comes from that member: of a silence its observer, of a return the one that came
     * back, whose successors watch it. News from a GUID that the membership does not have, as while the ring is drawn
     * anew, is reported by as many: those from the slot on where its number leads.
     */
    public boolean include(long sourceGuid) {
        Place now = place;
        if (now == null) {
            return true;
        }
        int slotCount = now.slots.slotCount();
        int known = now.slots.slotOf(sourceGuid);
        int source = known >= 0 ? known : Math.floorMod(Long.hashCode(sourceGuid), slotCount);
        return Math.floorMod(now.ownSlot - source, slotCount) <= SUCCESSORS;
    }
}
