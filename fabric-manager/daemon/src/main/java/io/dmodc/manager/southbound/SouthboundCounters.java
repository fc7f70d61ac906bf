package io.dmodc.manager.southbound;

import java.util.concurrent.atomic.LongAdder;

/** What passed the agent server since the start. Thread-safe. */
public final class SouthboundCounters {
    final LongAdder connections = new LongAdder();
    final LongAdder frames = new LongAdder();
    final LongAdder refusals = new LongAdder();
    final LongAdder pushes = new LongAdder();
    final LongAdder pushedBytes = new LongAdder();
    final LongAdder pauses = new LongAdder();
    final LongAdder memberships = new LongAdder();
    final LongAdder membershipBytes = new LongAdder();
    final LongAdder turnedAway = new LongAdder();
    final LongAdder unproved = new LongAdder();
    final LongAdder unread = new LongAdder();

    /** Connections accepted. */
    public long connections() {
        return connections.sum();
    }

    /** Frames received, keep-alives left out. */
    public long frames() {
        return frames.sum();
    }

    /** Connections ended with a refusal. */
    public long refusals() {
        return refusals.sum();
    }

    /** Table pushes sent, repeated ones included. */
    public long pushes() {
        return pushes.sum();
    }

    /** Bytes of their frames. */
    public long pushedBytes() {
        return pushedBytes.sum();
    }

    /** Memberships sent, whole ones and differences. */
    public long memberships() {
        return memberships.sum();
    }

    /** Bytes of their frames. */
    public long membershipBytes() {
        return membershipBytes.sum();
    }

    /** Connections closed at once because there were as many as there may be. */
    public long turnedAway() {
        return turnedAway.sum();
    }

    /** Connections closed because their TLS handshake failed. */
    public long unproved() {
        return unproved.sum();
    }

    /** Connections closed because the agent did not read. */
    public long unread() {
        return unread.sum();
    }

    /** How often reading from an agent had to wait for the loop, or for the agent to read. */
    public long pauses() {
        return pauses.sum();
    }
}
