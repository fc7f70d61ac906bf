package io.dmodc.manager.core;

import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchRecord.Forwarding;
import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.PortPlace;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * What was known of one switch, its agent and its ports when a batch was done. Immutable.
 *
 * <p>Four arrays by port number − 1, shared with the snapshot before as long as no port is another: what the port says
 * itself, what it leads to, its link's rate, and one number of flags and flaps. The far ends themselves are those of the cabling.
 */
public final class SwitchSnapshot {
    private static final int UP = 1;
    private static final int HELD = 2;
    private static final int UNHEARD = 4;
    private static final int DISAGREES = 8;
    private static final int SLOW = 16;
    private static final int LEFT_OUT = 32;
    private static final int FLAGS = 6;

    private static final Neighbour[] NO_PORTS = {};
    private static final int[] NO_STATES = {};
    private static final @Nullable LinkRate[] NO_RATES = {};

    private final long guid;
    private final String name;
    private final int portCount;
    private final int incarnation;
    private final Condition condition;
    private final Forwarding forwarding;
    private final boolean connected;
    private final boolean silent;
    private final boolean flagged;
    private final boolean bypassed;
    private final boolean alive;
    private final boolean pushInFlight;
    private final boolean upToDate;
    private final @Nullable LftRow heldRow;
    private final int heldEntries;
    private final long ackedDigest;
    private final long ackedEpoch;
    private final @Nullable LftRow desiredRow;
    private final long desiredDigest;
    private final int nextRound;
    private final long roundSinceMillis;

    private final @Nullable Neighbour[] claims;
    private final @Nullable Neighbour[] neighbours;

    /** {@link #UP} and the other flags, and above them how often the port went down lately. */
    private final int[] states;

    /** Empty while none is known. */
    private final @Nullable LinkRate[] rates;

    private SwitchSnapshot(
            SwitchRecord record,
            boolean alive,
            @Nullable Neighbour[] claims,
            @Nullable Neighbour[] neighbours,
            int[] states,
            @Nullable LinkRate[] rates) {
        guid = record.guid;
        name = record.name;
        portCount = record.portCount;
        incarnation = record.incarnation;
        condition = record.condition;
        forwarding = record.forwarding;
        connected = record.session != 0;
        silent = record.silent;
        flagged = record.flagged;
        bypassed = record.bypassed;
        this.alive = alive;
        pushInFlight = record.inFlight != null;
        upToDate = record.upToDate();
        heldRow = record.ackedRow;
        heldEntries = record.ackedEntries;
        ackedDigest = record.ackedDigest;
        ackedEpoch = record.ackedEpoch;
        desiredRow = record.desiredRow;
        desiredDigest = record.desiredDigest;
        nextRound = record.nextRound();
        roundSinceMillis = record.dueSinceMillis;
        this.claims = claims;
        this.neighbours = neighbours;
        this.states = states;
        this.rates = rates;
    }

    /** One that does not count for the fabric: nothing is said of its ports. */
    static SwitchSnapshot unattached(SwitchRecord record) {
        return new SwitchSnapshot(record, true, NO_PORTS, NO_PORTS, NO_STATES, NO_RATES);
    }

    /**
     * Copies a record, and what is known of some ports.
     *
     * @param before the last one of this switch; {@code null}: there is none, and all ports are copied
     * @param ports numbers of those that may be others than before
     */
    static SwitchSnapshot of(FabricState state, SwitchRecord record, @Nullable SwitchSnapshot before, BitSet ports) {
        boolean alive = state.cabling.alive(record.guid);
        int count = state.cabling.portCount(record.guid);
        SwitchSnapshot like = before != null && before.states.length == count ? before : null;
        if (like != null && ports.isEmpty()) {
            return new SwitchSnapshot(record, alive, like.claims, like.neighbours, like.states, like.rates);
        }
        BitSet copied = ports;
        if (like == null) {
            copied = new BitSet();
            copied.set(1, count + 1);
        }
        @Nullable Neighbour[] claims = like == null ? new Neighbour[count] : like.claims.clone();
        @Nullable Neighbour[] neighbours = like == null ? new Neighbour[count] : like.neighbours.clone();
        int[] states = like == null ? new int[count] : like.states.clone();
        for (int port = copied.nextSetBit(1); port > 0 && port <= count; port = copied.nextSetBit(port + 1)) {
            claims[port - 1] = state.cabling.claim(record.guid, port);
            neighbours[port - 1] = state.cabling.neighbour(record.guid, port);
            states[port - 1] = state(state, record.guid, port);
        }
        @Nullable LinkRate[] rates = state.cabling.rates().ofSwitch(record.guid).clone();
        return new SwitchSnapshot(record, alive, claims, neighbours, states, rates);
    }

    private static int state(FabricState state, long guid, int port) {
        return (state.cabling.saysUp(guid, port) ? UP : 0)
                | (state.holdDown.holds(guid, port) ? HELD : 0)
                | (state.unheard(guid, port) ? UNHEARD : 0)
                | (state.disagreements.lasting(guid, port) != null ? DISAGREES : 0)
                | slow(state, new PortPlace(guid, port))
                | state.holdDown.flapCount(guid, port) << FLAGS;
    }

    private static int slow(FabricState state, PortPlace place) {
        return (state.slowLinks.at(place) != null ? SLOW : 0) | (state.slowLinks.isLeftOut(place) ? LEFT_OUT : 0);
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

    public Condition condition() {
        return condition;
    }

    /** What hellos through it say, while it has no agent. */
    public Forwarding forwarding() {
        return forwarding;
    }

    /** True while routes lead through it although it is headless, and hellos do not show that it forwards. */
    public boolean unproved() {
        return alive
                && condition == Condition.HEADLESS
                && (forwarding == Forwarding.UNTESTABLE || forwarding == Forwarding.UNANSWERED);
    }

    public boolean agentConnected() {
        return connected;
    }

    /** True after the ring found its agent silent. */
    public boolean agentSilent() {
        return silent;
    }

    /** True after the agent left the bounded number of pushes unanswered; until it acknowledges one. */
    public boolean flagged() {
        return flagged;
    }

    /** True while packets to some destinations are led around it because it is headless and holds a table that no longer fits. */
    public boolean bypassed() {
        return bypassed;
    }

    public boolean pushInFlight() {
        return pushInFlight;
    }

    /** True if it holds what it should. */
    public boolean upToDate() {
        return upToDate;
    }

    /** The table it is known to hold, shared: read only; {@code null} while at most its digest is known. */
    public @Nullable LftRow heldRow() {
        return heldRow;
    }

    /** How many entries the table has that it is known to hold. */
    public int heldEntries() {
        return heldEntries;
    }

    public long ackedDigest() {
        return ackedDigest;
    }

    public long ackedEpoch() {
        return ackedEpoch;
    }

    /** The table it should hold, shared: read only; {@code null} before the first tables. */
    public @Nullable LftRow desiredRow() {
        return desiredRow;
    }

    /** Digest of {@link #desiredRow}. */
    public long desiredDigest() {
        return desiredDigest;
    }

    /** In which round of the change it is given its next table; 0: it has all. */
    int nextRound() {
        return nextRound;
    }

    /** When that became its next table, in milliseconds since 1970. */
    long roundSinceMillis() {
        return roundSinceMillis;
    }

    /** False while it is taken as not forwarding. */
    boolean alive() {
        return alive;
    }

    /** What this port leads to, as {@link FabricViewBuilder#neighbour}; {@code null} for a port it has not. */
    public @Nullable Neighbour neighbour(int port) {
        return has(port) ? neighbours[port - 1] : null;
    }

    /** What this port last said itself, as {@link FabricViewBuilder#claim}; {@code null} for a port it has not. */
    public @Nullable Neighbour claim(int port) {
        return has(port) ? claims[port - 1] : null;
    }

    private boolean has(int port) {
        return port >= 1 && port <= states.length;
    }

    /** What this end of the cable last said. */
    public boolean saysUp(int port) {
        return is(port, UP);
    }

    /** True while the port is up on the metal but kept out of the routes because it flapped. */
    public boolean heldDown(int port) {
        return is(port, HELD);
    }

    /** True while the port has carrier and its agent hears no hellos over the cable. */
    public boolean unheard(int port) {
        return is(port, UNHEARD);
    }

    /** True while what this port says to lead to is contradicted by the far end, or by another port with the same host. */
    public boolean disagrees(int port) {
        return is(port, DISAGREES);
    }

    /** What this end of a cable last said that the link carries; {@code null}: not known. */
    public @Nullable LinkRate rate(int port) {
        return has(port) && port <= rates.length ? rates[port - 1] : null;
    }

    /** True while the live link here is slower than most between the same two ranks. */
    public boolean slow(int port) {
        return is(port, SLOW);
    }

    /** True while routes lead around the link here because it is slow. */
    public boolean leftOut(int port) {
        return is(port, LEFT_OUT);
    }

    private boolean is(int port, int flag) {
        return has(port) && (states[port - 1] & flag) != 0;
    }

    /** How often the port went down lately. */
    public int flapCount(int port) {
        return has(port) ? states[port - 1] >> FLAGS : 0;
    }
}
