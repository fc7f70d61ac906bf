package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * In the place of one entry a switch has somebody else's route, as of an operator: it says so, takes all others, and is not sent away.
 *
 * <pre>
 *   l2s0    l2s1       each leaf is joined to both spines
 *   leaf0 .. leaf3     four hosts each
 * </pre>
 */
class RefusedEntriesTest {
    private static final long SECOND = 1000 * SimulatedFabric.MILLI;
    private static final String SHAPE = "2;4,4;1,2;1,1";

    private final SimulatedFabric fabric = new SimulatedFabric(SHAPE);
    private final long spine = fabric.guid("l2s0");
    private final long leaf = fabric.guid("leaf1");

    /** Below leaf 1, and led to by way of the spine from all others. */
    private final int node = throughSpine();

    private int throughSpine() {
        SimulatedFabric whole = new SimulatedFabric(SHAPE).start();
        FabricView view = Objects.requireNonNull(whole.state.view());
        int s = view.switchOf(whole.guid("leaf0"));
        byte[] row = Objects.requireNonNull(whole.held.get(whole.guid("leaf0")));
        return IntStream.range(0, view.nodeCount())
                .filter(d -> view.nodeSwitch(d) == view.switchOf(leaf)
                        && view.peerSwitch(s, Byte.toUnsignedInt(row[d])) == view.switchOf(spine))
                .findFirst()
                .orElseThrow();
    }

    private SimulatedFabric start(long at) {
        fabric.foreign.put(at, Set.of(node));
        FabricView view = fabric.whole();
        for (int s = 0; s < view.switchCount(); s++) {
            fabric.join(view.switchGuid(s));
        }
        fabric.pass(5 * SECOND);
        return fabric;
    }

    private SwitchRecord record(long guid) {
        return Objects.requireNonNull(fabric.state.findSwitch(guid));
    }

    private List<Effect.TableUpdate> pushes(long guid) {
        return fabric.log.stream()
                .filter(Effect.Push.class::isInstance)
                .map(effect -> ((Effect.Push) effect).update())
                .filter(update -> update.guid() == guid)
                .toList();
    }

    private List<String> alarms() {
        return fabric.state.alarms().stream()
                .filter(alarm -> alarm.kind() == Alarm.Kind.ENTRIES_REFUSED)
                .map(Alarm::text)
                .toList();
    }

    private String hostName() {
        return Objects.requireNonNull(
                        Objects.requireNonNull(fabric.state.view()).host(node))
                .name();
    }

    /** Leaves whose packets do not come to a node, by the tables that switches hold. */
    private List<String> lost(int d) {
        FabricView view = Objects.requireNonNull(fabric.state.view());
        List<String> lost = new ArrayList<>();
        for (int from = 0; from < view.switchCount(); from++) {
            int at = from;
            for (int hop = 0; hop < 4 && at >= 0; hop++) {
                byte[] row = Objects.requireNonNull(fabric.held.get(view.switchGuid(at)));
                int port = Byte.toUnsignedInt(row[d]);
                if (at == view.nodeSwitch(d) && port == view.nodePort(d)) {
                    break;
                }
                at = port == LftSet.NO_ROUTE ? -1 : view.peerSwitch(at, port);
            }
            if (view.isLeaf(from) && at != view.nodeSwitch(d)) {
                lost.add(view.switchName(from));
            }
        }
        return lost;
    }

    private static Map<Long, String> texts(Map<Long, byte[]> tables) {
        return tables.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> Arrays.toString(entry.getValue())));
    }

    @Test
    void shouldKeepASwitchThatRefusesOneEntry() {
        start(spine);
        long epoch = fabric.state.epoch;
        int sent = pushes(spine).size();
        fabric.log.clear();

        fabric.pass(300 * SECOND);

        assertThat(fabric.count(Effect.Dismiss.class)).isZero();
        assertThat(record(spine).flagged()).isFalse();
        assertThat(record(spine).upToDate()).isTrue();
        assertThat(alarms())
                .containsExactly("l2s0: does not take its entry for " + hostName() + ": " + SimulatedFabric.FOREIGN);
        assertThat(fabric.log).as("told once").noneMatch(Effect.Tell.class::isInstance);
        assertThat(fabric.state.epoch).as("nothing to compute").isEqualTo(epoch);
        assertThat(sent).as("first one of another epoch, or one alone").isLessThanOrEqualTo(4);
        assertThat(pushes(spine))
                .as("after 4, 8, 16 and then every 32 s")
                .hasSizeBetween(9, 12)
                .allMatch(update -> update.blocks().length == 1 && !update.complete());
        assertThat(fabric.state.outstanding()).isZero();
    }

    @Test
    void shouldLeadAroundASwitchToWhatItRefuses() {
        start(spine);

        FabricView view = Objects.requireNonNull(fabric.state.view());
        for (int d = 0; d < view.nodeCount(); d++) {
            assertThat(lost(d)).as("to node %d", d).isEmpty();
        }
        assertThat(Objects.requireNonNull(fabric.held.get(spine))[node]).isEqualTo((byte) LftSet.NO_ROUTE);
    }

    /** However often it has called for a plan by then. */
    @Test
    void shouldLeadAroundEachEntryMoreAtOnce() {
        start(spine);
        FabricView view = fabric.whole();
        Cable cable = fabric.cable(fabric.guid("leaf3"), spine);
        List<Integer> others = IntStream.range(0, view.nodeCount())
                .filter(d -> d != node && view.nodeSwitch(d) != view.switchOf(fabric.guid("leaf3")))
                .boxed()
                .limit(8)
                .toList();
        Set<Integer> refused = new TreeSet<>(Set.of(node));
        for (int i = 0; i < others.size(); i++) {
            refused.add(others.get(i));
            fabric.foreign.put(spine, Set.copyOf(refused));
            fabric.setCable(cable, i % 2 == 1, true);
            for (int moment = 0; moment < 30; moment++) {
                fabric.pass(100 * SimulatedFabric.MILLI);
                for (int d = 0; d < view.nodeCount(); d++) {
                    assertThat(lost(d))
                            .as("%d refused, to node %d", refused.size(), d)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void shouldGoOnChangingItsOtherEntries() {
        start(spine);
        Cable other = fabric.cable(fabric.guid("leaf2"), fabric.guid("l2s0"));

        fabric.setCable(other, false, true);
        fabric.pass(SECOND);

        FabricView view = Objects.requireNonNull(fabric.state.view());
        for (int d = 0; d < view.nodeCount(); d++) {
            assertThat(lost(d)).as("leaf 2 has only spine 1, to node %d", d).isEmpty();
        }
        assertThat(record(spine).upToDate()).isTrue();
        assertThat(record(spine).ackedEpoch()).isEqualTo(fabric.state.epoch);
        assertThat(alarms()).hasSize(1);
    }

    /** Nobody else can lead to the hosts of a leaf. */
    @Test
    void shouldLoseOnlyWhatALeafRefuses() {
        start(leaf);

        FabricView view = Objects.requireNonNull(fabric.state.view());
        for (int d = 0; d < view.nodeCount(); d++) {
            assertThat(lost(d)).as("to node %d", d).hasSize(d == node ? 4 : 0);
        }
        long epoch = fabric.state.epoch;
        fabric.pass(300 * SECOND);
        assertThat(fabric.state.epoch).isEqualTo(epoch);
        assertThat(fabric.count(Effect.Dismiss.class)).isZero();
    }

    @Test
    void shouldBeAsIfNothingHadBeenOnceItTakesTheEntry() {
        start(spine);
        fabric.pass(60 * SECOND);
        fabric.foreign.clear();

        fabric.pass(33 * SECOND);

        assertThat(alarms()).isEmpty();
        assertThat(fabric.notes(Kind.ENTRIES_REFUSED))
                .extracting(note -> note.severity() + " " + note.text())
                .containsExactly(
                        "ALARM l2s0: does not take its entry for " + hostName() + ": " + SimulatedFabric.FOREIGN,
                        "INFO l2s0: takes all entries of its table again");
        assertThat(texts(fabric.tablesHeld()))
                .isEqualTo(texts(new SimulatedFabric(SHAPE).start().tablesHeld()));
        assertThat(fabric.step.nextDeadline()).as("nothing is offered any more").isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldForgetWhatIsRefusedWithTheHost() {
        start(spine);
        FabricView view = Objects.requireNonNull(fabric.state.view());
        fabric.setPort(leaf, view.nodePort(node), false, true);
        fabric.pass(SECOND);
        fabric.send(new FabricEvent.ActAsked(
                fabric.now,
                Act.forget(List.of(new Forgettable.HostPort(view.nodeGuid(node)))),
                fabric.state.epoch,
                "ada",
                ""));
        fabric.pass(5 * SECOND);

        assertThat(alarms()).isEmpty();
        assertThat(record(spine).upToDate()).isTrue();
    }

    @Test
    void shouldKnowWhatItHoldsWhenItsAgentIsGone() {
        start(spine);
        byte[] held = Objects.requireNonNull(fabric.held.get(spine));

        fabric.leave(spine);
        fabric.pass(3 * SECOND);

        assertThat(record(spine).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(record(spine).possibleRows())
                .singleElement()
                .satisfies(row -> assertThat(row.toBytes()).isEqualTo(held));
        assertThat(lost(node)).isEmpty();

        fabric.foreign.clear();
        fabric.join(spine);
        fabric.pass(40 * SECOND);
        assertThat(alarms()).isEmpty();
        assertThat(record(spine).upToDate()).isTrue();
    }

    @Test
    void shouldKeepTheNumberOfTheAlarmOverARestart() {
        start(spine);
        long id = fabric.state.alarms().iterator().next().id();
        SimulatedFabric next = fabric.restarted();
        next.foreign.putAll(fabric.foreign);
        FabricView view = fabric.whole();
        for (int s = 0; s < view.switchCount(); s++) {
            next.join(view.switchGuid(s));
        }

        next.pass(30 * SECOND);

        assertThat(next.state.alarms()).singleElement().satisfies(alarm -> {
            assertThat(alarm.kind()).isEqualTo(Alarm.Kind.ENTRIES_REFUSED);
            assertThat(alarm.id()).isEqualTo(id);
        });
        assertThat(next.count(Effect.Dismiss.class)).isZero();
        assertThat(next.tablesHeld()).containsExactlyInAnyOrderEntriesOf(fabric.tablesHeld());
    }

    /** Somebody's route takes the place of one of ours. */
    private void displace(int... nodes) {
        byte[] row = Objects.requireNonNull(fabric.held.get(spine)).clone();
        for (int d : nodes) {
            row[d] = (byte) LftSet.NO_ROUTE;
        }
        fabric.held.put(spine, row);
        fabric.foreign.put(spine, IntStream.of(nodes).boxed().collect(Collectors.toSet()));
        long term = fabric.state.leaderEpoch();
        fabric.send(new FabricEvent.TableLost(
                fabric.now,
                fabric.session(spine),
                spine,
                new FabricEvent.HeldTable(term, fabric.state.epoch, row.length, TableDigest.of(row))));
    }

    @Test
    void shouldKeepTheAlarmWhenAnotherEntryIsRefusedBesides() {
        start(spine);
        long id = fabric.state.alarms().iterator().next().id();
        int other = node == 0 ? 1 : node - 1;

        displace(other, node);
        fabric.pass(60 * SECOND);

        assertThat(fabric.state.alarms()).singleElement().satisfies(alarm -> {
            assertThat(alarm.id()).isEqualTo(id);
            assertThat(alarm.text()).startsWith("l2s0: does not take its entries for ");
        });
        assertThat(record(spine).upToDate()).isTrue();
        assertThat(fabric.count(Effect.Dismiss.class)).isZero();
    }

    /** No epoch comes that would do without the entry, and the switch is not kept busy with that. */
    @Test
    void shouldWaitLongerEachTimeWhileEpochsAreRefused() {
        fabric.start();
        for (Effect.Method method : Effect.Method.values()) {
            fabric.engines.put(method, new BrokenEngine());
        }
        fabric.log.clear();

        displace(node);
        fabric.pass(120 * SECOND);

        assertThat(pushes(spine)).hasSizeBetween(3, 20);
        assertThat(alarms()).hasSize(1);
        assertThat(fabric.count(Effect.Dismiss.class)).isZero();
    }

    /** That it holds all but the entry it names is not so: what it holds is not known by that. */
    @Test
    void shouldBelieveNoListThatTheDigestBelies() {
        fabric.start();
        fabric.foreign.put(spine, Set.of(node));
        fabric.takesNothing = true;

        fabric.setCable(fabric.cable(fabric.guid("leaf2"), spine), false, true);
        fabric.pass(60 * SECOND);

        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).hasSize(1);
        assertThat(fabric.count(Effect.Dismiss.class)).isEqualTo(1);
        assertThat(alarms()).isEmpty();
        byte[] held = Objects.requireNonNull(fabric.held.get(spine));
        assertThat(record(spine).ackedDigest()).isEqualTo(TableDigest.of(held));
    }

    /** The other ports of an entry are still to be told. */
    @Test
    void shouldKeepThePatternOfAnEntryThatLeadsThereByItself() {
        fabric.start();
        LftRow row = Objects.requireNonNull(record(fabric.guid("leaf0")).ackedRow);
        assertThat(row.port(node)).isNotEqualTo(LftSet.NO_ROUTE);
        List<Boolean> before = interchangeable(row);

        LftRow same = new RefusedEntries(new TreeMap<>(Map.of(node, row.port(node)))).in(row);

        assertThat(before).contains(true);
        assertThat(interchangeable(same)).isEqualTo(before);
    }

    private static List<Boolean> interchangeable(LftRow row) {
        List<Boolean> all = new ArrayList<>();
        row.forEachRun(
                0,
                row.entryCount(),
                (from, to, pattern) -> all.addAll(Collections.nCopies(to - from, pattern.interchangeable())));
        return all;
    }

    /** One of before does not say which entries it left out. */
    @Test
    void shouldSendAwayAnAgentThatDoesNotSayWhatItLeftOut() {
        fabric.saysEntries = false;

        start(spine);

        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).hasSize(1);
        assertThat(fabric.count(Effect.Dismiss.class)).isEqualTo(1);
        assertThat(alarms()).isEmpty();
    }

    @Test
    void shouldSendAwayASwitchThatRefusesMoreThanSingleEntries() {
        SimulatedFabric large = new SimulatedFabric("2;20,16;1,1;1,1");
        large.comparesSnapshots = false;
        long top = large.guid("l2s0");
        large.foreign.put(
                top, IntStream.rangeClosed(0, RefusedEntries.MAX).boxed().collect(Collectors.toSet()));
        FabricView view = large.whole();
        for (int s = 0; s < view.switchCount(); s++) {
            large.join(view.switchGuid(s));
        }

        large.pass(15 * SECOND);

        assertThat(large.notes(Kind.AGENT_FLAGGED)).hasSize(1);
        assertThat(large.notes(Kind.ENTRIES_REFUSED)).isEmpty();
    }
}
