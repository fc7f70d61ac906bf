package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.routing.LftRow;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the core knows of one switch and its agent. Owned by {@link FabricState}; read on the loop thread only. */
public final class SwitchRecord {
    /** What to think of a switch; derived, never told by heartbeats alone. */
    public enum Condition {
        /** Its agent is connected and answers. */
        CONNECTED,
        /** Its agent is silent or gone, while neighbours see its links up: it forwards with the table it has. */
        HEADLESS,
        /** Its agent is silent or gone and every neighbour sees its links down. */
        DEAD
    }

    /**
     * A push that is not acknowledged yet.
     *
     * @param deadlineNanos when it is sent again
     * @param tries how often one was sent
     * @param refused the agent said no: what is sent next is a new difference, against what it says it holds
     */
    record InFlight(Effect.TableUpdate update, long deadlineNanos, int tries, boolean refused) {}

    final long guid;
    String name;
    int portCount;

    /** 0 while no agent is connected. */
    long session;

    /** Highest known of its agent, unsigned: said in its Hello, or raised in the ring to refute a death. */
    int incarnation;

    /** When its last session ended; counts while there is none. */
    long goneSinceNanos;

    RingAddress ringAddress = new RingAddress("", 0);
    boolean silent;
    boolean portsKnown;

    /** Neighbours' ports that were asked about the links to this switch and have not answered. */
    final Set<PortKey> asked = new HashSet<>();

    /** When the answers still missing are no longer waited for. */
    long askedUntilNanos = Long.MAX_VALUE;

    Condition condition = Condition.CONNECTED;

    /** Headless and unable to follow a change that needs it: routes lead around it until its agent is back. */
    boolean bypassed;

    /** What the switch is known to hold; the row is {@code null} while only its digest is known. */
    @Nullable
    LftRow ackedRow;

    int ackedEntries;
    long ackedDigest;
    long ackedEpoch;

    @Nullable
    LftRow desiredRow;

    long desiredDigest;

    @Nullable
    InFlight inFlight;

    boolean flagged;
    boolean outstanding;

    SwitchRecord(long guid, String name, int portCount) {
        this.guid = guid;
        this.name = name;
        this.portCount = portCount;
    }

    /** True while its agent can be told something. */
    boolean reachable() {
        return session != 0 && !silent;
    }

    /** True if it holds what it should. */
    public boolean upToDate() {
        LftRow row = desiredRow;
        return row != null && ackedEntries == row.entryCount() && ackedDigest == desiredDigest;
    }

    public long guid() {
        return guid;
    }

    public String name() {
        return name;
    }

    public int portCount() {
        return portCount;
    }

    public int incarnation() {
        return incarnation;
    }

    public boolean agentConnected() {
        return session != 0;
    }

    public boolean agentSilent() {
        return silent;
    }

    public Condition condition() {
        return condition;
    }

    /** True while routes lead around it because it is headless and holds a table that no longer fits. */
    public boolean bypassed() {
        return bypassed;
    }

    public long ackedEpoch() {
        return ackedEpoch;
    }

    public long ackedDigest() {
        return ackedDigest;
    }

    /** The table it should hold, shared: read only; {@code null} before the first tables. */
    public @Nullable LftRow desiredRow() {
        return desiredRow;
    }

    /** Digest of {@link #desiredRow}. */
    public long desiredDigest() {
        return desiredDigest;
    }

    public boolean pushInFlight() {
        return inFlight != null;
    }

    /** True after the agent left the bounded number of pushes unanswered; until it acknowledges one. */
    public boolean flagged() {
        return flagged;
    }
}
