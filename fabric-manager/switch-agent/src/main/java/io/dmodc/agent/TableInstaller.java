package io.dmodc.agent;

import io.dmodc.agent.AgentEffect.Install;
import io.dmodc.agent.AgentEffect.PlaneDueAfter;
import io.dmodc.agent.AgentEffect.ProgressDueAfter;
import io.dmodc.agent.AgentEffect.ReadTable;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.PlaneCapabilities;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.PushedTable;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableCodec;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableKind;
import io.dmodc.southbound.TableRefusedException;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.TablePush;
import io.dmodc.southbound.proto.TableRefusal.Reason;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the switch forwards with, and what is on its way there: one thing at a time is asked of the plane, and what the manager
 * wants next waits, the newest alone.
 *
 * <p>What is in force is known when the plane read it, or said that it took a table whole. Between a table that was taken in
 * part, or lost, and the next reading it is not known, and nobody is told anything of it.
 */
final class TableInstaller {
    /** Progress is told the manager that often. */
    static final long PROGRESS_NANOS = 1_000_000_000L;

    /** Destinations of which alternatives alone are told at a time: new routes wait for no more. */
    static final int ALTERNATED_MAX = 1024;

    /** A plane that failed is asked again after this, and then after ever twice as long, up to {@link #AGAIN_MAX_NANOS}. */
    static final long AGAIN_NANOS = 1_000_000_000L;

    static final long AGAIN_MAX_NANOS = 60_000_000_000L;

    /** Doublings that reach it. */
    private static final int AGAIN_DOUBLINGS_MAX = 6;

    /** What comes of it. */
    interface Outcome {
        /** To be performed. */
        void effect(AgentEffect effect);

        /** The table of a push is in force. */
        void tookIt();

        /**
         * A push is not taken; what is in force is known.
         *
         * @param untaken indices of all entries in which that differs from the table that was pushed, where these are few; else none
         */
        void refused(TableVersion version, Reason reason, String why, BitSet untaken);

        /** Another table is in force than the manager was told. */
        void lost();

        /** The plane writes; the manager waits for that, also where its table waits behind. */
        void progress(TableVersion version, int done, int total);

        /** For people. */
        void note(boolean warning, String text);

        /** The plane is free for what waited. */
        void takeAgain(TablePush push);

        /** What is in force is known, and no other table is under way. */
        void idle();
    }

    /** @param table that was not taken, or not whole */
    private record Refusal(InstalledTable table, String why) {}

    private record Progress(int done, int total) {}

    private final PlaneCapabilities plane;
    private final Outcome outcome;
    private InstalledTable installed = InstalledTable.NONE;
    private boolean everRead;
    private boolean known;
    private boolean reading;

    /** May be lost, and the plane is at work: it is read then. */
    private boolean doubtful;

    private @Nullable TableChange installing;

    /** That is the table in force once more, because destinations lead elsewhere. */
    private boolean restating;

    /** This session pushed it, and hears why it is not taken; to another what is held instead is a loss. */
    private boolean asked;

    /** Waits for the plane. */
    private @Nullable TablePush next;

    /** Told when it is known what a table that failed left behind. */
    private @Nullable Refusal owed;

    private Destinations destinations = Destinations.NONE;

    private Alternatives alternatives = Alternatives.NONE;

    /** An agent of before may have told the plane others. */
    private boolean alternativesUnknown = true;

    /** Indices that have other alternatives than when the plane last took their entries, or may have: it took a table in part. */
    private final BitSet alternated = new BitSet();

    /** Those among them that the plane is taking. */
    private BitSet alternating = new BitSet();

    /** Alternatives go with other routes than those that the plane was told last, which may differ in nothing else. */
    private boolean rematched;

    /** The plane is taking that. */
    private boolean rematching;

    /** Indices that stand for something else than when the plane last took their entries. */
    private final BitSet renamed = new BitSet();

    /** Those among them that the plane is taking. */
    private BitSet renaming = new BitSet();

    private int failedReadings;
    private int failedRestatings;
    private boolean againArmed;
    private @Nullable Progress progress;
    private boolean progressTold;
    private boolean progressArmed;

    TableInstaller(PlaneCapabilities plane, Outcome outcome) {
        this.plane = plane;
        this.outcome = outcome;
    }

    /** Asks what is in force, if nobody did yet. */
    void start() {
        if (!everRead && !reading && !againArmed) {
            read();
        }
    }

    /** Returns what is in force, as far as is known. */
    InstalledTable installed() {
        return installed;
    }

    /** Returns whether {@link #installed} is what the switch forwards with, or will until a table under way is taken. */
    boolean known() {
        return known;
    }

    /** Returns the version of another table than the one in force that is under way; null: none. */
    @Nullable
    TableVersion underWay() {
        return installing == null || restating ? null : installing.table().version();
    }

    /** Returns how many entries of the table that is being written were said to be. */
    int written() {
        return installing == null || progress == null ? 0 : progress.done();
    }

    /** What waited was of a session that is over, and so is who is to be told. */
    void sessionEnded() {
        next = null;
        owed = null;
        asked = false;
    }

    /** Takes a push that is obeyed. */
    void take(TablePush push) {
        TableVersion version = FrameBuilder.version(push);
        TableChange change = installing;
        if (change != null && version.equals(underWay()) && resultsIn(push, change.table())) {
            asked = true;
            outcome.note(false, "table " + version + " came again while it is being installed");
        } else if (installing != null || !known) {
            next = push;
        } else if (version.equals(installed.version()) && resultsIn(push, installed)) {
            // A push repeated because its acknowledgement came late or got lost.
            outcome.tookIt();
        } else {
            begin(push, version);
        }
    }

    /** Several tables of one version may follow each other, and a switch that somebody wrote to may not have its entries any more. */
    private static boolean resultsIn(TablePush push, InstalledTable result) {
        return TableCodec.resultsIn(push, result.kind(), TableDigest.of(result.entries()));
    }

    private void begin(TablePush push, TableVersion version) {
        try {
            Optional<PushedTable> pushed = TableCodec.forwarding(push);
            TableKind kind = pushed.map(PushedTable::kind).orElse(installed.kind());
            byte[] entries = pushed.isPresent() ? entries(pushed.get()) : installed.entries();
            install(new InstalledTable(version, kind, entries), false, new BitSet());
        } catch (TableRefusedException e) {
            outcome.refused(version, e.reason(), String.valueOf(e.getMessage()), new BitSet());
        }
    }

    private byte[] entries(PushedTable pushed) {
        if (pushed.kind() == TableKind.TURNS && !plane.turns()) {
            throw new TableRefusedException(
                    Reason.UNSUPPORTED, "a table of turns, and the switch does not forward by input class");
        }
        int entryCount = pushed.entries().getEntryCount();
        if (entryCount > plane.entriesMax()) {
            throw new TableRefusedException(
                    Reason.TOO_LARGE, "table of " + entryCount + " entries, the switch takes " + plane.entriesMax());
        }
        return pushed.applyTo(installed.entries());
    }

    /**
     * @param again whether the table is in force already, and is written again for what is new of destinations
     * @param told destinations to tell even if their entries are those in force
     */
    private void install(InstalledTable table, boolean again, BitSet told) {
        restating = again;
        asked = !again;
        BitSet changed = differences(installed, table);
        BitSet destinationsChanged = destinationsOf(changed, table.kind());
        destinationsChanged.or(told);
        renamed.stream().filter(index -> leadsElsewhere(table, index)).forEach(destinationsChanged::set);
        renaming = taken(renamed, destinationsChanged);
        alternating = taken(alternated, destinationsChanged);
        tellEntries(renaming, table.kind(), changed);
        tellEntries(alternating, table.kind(), changed);
        installing = new TableChange(installed, table, changed, destinations, alternatives);
        rematching = rematched;
        rematched = false;
        progress = null;
        outcome.effect(new Install(installing));
    }

    /** An entry of which nobody knows any more where it leads stays as it was written, until another table takes it out. */
    private boolean leadsElsewhere(InstalledTable table, int index) {
        return table.leadsTo(index) && (destinations.at(index) != null || !plane.destinations());
    }

    /** Takes those out of what waits that are told now. */
    private static BitSet taken(BitSet waiting, BitSet told) {
        BitSet taken = (BitSet) waiting.clone();
        taken.and(told);
        waiting.andNot(taken);
        return taken;
    }

    private static void tellEntries(BitSet told, TableKind kind, BitSet changed) {
        told.stream().forEach(index -> changed.set(kind.firstEntryOf(index), kind.firstEntryOf(index + 1)));
    }

    private static BitSet destinationsOf(BitSet entries, TableKind kind) {
        BitSet destinations = new BitSet();
        entries.stream().map(kind::destinationOf).filter(index -> index >= 0).forEach(destinations::set);
        return destinations;
    }

    /** Nothing of a table is as it was in one of another kind. */
    private static BitSet differences(InstalledTable before, InstalledTable after) {
        if (before.kind() == after.kind()) {
            return differences(before.entries(), after.entries());
        }
        BitSet all = new BitSet();
        all.set(0, after.entries().length);
        return all;
    }

    /** What lies behind the end of a table has no route. */
    private static BitSet differences(byte[] before, byte[] after) {
        BitSet changed = new BitSet();
        int common = Math.min(before.length, after.length);
        int at = 0;
        while (at < common) {
            int same = Arrays.mismatch(before, at, common, after, at, common);
            if (same < 0) {
                break;
            }
            changed.set(at + same);
            at += same + 1;
        }
        byte[] longer = before.length > after.length ? before : after;
        for (int index = common; index < longer.length; index++) {
            changed.set(index, longer[index] != SouthboundProtocol.NO_ROUTE);
        }
        return changed;
    }

    /** The plane took the table under way. */
    void installed(TableVersion version) {
        if (!isUnderWay(version)) {
            return;
        }
        InstalledTable table = Objects.requireNonNull(installing).table();
        boolean another = !restating;
        installing = null;
        installed = table;
        failedRestatings = 0;
        if (another) {
            outcome.tookIt();
        }
        goOn();
    }

    /** The plane did not take the table under way, or only some of it. */
    void failed(TableVersion version, String why) {
        if (!isUnderWay(version)) {
            return;
        }
        boolean restated = restating;
        TableChange change = Objects.requireNonNull(installing);
        installing = null;
        renamed.or(renaming);
        rematched |= rematching;
        alternated.or(
                plane.allOrNothing() || alternativesUnknown
                        ? alternating
                        : destinationsOf(change.changed(), change.table().kind()));
        if (restated) {
            failedRestatings++;
            outcome.note(true, "the plane does not write its table again for what is new of destinations: " + why);
            again(failedRestatings);
        }
        if (!plane.allOrNothing()) {
            known = false;
            owed = asked ? new Refusal(change.table(), why) : null;
        } else if (asked) {
            outcome.refused(version, Reason.PLANE_FAILED, why, new BitSet());
        }
        goOn();
    }

    private boolean isUnderWay(TableVersion version) {
        return installing != null && installing.table().version().equals(version);
    }

    /** So much of the table under way is written. */
    void progressed(TableVersion version, int done, int total) {
        boolean grows = progress == null || done > progress.done();
        if (isUnderWay(version) && grows && total >= 1 && done >= 0 && done <= total) {
            progress = new Progress(done, total);
            progressTold = false;
            tellProgress();
        }
    }

    /** {@link ProgressDueAfter} is over. */
    void progressDue() {
        progressArmed = false;
        tellProgress();
    }

    private void tellProgress() {
        if (progress != null && installing != null && !progressTold && !progressArmed) {
            progressTold = true;
            progressArmed = true;
            outcome.progress(installing.table().version(), progress.done(), progress.total());
            outcome.effect(new ProgressDueAfter(PROGRESS_NANOS));
        }
    }

    /** The switch may forward with another table than it was given. */
    void mayBeLost() {
        doubtful = true;
        if (installing == null && !reading) {
            goOn();
        }
    }

    /** The plane says what the switch forwards with. */
    void read(InstalledTable table) {
        if (!reading) {
            return;
        }
        if (doubtful) {
            readFailed("it may have changed while it was read");
            return;
        }
        reading = false;
        failedReadings = 0;
        known = true;
        boolean another = !table.forwardsAs(installed);
        boolean lost = everRead && another;
        if (another || !everRead) {
            installed = table;
        }
        everRead = true;
        if (lost) {
            outcome.note(true, "the switch forwards with another table than it was given");
        }
        if (owed != null) {
            outcome.refused(owed.table().version(), Reason.PLANE_FAILED, owed.why(), untaken(owed.table()));
            owed = null;
        } else if (lost) {
            outcome.lost();
        }
        goOn();
    }

    /** Entries in which what is in force differs from a table of routes that was to be, if these are few; of a table as long. */
    private BitSet untaken(InstalledTable table) {
        if (table.kind() != TableKind.ROUTES
                || installed.kind() != TableKind.ROUTES
                || table.entries().length != installed.entries().length) {
            return new BitSet();
        }
        BitSet untaken = differences(table.entries(), installed.entries());
        return untaken.cardinality() <= SouthboundProtocol.MAX_REFUSED_ENTRIES ? untaken : new BitSet();
    }

    /** The plane cannot say it. */
    void readFailed(String why) {
        if (reading) {
            reading = false;
            known = false;
            failedReadings++;
            outcome.note(true, "the plane does not say what the switch forwards with: " + why);
            again(failedReadings);
        }
    }

    private void again(int failures) {
        if (!againArmed) {
            againArmed = true;
            long wait = AGAIN_NANOS << Math.min(failures - 1, AGAIN_DOUBLINGS_MAX);
            outcome.effect(new PlaneDueAfter(Math.min(wait, AGAIN_MAX_NANOS)));
        }
    }

    /** {@link PlaneDueAfter} is over; a plane that is busy now goes on when it is free. */
    void planeDue() {
        againArmed = false;
        if (installing == null && !reading) {
            if (known) {
                restate();
            } else {
                read();
            }
        }
    }

    private void read() {
        reading = true;
        doubtful = false;
        outcome.effect(new ReadTable());
    }

    /** Indices stand for something else from now on; the plane is told with the next table, or now if it is free. */
    void renamed(Destinations now, BitSet changed) {
        destinations = now;
        renamed.or(changed);
        tellAnew();
    }

    /** Destinations can be reached by other ports besides the routes' from now on; the plane is told likewise. */
    void alternatives(Alternatives now) {
        if (alternativesUnknown) {
            alternativesUnknown = false;
            alternated.set(0, installed.destinationCount());
        }
        alternated.or(now.differences(alternatives));
        rematched |= now.routesDigest() != alternatives.routesDigest();
        alternatives = now;
        tellAnew();
    }

    /** Returns the alternatives told last. */
    Alternatives alternatives() {
        return alternatives;
    }

    private void tellAnew() {
        if (installing == null && !reading && known && !againArmed) {
            restate();
        }
    }

    /**
     * What has no route is told of when it has one again: even one that no table brings, because it was read from a switch that took a
     * table in part or restored its last one. Alternatives that are as they were, but go with the new table now, are told without an entry.
     */
    private void restate() {
        if (renamed.stream().anyMatch(index -> leadsElsewhere(installed, index))) {
            install(installed, true, new BitSet());
            return;
        }
        BitSet some = new BitSet();
        alternated.stream()
                .filter(index -> leadsElsewhere(installed, index))
                .limit(ALTERNATED_MAX)
                .forEach(some::set);
        if (!some.isEmpty() || (rematched && installed.entries().length > 0)) {
            install(installed, true, some);
        }
    }

    /** The plane is free. */
    private void goOn() {
        known &= !doubtful;
        if (!known) {
            if (failedReadings == 0) {
                read();
            }
            return;
        }
        if (next != null) {
            TablePush waiting = next;
            next = null;
            outcome.takeAgain(waiting);
        }
        if (installing == null && !againArmed) {
            restate();
        }
        if (underWay() == null) {
            outcome.idle();
        }
    }
}
