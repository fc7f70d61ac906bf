package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.routing.LftRow;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
        /** Its agent is silent or gone and every neighbour sees its links down, or nothing goes through it. */
        DEAD,
        /** Its agent came in, and nothing ties it to the fabric yet: it does not count. */
        UNATTACHED
    }

    /** What hellos through a switch without an agent say of it. */
    public enum Forwarding {
        /** Nothing was asked: its agent is here, or routes lead around it. */
        UNASKED,
        /** They come back. */
        PROVED,
        /** They cannot be sent: its plane, or those of its neighbours, carry none through, or what it holds is not known. */
        UNTESTABLE,
        /** They do not come back; that may be its neighbours' fault as well, or another manager has given it another table. */
        UNANSWERED,
        /** They do not come back, and its neighbours are not to blame. */
        HUNG
    }

    /**
     * A push that is not acknowledged yet.
     *
     * @param deadlineNanos when it is sent again
     * @param tries how often one was sent
     * @param refused the agent said no: what is sent next is a new difference, against what it says it holds
     * @param sinceNanos when it was sent first
     * @param writing fabric epoch of the table that the switch was last said to be writing, this one or another before it; 0: none
     * @param written entries of that one which were said to be written
     * @param refusals how often the agent said no, whatever its switch had written before
     */
    record InFlight(
            Effect.TableUpdate update,
            long deadlineNanos,
            int tries,
            boolean refused,
            long sinceNanos,
            long writing,
            int written,
            int refusals) {
        InFlight putOff(long untilNanos) {
            return new InFlight(update, untilNanos, tries, refused, sinceNanos, writing, written, refusals);
        }
    }

    /** A row that it may forward with. */
    record PossibleRow(LftRow row, long digest) {}

    /**
     * Sessions above this number are of switches without an agent, whose tables are loaded in batches: each batch costs as much as if it were
     * all tables. Those of agents are counted from 1 and do not get here.
     */
    public static final long BATCHED_SESSIONS = 1L << 48;

    /** A session leaves one behind at most, and a restart one more. */
    private static final int UNANSWERED_MAX = 4;

    final long guid;
    String name;
    int portCount;

    /** 0 while no agent is connected. */
    long session;

    /** Highest known of its agent, unsigned: said in its Hello, or raised in the ring to refute a death. */
    int incarnation;

    /** What the last Hello of its own said; the ring may have raised it since. */
    int greetedIncarnation;

    /** The leader epoch its agent obeys at least, as this manager knows from a Welcome or an acknowledgement. */
    long leaderTold;

    /** When its last session ended; counts while there is none. */
    long goneSinceNanos;

    RingAddress ringAddress = new RingAddress("", 0);
    boolean silent;

    /** Its agent says that its place in the ring hears nobody. */
    boolean deaf;

    /** It is known whether that is still so in the present session. */
    boolean hearingTold;

    /** Highest incarnation in which the ring held its agent silent, of those that can be; −1 for none. */
    private long judgedIncarnation = -1;

    /** The last one that cannot be; −1 for none. */
    private long judgedBeyond = -1;

    boolean portsKnown;

    /** Neighbours' ports that were asked about the links to this switch and have not answered. */
    final Set<PortPlace> asked = new HashSet<>();

    /** For a moment since they were asked, most neighbours saw their links to it down, and none that had answered up. */
    boolean answeredDown;

    Condition condition = Condition.CONNECTED;

    Forwarding forwarding = Forwarding.UNASKED;

    /** As its last agent said: hellos go through it by its routes, and it sends and answers them. */
    boolean transitHellos;

    /** It could not be told anything when the last epoch was accepted, and pairs were without a way by what it may hold. */
    boolean losesPairs;

    /** Headless with a table that does not fit any more: packets to some destinations are led around it. */
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

    /** What it is to be given yet, in order: the last is the row it should hold. None also while that is not planned. */
    List<PlannedTable> due = List.of();

    /** It is given what drops packets first, also if it holds already what it should at last. */
    boolean drops;

    /** When the first of these became the next one, in milliseconds since 1970. */
    long dueSinceMillis;

    /** The last view that was drawn before it may have lost its table; −1: it did not. */
    private long lostEpoch = -1;

    /** The last computation held that it would be told its table, or it was given one since that it may forward worse by: others may rely on it. */
    boolean countedOn;

    /** The one of these that the computation under way reckons with; {@code null}: none. */
    @Nullable
    PlannedTable plannedWith;

    @Nullable
    InFlight inFlight;

    /** Tables that were pushed and of which nobody heard what became, the oldest first; at most {@link #UNANSWERED_MAX}. */
    private final List<PossibleRow> unanswered = new ArrayList<>(1);

    /** How often it lost a table that it had taken, each time soon after the last. */
    int losses;

    /** When it did so last; counts while there are {@link #losses}. */
    long lostNanos;

    /** In which way it holds another table than was planned with, in words, while it waits to be planned with; {@code null}: in none. */
    @Nullable
    String surprise;

    /** Most entries that it refused since it called for another plan after a quiet time. */
    int refusedMost;

    /** Entries that it does not take from tables that it takes otherwise, as it has them. */
    RefusedEntries refusedEntries = RefusedEntries.NONE;

    /** Those that the computation under way, or the last one, knows of. */
    RefusedEntries reckonedWith = RefusedEntries.NONE;

    /** Why, in its agent's words. */
    String refusalText = "";

    /** How often it refused them. */
    int offers;

    /** The table that it would be given if it took all entries; {@code null}: the one it is given. */
    @Nullable
    PlannedTable asWanted;

    /** It left the bounded number of pushes unanswered, and has taken none since. */
    boolean flagged;

    /** Nothing more is sent through this session, which ends for it. */
    boolean gaveUp;

    /** It refused a difference: the next push carries the whole table. */
    boolean sendWhole;

    boolean outstanding;

    /** Known from the last run, and its agent has not come in since. */
    boolean awaited;

    /** While it is awaited, leader epoch of the manager that wrote down what it holds; {@link LeaderEpochs#NOBODY} once it is known that it may have been given another table since. */
    long recordedBy;

    /** Only records of the last run have it dead, all its links down, or nothing going through it by what they say it holds: they may be older than what became of it. */
    boolean deadOnRecord;

    SwitchRecord(long guid, String name, int portCount) {
        this.guid = guid;
        this.name = name;
        this.portCount = portCount;
    }

    /** A push whose outcome nobody can tell any more: the switch forwards by a table of before, or by this one. */
    void mayHold(LftRow row, long digest) {
        unanswered.removeIf(push -> push.digest == digest && push.row.entryCount() == row.entryCount());
        if (unanswered.size() == UNANSWERED_MAX) {
            unanswered.remove(0);
        }
        unanswered.add(new PossibleRow(row, digest));
    }

    /** Its session ended: what is under way becomes what it may hold. */
    void loseInFlight() {
        InFlight push = inFlight;
        if (push != null && !push.refused()) {
            mayHold(push.update().row(), push.update().resultDigest());
        }
        inFlight = null;
    }

    /** Its agent says by entries and digest what it holds; a row that fits is known. */
    void holds(int entryCount, long digest) {
        if (!isHeld(entryCount, digest) || entryCount == 0) {
            ackedRow = entryCount == 0 ? LftRow.noRoutes(0) : unansweredRow(entryCount, digest);
        }
        unanswered.clear();
        ackedDigest = digest;
        ackedEntries = entryCount;
    }

    /** It is known to hold this row. */
    void holds(LftRow row, long digest) {
        ackedRow = row;
        ackedEntries = row.entryCount();
        ackedDigest = digest;
    }

    /** Its agent said what became of them. */
    void forgetUnanswered() {
        unanswered.clear();
    }

    /** True if that is what it is known to hold. */
    boolean isHeld(int entryCount, long digest) {
        return ackedDigest == digest && ackedEntries == entryCount;
    }

    private @Nullable LftRow unansweredRow(int entryCount, long digest) {
        for (PossibleRow push : unanswered) {
            if (push.digest == digest && push.row.entryCount() == entryCount) {
                return push.row;
            }
        }
        return null;
    }

    /**
     * It may come back without its table.
     *
     * @param lastDrawn epoch of the last view that was drawn
     */
    void loses(long lastDrawn) {
        holdsNothingKnown();
        lostEpoch = lastDrawn;
        due = List.of();
    }

    /** True if it may have lost its table since the view of this epoch was drawn: others may be about to be told that nothing leads through it. */
    boolean lostSince(long epoch) {
        return lostEpoch >= epoch;
    }

    private void holdsNothingKnown() {
        ackedRow = null;
        ackedEntries = 0;
        ackedDigest = 0;
        unanswered.clear();
        deadOnRecord = false;
    }

    /** True if the manager knew that it might hold this, or knew nothing of what it holds. */
    boolean mayHave(int entryCount, long digest) {
        return ackedRow == null
                || isHeld(entryCount, digest)
                || possible().stream().anyMatch(row -> row.digest == digest && row.row.entryCount() == entryCount);
    }

    /** True if it holds no table, as far as is known, or it is not known which: whatever it is given cannot be worse. */
    boolean servesNobody() {
        return possible().stream().allMatch(row -> row.row.entryCount() == 0);
    }

    /** Every row it may forward with, as far as it is known: the acknowledged one first. At most {@link #UNANSWERED_MAX} and two. */
    public List<LftRow> possibleRows() {
        if (ackedRow != null && inFlight == null && unanswered.isEmpty()) {
            return List.of(ackedRow); // asked of all switches at each fault, and so it is with nearly all of them
        }
        return possible().stream().map(PossibleRow::row).toList();
    }

    /** The same with their digests. */
    List<PossibleRow> possible() {
        List<PossibleRow> rows = new ArrayList<>(3);
        if (ackedRow != null) {
            rows.add(new PossibleRow(ackedRow, ackedDigest));
        }
        if (inFlight != null && !inFlight.refused()) {
            rows.add(new PossibleRow(inFlight.update().row(), inFlight.update().resultDigest()));
        }
        rows.addAll(unanswered);
        return rows;
    }

    /** True if it has, or may have got, a table with entries. */
    boolean mayHoldAnything() {
        return ackedEntries > 0 || inFlight != null || !unanswered.isEmpty();
    }

    /**
     * True if the ring held its agent silent in this incarnation or a later one before. An agent that lives on contradicts
     * by a higher one, so what is told of this one is an echo, however many tell it and however late: reports wait until
     * who tells them has a session. Who falls silent again without having contradicted has its session ended by the keep-alives.
     */
    boolean isJudged(int incarnation) {
        long number = Integer.toUnsignedLong(incarnation);
        return number <= judgedIncarnation || number == judgedBeyond;
    }

    /**
     * The ring holds its agent silent in this incarnation.
     *
     * @param credible false if the agent can hardly have come so far: then lower ones are not taken for judged
     */
    void judge(int incarnation, boolean credible) {
        if (credible) {
            judgedIncarnation = Integer.toUnsignedLong(incarnation);
        } else {
            judgedBeyond = Integer.toUnsignedLong(incarnation);
        }
    }

    /** What it forwards by while it has no agent, as far as anybody knows; for people. */
    String heldText() {
        if (ackedRow == null) {
            return ackedEntries > 0 ? "nobody knows which table it holds" : "nobody knows what it holds";
        }
        List<LftRow> rows = possibleRows();
        boolean any = rows.stream().anyMatch(row -> row.entryCount() > 0);
        boolean none = rows.stream().anyMatch(row -> row.entryCount() == 0);
        return none ? (any ? "it may hold no table" : "it holds no table") : "it keeps its table";
    }

    /** True if it is known to forward by some table. */
    boolean keepsTable() {
        return ackedRow != null && possibleRows().stream().allMatch(row -> row.entryCount() > 0);
    }

    /** Why it is {@link Condition#DEAD}. */
    String deadText() {
        return forwarding == Forwarding.HUNG
                ? "dead, no agent and nothing goes through it though its links are up"
                : "dead, no agent and all its links are down";
    }

    /** True while it has a session, and its tables are loaded in batches. */
    boolean isBatched() {
        return session > BATCHED_SESSIONS;
    }

    /** True while its agent can be told something. */
    boolean reachable() {
        return session != 0 && !silent;
    }

    /** In which round of the change it is given its next table; 0: it has all. */
    int nextRound() {
        return due.isEmpty() ? 0 : due.get(0).round();
    }

    /** True if it holds what it should. */
    public boolean upToDate() {
        LftRow row = desiredRow;
        return row != null && isHeld(row.entryCount(), desiredDigest) && !(drops && due.size() > 1);
    }

    /** True if it holds what it should, and is at most offered what it refused of that. */
    boolean surelyUpToDateOrOffered() {
        InFlight push = inFlight;
        PlannedTable offered = asWanted;
        boolean isOffered =
                push != null && offered != null && push.update().resultDigest() == offered.digest() && upToDate();
        return surelyUpToDate() || (isOffered && unanswered.isEmpty());
    }

    /** True if it holds what it should, and nothing is under way, or went astray, that could have changed that. */
    boolean surelyUpToDate() {
        return upToDate() && (inFlight == null || inFlight.refused()) && unanswered.isEmpty();
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

    /** What hellos through it say, while it has no agent. */
    public Forwarding forwarding() {
        return forwarding;
    }

    /** True while packets to some destinations are led around it because it is headless and holds a table that no longer fits. */
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

    /** The table it is known to hold, shared: read only; {@code null} while at most its digest is known. */
    public @Nullable LftRow heldRow() {
        return ackedRow;
    }

    /** How many entries the table has that it is known to hold. */
    public int heldEntries() {
        return ackedEntries;
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
