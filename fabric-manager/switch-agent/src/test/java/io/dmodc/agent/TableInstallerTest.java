package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.AgentEffect.Install;
import io.dmodc.agent.AgentEffect.PlaneDueAfter;
import io.dmodc.agent.AgentEffect.ProgressDueAfter;
import io.dmodc.agent.AgentEffect.ReadTable;
import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.PlaneCapabilities;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.agent.plane.TurnEntries;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.RunEncoder;
import io.dmodc.southbound.TableCodec;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableKind;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.TurnTable;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.Table;
import io.dmodc.southbound.proto.TablePush;
import io.dmodc.southbound.proto.TableRefusal.Reason;
import io.dmodc.topology.HostAddresses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a plane is asked, and what the manager is told of it, whatever the plane does. */
class TableInstallerTest {

    /** All that came of it, in order: effects, and words for what else. */
    private final List<Object> told = new ArrayList<>();

    private TableInstaller tables = installer(true);

    private TableInstaller installer(boolean allOrNothing) {
        return installer(new PlaneCapabilities(1000, allOrNothing, true, true, false));
    }

    private TableInstaller installer(PlaneCapabilities plane) {
        return new TableInstaller(plane, new TableInstaller.Outcome() {
            @Override
            public void effect(AgentEffect effect) {
                told.add(effect);
            }

            @Override
            public void tookIt() {
                told.add("took " + tables.installed().version());
            }

            @Override
            public void refused(TableVersion version, Reason reason, String why, BitSet untaken) {
                told.add("refused " + version + " " + reason + ": " + why + "; holds "
                        + tables.installed().entries().length + (untaken.isEmpty() ? "" : "; not taken " + untaken));
            }

            @Override
            public void lost() {
                told.add("lost, holds " + tables.installed().entries().length);
            }

            @Override
            public void progress(TableVersion version, int done, int count) {
                told.add(version + ": " + done + " of " + count);
            }

            @Override
            public void takeAgain(TablePush push) {
                tables.take(push);
            }

            @Override
            public void note(boolean warning, String text) {}

            @Override
            public void idle() {
                told.add("idle");
            }
        });
    }

    private static TableVersion version(long epoch) {
        return new TableVersion(1, epoch);
    }

    private static TablePush push(long epoch, int... ports) {
        byte[] entries = entries(ports);
        RunEncoder encoder = RunEncoder.complete(entries.length, TableDigest.of(entries));
        if (entries.length > 0) {
            encoder.run(0, entries.length, 1, 0, entries);
        }
        return TableCodec.push(version(epoch), encoder.table());
    }

    private static byte[] entries(int... ports) {
        byte[] entries = new byte[ports.length];
        for (int i = 0; i < ports.length; i++) {
            entries[i] = (byte) ports[i];
        }
        return entries;
    }

    private List<Object> takeTold() {
        List<Object> taken = List.copyOf(told);
        told.clear();
        return taken;
    }

    /** The change of the last install that was asked for; everything told is forgotten. */
    private TableChange asked() {
        List<TableChange> changes = told.stream()
                .filter(Install.class::isInstance)
                .map(effect -> ((Install) effect).change())
                .toList();
        assertThat(changes).hasSize(1);
        told.clear();
        return changes.get(0);
    }

    private void begin(boolean allOrNothing) {
        tables = installer(allOrNothing);
        begin();
    }

    private void begin() {
        tables.start();
        tables.read(InstalledTable.NONE);
        told.clear();
    }

    private void force(long epoch, int... ports) {
        tables.take(push(epoch, ports));
        tables.installed(version(epoch));
        told.clear();
    }

    private static BitSet bits(int... set) {
        BitSet bits = new BitSet();
        for (int bit : set) {
            bits.set(bit);
        }
        return bits;
    }

    @Test
    void shouldTakeNothingBeforeItIsKnownWhatIsInForce() {
        tables.start();
        tables.start();
        assertThat(takeTold()).containsExactly(new ReadTable());
        tables.take(push(5, 1, 2));
        assertThat(tables.known()).isFalse();
        assertThat(takeTold()).isEmpty();

        tables.read(new InstalledTable(version(4), entries(1, 7, 9)));

        TableChange change = asked();
        assertThat(change.before().version()).isEqualTo(version(4));
        assertThat(change.changed()).as("one differs, one is no more").isEqualTo(bits(1, 2));
    }

    @Test
    void shouldAskAgainEverLaterWhatIsInForce() {
        tables.start();
        List<Long> waits = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            told.clear();
            tables.readFailed("no answer");
            waits.add(((PlaneDueAfter) told.get(0)).nanos() / 1_000_000_000);
            assertThat(tables.known()).isFalse();
            tables.planeDue();
        }
        assertThat(waits).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);

        tables.read(InstalledTable.NONE);

        assertThat(tables.known()).isTrue();
    }

    @Test
    void shouldSayWhichEntriesDiffer() {
        begin(true);
        force(5, 1, 2, 255, 4);

        tables.take(push(6, 1, 3, 255, 4, 255, 6));

        assertThat(asked().changed()).as("255 behind the end is no change").isEqualTo(bits(1, 5));
    }

    @Test
    void shouldKeepTheNewestPushAloneForWhenThePlaneIsFree() {
        begin(true);
        tables.take(push(5, 1));
        tables.take(push(6, 2));
        tables.take(push(7, 3));
        asked();

        tables.installed(version(5));

        assertThat(told.get(0)).isEqualTo("took " + version(5));
        assertThat(asked().table().version()).isEqualTo(version(7));
    }

    @Test
    void shouldForgetWhatWaitedWhenItsSessionEnds() {
        begin(true);
        tables.take(push(5, 1));
        tables.take(push(6, 2));
        tables.sessionEnded();
        told.clear();

        tables.installed(version(5));

        assertThat(takeTold()).containsExactly("took " + version(5), "idle");
    }

    @Test
    void shouldRefuseATableThatHasNoRoom() {
        begin(true);

        tables.take(push(5, new int[1001]));

        assertThat(takeTold())
                .containsExactly("refused " + version(5) + " TOO_LARGE: table of 1001 entries, the switch takes 1000;"
                        + " holds 0");
    }

    @Test
    void shouldRefuseAKindItDoesNotKnowAndTwoTables() {
        begin(true);
        Table routes = push(5, 1).getTables(0);

        tables.take(push(5, 1).toBuilder().addTables(routes).build());
        tables.take(push(5, 1).toBuilder()
                .clearTables()
                .addTables(Table.getDefaultInstance())
                .build());

        assertThat(takeTold())
                .containsExactly(
                        "refused " + version(5) + " MALFORMED: 2 tables in one push; holds 0",
                        "refused " + version(5) + " MALFORMED: a table of an unknown kind; holds 0");
    }

    @Test
    void shouldMoveTheVersionForAPushWithoutTables() {
        begin(true);
        force(5, 1, 2);

        tables.take(push(6, 1).toBuilder().clearTables().build());

        TableChange change = asked();
        assertThat(change.changed().isEmpty()).isTrue();
        assertThat(change.table().entries()).containsExactly(1, 2);
        tables.installed(version(6));
        assertThat(tables.installed().version()).isEqualTo(version(6));
    }

    @Test
    void shouldReadBackWhatATableThatFailedLeftBehind() {
        begin(false);
        force(5, 1, 1);
        tables.take(push(6, 2, 2));
        told.clear();

        tables.failed(version(6), "half way");

        assertThat(takeTold()).containsExactly(new ReadTable());
        assertThat(tables.known()).isFalse();
        tables.read(new InstalledTable(TableVersion.NONE, entries(1, 2, 3)));
        assertThat(takeTold()).containsExactly("refused " + version(6) + " PLANE_FAILED: half way; holds 3", "idle");
        assertThat(tables.installed().version()).isEqualTo(TableVersion.NONE);
    }

    @Test
    void shouldSayWhichEntriesOfATableThatFailedAreOthers() {
        begin(false);
        force(5, 1, 1, 1);
        tables.take(push(6, 2, 2, 2));
        told.clear();

        tables.failed(version(6), "not these");

        tables.read(new InstalledTable(version(6), entries(1, 2, 255)));
        assertThat(takeTold())
                .contains("refused " + version(6) + " PLANE_FAILED: not these; holds 3; not taken {0, 2}");
    }

    @Test
    void shouldSayNoneWhereMoreThanSingleEntriesAreOthers() {
        int[] wanted = new int[257];
        Arrays.fill(wanted, 2);
        begin(false);
        tables.take(push(6, wanted));
        told.clear();

        tables.failed(version(6), "nothing");

        tables.read(new InstalledTable(version(6), entries(new int[257])));
        assertThat(takeTold()).contains("refused " + version(6) + " PLANE_FAILED: nothing; holds 257");
    }

    @Test
    void shouldTellALossWhenATableOfAnEarlierSessionFailed() {
        begin(false);
        force(5, 1, 1);
        tables.take(push(6, 2, 2));
        tables.sessionEnded();

        tables.failed(version(6), "half way");
        told.clear();
        tables.read(new InstalledTable(TableVersion.NONE, entries(1, 2)));

        assertThat(takeTold()).as("this session asked for nothing").containsExactly("lost, holds 2", "idle");
    }

    @Test
    void shouldRefuseATableOfAnEarlierSessionThatThisOneAskedForAgain() {
        begin(true);
        tables.take(push(6, 2, 2));
        tables.sessionEnded();
        tables.take(push(6, 2, 2));
        told.clear();

        tables.failed(version(6), "no");

        assertThat(takeTold()).containsExactly("refused " + version(6) + " PLANE_FAILED: no; holds 0", "idle");
    }

    @Test
    void shouldNotReadBackWhereAFailureChangedNothing() {
        begin(true);
        force(5, 1, 1);
        tables.take(push(6, 2, 2));
        told.clear();

        tables.failed(version(6), "no");

        assertThat(takeTold()).containsExactly("refused " + version(6) + " PLANE_FAILED: no; holds 2", "idle");
        assertThat(tables.installed().version()).isEqualTo(version(5));
    }

    @Test
    void shouldTellALossWhenItIsReadAndNotWhenNothingIsLost() {
        begin(true);
        force(5, 1, 1);

        tables.mayBeLost();
        assertThat(takeTold()).containsExactly(new ReadTable());
        tables.mayBeLost();
        tables.read(new InstalledTable(version(5), entries(1, 1)));
        assertThat(takeTold())
                .as("lost again meanwhile: a plane that always is does not keep its agent busy")
                .containsExactly(new PlaneDueAfter(TableInstaller.AGAIN_NANOS));
        tables.planeDue();
        tables.mayBeLost();
        tables.read(new InstalledTable(version(5), entries(1, 1)));
        tables.planeDue();
        assertThat(takeTold())
                .containsExactly(new ReadTable(), new PlaneDueAfter(2 * TableInstaller.AGAIN_NANOS), new ReadTable());
        tables.read(new InstalledTable(TableVersion.NONE, entries(1, 1)));
        assertThat(takeTold()).as("the same entries").containsExactly("idle");
        assertThat(tables.installed().version()).isEqualTo(version(5));

        tables.mayBeLost();
        tables.read(InstalledTable.NONE);
        assertThat(takeTold()).containsExactly(new ReadTable(), "lost, holds 0", "idle");
    }

    @Test
    void shouldReadALossBehindTheTableUnderWay() {
        begin(true);
        tables.take(push(5, 1));
        tables.mayBeLost();
        told.clear();

        tables.installed(version(5));

        assertThat(takeTold()).containsExactly("took " + version(5), new ReadTable());
    }

    @Test
    void shouldWriteTheSameVersionAgainWhenItsEntriesAreOthersNow() {
        begin(false);
        force(5, 1, 1);
        tables.mayBeLost();
        tables.read(new InstalledTable(version(5), entries(1, 7)));
        told.clear();

        tables.take(push(5, 1, 1));

        assertThat(asked().changed()).isEqualTo(bits(1));
        assertThat(tables.underWay()).isEqualTo(version(5));
        tables.installed(version(5));
        assertThat(takeTold()).containsExactly("took " + version(5), "idle");
    }

    @Test
    void shouldTellProgressOnceASecondAndOnlyWhileItGrows() {
        begin(true);
        tables.take(push(5, 1));
        told.clear();

        tables.progressed(version(5), 10, 100);
        tables.progressed(version(5), 20, 100);
        tables.progressed(version(5), 30, 100);
        assertThat(takeTold())
                .containsExactly(version(5) + ": 10 of 100", new ProgressDueAfter(TableInstaller.PROGRESS_NANOS));
        tables.progressDue();
        assertThat(takeTold())
                .containsExactly(version(5) + ": 30 of 100", new ProgressDueAfter(TableInstaller.PROGRESS_NANOS));
        tables.progressDue();
        tables.progressed(version(5), 30, 100);
        tables.progressed(version(5), 29, 100);
        tables.progressed(version(5), 101, 100);
        tables.progressed(version(4), 50, 100);
        assertThat(takeTold()).isEmpty();
    }

    private static Destinations named(String... names) {
        return Destinations.of(
                names.length, index -> new Destination(0x100L + index, names[index], HostAddresses.NONE));
    }

    @Test
    void shouldWriteEntriesAgainThatLeadElsewhere() {
        begin(true);
        force(5, 1, 255, 3);

        tables.renamed(named("a", "b", "c"), bits(0, 1));

        TableChange change = asked();
        assertThat(change.changed()).as("index 1 has no route").isEqualTo(bits(0));
        assertThat(change.table().version()).isEqualTo(version(5));
        assertThat(tables.underWay()).as("the same table").isNull();
        tables.installed(version(5));
        assertThat(takeTold()).as("nobody had pushed it").containsExactly("idle");
    }

    @Test
    void shouldLeaveAnEntryAloneThatNobodyKnowsAnyMore() {
        begin(true);
        force(5, 1, 2);

        tables.renamed(named("a"), bits(1));

        assertThat(takeTold()).isEmpty();
    }

    @Test
    void shouldWriteThemWithTheNextTableWhenThePlaneIsBusy() {
        begin(true);
        force(5, 1, 2, 3);
        tables.take(push(6, 1, 2, 4));
        tables.renamed(named("a", "b", "c"), bits(0, 2));
        tables.take(push(7, 1, 7, 4));
        told.clear();

        tables.installed(version(6));

        assertThat(asked().changed()).as("renamed 0 and 2, another port at 1").isEqualTo(bits(0, 1, 2));
        tables.installed(version(7));
        assertThat(takeTold()).containsExactly("took " + version(7), "idle");
    }

    @Test
    void shouldTellHowItGoesOnWithThemAsATableWaitsBehind() {
        begin(true);
        force(5, 1, 2);
        tables.renamed(named("a", "b"), bits(0, 1));
        tables.take(push(6, 3, 4));
        told.clear();

        tables.progressed(version(5), 1, 2);

        assertThat(takeTold())
                .containsExactly(version(5) + ": 1 of 2", new ProgressDueAfter(TableInstaller.PROGRESS_NANOS));
    }

    @Test
    void shouldWriteThemAgainLaterWhenThePlaneDoesNotTakeThem() {
        begin(true);
        force(5, 1, 2);
        tables.renamed(named("a"), bits(0));
        told.clear();

        tables.failed(version(5), "no");
        assertThat(takeTold()).containsExactly(new PlaneDueAfter(TableInstaller.AGAIN_NANOS), "idle");
        tables.planeDue();

        assertThat(asked().changed()).isEqualTo(bits(0));
    }

    @Test
    void shouldWriteThemAgainAlsoWhenThePlaneIsBusyAtThatTime() {
        begin(false);
        force(5, 1, 2);
        tables.renamed(named("a"), bits(0));
        tables.failed(version(5), "no");
        told.clear();

        tables.planeDue();
        assertThat(takeTold()).as("it reads what is left").isEmpty();
        tables.read(tables.installed());

        assertThat(asked().changed()).isEqualTo(bits(0));
    }

    @Test
    void shouldWriteWhatIsNewAfterAFailureThatLeftNothingToWriteAgain() {
        begin(true);
        force(5, 1, 2);
        tables.renamed(named("a"), bits(0));
        tables.failed(version(5), "no");
        tables.renamed(Destinations.NONE, bits(0));
        told.clear();
        tables.planeDue();
        assertThat(takeTold()).isEmpty();

        tables.renamed(named("b"), bits(0));

        assertThat(asked().changed()).isEqualTo(bits(0));
    }

    @Test
    void shouldWriteThemAgainOnceThePlaneCanBeReadAgain() {
        begin(true);
        force(5, 1, 2);
        tables.renamed(named("a"), bits(0));
        tables.failed(version(5), "no");
        tables.mayBeLost();
        tables.readFailed("silent");
        tables.planeDue();
        told.clear();

        tables.read(tables.installed());

        assertThat(asked().changed()).isEqualTo(bits(0));
    }

    @Test
    void shouldNotForgetThemWhenTheTableTheyWereWrittenWithFails() {
        begin(true);
        force(5, 1, 2);
        tables.take(push(6, 1, 3));
        tables.renamed(named("a"), bits(0));
        tables.installed(version(6));
        told.clear();
        tables.failed(version(6), "not where they lead");
        told.clear();

        tables.take(push(7, 1, 4));

        assertThat(asked().changed()).isEqualTo(bits(0, 1));
    }

    private static Alternatives alternatives(int entries, int... ports) {
        return new Alternatives.Builder(1).run(entries, entries(ports)).build();
    }

    @Test
    void shouldTellAlternativesOfEntriesThatHaveARoute() {
        begin(false);
        tables.renamed(named("a", "b", "c"), bits(0, 1, 2));
        force(5, 1, 255, 3);

        tables.alternatives(alternatives(9, 1, 3));

        TableChange change = asked();
        assertThat(change.changed()).isEqualTo(bits(0, 2));
        assertThat(change.alternatives().at(2)).containsExactly(1, 3);
        assertThat(tables.underWay()).as("the same table").isNull();
        tables.installed(version(5));
        assertThat(takeTold()).as("nobody had pushed it").containsExactly("idle");
        tables.alternatives(alternatives(1, 1, 3));
        assertThat(asked().changed()).as("2 has none any more").isEqualTo(bits(2));
    }

    @Test
    void shouldTellAPlaneOfAnAgentBeforeAlsoWhatHasNoneAnyMore() {
        tables = installer(new PlaneCapabilities(1000, true, false, true, false));
        tables.start();
        tables.read(new InstalledTable(version(5), entries(1, 255, 3)));

        tables.alternatives(alternatives(1, 1, 3));

        assertThat(asked().changed()).isEqualTo(bits(0, 2));
    }

    @Test
    void shouldLetNewRoutesWaitForSomeAlternativesOnly() {
        int count = 3 * TableInstaller.ALTERNATED_MAX;
        int[] ports = new int[count];
        Arrays.fill(ports, 1);
        tables = installer(new PlaneCapabilities(count, true, false, true, false));
        begin();
        force(5, ports);

        tables.alternatives(alternatives(count, 1, 2));
        assertThat(asked().changed()).isEqualTo(range(0, TableInstaller.ALTERNATED_MAX));
        ports[7] = 2;
        ports[count - 1] = 2;
        tables.take(push(6, ports));
        told.clear();
        tables.progressed(version(5), 500, TableInstaller.ALTERNATED_MAX);
        assertThat(takeTold())
                .as("who waits hears how it goes")
                .contains(version(5) + ": 500 of " + TableInstaller.ALTERNATED_MAX);
        tables.installed(version(5));

        assertThat(asked().changed()).isEqualTo(bits(7, count - 1));
        tables.installed(version(6));
        assertThat(told).contains("took " + version(6));
        assertThat(asked().changed())
                .as("the next of those left")
                .isEqualTo(range(TableInstaller.ALTERNATED_MAX, 2 * TableInstaller.ALTERNATED_MAX));
        tables.installed(version(6));
        assertThat(asked().changed())
                .as("the last was told with its route")
                .isEqualTo(range(2 * TableInstaller.ALTERNATED_MAX, count - 1));
        tables.installed(version(6));
        assertThat(takeTold()).containsExactly("idle");
    }

    @Test
    void shouldTellAlternativesAgainThatThePlaneDidNotTake() {
        begin(false);
        tables.renamed(named("a", "b"), bits(0, 1));
        force(5, 1, 2);
        tables.alternatives(alternatives(2, 1, 2));
        told.clear();

        tables.failed(version(5), "no");
        tables.read(tables.installed());
        told.clear();
        tables.planeDue();

        assertThat(asked().changed()).isEqualTo(bits(0, 1));
    }

    /** A table that is not taken leaves the plane with alternatives of other routes. */
    @Test
    void shouldTellWithWhichRoutesTheyGoAgainWhenATableTheyWereToldWithFails() {
        begin(true);
        tables.renamed(named("a", "b"), bits(0, 1));
        force(5, 1, 2);
        tables.alternatives(alternatives(2, 1, 2));
        tables.installed(version(5));
        tables.alternatives(new Alternatives.Builder(2).run(2, entries(1, 2)).build());
        tables.failed(version(5), "no");
        tables.take(push(6, 1, 3));
        tables.failed(version(6), "no");
        told.clear();

        tables.planeDue();

        assertThat(asked().alternatives().routesDigest()).isEqualTo(2);
    }

    /** A switch that took a table in part has an entry that no table changes any more, and what goes with it was not written. */
    @Test
    void shouldTellAlternativesOfARouteThatWasWrittenInPart() {
        begin(false);
        tables.renamed(named("a", "b"), bits(0, 1));
        tables.alternatives(alternatives(2, 1, 2));
        force(5, 1, 255);
        tables.alternatives(alternatives(1, 1, 2));
        tables.take(push(6, 1, 3));
        tables.failed(version(6), "half of it");
        told.clear();

        tables.read(new InstalledTable(TableVersion.NONE, entries(1, 3)));

        TableChange change = asked();
        assertThat(change.changed()).isEqualTo(bits(1));
        assertThat(change.alternatives().at(1)).isEmpty();
    }

    /** A switch that restores what it had before brings a route back that no table changes. */
    @Test
    void shouldTellOfARouteThatCameBackWhatHasChangedMeanwhile() {
        begin(false);
        tables.renamed(named("a", "b"), bits(0, 1));
        tables.alternatives(alternatives(2, 1, 2));
        force(5, 1, 255);
        tables.renamed(named("a", "c"), bits(1));
        tables.alternatives(alternatives(1, 1, 2));
        told.clear();

        tables.mayBeLost();
        tables.read(new InstalledTable(TableVersion.NONE, entries(1, 3)));

        TableChange change = asked();
        assertThat(change.changed()).isEqualTo(bits(1));
        assertThat(change.alternatives().at(1)).isEmpty();
    }

    /** Destination 0 by these ports, destination 1 by those. */
    private static byte[] turns(int first, int second) {
        return new TurnEntries(2)
                .ports(TurnTable.FROM_BELOW, 1)
                .route(0, TurnTable.FROM_BELOW, first)
                .route(1, TurnTable.FROM_BELOW, second)
                .bytes();
    }

    private static TablePush turnsPush(long epoch, byte[] entries) {
        PortTable table = RunEncoder.complete(entries.length, TableDigest.of(entries))
                .run(0, entries.length, 1, 0, entries)
                .table();
        return TableCodec.push(version(epoch), TableKind.TURNS, table);
    }

    private static BitSet entriesOf(int... destinations) {
        BitSet entries = new BitSet();
        for (int destination : destinations) {
            entries.set(320 + 3 * destination, 323 + 3 * destination);
        }
        return entries;
    }

    private void beginWithTurns(boolean destinationsNeeded) {
        tables = installer(new PlaneCapabilities(1000, true, destinationsNeeded, true, true));
        begin();
        tables.take(turnsPush(5, turns(1, 255)));
        tables.installed(version(5));
        told.clear();
    }

    @Test
    void shouldTellOfTurnsTheEntriesThatDiffer() {
        beginWithTurns(false);

        tables.take(turnsPush(6, turns(2, 255)));

        TableChange change = asked();
        assertThat(change.table().kind()).isEqualTo(TableKind.TURNS);
        assertThat(change.changed()).isEqualTo(bits(320));
    }

    /** Destination 1 has no port of its own, and may be reached over its alternatives all the same. */
    @Test
    void shouldTellAlternativesOfTurnsByAllEntriesOfTheirDestinations() {
        beginWithTurns(false);

        tables.alternatives(alternatives(2, 1, 2));

        assertThat(asked().changed()).isEqualTo(entriesOf(0, 1));
        tables.installed(version(5));
        told.clear();
        tables.alternatives(alternatives(1, 1, 2));
        TableChange change = asked();
        assertThat(change.changed()).isEqualTo(entriesOf(1));
        assertThat(change.alternatives().at(1)).isEmpty();
    }

    @Test
    void shouldTellAlternativesOfTurnsWithTheNextTableAndAgainWhenItIsNotTaken() {
        beginWithTurns(false);
        tables.alternatives(Alternatives.NONE);
        tables.installed(version(5));
        tables.take(turnsPush(6, turns(1, 3)));
        told.clear();
        tables.alternatives(alternatives(2, 1, 2));
        tables.take(turnsPush(7, turns(2, 3)));
        tables.installed(version(6));

        assertThat(asked().changed()).as("the entry of 0 differs").isEqualTo(entriesOf(0));
        tables.failed(version(7), "no");
        assertThat(asked().changed()).isEqualTo(entriesOf(0, 1));
    }

    @Test
    void shouldTellOfTurnsWhatItsDestinationsStandFor() {
        beginWithTurns(true);

        tables.renamed(named("a", "b"), bits(0, 1, 320));

        TableChange change = asked();
        assertThat(change.changed()).isEqualTo(entriesOf(0, 1));
        assertThat(change.destinations().at(1)).isNotNull();
    }

    @Test
    void shouldTellAllOfATableOfAnotherKindAndKeepTheKindWithTheEpochs() {
        tables = installer(new PlaneCapabilities(1000, true, false, false, true));
        begin();
        force(5, 1, 2);
        byte[] entries = turns(1, 2);

        tables.take(turnsPush(6, entries));
        assertThat(asked().changed()).isEqualTo(range(0, entries.length));
        tables.installed(version(6));
        tables.take(TableCodec.push(version(7), TableKind.TURNS, PortTable.getDefaultInstance()).toBuilder()
                .clearTables()
                .build());
        told.removeIf(one -> !(one instanceof Install));
        TableChange epochs = asked();
        assertThat(epochs.table().kind()).isEqualTo(TableKind.TURNS);
        assertThat(epochs.changed()).isEqualTo(bits());
        tables.installed(version(7));
        told.clear();

        tables.take(turnsPush(7, entries));
        assertThat(takeTold()).as("came again").containsExactly("took " + version(7));
        tables.take(
                TableCodec.push(version(7), turnsPush(7, entries).getTables(0).getTurns()));
        assertThat(asked().table().kind())
                .as("the same bytes are another table")
                .isEqualTo(TableKind.ROUTES);
    }

    @Test
    void shouldSayThatATableOfAnotherKindIsALoss() {
        beginWithTurns(false);
        tables.mayBeLost();
        told.clear();

        tables.read(new InstalledTable(TableVersion.NONE, turns(1, 255)));

        assertThat(takeTold()).contains("lost, holds 326");
    }

    private static BitSet range(int from, int to) {
        BitSet bits = new BitSet();
        bits.set(from, to);
        return bits;
    }

    @Test
    void shouldRefuseADifferenceAgainstAnotherTable() {
        begin(true);
        force(5, 1, 2);
        PortTable other = push(6, 1, 3).getTables(0).getRoutes().toBuilder()
                .setComplete(false)
                .build();

        tables.take(TableCodec.push(version(6), other));

        assertThat(takeTold()).singleElement().asString().startsWith("refused " + version(6) + " BASE_MISMATCH");
    }
}
