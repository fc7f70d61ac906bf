package io.dmodc.manager.core;

import io.dmodc.manager.state.LeaderEpochs;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which leader epoch this manager has, and what it does about a higher one.
 *
 * <p>Agents obey the highest leader epoch they have met, so a manager that meets a higher one than its own can either
 * outbid it or step down. What tells the two cases apart is who says so. A Hello only proves that its switch obeyed
 * another manager at some time: the state directory was restored from a backup, or the switch comes from another fabric.
 * That is outbid: one term above what was said, at any time. A revocation heard in the ring was just sent by a manager that
 * leads: to that one this manager yields, unless it has bid higher itself meanwhile. After an outbid the own revocation
 * goes out, and whoever else leads yields by the same rule.
 *
 * <p><b>Bounds.</b> Nothing that one peer says moves the leader epoch out of reach: it stays within
 * {@link #EPOCH_MAX}, and one outbid raises it by {@link #JUMP_MAX} at most; an agent that claims more is refused. So is one that began
 * {@link #OUTBIDS_OF_ONE_MAX} outbids since this manager's start: one agent that always claims more, by a mistake or to do harm, would
 * use all leader epochs up, and before that have this manager step down. Two
 * managers do not outbid each other for ever: an outbid begins {@link #OUTBID_PAUSE_NANOS} after the one before at the
 * earliest, and after {@link #OUTBIDS_MAX} in a row, with less than {@link #CALM_NANOS} between one and the next, this manager
 * steps down. Hellos that come within {@link #ROUND_NANOS} of an outbid's begin belong to it and may raise further,
 * because the agents of a restored manager obey several old epochs; so do all that come while the fabric is still
 * discovered, when no table of this manager is out yet.
 *
 * <p>A raised epoch counts once it is stored: {@link #raising} until {@link #stored}. A manager that stepped down stays
 * so until it is started again: a start is an outbid that a person decided.
 */
final class Leadership {
    /** Leader epochs fit the upper half of a ring epoch with its sign left alone. */
    static final long EPOCH_MAX = LeaderEpochs.MAX;

    /** How far one outbid may raise the leader epoch: 4,096 terms, of which each start of a manager takes one. */
    static final long JUMP_MAX = FabricRules.LEADER_JUMP_MAX;

    static final long OUTBID_PAUSE_NANOS = 60_000_000_000L;
    static final long ROUND_NANOS = 10_000_000_000L;
    static final long CALM_NANOS = 600_000_000_000L;
    static final int OUTBIDS_MAX = 16;

    /** So that it takes three agents at least to have this manager step down. */
    static final int OUTBIDS_OF_ONE_MAX = 8;

    /** Agents whose outbids are counted; the one that began one the longest time ago is forgotten for the next. */
    private static final int COUNTED_MAX = 1024;

    /** What to do with an agent that says Hello. */
    enum Answer {
        /** It obeys no higher leader epoch than ours. */
        WELCOME,
        /** Ours is to be raised to {@link #raising}; the agent waits for that. */
        OUTBID,
        /** Ours is being raised already, or may be raised later only; the agent waits. */
        WAIT,
        /** What it claims is out of reach: it is poisoned, or another fabric's. */
        REFUSE,
        /** It had ours raised {@link #OUTBIDS_OF_ONE_MAX} times. */
        REFUSE_OFTEN,
        /** Enough outbids: this manager yields. */
        STEP_DOWN,
        /** This manager stepped down: it neither serves that agent nor sends it away. */
        IGNORE
    }

    private long epoch;
    private long raising;
    private long deposedBy;

    /** Where the leader epoch was when the present outbid began. */
    private long anchor;

    /** When the last outbid began; meaningless before the first. */
    private long begunNanos;

    private int inRow;
    private int number = LeaderEpochs.NO_NUMBER;

    /** How many outbids an agent began, by its GUID. */
    private final Map<Long, Integer> begunBy = new LinkedHashMap<>();

    /** Some agent was told our leader epoch in this run. */
    private boolean told;

    Leadership(long epoch) {
        this.epoch = epoch;
        anchor = epoch;
    }

    /** From now on its leader epochs carry this number; before the first event. */
    void takeNumber(int managerNumber) {
        number = managerNumber;
    }

    /** The leader epoch in force: stored, and lower than none that this manager had before. */
    long epoch() {
        return epoch;
    }

    /** The leader epoch that is being stored, 0 when none is. */
    long raising() {
        return raising;
    }

    /** The leader epoch this manager stepped down for, 0 while it leads. */
    long deposedBy() {
        return deposed() ? deposedBy : 0;
    }

    /** True once this manager has stepped down: it computes on, pushes nothing, dismisses and flags nobody. */
    boolean deposed() {
        return deposedBy > epoch;
    }

    /**
     * Decides on an agent's Hello.
     *
     * @param guid of its switch
     * @param held highest leader epoch the agent has obeyed, as it says
     * @param discovering no table of this manager is out yet
     */
    Answer hello(long guid, long held, long nowNanos, boolean discovering) {
        if (held < epoch || (held == epoch && !isAnothers())) {
            told = true;
            return held < 0 ? Answer.REFUSE : Answer.WELCOME;
        }
        if (deposed()) {
            return Answer.IGNORE;
        }
        boolean sameRound = discovering || (inRow > 0 && nowNanos - begunNanos < ROUND_NANOS);
        if (held >= EPOCH_MAX || isOutOfReach(LeaderEpochs.above(held, number), sameRound ? anchor : epoch)) {
            return Answer.REFUSE;
        }
        if (held < raising) {
            return Answer.WAIT;
        }
        if (!sameRound) {
            int before = begunBy.getOrDefault(guid, 0);
            if (before == OUTBIDS_OF_ONE_MAX) {
                return Answer.REFUSE_OFTEN;
            }
            if (nowNanos < nextOutbidNanos()) {
                return Answer.WAIT;
            }
            inRow = inRow > 0 && nowNanos - begunNanos < CALM_NANOS ? inRow + 1 : 1;
            if (inRow > OUTBIDS_MAX) {
                deposedBy = held;
                return Answer.STEP_DOWN;
            }
            begunNanos = nowNanos;
            anchor = epoch;
            count(guid, before + 1);
        }
        raising = LeaderEpochs.above(held, number);
        return Answer.OUTBID;
    }

    private void count(long guid, int outbids) {
        begunBy.remove(guid);
        if (begunBy.size() == COUNTED_MAX) {
            begunBy.remove(begunBy.keySet().iterator().next());
        }
        begunBy.put(guid, outbids);
    }

    /**
     * True while nobody can have our leader epoch from us: who obeys it obeys a manager with the same number, or one whose state
     * was restored from a backup.
     */
    private boolean isAnothers() {
        return number != LeaderEpochs.NO_NUMBER && !told;
    }

    /** True if another manager leads, or led, by this leader epoch; or {@link LeaderEpochs#NOBODY}. */
    boolean isOfAnother(long leaderEpoch) {
        return leaderEpoch == LeaderEpochs.NOBODY
                || (number != LeaderEpochs.NO_NUMBER && leaderEpoch % LeaderEpochs.NUMBERS != number);
    }

    /** The last term is left to nobody: kept, it would be refused at the next start, which would have none above it. */
    private boolean isOutOfReach(long next, long from) {
        long last = number == LeaderEpochs.NO_NUMBER ? EPOCH_MAX : LeaderEpochs.LAST_OUTBID;
        return next > last || next - from > JUMP_MAX;
    }

    /** When an agent that waits may be answered at the latest; {@code Long.MIN_VALUE}: now. */
    long nextOutbidNanos() {
        return inRow == 0 ? Long.MIN_VALUE : begunNanos + OUTBID_PAUSE_NANOS;
    }

    /**
     * The disk has this leader epoch: from now on it counts.
     *
     * @return true if the leader epoch rose
     */
    boolean stored(long leaderEpoch) {
        boolean rose = leaderEpoch > epoch;
        epoch = Math.max(epoch, leaderEpoch);
        raising = raising > epoch ? raising : 0;
        told |= rose;
        return rose;
    }

    /**
     * A manager told the ring that tables below its leader epoch count no more.
     *
     * @return true if this manager steps down for it, or had stepped down for a lower one
     */
    boolean revokeHeard(long leaderEpoch) {
        boolean higher = leaderEpoch > Math.max(Math.max(epoch, raising), deposedBy) && leaderEpoch <= EPOCH_MAX;
        deposedBy = higher ? leaderEpoch : deposedBy;
        return higher;
    }
}
