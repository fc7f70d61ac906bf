package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.loop.RowDigests;
import io.dmodc.manager.state.ChangedRows;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.TableDifference;
import io.dmodc.routing.change.TableDifference.EpochTables;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables of older epochs are what they were, for as long as they are kept, whatever happened since. */
class KeptEpochsTest {
    private static final String SHAPE = "3;2,2,3;1,2,2;1,2,1";

    private SimulatedFabric fabric = new SimulatedFabric(SHAPE).start();

    /** What was served, by epoch. */
    private final Map<Long, EpochTables> served = new TreeMap<>();

    private EpochHistory kept() {
        return fabric.state.snapshot().kept();
    }

    private void settled() {
        fabric.calm();
        served.put(
                fabric.state.epoch(),
                new EpochTables(
                        Objects.requireNonNull(fabric.state.view()), Objects.requireNonNull(fabric.state.tables())));
    }

    private Cable cable(int i) {
        List<Cable> cables = Degradation.cables(fabric.whole());
        return cables.get(i % cables.size());
    }

    private void flap(int times) {
        Cable cable = cable(0);
        for (int i = 0; i < times; i++) {
            fabric.setCable(cable, i % 2 == 1, true);
            settled();
        }
    }

    /** Nobody has come in yet. */
    private void restart() {
        fabric = fabric.restarted();
        fabric.work();
    }

    private void joinAll() {
        FabricView whole = fabric.whole();
        for (int s = 0; s < whole.switchCount(); s++) {
            fabric.join(whole.switchGuid(s));
        }
        settled();
    }

    private List<Long> epochs() {
        return kept().epochs().stream().map(KeptEpoch::epoch).toList();
    }

    private List<LoggedEvent> dropped() {
        return fabric.log.stream()
                .filter(Effect.Tell.class::isInstance)
                .map(effect -> ((Effect.Tell) effect).note())
                .filter(note -> note.kind() == Kind.EPOCHS_DROPPED)
                .toList();
    }

    /** Same switches, links, hosts, entries. */
    private static void assertSame(EpochTables kept, EpochTables then) {
        TableDifference none = TableDifference.of(kept, then);
        int hosts = TableDifference.of(then, then).hosts();
        assertThat(none).isEqualTo(new TableDifference(List.of(), 0, List.of(), List.of(), hosts, 0));
        assertThat(kept.view().switchCount()).isEqualTo(then.view().switchCount());
        assertThat(kept.view().linkCount()).isEqualTo(then.view().linkCount());
        assertThat(kept.tables().entryCount()).isEqualTo(then.tables().entryCount());
        for (int node = 0; node < then.view().nodeCount(); node++) {
            boolean known = node < kept.view().nodeCount();
            assertThat(known ? kept.view().nodeGuid(node) : 0)
                    .isEqualTo(then.view().nodeGuid(node));
        }
    }

    private void assertAsServed() {
        assertThat(epochs()).isNotEmpty();
        for (long epoch : epochs()) {
            EpochTables then = served.get(epoch);
            if (then != null) {
                assertSame(Objects.requireNonNull(kept().at(epoch, RowDigests.RULE)), then);
            }
        }
    }

    @Test
    void shouldKeepTheTablesOfEpochsBefore() {
        settled();
        flap(5);

        assertThat(epochs())
                .hasSize(6)
                .containsExactlyElementsOf(new ArrayList<>(served.keySet())
                        .stream().sorted((a, b) -> Long.compare(b, a)).toList());
        assertThat(kept().has(epochs().get(5))).isTrue();
        assertThat(kept().epochs().get(0).cause()).isNotEmpty();
        assertThat(kept().epochs().get(0).base()).isZero();
        assertAsServed();
        assertThat(kept().at(9999, RowDigests.RULE)).isNull();
    }

    @Test
    void shouldKeepNoMoreThanTheLast() {
        flap(KeptEpochs.EPOCHS_MAX + 7);

        assertThat(epochs()).hasSize(KeptEpochs.EPOCHS_MAX).contains(fabric.state.epoch());
        assertThat(fabric.disk.all(KeptEpoch.class))
                .extracting(KeptEpoch::epoch)
                .containsExactlyInAnyOrderElementsOf(epochs());
        assertAsServed();
    }

    /** Cables, dead and forgotten switches, hosts that move and come, and starts in between. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldKnowThemWhateverHappens(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 40; i++) {
            happens(random);
            settled();
            if (random.nextInt(6) == 0) {
                List<Long> before = epochs();
                restart();
                assertThat(epochs()).as("seed %d", seed).isEqualTo(before);
                joinAll();
            }
        }
        assertAsServed();
        assertThat(epochs().size()).as("seed %d", seed).isGreaterThan(4);
    }

    private void happens(SplittableRandom random) {
        FabricView whole = fabric.whole();
        long guid = whole.switchGuid(random.nextInt(whole.switchCount()));
        switch (random.nextInt(5)) {
            case 0 -> fabric.setCable(cable(random.nextInt(1000)), false, true);
            case 1 -> {
                fabric.leave(guid);
                fabric.setLinks(guid, false, true);
            }
            case 2 -> {
                fabric.setLinks(guid, true, true);
                if (fabric.session(guid) == 0) {
                    fabric.join(guid);
                }
            }
            case 3 -> plug(random);
            default -> {
                if (fabric.session(guid) == 0) {
                    fabric.send(new ActAsked(fabric.now, Act.forget(List.of(new SwitchGuid(guid))), 0, "ada", ""));
                } else {
                    fabric.setLinks(guid, true, true);
                }
            }
        }
    }

    /** A host nobody knew takes the place of another one. */
    private void plug(SplittableRandom random) {
        FabricView whole = fabric.whole();
        int node = random.nextInt(whole.nodeCount());
        long leaf = whole.nodeSwitch(node) < 0 ? 0 : whole.switchGuid(whole.nodeSwitch(node));
        if (leaf != 0 && fabric.session(leaf) != 0) {
            long guid = 0xabc000L + random.nextInt(1000);
            fabric.metal.apply(
                    new PortSeen(leaf, whole.nodePort(node), true, new ToHost(new Host(guid, guid, 1, "new " + guid))));
            fabric.setPort(leaf, whole.nodePort(node), true, true);
        }
    }

    @Test
    void shouldKeepThemOverARestart() {
        flap(6);
        List<KeptEpoch> before = kept().epochs();

        restart();

        assertThat(kept().epochs()).isEqualTo(before);
        assertThat(dropped()).isEmpty();
        assertAsServed();
        joinAll();
        flap(2);
        assertThat(epochs()).containsAll(before.stream().map(KeptEpoch::epoch).toList());
        assertAsServed();
    }

    @Test
    void shouldDropWhatDoesNotLeadOnFromTheNext() {
        flap(6);
        KeptEpoch middle = kept().epochs().get(3);
        fabric.disk.apply(with(middle, middle.digest(), middle.base() + 1, middle.rows()));
        List<Long> newest = epochs().subList(0, 3);

        restart();

        assertThat(epochs()).isEqualTo(newest);
        assertThat(dropped())
                .singleElement()
                .satisfies(note -> assertThat(note.text())
                        .contains(
                                "are not kept any more: the record of epoch " + middle.epoch() + " does not lead on"));
        joinAll();
        assertThat(fabric.disk.all(KeptEpoch.class))
                .extracting(KeptEpoch::epoch)
                .containsExactlyInAnyOrderElementsOf(epochs());
    }

    /** The store checks what it reads; this one comes from somebody's hands. */
    @Test
    void shouldNotGiveTablesThatHaveAnotherDigest() {
        flap(4);
        KeptEpoch third = kept().epochs().get(2);
        ChangedRows rows = third.rows().get(0);
        byte[] entries = rows.entries().clone();
        entries[0]++;
        List<ChangedRows> other = new ArrayList<>(third.rows());
        other.set(0, new ChangedRows(rows.switches(), rows.blocks(), entries));
        fabric.disk.apply(with(third, third.digest(), third.base(), other));

        restart();

        EpochHistory damaged = kept();
        assertThat(damaged.at(epochs().get(1), RowDigests.RULE)).isNotNull();
        assertThatThrownBy(() -> damaged.at(third.epoch(), RowDigests.RULE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "the record of epoch " + third.epoch() + " does not fit: its tables have digest");
        assertThatThrownBy(() -> damaged.at(epochs().get(3), RowDigests.RULE)).hasMessageContaining("does not fit");
    }

    private static KeptEpoch with(KeptEpoch kept, long digest, long base, List<ChangedRows> rows) {
        return new KeptEpoch(
                kept.epoch(),
                kept.cause(),
                kept.engine(),
                kept.acceptedMillis(),
                kept.entryCount(),
                digest,
                base,
                rows,
                kept.switches(),
                kept.absent(),
                kept.nodes());
    }

    /** The manager ended between two batches: the last epoch has no record yet. */
    @Test
    void shouldDropAllWhenTheLastEpochIsNotOnRecord() {
        flap(3);
        fabric.disk.apply(new FabricEpoch(fabric.state.epoch() + 1));

        restart();

        assertThat(epochs()).isEmpty();
        assertThat(dropped()).hasSize(1);
        joinAll();
        flap(2);
        assertAsServed();
    }

    /** A switch that is not there any more has no row; one that is new has one without routes. */
    @Test
    void shouldGiveTheTablesForTheSwitchesOfAnotherView() {
        settled();
        long first = fabric.state.epoch();
        EpochTables then = served.get(first);
        flap(1);
        fabric.metal.apply(new SwitchSeen(0x7777, "other", 4));
        FabricView more = fabric.whole();

        LftSet tables = Objects.requireNonNull(kept().tables(first, more, RowDigests.RULE))
                .lfts();

        assertThat(tables.epoch()).isEqualTo(more.epoch());
        for (int s = 0; s < more.switchCount(); s++) {
            LftRow row = Objects.requireNonNull(then).row(more.switchGuid(s));
            assertThat(tables.row(s).sameEntries(row == null ? LftRow.noRoutes(tables.entryCount()) : row))
                    .isTrue();
        }
        FabricView fewer = new SimulatedFabric("2;2,2;1,2;1,1").whole();
        assertThat(kept().tables(first, fewer, RowDigests.RULE)).isNull();
        assertThat(kept().tables(999, more, RowDigests.RULE)).isNull();
    }

    @Test
    void shouldDropTheOldestBeyondTheBytes() {
        flap(9);
        long each = EpochDifference.bytes(kept().epochs().get(1));
        List<Effect> effects = new ArrayList<>();

        KeptEpochs few = acceptAll(4 * each, effects);
        assertThat(few.history().epochs()).hasSizeBetween(4, 5);
        assertThat(few.history().epochs().stream()
                        .mapToLong(EpochDifference::bytes)
                        .sum())
                .isLessThanOrEqualTo(4 * each);
        assertThat(effects).as("told of none").isEmpty();

        KeptEpochs none = acceptAll(each / 2, effects);
        assertThat(none.history().epochs()).hasSize(1);
        assertThat(effects)
                .hasSize(8)
                .allSatisfy(effect ->
                        assertThat(((Effect.Tell) effect).note().text()).endsWith(" differ in too much"));
    }

    /** Another manager accepts the same. */
    private KeptEpochs acceptAll(long bytesMax, List<Effect> effects) {
        StoredState first = StoredState.of(List.of(new LeaderEpoch(1)));
        FabricState state = new FabricState(SimulatedFabric.RULES, 0, 0, first, Set.of());
        KeptEpochs kept = new KeptEpochs(state, first, bytesMax);
        served.forEach((epoch, then) -> {
            long[] digests = new long[then.view().switchCount()];
            Arrays.setAll(digests, s -> RowDigests.RULE.of(then.tables().row(s)));
            kept.accepted(new EpochRecord(epoch, "test", 0, 0), "", then.view(), then.tables(), digests, 0, effects);
        });
        kept.timePassed(false, effects);
        kept.timePassed(false, effects);
        return kept;
    }
}
