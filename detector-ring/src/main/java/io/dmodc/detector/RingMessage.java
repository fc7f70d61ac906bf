package io.dmodc.detector;

/**
 * One message of the ring, as mutable fields: the detector fills one and the same object for each message it sends, and
 * the transport decodes into one and the same object, so that a heartbeat allocates nothing.
 *
 * <p>Valid only during the call that passes it; {@link #set} copies. Not thread-safe.
 */
public final class RingMessage {
    /** Most dead slots a copy of a hypercube broadcast names: more than its theorem allows to fail for any slot count. */
    public static final int DEAD_MAX = 19;

    /** {@link #copy} of everything that is no part of a hypercube broadcast. */
    public static final int NO_COPY = -1;

    /** {@link #copy} lies below this. */
    public static final int COPY_LIMIT = 64;

    /** Hop counts stop here: they travel in one byte. */
    static final int HOPS_MAX = 255;

    public MessageType type = MessageType.HEARTBEAT;
    /** Number of the fabric. */
    public int cluster;
    /** Membership epoch in which the slot numbers of this message hold. */
    public long epoch;
    /** GUID of the sender: says who it is even across epochs. */
    public long senderGuid;

    public int fromSlot;
    /** Incarnation of the sender, unsigned. */
    public int incarnation;
    /** Whom a record or a ping is about; 0 in other messages. */
    public int subjectSlot;
    /** Incarnation of the subject, unsigned; 0 where there is no subject. */
    public int subjectIncarnation;
    /** Who missed the subject's heartbeats ({@link MessageType#DEAD}), or for whom a ping is sent; else 0. */
    public int observerSlot;
    /** How long the observer heard nothing, in microseconds, at most {@link Integer#MAX_VALUE} (35 minutes). */
    public int silenceMicros;
    /** Hops this copy of a record has travelled when it arrives, 1..255. */
    public int hops;
    /** Counts the sender's messages; the transport refuses a number twice. */
    public int sequence;
    /** Hash of all the sender knows beyond the membership: equal hashes, equal knowledge. */
    public int setHash;
    /** How many things the hash covers ({@link MessageType#HEARTBEAT}, {@link MessageType#SYNC}); else 0. */
    public int recordCount;

    /** Tables below (leader epoch, fabric epoch) must not be applied any more ({@link MessageType#REVOKE}); else 0. */
    public long leaderEpoch;

    public long fabricEpoch;

    /** Which copy of a hypercube broadcast this is: 32 * part + first dimension, or {@link #NO_COPY}. */
    public int copy = NO_COPY;
    /** Where that broadcast began; 0 without a copy. */
    public int sourceSlot;
    /** How many of {@link #deadSlots} count. */
    public int deadCount;
    /** The slots that broadcast steps over, ascending: what its source held dead when it began. */
    public final int[] deadSlots = new int[DEAD_MAX];

    /** Makes this message equal to the other one. */
    public RingMessage set(RingMessage other) {
        type = other.type;
        cluster = other.cluster;
        epoch = other.epoch;
        senderGuid = other.senderGuid;
        fromSlot = other.fromSlot;
        incarnation = other.incarnation;
        subjectSlot = other.subjectSlot;
        subjectIncarnation = other.subjectIncarnation;
        observerSlot = other.observerSlot;
        silenceMicros = other.silenceMicros;
        hops = other.hops;
        sequence = other.sequence;
        setHash = other.setHash;
        recordCount = other.recordCount;
        leaderEpoch = other.leaderEpoch;
        fabricEpoch = other.fabricEpoch;
        copy = other.copy;
        sourceSlot = other.sourceSlot;
        deadCount = other.deadCount;
        System.arraycopy(other.deadSlots, 0, deadSlots, 0, other.deadCount);
        return this;
    }

    @Override
    public String toString() {
        return type + " from " + fromSlot + "." + Integer.toUnsignedString(incarnation)
                + (type.isRecord() ? " about " + subjectSlot + "." + Integer.toUnsignedString(subjectIncarnation) : "")
                + " epoch " + epoch;
    }
}
