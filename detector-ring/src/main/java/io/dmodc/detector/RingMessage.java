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
    static final int HOPS_MAX = 254;

    /** In place of hops: told to one node alone, perhaps long after it was found out. */
    static final int HOPS_TOLD = 255;

    /** Nonces of pings travel in one byte. */
    static final int PING_NONCE_MAX = 255;

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
    /** Whom a record, a ping or its answer is about, in any epoch; 0 in other messages. */
    public long subjectGuid;
    /** Incarnation of the subject, unsigned; 0 where there is no subject. */
    public int subjectIncarnation;
    /** Who missed the subject's heartbeats ({@link MessageType#DEAD}), or for whom a ping is sent; else 0. */
    public int observerSlot;
    /**
     * Whose slot that is, for who knows another epoch than the asker did: of a {@link MessageType#PING} and its {@link
     * MessageType#PONG} {@link Membership#guidHash} of the observer; else 0.
     */
    public int observerHash;
    /** How long the observer heard nothing, in parts of δ: {@link RingRules#SILENCE_PARTS} are one; 0..255. */
    public int silence;
    /**
     * Ties an answer to its question. A {@link MessageType#NEW_OBSERVER} asks with one that the heartbeats it brings
     * about carry, 0 without one; of a {@link MessageType#PING} and its {@link MessageType#PONG} it is 0..255; else 0.
     */
    public int nonce;
    /** Hops this copy of a record has travelled when it arrives, 1..254; {@link #HOPS_TOLD}: not in a broadcast. */
    public int hops;
    /** Counts the sender's messages; the transport refuses a number twice. */
    public int sequence;
    /** Hash of all the sender knows beyond the membership: equal hashes, equal knowledge; 0 in pings and their answers. */
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
        subjectGuid = other.subjectGuid;
        subjectIncarnation = other.subjectIncarnation;
        observerSlot = other.observerSlot;
        observerHash = other.observerHash;
        silence = other.silence;
        nonce = other.nonce;
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
                + (type.isRecord()
                        ? " about 0x" + Long.toHexString(subjectGuid) + "."
                                + Integer.toUnsignedString(subjectIncarnation)
                        : "")
                + " epoch " + epoch;
    }
}
