package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.RebalanceRule.Policy;
import io.dmodc.manager.loop.ActPlanning;
import io.dmodc.manager.loop.ActPlanning.Planned;
import io.dmodc.manager.loop.ActPlanning.Wanted;
import io.dmodc.manager.loop.DeclinedException;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.northbound.answer.ExplainAnswer;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.prediction.CongestionChange;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.routing.rebalance.RowMoves;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Entries are moved when somebody asks for it, stay moved while that is legal, and go back. */
class RebalanceActTest {
    private static final long MILLI = SimulatedFabric.MILLI;
    private static final Parallel HERE = Parallel.sequential();

    private final ActPlanning planning = new ActPlanning(new EngineChoice("dmodc", null, null, "roots"), true, 1);
    private SimulatedFabric fabric = new SimulatedFabric("3;4,4,8;1,4,4;1,1,1");

    /** Three switches above the leaves are lost, so that Dmodc's divisions meet. */
    @BeforeEach
    void start() {
        fabric.comparesSnapshots = false;
        fabric.start();
        fabric.setLinks(fabric.guid("l2s1"), false, true);
        fabric.setLinks(fabric.guid("l2s6"), false, true);
        fabric.setLinks(fabric.guid("l3s3"), false, true);
        rest();
    }

    @AfterEach
    void close() {
        planning.close();
    }

    private void rest() {
        fabric.calm();
        fabric.pass(120_000 * MILLI);
        fabric.calm();
    }

    private Planned plan(int blocks) {
        return planning.plan(fabric.state.snapshot(), Wanted.rebalance(blocks, true));
    }

    private void apply(Planned planned) {
        ask(Objects.requireNonNull(planned.act()), planned.epoch());
        rest();
    }

    private void ask(Act act, long epoch) {
        fabric.send(new ActAsked(fabric.now, act, epoch, "ada", "jobs wait"));
    }

    private EntryMoves moved() {
        return fabric.state.snapshot().intent().moves();
    }

    private String lastNote(Kind kind) {
        List<LoggedEvent> notes = fabric.notes(kind);
        return notes.isEmpty() ? "" : notes.get(notes.size() - 1).text();
    }

    /** Dmodc's tables of the view in force with these entries moved, against what the switches hold. */
    private void assertHeld(EntryMoves moves) {
        FabricView view = Objects.requireNonNull(fabric.state.snapshot().view());
        LftSet tables =
                Objects.requireNonNull(Dmodc.standard().route(view, HERE).tables());
        Map<Long, byte[]> held = fabric.tablesHeld();
        for (int s = 0; s < view.switchCount(); s++) {
            LftRow row = tables.row(s);
            byte[] expected = row.toBytes();
            RowMoves of = moves.rows().get(view.switchGuid(s));
            for (int i = 0; of != null && i < of.size(); i++) {
                expected[of.column(i)] = (byte) of.port(i);
            }
            if (view.alive(s) && isReached(view, s)) {
                assertThat(held.get(view.switchGuid(s))).as(view.switchName(s)).isEqualTo(expected);
            }
        }
    }

    private static boolean isReached(FabricView view, int s) {
        return view.groupEnd(s) > view.groupStart(s);
    }

    @Test
    void shouldMoveEntriesAndShowWhatThatGives() {
        Planned planned = plan(-1);

        CongestionChange change = Objects.requireNonNull(
                Objects.requireNonNull(planned.prediction()).congestion());
        assertThat(change.after().shifts().mean())
                .isLessThan(change.before().shifts().mean());
        assertThat(planned.prediction().blocks()).isPositive();
        EntryMoves moves = Objects.requireNonNull(planned.act()).moves();
        assertThat(moves.blockCount()).isEqualTo((int) planned.prediction().blocks());

        apply(planned);

        assertThat(moved()).isEqualTo(moves);
        assertHeld(moves);
        assertThat(lastNote(Kind.REBALANCED))
                .isEqualTo("rebalance: " + moves.size() + " entries of " + moves.switchCount()
                        + " switches moved (ada: jobs wait)");
        assertThat(fabric.notes(Kind.MOVES_DROPPED)).isEmpty();
        assertThat(fabric.state.calm()).isTrue();
    }

    @Test
    void shouldExplainAMovedEntry() {
        apply(plan(-1));
        FabricSnapshot now = fabric.state.snapshot();
        FabricView view = Objects.requireNonNull(now.view());
        Map.Entry<Long, RowMoves> row = Objects.requireNonNull(moved().rows().firstEntry());
        int node = row.getValue().column(0);

        ExplainAnswer answer = ExplainAnswer.of(
                "dmodc",
                now,
                view,
                (LftSet) Objects.requireNonNull(now.tables()),
                Objects.requireNonNull(now.findSwitch(row.getKey())),
                view.switchOf(row.getKey()),
                node);

        assertThat(answer.difference())
                .startsWith("but by the tables of epoch " + now.epoch() + " it sends out of port "
                        + row.getValue().port(0)
                        + ": it is moved to where shifts press less, as ada wanted since ")
                .endsWith(": jobs wait");
    }

    @Test
    void shouldGiveDmodcsTablesBackWhenItIsUndone() {
        Map<Long, byte[]> before = fabric.tablesHeld();
        apply(plan(-1));
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isNotEqualTo(before);

        apply(plan(0));

        assertThat(moved()).isEqualTo(EntryMoves.NONE);
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(before);
        assertThat(lastNote(Kind.REBALANCED)).isEqualTo("moved entries taken back (ada: jobs wait)");
        fabric = fabric.restarted().start();
        assertThat(moved()).isEqualTo(EntryMoves.NONE);
        assertThat(fabric.disk.all(Intent.class)).isEmpty();
    }

    @Test
    void shouldDropAMoveInTheEpochInWhichItsPortDies() {
        apply(plan(-1));
        EntryMoves before = moved();
        Cable cable = cableOfSomeMove(before);
        long epoch = fabric.state.epoch();
        int rows = fabric.notes(Kind.EPOCH_COMPUTED).size();

        fabric.setCable(cable, false, true);
        fabric.calm();

        assertThat(fabric.state.epoch()).isEqualTo(epoch + 1);
        assertThat(fabric.notes(Kind.EPOCH_COMPUTED)).hasSize(rows + 1);
        EntryMoves after = moved();
        assertThat(after.size()).isPositive().isLessThan(before.size());
        assertThat(usesPort(after, cable)).isFalse();
        assertThat(lastNote(Kind.MOVES_DROPPED))
                .isEqualTo((before.size() - after.size()) + " of " + before.size()
                        + " moved entries dropped: their ports are down, or lead closer no more");
        assertHeld(after);

        fabric.setCable(cable, true, true);
        rest();

        assertThat(moved()).isEqualTo(after);
        assertHeld(after);
    }

    private Cable cableOfSomeMove(EntryMoves moves) {
        for (Map.Entry<Long, RowMoves> row : moves.rows().entrySet()) {
            int port = row.getValue().port(0);
            if (fabric.metal.neighbour(row.getKey(), port) instanceof ToSwitch to) {
                return new Cable(row.getKey(), port, to.guid(), to.port());
            }
        }
        throw new AssertionError("no entry is moved to a switch");
    }

    private static boolean usesPort(EntryMoves moves, Cable cable) {
        RowMoves row = moves.rows().get(cable.guid());
        return row != null && IntStream.range(0, row.size()).anyMatch(i -> row.port(i) == cable.port());
    }

    @Test
    void shouldKeepMovesOverARestartAndWriteNothing() {
        apply(plan(-1));
        EntryMoves moves = moved();
        Map<Long, byte[]> held = fabric.tablesHeld();

        fabric = fabric.restarted();
        fabric.comparesSnapshots = false;
        fabric.start();
        rest();

        assertThat(moved()).isEqualTo(moves);
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(held);
        assertThat(fabric.log.stream()
                        .filter(effect -> effect instanceof Effect.Push push
                                && push.update().blocks().length > 0))
                .isEmpty();
        assertThat(Objects.requireNonNull(fabric.state.snapshot().intent().rebalance()))
                .satisfies(
                        intent -> assertThat(intent.by() + ": " + intent.why()).isEqualTo("ada: jobs wait"));
    }

    /** It ends after the act is kept and before its tables are accepted: the former tables are known again, and the act is not lost. */
    @Test
    void shouldDoWhatWasAskedForJustBeforeTheEnd() {
        apply(plan(-1));
        EntryMoves first = moved();
        Planned planned = plan(3);
        EntryMoves second = Objects.requireNonNull(planned.act()).moves();
        assertThat(second).isNotEqualTo(first);
        fabric.holdComputations = true;
        ask(planned.act(), planned.epoch());
        fabric.work();
        assertThat(fabric.state.computing()).isTrue();

        SimulatedFabric next = fabric.restarted();
        next.comparesSnapshots = false;
        assertThat(next.state.moves.accepted()).isEqualTo(first);
        assertThat(next.state.moves.wanted()).isEqualTo(second);
        next.work();
        next.tablesHeld()
                .forEach((guid, row) -> assertThat(Objects.requireNonNull(next.state.restored.wanted(guid))
                                .row()
                                .toBytes())
                        .isEqualTo(row));
        fabric = next;
        fabric.start();
        rest();

        assertThat(moved()).isEqualTo(second);
        assertThat(fabric.state.moves.accepted()).isEqualTo(second);
        assertHeld(second);
    }

    @Test
    void shouldAnswerAFaultThatComesBetweenTheActAndItsTables() {
        Planned planned = plan(-1);
        EntryMoves moves = Objects.requireNonNull(planned.act()).moves();
        Cable cable = cableOfSomeMove(moves);
        fabric.holdComputations = true;
        ask(planned.act(), planned.epoch());
        fabric.work();

        fabric.setCable(cable, false, true);
        fabric.work();
        fabric.finishComputation(false);
        rest();

        assertThat(moved().size()).isPositive().isLessThan(moves.size());
        assertThat(usesPort(moved(), cable)).isFalse();
        assertHeld(moved());
    }

    @Test
    void shouldDropAllThatIsNoChoiceOfAnotherEngine() {
        apply(plan(-1));
        int moves = moved().size();
        fabric.engines.put(Effect.Method.INCREMENTAL, new MinHop());

        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        rest();

        FabricView view = Objects.requireNonNull(fabric.state.snapshot().view());
        LftSet tables = Objects.requireNonNull(new MinHop().route(view, HERE).tables());
        assertThat(moved().size()).isLessThan(moves);
        assertThat(lastNote(Kind.MOVES_DROPPED)).contains(" of " + moves + " moved entries dropped: ");
        fabric.tablesHeld()
                .forEach((guid, row) -> assertThat(row)
                        .isEqualTo(tables.row(view.switchOf(guid)).toBytes()));
    }

    @Test
    void shouldTakeMovesBackWithARollback() {
        Map<Long, byte[]> before = fabric.tablesHeld();
        long epoch = fabric.state.epoch();
        apply(plan(-1));

        Act rollback = ActPlanning.rollback(fabric.state.snapshot(), epoch);
        apply(planning.plan(fabric.state.snapshot(), new Wanted(rollback, rollback.objects(), false)));

        assertThat(moved()).isEqualTo(EntryMoves.NONE);
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(before);
    }

    /** A plan of another act is of the tables that it would leave, with what is moved. */
    @Test
    void shouldPlanOtherActsWithWhatIsMoved() {
        apply(plan(-1));
        long other = fabric.guid("l3s2");
        Act drain = new Act(Verb.DRAIN, List.of(new PortPlace(other, 0)), "");
        Planned planned = planning.plan(fabric.state.snapshot(), new Wanted(drain, drain.objects(), false));
        Map<Long, byte[]> before = new TreeMap<>(fabric.tablesHeld());

        apply(planned);

        long changed = fabric.tablesHeld().entrySet().stream()
                .filter(row -> !Arrays.equals(row.getValue(), before.get(row.getKey())))
                .count();
        assertThat((long) Objects.requireNonNull(planned.prediction()).switches())
                .isEqualTo(changed);
        assertThat(changed).isPositive();
    }

    private @Nullable String declined(Act act) {
        int before = fabric.log.size();
        ask(act, 0);
        fabric.work();
        return fabric.log.subList(before, fabric.log.size()).stream()
                .filter(Effect.Declined.class::isInstance)
                .map(effect -> ((Effect.Declined) effect).reason())
                .findFirst()
                .orElse(null);
    }

    @Test
    void shouldMoveNothingMoreWhileItIsOffAndTakeBackWhatIsMoved() {
        Planned planned = plan(-1);
        Act act = Objects.requireNonNull(planned.act());
        apply(planned);
        EntryMoves moves = moved();
        fabric.setRebalance(new RebalanceRule(Policy.OFF, 0));
        rest();

        assertThat(moved()).isEqualTo(moves);
        assertThatThrownBy(() -> plan(5)).isInstanceOf(DeclinedException.class).hasMessage("routing.rebalance is off");
        apply(plan(0));
        assertThat(moved()).isEqualTo(EntryMoves.NONE);
        assertThat(declined(act)).isEqualTo("routing.rebalance is off");
        assertThat(declined(Act.rebalance(EntryMoves.NONE))).isEqualTo("no entries are moved");
    }

    @Test
    void shouldKeepToTheBoundOfTheSettings() {
        Act act = Objects.requireNonNull(plan(8).act());
        int blocks = act.moves().blockCount();
        assertThat(blocks).isBetween(3, 8);
        fabric.setRebalance(new RebalanceRule(Policy.ON_DEMAND, 2));

        assertThatThrownBy(() -> plan(3)).hasMessage("blocks: 3; routing.rebalance-blocks allows 2");
        assertThat(Objects.requireNonNull(plan(-1).act()).moves().blockCount()).isBetween(1, 2);
        assertThat(declined(act))
                .isEqualTo("entries of " + blocks + " blocks are moved; routing.rebalance-blocks allows 2");
    }

    @Test
    void shouldSayThatNothingIsGained() {
        fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();

        assertThatThrownBy(() -> plan(-1))
                .isInstanceOf(DeclinedException.class)
                .hasMessageStartingWith("nothing is gained: the mean of shifts is ");
    }

    @Test
    void shouldNameARecordThatCannotBeRead() {
        apply(plan(-1));
        fabric.disk.apply(new Intent("rebalance", 7, 0, "12", "ada", 1, ""));

        assertThatThrownBy(() -> fabric.restarted())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("record INTENT 0x0000000000000007 0 rebalance: moved entry '12'; expected COLUMN=PORT");
    }

    @Test
    void shouldDeclineAPlanOfAnotherEpoch() {
        Planned planned = plan(-1);
        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        rest();

        apply(planned);

        assertThat(moved()).isEqualTo(EntryMoves.NONE);
    }
}
