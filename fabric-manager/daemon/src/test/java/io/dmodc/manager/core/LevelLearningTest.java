package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which levels switches have that come late, come back under another GUID, or lost their cables. */
class LevelLearningTest {
    private static final String THREE_LEVELS = "3;2,2,3;1,2,2;1,2,1";
    private static final long NEW_GUID = 0x7700_0000_0001L;

    private static Map<Long, Integer> ranks(FabricView view) {
        Map<Long, Integer> ranks = new TreeMap<>(Long::compareUnsigned);
        for (int s = 0; s < view.switchCount(); s++) {
            ranks.put(view.switchGuid(s), view.rank(s));
        }
        return ranks;
    }

    private static FabricView view(SimulatedFabric fabric) {
        return Objects.requireNonNull(fabric.state.view());
    }

    private static int level(SimulatedFabric fabric, long guid) {
        return fabric.state.identity.levels().levels().getOrDefault(guid, -1);
    }

    /** Leaves and level-2 switches that hang together without the top. */
    private static Set<Long> pod(SimulatedFabric fabric, long leaf) {
        FabricView view = fabric.whole();
        Set<Long> pod = new HashSet<>(Set.of(leaf));
        Deque<Integer> open = new ArrayDeque<>(List.of(view.switchOf(leaf)));
        while (!open.isEmpty()) {
            int s = open.removeFirst();
            for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
                int to = view.groupRemote(g);
                if (view.rank(to) < view.rankMax() && pod.add(view.switchGuid(to))) {
                    open.add(to);
                }
            }
        }
        return pod;
    }

    private static void joinAllBut(SimulatedFabric fabric, Set<Long> late) {
        ranks(fabric.whole()).keySet().stream()
                .filter(guid -> !late.contains(guid))
                .forEach(fabric::join);
        fabric.pass(20_000 * MILLI);
    }

    private static void cutBelow(SimulatedFabric fabric, long guid) {
        FabricView view = fabric.whole();
        for (Cable cable : Degradation.cables(view)) {
            boolean below = (cable.guid() == guid && view.rank(view.switchOf(cable.farGuid())) == 0)
                    || (cable.farGuid() == guid && view.rank(view.switchOf(cable.guid())) == 0);
            if (below) {
                fabric.setCable(cable, false, true);
            }
        }
        fabric.calm();
    }

    @Test
    void shouldKeepTheRankOfAMidSwitchWithoutLeavesWhenAPodIsAdded() {
        SimulatedFabric fabric = new SimulatedFabric("3;2,2,4;1,2,2;1,2,1");
        Set<Long> late = pod(fabric, fabric.guid("leaf7"));
        long mid = fabric.guid("l2s0");
        Map<Long, Integer> whole = ranks(fabric.whole());
        joinAllBut(fabric, late);
        cutBelow(fabric, mid);
        assertThat(view(fabric).rank(view(fabric).switchOf(mid))).isEqualTo(1);

        late.forEach(fabric::join);
        fabric.calm();

        assertThat(late).doesNotContain(mid);
        assertThat(view(fabric).linkCount()).isGreaterThan(36);
        assertThat(ranks(view(fabric))).isEqualTo(whole);
        assertThat(fabric.state.calm()).isTrue();
    }

    /** A full disk: new switches wait, and what dies meanwhile is healed all the same. */
    @Test
    void shouldLearnNoLevelThatCannotBeKept() {
        SimulatedFabric fabric = new SimulatedFabric("3;2,2,4;1,2,2;1,2,1");
        Set<Long> late = pod(fabric, fabric.guid("leaf7"));
        joinAllBut(fabric, late);
        fabric.diskTakes = false;
        fabric.send(new FabricEvent.StoreReported(fabric.now, "No space left on device"));

        late.forEach(fabric::join);
        fabric.calm();
        assertThat(late).allMatch(guid -> level(fabric, guid) < 0);
        int before = fabric.log.size();
        cutBelow(fabric, fabric.guid("l2s0"));
        fabric.pass(1000 * MILLI);
        assertThat(fabric.log.subList(before, fabric.log.size())).anyMatch(effect -> effect instanceof Effect.Push);
        assertThat(fabric.state.outstanding()).isZero();

        fabric.diskTakes = true;
        fabric.send(new FabricEvent.StoreReported(fabric.now, ""));
        fabric.send(new FabricEvent.Persisted(fabric.now, fabric.state.records.lastNumber()));
        fabric.calm();
        assertThat(late).allMatch(guid -> level(fabric, guid) >= 0);
        assertThat(fabric.state.outstanding()).isZero();
    }

    /** Parallel links, pods joining switch by switch in any order, some cables out: the levels of the whole fabric. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "2;3,4;1,3;1,2",
                THREE_LEVELS,
                "3;4,3,3;1,2,3;1,1,2",
                "3;2,2,4;1,2,2;1,2,2",
                "3;3,2,3;1,2,2;1,3,1"
            })
    void shouldFindTheLevelsOfAPodThatIsAdded(String shape) {
        for (int seed = 0; seed < 12; seed++) {
            String what = shape + " seed " + seed;
            Random random = new Random(seed);
            SimulatedFabric fabric = new SimulatedFabric(
                    PgftGenerator.generateShuffled(PgftShape.parse(shape), new SplittableRandom(seed)));
            Map<Long, Integer> whole = ranks(fabric.whole());
            List<Long> leaves = new ArrayList<>(whole.keySet());
            leaves.removeIf(guid -> whole.getOrDefault(guid, 0) > 0);
            List<Long> late = new ArrayList<>(pod(fabric, leaves.get(random.nextInt(leaves.size()))));
            List<Cable> cables = new ArrayList<>(Degradation.cables(fabric.whole()));
            joinAllBut(fabric, new HashSet<>(late));
            Collections.shuffle(cables, random);
            cables.subList(0, random.nextInt(1 + cables.size() / 10))
                    .forEach(cable -> fabric.setCable(cable, false, true));
            fabric.calm();

            Collections.shuffle(late, random);
            late.forEach(guid -> {
                fabric.join(guid);
                fabric.calm();
            });
            cables.forEach(cable -> fabric.setCable(cable, true, true));
            fabric.calm();

            assertThat(ranks(view(fabric))).as(what).isEqualTo(whole);
            whole.forEach(
                    (guid, rank) -> assertThat(level(fabric, guid)).as(what).isEqualTo(rank));
        }
    }

    /** At a first start, the first piece of a fabric may look like anything. */
    @Test
    void shouldLearnAnewWhenAFullerFabricContradictsWhatTheFirstPieceLookedLike() {
        SimulatedFabric fabric = new SimulatedFabric(THREE_LEVELS);
        Map<Long, Integer> whole = ranks(fabric.whole());
        Set<Long> late = pod(fabric, fabric.guid("leaf0"));
        late.removeIf(guid -> whole.getOrDefault(guid, 0) > 0);
        joinAllBut(fabric, late);
        assertThat(ranks(view(fabric))).containsValue(3);

        late.forEach(fabric::join);
        fabric.calm();

        assertThat(ranks(view(fabric))).isEqualTo(whole);
        assertThat(fabric.notes(Kind.LEVELS_LEARNT))
                .anySatisfy(note -> assertThat(note.text()).startsWith("known levels do not fit a fuller fabric"));
    }

    /** The old switch is dead, a new one is plugged in at the same cables; its leaf links are still out. */
    private static SimulatedFabric exchanged(boolean leafLinks) {
        SimulatedFabric fabric = new SimulatedFabric(THREE_LEVELS).start();
        long old = fabric.guid("l2s0");
        Map<Integer, ToSwitch> cables = new TreeMap<>();
        for (int port = 1; port <= fabric.metal.portCount(old); port++) {
            if (fabric.metal.claim(old, port) instanceof ToSwitch to) {
                cables.put(port, to);
            }
        }
        FabricView whole = fabric.whole();
        fabric.setLinks(old, false, true);
        fabric.leave(old);
        fabric.calm();
        fabric.metal.apply(new SwitchSeen(NEW_GUID, "fresh", fabric.metal.portCount(old)));
        cables.forEach((port, to) -> {
            boolean up = leafLinks || whole.rank(whole.switchOf(to.guid())) > 0;
            if (up) {
                fabric.metal.apply(new PortSeen(NEW_GUID, port, true, to));
                fabric.metal.apply(new PortSeen(to.guid(), to.port(), true, new ToSwitch(NEW_GUID, port)));
                fabric.setPort(to.guid(), to.port(), true, true);
            }
        });
        fabric.join(NEW_GUID);
        fabric.pass(120_000 * MILLI);
        return fabric;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldLearnTheLevelOfASwitchThatWasExchanged(boolean leafLinks) {
        SimulatedFabric fabric = exchanged(leafLinks);

        assertThat(level(fabric, NEW_GUID)).isEqualTo(1);
        assertThat(view(fabric).rank(view(fabric).switchOf(NEW_GUID))).isEqualTo(1);
        assertThat(fabric.restarted().state.identity.levels().levels().getOrDefault(NEW_GUID, -1))
                .isEqualTo(1);
        cutBelow(fabric, NEW_GUID);
        assertThat(view(fabric).rank(view(fabric).switchOf(NEW_GUID))).isEqualTo(1);
    }

    @Test
    void shouldPutANewSwitchInThePlaceOfTheOldOne() {
        SimulatedFabric fabric = exchanged(false);
        long old = fabric.guid("l2s0");
        assertThat(fabric.state.alarmCount(Alarm.Kind.SWITCH_DEAD)).isEqualTo(1);
        int links = fabric.state.inventory().linkCount();

        fabric.send(new ActAsked(fabric.now, Act.replace(old, NEW_GUID), 0, "ada", ""));
        fabric.work();
        fabric.calm();

        assertThat(fabric.state.findSwitch(old)).isNull();
        assertThat(fabric.state.inventory().hasSwitch(old)).isFalse();
        assertThat(fabric.state.inventory().linkCount())
                .as("nothing is forgotten that is missing")
                .isEqualTo(links);
        assertThat(fabric.state.alarmCount(Alarm.Kind.SWITCH_DEAD)).isZero();
        assertThat(fabric.state.alarms())
                .hasSize(4)
                .allSatisfy(alarm -> assertThat(alarm.text()).contains("fresh port"));
        assertThat(fabric.notes(Kind.SWITCH_REPLACED))
                .extracting(LoggedEvent::text)
                .containsExactly("fresh takes the place of l2s0 (ada)");
        assertThat(level(fabric, NEW_GUID)).isEqualTo(1);
        assertThat(level(fabric, old)).isEqualTo(-1);
    }

    @Test
    void shouldGiveThePredecessorsLevelAlsoToASwitchWithoutLinks() {
        SimulatedFabric fabric = new SimulatedFabric(THREE_LEVELS).start();
        long old = fabric.guid("l2s0");
        fabric.setLinks(old, false, true);
        fabric.leave(old);
        fabric.metal.apply(new SwitchSeen(NEW_GUID, "fresh", 8));
        fabric.join(NEW_GUID);
        fabric.calm();
        assertThat(level(fabric, NEW_GUID)).isEqualTo(-1);

        fabric.send(new ActAsked(fabric.now, Act.replace(old, NEW_GUID), 0, "ada", ""));
        fabric.work();
        fabric.calm();

        assertThat(level(fabric, NEW_GUID)).isEqualTo(1);
    }

    /** Nothing was above the switches it joins, though there may be others as high. */
    @ParameterizedTest
    @ValueSource(strings = {"l3s0", "l3s1", "l3s0 l3s1"})
    void shouldPutTheFirstSwitchAboveOthersOneLevelHigher(String names) {
        SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,1;1,1,1");
        Map<Long, Integer> whole = ranks(fabric.whole());
        Set<Long> late = new HashSet<>();
        for (String name : names.split(" ")) {
            late.add(fabric.guid(name));
        }
        joinAllBut(fabric, late);

        late.forEach(guid -> {
            fabric.join(guid);
            fabric.calm();
        });

        assertThat(ranks(view(fabric))).isEqualTo(whole);
        late.forEach(guid -> assertThat(level(fabric, guid)).isEqualTo(2));
        assertThat(fabric.state.cutOff()).isEmpty();
    }

    /** One of its four neighbours has another switch above it. */
    @Test
    void shouldPutTheFirstSwitchAboveOthersOneLevelHigherThoughACableIsWrong() {
        SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,1;1,1,1");
        long fresh = fabric.guid("l3s0");
        long beneathAnother = fabric.guid("l2s1");
        plug(fabric, fresh, addPort(fabric, fresh), beneathAnother, addPort(fabric, beneathAnother));
        joinAllBut(fabric, Set.of(fresh));

        fabric.join(fresh);
        fabric.calm();

        assertThat(level(fabric, fresh)).isEqualTo(2);
        assertThat(fabric.state.cutOff()).isEmpty();
    }

    /** The one like it shares three of its five neighbours, and has one of the other plane. */
    @Test
    void shouldPutASwitchBesideAnotherOneThoughCablesOfThatOneAreWrong() {
        SimulatedFabric fabric = new SimulatedFabric("3;2,2,5;1,2,2;1,1,1");
        FabricView whole = fabric.whole();
        long fresh = fabric.guid("l3s3");
        long like = fabric.guid("l3s1");
        long ofTheOtherPlane = fabric.guid("l2s0");
        plug(fabric, like, addPort(fabric, like), ofTheOtherPlane, addPort(fabric, ofTheOtherPlane));
        joinAllBut(fabric, Set.of(fresh));
        List<Cable> below = Degradation.cables(whole).stream()
                .filter(cable -> cable.guid() == like || cable.farGuid() == like)
                .toList();
        below.subList(0, 2).forEach(cable -> fabric.setCable(cable, false, true));
        fabric.calm();

        fabric.join(fresh);
        fabric.calm();

        assertThat(below).hasSize(5);
        assertThat(level(fabric, fresh)).isEqualTo(2);
    }

    /** Few cables are left between the others and the tops, and the leaves of the new switch are as new as it is. */
    @Test
    void shouldNotTakeAMidSwitchForANewTopBeforeItsLeavesArePlaced() {
        SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,1,1");
        FabricView whole = fabric.whole();
        long mid = fabric.guid("l2s5");
        Set<Long> late = pod(fabric, mid);
        joinAllBut(fabric, late);
        Set<Long> cutAt = new HashSet<>();
        for (Cable cable : Degradation.cables(whole)) {
            boolean isUp = whole.rank(whole.switchOf(cable.guid())) == 1;
            long lower = isUp ? cable.guid() : cable.farGuid();
            long top = isUp ? cable.farGuid() : cable.guid();
            // Each top keeps one of the others, and none of them keeps two tops.
            boolean isFirst = !cutAt.contains(lower) && !cutAt.contains(top);
            if (whole.rank(whole.switchOf(top)) == 2 && !late.contains(lower) && isFirst) {
                cutAt.addAll(List.of(lower, top));
                fabric.setCable(cable, false, true);
            }
        }
        fabric.calm();

        late.forEach(fabric::join);
        fabric.calm();

        assertThat(level(fabric, mid)).isEqualTo(1);
        assertThat(ranks(view(fabric))).isEqualTo(ranks(whole));
    }

    @Test
    void shouldNotReplaceASwitchThatIsThere() {
        SimulatedFabric fabric = new SimulatedFabric(THREE_LEVELS).start();
        long there = fabric.guid("l2s0");
        long other = fabric.guid("l2s1");

        assertThat(Replacement.obstacle(fabric.state, there, other)).isEqualTo("l2s0: its agent is connected");
        assertThat(Replacement.obstacle(fabric.state, there, there)).contains("does not replace itself");
        assertThat(Replacement.obstacle(fabric.state, there, 99)).contains("has not told its ports");
        fabric.send(new ActAsked(fabric.now, Act.replace(there, other), 0, "ada", ""));
        fabric.work();
        assertThat(fabric.state.findSwitch(there)).isNotNull();
        assertThat(fabric.notes(Kind.SWITCH_REPLACED)).isEmpty();
    }

    /** An empty leaf as well as a new top: nobody can know before it has hosts. */
    @Test
    void shouldNotGuessAndWarnOnce() {
        SimulatedFabric fabric = new SimulatedFabric("2;2,3;1,2;1,1").start();
        List<Long> spines = List.of(fabric.guid("l2s0"), fabric.guid("l2s1"));
        fabric.metal.apply(new SwitchSeen(NEW_GUID, "fresh", 4));
        for (int i = 0; i < 2; i++) {
            long spine = spines.get(i);
            plug(fabric, spine, addPort(fabric, spine), NEW_GUID, i + 1);
            fabric.leave(spine);
            fabric.work();
            fabric.join(spine);
        }
        fabric.join(NEW_GUID);
        fabric.pass(120_000 * MILLI);

        assertThat(level(fabric, NEW_GUID)).isEqualTo(-1);
        assertThat(view(fabric).rank(view(fabric).switchOf(NEW_GUID)))
                .as("no path leads through it")
                .isEqualTo(FabricView.UNRANKED);
        assertThat(fabric.state.cutOff()).isEmpty();
        assertThat(fabric.restarted().start().count(Effect.Push.class))
                .as("pushes after a restart")
                .isZero();
        assertThat(fabric.notes(Kind.LEVELS_LEARNT).stream()
                        .filter(note -> note.severity() == Severity.WARNING)
                        .map(LoggedEvent::text))
                .containsExactly("levels not clear from the cables, left out of the routes: fresh");

        fabric.metal.apply(new PortSeen(NEW_GUID, 3, true, new ToHost(new Host(0x99, 0x99, 1, "late"))));
        fabric.setPort(NEW_GUID, 3, true, true);
        fabric.calm();
        assertThat(level(fabric, NEW_GUID)).isZero();
    }

    /** One more port, down; returns its number. */
    private static int addPort(SimulatedFabric fabric, long guid) {
        int count = fabric.metal.portCount(guid);
        List<@Nullable Neighbour> before = new ArrayList<>();
        for (int port = 1; port <= count; port++) {
            before.add(fabric.metal.claim(guid, port));
        }
        fabric.metal.apply(new SwitchSeen(guid, fabric.metal.name(guid), count + 1));
        for (int port = 1; port <= count; port++) {
            fabric.metal.apply(new PortSeen(guid, port, true, before.get(port - 1)));
        }
        return count + 1;
    }

    private static void plug(SimulatedFabric fabric, long guid, int port, long farGuid, int farPort) {
        fabric.metal.apply(new PortSeen(guid, port, true, new ToSwitch(farGuid, farPort)));
        fabric.metal.apply(new PortSeen(farGuid, farPort, true, new ToSwitch(guid, port)));
    }
}
