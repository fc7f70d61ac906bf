package io.dmodc.detector;

import org.jspecify.annotations.Nullable;

/** What a ring message says. */
public enum MessageType {
    /** T1: "I am alive", to the observer. */
    HEARTBEAT(1),
    /** T4: "I watch you from now on, send your heartbeats to me". */
    NEW_OBSERVER(2),
    /** T5: "the subject is dead in this incarnation"; flooded. */
    DEAD(3),
    /** "The subject is alive in this incarnation": a join or a refutation; flooded like {@link #DEAD}. */
    ALIVE(4),
    /** "Your set hash differs from mine: send me what you know". */
    SYNC(5),
    /** "Are you alive?", to the subject; or, to another, "ask the subject for me". */
    PING(6),
    /** "I am alive", from the subject; or, from another, "the subject has answered me". */
    PONG(7),
    /** "Apply no table older than this one"; flooded. */
    REVOKE(8);

    private static final MessageType[] TYPES = values();

    private final int code;

    MessageType(int code) {
        this.code = code;
    }

    /** Number in the datagram. */
    public int code() {
        return code;
    }

    /** The type with this number, or null. */
    public static @Nullable MessageType ofCode(int code) {
        return code >= 1 && code <= TYPES.length ? TYPES[code - 1] : null;
    }

    /** True for the types that are about a subject: records, pings and their answers. */
    public boolean hasSubject() {
        return isRecord() || isPing();
    }

    /** True for a question to a subject and its answer, which name for whom they are. */
    public boolean isPing() {
        return this == PING || this == PONG;
    }

    /** True for the two types that carry a record about a subject. */
    public boolean isRecord() {
        return this == DEAD || this == ALIVE;
    }
}
