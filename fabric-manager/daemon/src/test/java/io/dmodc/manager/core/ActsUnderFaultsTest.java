package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.IntentSnapshot.Drain;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What operators ask for holds while agents, cables, engines and the store fail. */
class ActsUnderFaultsTest {
    private static final long MILLI = SimulatedFabric.MILLI;

    private SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();

    private void ask(Verb verb, String value, PortPlace... objects) {
        fabric.send(new ActAsked(fabric.now, new Act(verb, List.of(objects), value), 0, "ada", "new fan"));
        fabric.work();
    }

    private PortPlace switchOf(String name) {
        return new PortPlace(fabric.guid(name), 0);
    }

    private boolean isSafe(PortPlace place) {
        return fabric.state.snapshot().intent().drains().stream()
                .filter(drain -> drain.place().equals(place))
                .allMatch(Drain::safe);
    }

    private List<PortPlace> all(boolean leaves) {
        FabricView view = fabric.whole();
        List<PortPlace> places = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.isLeaf(s) == leaves) {
                places.add(new PortPlace(view.switchGuid(s), 0));
            }
        }
        return places;
    }

    @Test
    void shouldRepeatNoTableInAPause() {
        all(true).forEach(place -> fabric.deaf.add(place.guid()));
        all(false).forEach(place -> fabric.deaf.add(place.guid()));
        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        fabric.work();
        assertThat(fabric.count(Effect.Push.class)).isPositive();
        ask(Verb.PAUSE, "0");
        long sent = fabric.count(Effect.Push.class);

        fabric.pass(60_000 * MILLI);

        assertThat(fabric.count(Effect.Push.class)).isEqualTo(sent);
        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).isEmpty();
        fabric.deaf.clear();
        ask(Verb.RESUME, "");
        fabric.pass(60_000 * MILLI);
        assertThat(fabric.state.outstanding()).isZero();
    }

    /** A manager that stood still finds news and the end of a pause in one batch: tables that waited know nothing of the news. */
    @Test
    void shouldPlanAnewWhatAPauseKeptBackIfThereIsNews() {
        ask(Verb.PAUSE, "0");
        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        fabric.calm();
        long kept = fabric.state.epoch();
        int before = fabric.log.size();

        fabric.setCable(fabric.cableAt(fabric.guid("l3s1")), false, true);
        ask(Verb.RESUME, "");

        assertThat(fabric.log.subList(before, fabric.log.size()))
                .filteredOn(Effect.Push.class::isInstance)
                .isNotEmpty()
                .allMatch(push -> ((Effect.Push) push).update().fabricEpoch() > kept);
        assertThat(fabric.state.outstanding()).isZero();
    }

    /** The same where it is not on record at once that they may leave: the news is computed with when it is. */
    @Test
    void shouldNotSendWhatAPauseKeptBackOnceThatIsOnRecord() {
        ask(Verb.PAUSE, "0");
        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        fabric.calm();
        long sent = fabric.count(Effect.Push.class);
        fabric.holdComputations = true;

        fabric.setCable(fabric.cableAt(fabric.guid("l3s1")), false, true);
        ask(Verb.RESUME, "");

        assertThat(fabric.count(Effect.Push.class)).isEqualTo(sent);
        fabric.finishComputation(false);
        assertThat(fabric.count(Effect.Push.class)).isGreaterThan(sent);
        assertThat(fabric.state.outstanding()).isZero();
    }

    /** The same while the news is computed with. */
    @Test
    void shouldNotSendWhatAPauseKeptBackWhileTablesAreComputed() {
        ask(Verb.PAUSE, "0");
        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        fabric.calm();
        long sent = fabric.count(Effect.Push.class);
        fabric.holdComputations = true;
        fabric.setCable(fabric.cableAt(fabric.guid("l3s1")), false, true);
        fabric.work();

        ask(Verb.RESUME, "");

        assertThat(fabric.count(Effect.Push.class)).isEqualTo(sent);
        fabric.finishComputation(false);
        assertThat(fabric.count(Effect.Push.class)).isGreaterThan(sent);
        assertThat(fabric.state.outstanding()).isZero();
    }

    /** It was away when the tables were planned that a pause kept back, and no plan is to come: others send down to it what it is to send up. */
    @Test
    void shouldGiveATableThatNobodyPlannedBehindAllOthers() {
        long old = fabric.guid("leaf0");
        ask(Verb.PAUSE, "0");
        moveHost(old, fabric.guid("leaf5"));
        fabric.leave(old);
        fabric.calm();
        fabric.join(old);
        refuseEpochs();

        assertLastToBeTold(old);
    }

    /** It was planned with, in a later round, and came back after the last plan. */
    @Test
    void shouldGoOnAsPlannedWithASwitchThatComesBackWhileEpochsAreRefused() {
        long old = fabric.guid("leaf0");
        ask(Verb.PAUSE, "0");
        moveHost(old, fabric.guid("leaf5"));
        refuseEpochs();
        fabric.leave(old);
        fabric.calm();
        fabric.join(old);
        fabric.work();

        assertLastToBeTold(old);
    }

    private void moveHost(long from, long to) {
        Neighbour host = Objects.requireNonNull(fabric.metal.claim(from, 1));
        fabric.setPort(from, 1, false, true);
        fabric.metal.apply(new PortSeen(to, 1, true, host));
        fabric.setPort(to, 1, true, true);
        fabric.calm();
    }

    private void refuseEpochs() {
        fabric.engines.put(Effect.Method.INCREMENTAL, new BrokenEngine());
        fabric.engines.put(Effect.Method.FRESH, new BrokenEngine());
        fabric.setCable(fabric.cableAt(fabric.guid("l3s1")), false, true);
        fabric.calm();
        assertThat(fabric.state.epochs()).last().matches(epoch -> epoch.stage() == EpochRecord.Stage.REFUSED);
    }

    private void assertLastToBeTold(long old) {
        fabric.holdPushes = true;
        ask(Verb.RESUME, "");
        long last = Objects.requireNonNull(fabric.state.findSwitch(old)).desiredDigest();
        assertThat(fabric.heldPushes)
                .isNotEmpty()
                .noneMatch(push -> push.update().guid() == old && push.update().resultDigest() == last);
        while (!fabric.heldPushes.isEmpty()) {
            fabric.take(fabric.heldPushes.get(0));
            fabric.work();
            fabric.pass(fabric.heldPushes.isEmpty() ? 200 * MILLI : 0);
        }
        assertThat(fabric.state.switches()).allMatch(SwitchRecord::upToDate);
    }

    /** The one that is drained goes on sending what its neighbour sends it. */
    @Test
    void shouldNotCallSafeWhatADrainedSwitchStillSendsTo() {
        long headless = fabric.guid("leaf0");
        fabric.leave(headless);
        fabric.calm();

        ask(Verb.DRAIN, "", switchOf("l2s0"), switchOf("l3s0"));
        fabric.pass(3_000 * MILLI);

        assertThat(isSafe(switchOf("l2s0"))).isFalse();
        assertThat(isSafe(switchOf("l3s0"))).isFalse();
        fabric.join(headless);
        fabric.pass(3_000 * MILLI);
        assertThat(isSafe(switchOf("l2s0"))).isTrue();
        assertThat(isSafe(switchOf("l3s0"))).isTrue();
    }

    @Test
    void shouldNotCallSafeWhatASwitchMaySendToOfWhichNothingIsKnown() {
        long away = fabric.guid("leaf0");
        fabric.leave(away);
        fabric.setLinks(away, false, true);
        fabric.calm();
        ask(Verb.DRAIN, "", switchOf("l2s0"));
        fabric.pass(3_000 * MILLI);
        assertThat(isSafe(switchOf("l2s0"))).isTrue();

        fabric.setLinks(away, true, true);
        fabric.pass(10_000 * MILLI);

        assertThat(isSafe(switchOf("l2s0"))).isFalse();
        fabric.join(away);
        fabric.pass(10_000 * MILLI);
        assertThat(isSafe(switchOf("l2s0"))).isTrue();
    }

    /** Whoever is told so unplugs it, and a manager that forgot would send there. */
    @Test
    void shouldDrainNothingThatWouldBeForgotten() {
        fabric.diskTakes = false;
        ask(Verb.DRAIN, "", switchOf("l2s0"));
        fabric.pass(5_000 * MILLI);

        assertThat(fabric.state.snapshot().intent().drained()).isEmpty();
        fabric.diskTakes = true;
        fabric.keepWhatWaits();
        fabric.pass(5_000 * MILLI);
        assertThat(fabric.state.snapshot().intent().drained()).hasSize(1);
        assertThat(isSafe(switchOf("l2s0"))).isTrue();
    }

    @Test
    void shouldGoOnWhenEverythingIsDrained() {
        Map<Long, byte[]> before = fabric.tablesHeld();
        List<PortPlace> everything = new ArrayList<>(all(true));
        everything.addAll(all(false));
        for (List<PortPlace> places : List.of(all(false), all(true), everything)) {
            ask(Verb.DRAIN, "", places.toArray(PortPlace[]::new));
            fabric.pass(700_000 * MILLI);
            ask(Verb.UNDRAIN, "", places.toArray(PortPlace[]::new));
            fabric.pass(700_000 * MILLI);

            assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(before);
        }
    }

    @Test
    void shouldGoOnWhenAllCablesAreDrainedByBothEnds() {
        Map<Long, byte[]> before = fabric.tablesHeld();
        List<PortPlace> ends = new ArrayList<>();
        for (Cable cable : Degradation.cables(fabric.whole())) {
            ends.add(new PortPlace(cable.guid(), cable.port()));
            ends.add(new PortPlace(cable.farGuid(), cable.farPort()));
        }
        ask(Verb.DRAIN, "", ends.toArray(PortPlace[]::new));
        fabric.pass(700_000 * MILLI);
        assertThat(fabric.disk.all(Intent.class)).hasSize(ends.size() / 2);

        ask(Verb.UNDRAIN, "", ends.toArray(PortPlace[]::new));
        fabric.pass(700_000 * MILLI);

        assertThat(fabric.disk.all(Intent.class)).isEmpty();
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(before);
    }

    /** An engine is chosen while the fall-back engine computes: the fall-back engine is not asked any more. */
    @Test
    void shouldNotServeTheFallBackEnginesTablesWhenAnotherEngineIsChosen() {
        fabric.state.fallBackTo("minhop");
        fabric.engines.put(Effect.Method.INCREMENTAL, new BrokenEngine());
        fabric.engines.put(Effect.Method.FRESH, new BrokenEngine());
        fabric.holdComputations = true;
        ask(Verb.ENGINE, "updn");
        fabric.finishComputation(true);
        fabric.finishComputation(true);
        fabric.engines.clear();

        ask(Verb.ENGINE, "");
        fabric.finishComputation(true);
        fabric.finishComputation(false);
        fabric.pass(1_000 * MILLI);

        Effect.Compute last = (Effect.Compute) fabric.log.stream()
                .filter(Effect.Compute.class::isInstance)
                .reduce((one, other) -> other)
                .orElseThrow();
        assertThat(last.method()).isNotEqualTo(Effect.Method.FALLBACK);
    }

    @Test
    void shouldHealWithTheEngineOfTheSettingsWhenTheChosenOneMakesNoTables() {
        fabric.computing = compute -> {
            fabric.engines.clear();
            if (compute.engine().equals("updn")) {
                fabric.engines.put(Effect.Method.INCREMENTAL, new BrokenEngine());
                fabric.engines.put(Effect.Method.FRESH, new BrokenEngine());
            }
        };
        ask(Verb.ENGINE, "updn");
        fabric.calm();
        long leaf = fabric.guid("leaf0");
        Cable cable = fabric.cableAt(leaf);

        fabric.setCable(cable, false, true);
        fabric.calm();

        byte[] table = fabric.tablesHeld().get(leaf);
        int dead = cable.guid() == leaf ? cable.port() : cable.farPort();
        assertThat(table).doesNotContain((byte) dead);
        assertThat(fabric.state.switches()).allMatch(SwitchRecord::upToDate);
        String now = "epoch " + fabric.state.epoch() + " of the engine of the settings, not of updn";
        assertThat(refusedAlarms())
                .singleElement()
                .asString()
                .endsWith("it is broken; " + now + ", is in force until the next change");

        ask(Verb.ENGINE, "");
        fabric.calm();
        assertThat(refusedAlarms()).isEmpty();
    }

    private List<String> refusedAlarms() {
        return fabric.state.alarms().stream()
                .filter(alarm -> alarm.kind() == Alarm.Kind.EPOCH_REFUSED)
                .map(Alarm::text)
                .toList();
    }

    /** The cable is elsewhere by now, and the drain is taken back by what was named. */
    @Test
    void shouldTakeBackByBothEndsWhatWasDrainedTwice() {
        Cable one = fabric.cableAt(fabric.guid("l2s0"));
        PortPlace near = new PortPlace(one.guid(), one.port());
        PortPlace far = new PortPlace(one.farGuid(), one.farPort());
        fabric.state.intent.drain(near, "ada", 0, "");
        fabric.state.intent.drain(far, "ada", 0, "");

        ask(Verb.UNDRAIN, "", near);

        assertThat(fabric.state.snapshot().intent().drains()).isEmpty();
    }
}
