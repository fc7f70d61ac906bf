package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.EpochHistory;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.loop.RowDigests;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.StateStore;
import io.dmodc.routing.change.TableDifference;
import io.dmodc.routing.change.TableDifference.EpochTables;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of older epochs over restarts of a manager with its files, sockets and agents. */
class KeptEpochsSiteTest {
    private static final String PGFT = "3;2,2,3;1,2,2;1,2,1";

    @TempDir
    Path directory;

    private RunningManager open(Map<String, String> overrides) throws Exception {
        return RunningManager.open(directory, Site.guidsOf(PGFT), overrides);
    }

    private static EpochTables served(RunningManager manager) {
        return manager.ask(
                state -> new EpochTables(Objects.requireNonNull(state.view()), Objects.requireNonNull(state.tables())));
    }

    private static long epoch(FabricSnapshot state) {
        return Objects.requireNonNull(state.tables()).epoch();
    }

    private static void assertKept(EpochHistory kept, EpochTables then) {
        EpochTables again = Objects.requireNonNull(kept.at(then.tables().epoch(), RowDigests.RULE));
        TableDifference none = TableDifference.of(again, then);
        assertThat(none.switches()).isEmpty();
        assertThat(none.pairsMoved()).isZero();
        assertThat(none.hosts()).isEqualTo(12);
    }

    @Test
    void shouldKnowTheTablesOfAnEarlierRun() throws Exception {
        RunningManager first = open(Map.of());
        try (Site site = Site.of(PGFT, first.southbound()).startAgents()) {
            first.awaitAllServed(site);
            EpochTables whole = served(first);
            site.cut(site.cableAt(site.leaf(0), 3));
            first.awaitCalm(
                    "the cut is served", state -> epoch(state) > whole.tables().epoch());
            EpochTables cut = served(first);
            first.close();

            String address = "127.0.0.1:" + first.southbound().getPort();
            try (RunningManager second = open(Map.of("southbound.listen", address))) {
                second.awaitAllServed(site);
                EpochHistory kept = second.ask(FabricSnapshot::kept);

                assertKept(kept, whole);
                assertKept(kept, cut);
                assertThat(TableDifference.of(
                                        Objects.requireNonNull(
                                                kept.at(whole.tables().epoch(), RowDigests.RULE)),
                                        Objects.requireNonNull(
                                                kept.at(cut.tables().epoch(), RowDigests.RULE)))
                                .pairsMoved())
                        .isPositive();
                assertThat(second.notes(Kind.EPOCHS_DROPPED)).isEmpty();
            }
        } finally {
            first.close();
        }
    }

    /** A record that says it is based on other tables, as after files were mixed. */
    @Test
    void shouldDropWhatDoesNotFitAndSayItOnce() throws Exception {
        RunningManager first = open(Map.of());
        try (Site site = Site.of(PGFT, first.southbound()).startAgents()) {
            first.awaitAllServed(site);
            long whole = served(first).tables().epoch();
            site.cut(site.cableAt(site.leaf(0), 3));
            first.awaitCalm("the cut is served", state -> epoch(state) > whole);
            first.close();
            Path state = RunningManager.state(directory);
            StoredState stored = Objects.requireNonNull(StateStore.read(state));
            KeptEpoch old = (KeptEpoch) Objects.requireNonNull(stored.find(KeptEpoch.key(whole)));
            List<StateRecord> other = List.of(new KeptEpoch(
                    whole,
                    old.cause(),
                    old.engine(),
                    old.acceptedMillis(),
                    old.entryCount(),
                    old.digest(),
                    old.base() + 1,
                    old.rows(),
                    old.switches(),
                    old.absent(),
                    old.nodes()));
            try (StateStore store = StateStore.open(state)) {
                store.append(other);
            }

            String address = "127.0.0.1:" + first.southbound().getPort();
            try (RunningManager second = open(Map.of("southbound.listen", address))) {
                second.awaitAllServed(site);

                assertThat(second.<Boolean>ask(it -> it.kept().has(whole))).isFalse();
                assertThat(second.notes(Kind.EPOCHS_DROPPED))
                        .singleElement()
                        .satisfies(note -> assertThat(note.text()).contains("does not lead on"));
            }
            assertThat(Objects.requireNonNull(StateStore.read(state)).find(KeptEpoch.key(whole)))
                    .isNull();
        } finally {
            first.close();
        }
    }
}
