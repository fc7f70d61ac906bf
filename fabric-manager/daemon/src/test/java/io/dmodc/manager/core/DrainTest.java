package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.FabricEvent.AcknowledgeAsked;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.ClockSet;
import io.dmodc.manager.core.FabricEvent.StoreReported;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.core.IntentSnapshot.Drain;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.StateRecord.Acknowledgement;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators ask for holds until they take it back, also over a restart, and each act is told with who and why. */
class DrainTest {
    private static final long MILLI = SimulatedFabric.MILLI;

    private SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();

    /** Without time passing. */
    private void ask(Verb verb, String value, PortPlace... objects) {
        long now = fabric.now;
        fabric.send(new ActAsked(now, new Act(verb, List.of(objects), value), 0, "ada", "new fan"));
        fabric.work();
    }

    private void act(Verb verb, String value, PortPlace... objects) {
        ask(verb, value, objects);
        fabric.calm();
    }

    private PortPlace switchOf(String name) {
        return new PortPlace(fabric.guid(name), 0);
    }

    private Drain drain() {
        List<Drain> drains = fabric.state.snapshot().intent().drains();
        assertThat(drains).hasSize(1);
        return drains.get(0);
    }

    private List<String> declined() {
        return fabric.log.stream()
                .filter(Effect.Declined.class::isInstance)
                .map(effect -> ((Effect.Declined) effect).reason())
                .toList();
    }

    private List<String> told(Kind kind) {
        return fabric.notes(kind).stream().map(LoggedEvent::text).toList();
    }

    /** Ports of live links by which switches send to a switch or through a cable. */
    private List<String> senders(PortPlace place) {
        FabricView works = Objects.requireNonNull(fabric.state.snapshot().works());
        List<String> senders = new ArrayList<>();
        Map<Long, byte[]> held = fabric.tablesHeld();
        int drained = works.switchOf(place.guid());
        for (int s = 0; s < works.switchCount(); s++) {
            for (byte entry : Objects.requireNonNull(held.get(works.switchGuid(s)))) {
                int port = Byte.toUnsignedInt(entry);
                boolean onward = port <= works.portCount(s) && works.peerSwitch(s, port) >= 0;
                boolean there = onward
                        && (works.peerSwitch(s, port) == drained
                                ? place.port() == 0 || works.peerPort(s, port) == place.port()
                                : s == drained && port == place.port());
                if (there) {
                    senders.add(works.switchName(s) + ":" + port);
                }
            }
        }
        return senders;
    }

    @ParameterizedTest
    @ValueSource(strings = {"l2s1", "l3s0", "leaf1"})
    void shouldSendNothingToADrainedSwitchAndThenSaySo(String name) {
        PortPlace place = switchOf(name);
        byte[] held = fabric.tablesHeld().get(place.guid());
        assertThat(senders(place)).isNotEmpty();

        act(Verb.DRAIN, "", place);

        assertThat(senders(place)).isEmpty();
        assertThat(fabric.tablesHeld().get(place.guid())).isEqualTo(held);
        assertThat(drain().intent()).extracting(Intent::by, Intent::why).containsExactly("ada", "new fan");
        assertThat(told(Kind.DRAINED)).containsExactly("drain of " + name + " (ada: new fan)");
        fabric.pass(2_000 * MILLI);
        assertThat(drain().safe()).isTrue();
        assertThat(told(Kind.SAFE_TO_UNPLUG)).containsExactly(name + " is drained: safe to unplug");
    }

    @Test
    void shouldNotSaySafeBeforeWhatWasSentHasLeft() {
        act(Verb.DRAIN, "", switchOf("l2s1"));

        List<LoggedEvent> complete = fabric.notes(Kind.EPOCH_COMPLETE);
        long emptyNanos = complete.get(complete.size() - 1).nowNanos();
        long safeNanos = fabric.notes(Kind.SAFE_TO_UNPLUG).get(0).nowNanos();
        assertThat(safeNanos - emptyNanos)
                .isBetween(fabric.state.rules.drainNanos(), fabric.state.rules.drainNanos() + 200 * MILLI);
    }

    @Test
    void shouldDrainOneCableByEitherEnd() {
        Cable cable = fabric.cableAt(fabric.guid("l2s0"));
        PortPlace near = new PortPlace(cable.guid(), cable.port());
        PortPlace far = new PortPlace(cable.farGuid(), cable.farPort());

        act(Verb.DRAIN, "", near);

        assertThat(senders(near)).isEmpty();
        assertThat(senders(far)).isEmpty();
        act(Verb.DRAIN, "", far);
        assertThat(declined()).hasSize(1).allMatch(why -> why.endsWith("is drained already"));
        act(Verb.UNDRAIN, "", far);
        assertThat(fabric.state.snapshot().intent().drains()).isEmpty();
        assertThat(fabric.disk.all(Intent.class)).isEmpty();
    }

    @Test
    void shouldGiveBackTheTablesFromBefore() {
        Map<Long, byte[]> before = fabric.tablesHeld();
        act(Verb.DRAIN, "", switchOf("l2s1"), switchOf("l3s0"));
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isNotEqualTo(before);

        act(Verb.UNDRAIN, "", switchOf("l3s0"), switchOf("l2s1"));

        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(before);
        assertThat(told(Kind.UNDRAINED)).containsExactly("l3s0, l2s1 not drained any more (ada: new fan)");
    }

    @Test
    void shouldStayDrainedOverARestartWithoutWritingATable() {
        PortPlace place = switchOf("l2s1");
        act(Verb.DRAIN, "", place);
        fabric.pass(2_000 * MILLI);
        Map<Long, byte[]> held = fabric.tablesHeld();

        fabric = fabric.restarted().start();
        fabric.pass(2_000 * MILLI);

        assertThat(fabric.log).noneMatch(Effect.Push.class::isInstance);
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(held);
        assertThat(drain().safe()).isTrue();
        assertThat(drain().intent().by()).isEqualTo("ada");
    }

    @Test
    void shouldKnowTheTablesOfADrainedFabricWhoseAgentsDoNotCome() {
        act(Verb.DRAIN, "", switchOf("l2s1"));
        long away = fabric.guid("l2s0");
        byte[] held = fabric.tablesHeld().get(away);

        SimulatedFabric next = fabric.restarted();
        FabricView whole = next.whole();
        for (int s = 0; s < whole.switchCount(); s++) {
            if (whole.switchGuid(s) != away) {
                next.join(whole.switchGuid(s));
            }
        }
        next.calm();
        next.pass(60_000 * MILLI);

        SwitchRecord record = Objects.requireNonNull(next.state.findSwitch(away));
        assertThat(record.possibleRows())
                .singleElement()
                .satisfies(row -> assertThat(row.toBytes()).isEqualTo(held));
    }

    /** Seed 301140 of the simulated site: hellos through a leaf were lost, and it forwards; nobody knows by what, with or without a neighbour to see its links. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotCallSafeAfterARestartWhatALeafThatWasHeldToBeDeadMaySendTo(boolean neighbourComes) {
        long leaf = hungLeaf();
        FabricView whole = fabric.whole();
        PortPlace above = switchOf("l2s1");
        act(Verb.DRAIN, "", above);
        fabric.pass(2_000 * MILLI);
        assertThat(drain()).extracting(Drain::safe, Drain::senders).containsExactly(false, List.of("leaf1"));

        fabric = fabric.restarted();
        for (int s = 0; s < whole.switchCount(); s++) {
            if (whole.switchGuid(s) != leaf && (neighbourComes || whole.switchGuid(s) != above.guid())) {
                fabric.join(whole.switchGuid(s));
            }
        }
        fabric.pass(20_000 * MILLI);

        assertThat(drain()).extracting(Drain::safe, Drain::senders).containsExactly(false, List.of("leaf1"));
        fabric.join(leaf);
        fabric.pass(2_000 * MILLI);
        assertThat(drain().safe()).isTrue();
    }

    /** Held to be dead, as no hello comes through it; its links are up. */
    private long hungLeaf() {
        fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");
        FabricView whole = fabric.whole();
        for (int s = 0; s < whole.switchCount(); s++) {
            fabric.transitHellos.add(whole.switchGuid(s));
        }
        fabric.start();
        long leaf = fabric.guid("leaf1");
        fabric.hung.add(leaf);
        fabric.leave(leaf);
        fabric.pass(10_000 * MILLI);
        assertThat(told(Kind.SWITCH_DEAD)).hasSize(1);
        return leaf;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotCallACableOfALeafThatHangsSafeByEitherEnd(boolean near) {
        Cable cable = fabric.cable(hungLeaf(), fabric.guid("l2s1"));

        act(
                Verb.DRAIN,
                "",
                near ? new PortPlace(cable.guid(), cable.port()) : new PortPlace(cable.farGuid(), cable.farPort()));
        fabric.pass(2_000 * MILLI);

        assertThat(drain()).extracting(Drain::safe, Drain::senders).containsExactly(false, List.of("leaf1"));
        fabric.setLinks(cable.guid(), false, true);
        fabric.pass(2_000 * MILLI);
        assertThat(drain().safe()).isTrue();
    }

    @Test
    void shouldGiveASwitchThatLostItsTableANewOneWhenItIsUndrained() {
        PortPlace place = switchOf("l2s1");
        Map<Long, byte[]> before = fabric.tablesHeld();
        act(Verb.DRAIN, "", place);
        fabric.leave(place.guid());
        fabric.setLinks(place.guid(), false, true);
        fabric.calm();
        fabric.held.remove(place.guid());
        fabric.setLinks(place.guid(), true, true);
        fabric.join(place.guid());
        fabric.pass(120_000 * MILLI);
        assertThat(fabric.held).doesNotContainKey(place.guid());

        act(Verb.UNDRAIN, "", place);

        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(before);
    }

    @Test
    void shouldNameWhoMayStillSendThere() {
        long headless = fabric.guid("leaf0");
        fabric.leave(headless);
        fabric.calm();

        act(Verb.DRAIN, "", switchOf("l2s1"));
        fabric.pass(2_000 * MILLI);

        assertThat(drain().safe()).isFalse();
        assertThat(drain().senders()).containsExactly("leaf0");
        fabric.join(headless);
        fabric.pass(2_000 * MILLI);
        assertThat(drain().safe()).isTrue();
    }

    @Test
    void shouldDeclineWhatWasPlannedForAnotherEpoch() {
        long epoch = fabric.state.epoch();
        Cable cable = fabric.cableAt(fabric.guid("l2s0"));
        fabric.setCable(cable, false, true);
        fabric.calm();

        fabric.send(
                new ActAsked(fabric.now, new Act(Verb.DRAIN, List.of(switchOf("l3s0")), ""), epoch, "ada", "new fan"));
        fabric.calm();

        assertThat(declined()).containsExactly("the fabric has moved on since: it was planned for epoch " + epoch);
        assertThat(fabric.state.snapshot().intent().drains()).isEmpty();
    }

    @Test
    void shouldDeclineWhatCannotBe() {
        act(Verb.DRAIN, "", new PortPlace(99, 0));
        act(Verb.DRAIN, "", new PortPlace(fabric.guid("l2s0"), 200));
        act(Verb.DRAIN, "");
        act(Verb.UNDRAIN, "", switchOf("l2s0"));
        act(Verb.RESUME, "");
        act(Verb.ENGINE, "");

        assertThat(declined())
                .containsExactly(
                        "0x0000000000000063 is not part of the fabric",
                        "l2s0:200 leads to no switch",
                        "it names no switch and no link",
                        "l2s0 is not drained",
                        "pushes are not paused",
                        "that engine is chosen already");
    }

    @Test
    void shouldDeclineWhatWouldBeForgotten() {
        fabric.send(new StoreReported(fabric.now, "no space left"));
        act(Verb.PAUSE, "0");

        assertThat(declined()).containsExactly("it would be forgotten with the next start: no space left");
    }

    @Test
    void shouldForgetADrainWithItsSwitch() {
        PortPlace place = switchOf("l2s1");
        act(Verb.DRAIN, "", place);
        fabric.leave(place.guid());
        fabric.setLinks(place.guid(), false, true);
        fabric.calm();

        fabric.send(new ActAsked(fabric.now, Act.forget(List.of(new SwitchGuid(place.guid()))), 0, "ada", ""));
        fabric.calm();

        assertThat(fabric.disk.all(Intent.class)).isEmpty();
        assertThat(fabric.state.snapshot().intent().drains()).isEmpty();
    }

    /** Somebody's own word counts more, and what broke before it was drained is quiet from then on, over a restart, too. */
    @Test
    void shouldTakeADrainAsTheWordOfWhoDrained() {
        PortPlace place = switchOf("l2s1");
        fabric.leave(place.guid());
        fabric.setLinks(place.guid(), false, true);
        fabric.calm();
        assertThat(fabric.state.alarms()).allMatch(alarm -> alarm.acknowledgement() == null);

        act(Verb.DRAIN, "", place);
        assertThat(whys(fabric)).hasSize(1 + 6).containsOnly("drained: new fan");
        Alarm dead = fabric.state.alarms().iterator().next();
        fabric.send(new AcknowledgeAsked(fabric.now, dead.id(), "bob", "mine"));
        fabric.calm();
        assertThat(whys(fabric)).contains("mine");
        assertThat(fabric.disk.all(Acknowledgement.class)).as("only bob's").hasSize(1);

        SimulatedFabric next = fabric.restarted();
        FabricView whole = next.whole();
        for (int s = 0; s < whole.switchCount(); s++) {
            if (whole.switchGuid(s) != place.guid()) {
                next.join(whole.switchGuid(s));
            }
        }
        next.calm();
        assertThat(whys(next)).hasSize(1 + 6).containsOnly("drained: new fan", "mine");

        next.send(new ActAsked(next.now, new Act(Verb.UNDRAIN, List.of(place), ""), 0, "ada", ""));
        next.calm();
        assertThat(next.state.alarms())
                .filteredOn(alarm -> alarm.acknowledgement() != null)
                .hasSize(1);
    }

    private static List<String> whys(SimulatedFabric fabric) {
        return fabric.state.alarms().stream()
                .map(alarm -> Objects.requireNonNull(alarm.acknowledgement()).why())
                .toList();
    }

    @Test
    void shouldSendNothingDuringAPause() {
        act(Verb.PAUSE, "0");
        Map<Long, byte[]> held = fabric.tablesHeld();
        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        fabric.pass(60_000 * MILLI);

        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(held);
        assertThat(fabric.state.outstanding()).isPositive();
        act(Verb.RESUME, "");

        assertThat(fabric.state.outstanding()).isZero();
        assertThat(told(Kind.PUSHES_RESUMED)).containsExactly("pushes go on (ada: new fan)");
    }

    @Test
    void shouldStayPausedOverARestart() {
        act(Verb.PAUSE, "0");
        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        fabric.calm();

        fabric = fabric.restarted().start();
        fabric.pass(60_000 * MILLI);

        assertThat(fabric.log).noneMatch(Effect.Push.class::isInstance);
        act(Verb.RESUME, "");
        assertThat(fabric.state.outstanding()).isZero();
        assertThat(fabric.log).anyMatch(Effect.Push.class::isInstance);
    }

    /** A cable is cut in the pause. */
    private void assertThatTablesWaitFiveSeconds() {
        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        fabric.work();
        fabric.pass(4_000 * MILLI);
        assertThat(fabric.state.outstanding()).isPositive();

        fabric.pass(1_500 * MILLI);

        assertThat(fabric.state.outstanding()).isZero();
    }

    @Test
    void shouldEndAPauseWhenItsTimeIsOver() {
        long until = fabric.state.wallMillis(fabric.now) + 5_000;
        ask(Verb.PAUSE, Long.toString(until));
        assertThatTablesWaitFiveSeconds();
        assertThat(told(Kind.PUSHES_RESUMED)).containsExactly("pushes go on: the pause is over");
        assertThat(fabric.disk.all(Intent.class)).isEmpty();
    }

    /** The manager's machine started with a clock that was an hour late, or ahead, or stood still for so long. */
    @ParameterizedTest
    @ValueSource(longs = {3_600_000, -3_600_000})
    void shouldPauseForAsLongAsWasAskedThoughTheClockIsSet(long ahead) {
        long before = fabric.state.wallMillis(fabric.now);
        ask(Verb.PAUSE, Long.toString(before + 5_000));
        fabric.send(new ClockSet(fabric.now, before + ahead));
        assertThatTablesWaitFiveSeconds();
        assertThat(told(Kind.PUSHES_PAUSED))
                .last()
                .isEqualTo("the clock was set: pushes paused, until " + Instant.ofEpochMilli(before + ahead + 5_000));
        ask(Verb.PAUSE, Long.toString(before + ahead + 10_000));
        fabric.pass(6_000 * MILLI);
        assertThat(told(Kind.PUSHES_RESUMED))
                .as("one that is asked for by the new clock")
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {3_600_000, -3_600_000})
    void shouldPauseForAsLongAsWasAskedThoughTheClockIsSetWhileTheDiskTakesIt(long ahead) {
        long before = fabric.state.wallMillis(fabric.now);
        fabric.diskTakes = false;
        ask(Verb.PAUSE, Long.toString(before + 5_000));
        fabric.send(new ClockSet(fabric.now, before + ahead));
        fabric.work();

        fabric.diskTakes = true;
        fabric.keepWhatWaits();

        assertThat(told(Kind.PUSHES_PAUSED))
                .singleElement()
                .asString()
                .startsWith("pushes paused, until " + Instant.ofEpochMilli(before + ahead + 5_000));
        assertThatTablesWaitFiveSeconds();
        assertThat(fabric.disk.all(Intent.class)).isEmpty();
    }

    /** Who asked, and when, is kept with it; the history says since when it is so. */
    @Test
    void shouldTellOfAnActWhenItIsInForce() {
        long before = fabric.state.wallMillis(fabric.now);
        fabric.diskTakes = false;
        act(Verb.DRAIN, "", switchOf("l3s0"));
        fabric.pass(1_000 * MILLI);

        fabric.diskTakes = true;
        fabric.keepWhatWaits();

        assertThat(fabric.notes(Kind.DRAINED))
                .singleElement()
                .extracting(LoggedEvent::nowNanos)
                .isEqualTo(fabric.now);
        assertThat(fabric.state.snapshot().intent().drains())
                .singleElement()
                .extracting(drain -> drain.intent().atMillis())
                .isEqualTo(before);
    }

    /** The clock of the machine that was started again is not set yet. */
    @Test
    void shouldEndAPauseOfARunBeforeWhenThatWasSaidThoughTheClockIsSet() {
        long end = fabric.state.wallMillis(fabric.now) + 3_600_000;
        ask(Verb.PAUSE, Long.toString(end));
        fabric = fabric.restarted();
        assertThat(fabric.state.snapshot().intent().pause()).isNotNull();

        fabric.send(new ClockSet(fabric.now, end - 1_000));
        fabric.pass(2_000 * MILLI);

        assertThat(fabric.state.snapshot().intent().pause()).isNull();
    }

    @Test
    void shouldEndAPauseWithAFaultIfItWasSaid() {
        ask(Verb.PAUSE, "0 faults");
        act(Verb.DRAIN, "", switchOf("l3s0"));
        fabric.pass(2_000 * MILLI);
        assertThat(fabric.state.outstanding()).as("a drain mends nothing").isPositive();

        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        fabric.calm();
        fabric.pass(2_000 * MILLI);

        assertThat(fabric.state.outstanding()).isZero();
        assertThat(told(Kind.PUSHES_RESUMED))
                .containsExactly("pushes go on: something is broken, and the pause was to end with that");
        assertThat(fabric.state.snapshot().intent().pause()).isNull();
    }

    /** One after the other, each as soon as it is kept. */
    @Test
    void shouldPerformWhatIsKept() {
        fabric.diskTakes = false;
        ask(Verb.PAUSE, "0");
        ask(Verb.RESUME, "");
        assertThat(fabric.state.snapshot().intent().pause()).isNull();
        assertThat(declined()).isEmpty();

        fabric.diskTakes = true;
        fabric.keepWhatWaits();

        assertThat(told(Kind.PUSHES_PAUSED)).hasSize(1);
        assertThat(told(Kind.PUSHES_RESUMED)).hasSize(1);
        assertThat(fabric.state.snapshot().intent().pause()).isNull();
        assertThat(fabric.disk.all(Intent.class)).isEmpty();
    }
}
