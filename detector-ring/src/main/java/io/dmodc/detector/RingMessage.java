package io.dmodc.detector;

/**
 * One message of the ring, as mutable fields: the detector fills one and the same object for each message it sends, and
 * the transport decodes into one and the same object, so that a heartbeat allocates nothing.
 *
 * <p>Valid only during the call that passes it; {@link #set} copies. Not thread-safe.
 */
public final class RingMessage {
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
    /** Whom a record is about; 0 in messages without a record. */
    public int subjectSlot;
    /** Incarnation of the subject, unsigned. */
    public int subjectIncarnation;
    /** Who missed the subject's heartbeats; 0 except in {@link MessageType#DEAD}. */
    public int observerSlot;
    /** How long the observer heard nothing, in microseconds, at most {@link Integer#MAX_VALUE} (35 minutes). */
    public int silenceMicros;
    /** Hops this copy of a record has travelled when it arrives, 1..255. */
    public int hops;
    /** Counts the sender's messages; only a replay check will read it. */
    public int sequence;
    /** Hash of all the sender knows beyond the membership: equal hashes, equal knowledge. */
    public int setHash;

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
        return this;
    }

    @Override
    public String toString() {
        return type + " from " + fromSlot + "." + Integer.toUnsignedString(incarnation)
                + (type.isRecord() ? " about " + subjectSlot + "." + Integer.toUnsignedString(subjectIncarnation) : "")
                + " epoch " + epoch;
    }
}
