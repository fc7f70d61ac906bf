package io.dmodc.manager.core;

import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinkUse;
import org.jspecify.annotations.Nullable;

/**
 * Bounds and waiting times the core works with; all times in nanoseconds.
 *
 * @param ackTimeoutNanos how long a push may stay unanswered before it is repeated; doubles with each try
 * @param pushTries how often a push is sent before the agent is flagged and dismissed
 * @param drainNanos how long a packet that was sent may stay in the fabric; {@link #DRAIN_UNKNOWN}: nobody knows
 * @param holdDownNanos how long a link that came back is kept out of the routes after its first flap; doubles with each
 * @param holdDownMaxNanos where the doubling ends
 * @param flapMemoryNanos how long a link must stay quiet for its flaps to be forgotten
 * @param settleNanos how long to wait for more news after a link went down
 * @param discoveryQuietNanos after a start, how long nothing new must be heard before the first tables are computed
 * @param discoveryTimeoutNanos after a start, how long to wait at most for switches known from before; after a first one, from the
 *     last new switch on
 * @param connectedPercent below this share of agents, of the switches that forward, nothing is pushed
 * @param membershipQuietNanos how long joins are collected before agents are told a new ring
 * @param ringSeed orders the ring; the same seed, switches and domains give the same order
 * @param domains what may fail as one, besides the pods that the cables show
 * @param groupOrder in which engine {@code dmodc} counts port groups
 * @param nodeTypes by which hosts that are new are numbered
 * @param design the PGFT the fabric is meant to be: levels are its levels then, not learnt
 * @param rebalance whether entries may be moved to where shifts press less
 * @param slowLinks whether routes may use links slower than most between the same two ranks
 */
public record FabricRules(
        long ackTimeoutNanos,
        int pushTries,
        long drainNanos,
        long holdDownNanos,
        long holdDownMaxNanos,
        long flapMemoryNanos,
        long settleNanos,
        long discoveryQuietNanos,
        long discoveryTimeoutNanos,
        int connectedPercent,
        long membershipQuietNanos,
        long ringSeed,
        SwitchDomains domains,
        GroupOrder groupOrder,
        NodeTypes nodeTypes,
        @Nullable PgftShape design,
        RebalanceRule rebalance,
        SlowLinkUse slowLinks) {
    /** Packets may stay in the fabric for any time. */
    public static final long DRAIN_UNKNOWN = -1;

    /** True if it is known how long a packet that was sent may stay in the fabric. */
    public boolean drainKnown() {
        return drainNanos != DRAIN_UNKNOWN;
    }

    /** The same with another design and order of groups. */
    public FabricRules withDesign(@Nullable PgftShape other, GroupOrder order) {
        return new FabricRules(
                ackTimeoutNanos,
                pushTries,
                drainNanos,
                holdDownNanos,
                holdDownMaxNanos,
                flapMemoryNanos,
                settleNanos,
                discoveryQuietNanos,
                discoveryTimeoutNanos,
                connectedPercent,
                membershipQuietNanos,
                ringSeed,
                domains,
                order,
                nodeTypes,
                other,
                rebalance,
                slowLinks);
    }

    /** After how many times the timeout, from the first agent on, a first start ends however many come that are new. */
    static final int FIRST_START_TIMEOUTS = 8;

    /** How many results in a row may be thrown away because the fabric changed meanwhile. */
    static final int SUPERSEDED_MAX = 3;

    /** How long an agent without a session keeps its place in the ring: its restart should move nobody. */
    static final long RING_GONE_NANOS = 10_000_000_000L;

    /** How long after the first change a new ring is drawn at the latest, however often agents come and go meanwhile. */
    static final long RING_WAIT_MAX_NANOS = 5_000_000_000L;

    /** How far above its own a leader epoch is believed, at a manager and at agents: 4,096 terms. */
    public static final long LEADER_JUMP_MAX = 1L << 22;

    /** Most members of the ring: as many as agents take, of whom each session has one. */
    public static final int RING_MEMBERS_MAX = 16_400;

    /** Epochs kept for people to look at. */
    static final int EPOCHS_KEPT = 256;
}
