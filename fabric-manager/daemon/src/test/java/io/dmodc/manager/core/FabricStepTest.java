package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FabricStepTest {
    private static final String PGFT = "3;2,2,3;1,2,2;1,2,1";

    private final SimulatedFabric fabric = new SimulatedFabric(PGFT);

    private final List<Cable> cables = Degradation.cables(fabric.whole());

    @Test
    void shouldComputeNothingBeforeAllExpectedSwitchesAreIn() {
        FabricView view = fabric.whole();
        for (int s = 0; s < view.switchCount() - 1; s++) {
            fabric.join(view.switchGuid(s));
        }

        fabric.work();
        assertThat(fabric.count(Effect.Compute.class)).isZero();

        fabric.join(view.switchGuid(view.switchCount() - 1));
        fabric.work();
        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(1);
    }

    @Test
    void shouldGoOnWithoutAMissingSwitchAfterTheDiscoveryTimeout() {
        FabricView view = fabric.whole();
        for (int s = 0; s < view.switchCount() - 1; s++) {
            fabric.join(view.switchGuid(s));
        }

        fabric.pass(14_999 * MILLI);
        assertThat(fabric.count(Effect.Compute.class)).isZero();

        fabric.pass(MILLI);
        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(1);
    }

    @Test
    void shouldInstallOnEverySwitchWhatTheEngineComputes() {
        fabric.start();

        FabricView view = Objects.requireNonNull(fabric.state.view());
        var tables = Objects.requireNonNull(
                Dmodc.standard().route(view, Parallel.sequential()).tables());
        for (int s = 0; s < view.switchCount(); s++) {
            assertThat(fabric.held.get(view.switchGuid(s)))
                    .isEqualTo(tables.row(s).toBytes());
        }
        assertThat(fabric.state.epochs()).last().extracting(EpochRecord::stage).isEqualTo(Stage.COMPLETE);
    }

    @Test
    void shouldFoldBothEndsOfACableIntoOneEpochAndOneNote() {
        fabric.start();
        long before = fabric.state.epoch();

        fabric.setCable(cables.get(0), false, true);
        fabric.work();

        assertThat(fabric.state.epoch()).isEqualTo(before + 1);
        assertThat(fabric.notes(Kind.LINK_DOWN)).hasSize(1);
    }

    @Test
    void shouldFoldABurstIntoOneComputation() {
        fabric.start();
        long before = fabric.count(Effect.Compute.class);

        for (int i = 0; i < cables.size(); i += 3) {
            fabric.setCable(cables.get(i), false, true);
        }
        fabric.work();

        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(before + 1);
    }

    @Test
    void shouldThrowAwayAResultThatTheFabricHasOvertaken() {
        fabric.start();
        fabric.holdComputations = true;
        fabric.setCable(cables.get(0), false, true);
        fabric.work();
        fabric.setCable(cables.get(5), false, true);
        fabric.work();

        fabric.finishComputation(false);

        assertThat(fabric.notes(Kind.EPOCH_SUPERSEDED)).hasSize(1);
        assertThat(fabric.state.outstanding()).isZero();
        assertThat(fabric.state.epochs()).last().extracting(EpochRecord::stage).isEqualTo(Stage.COMPLETE);
    }

    @Test
    void shouldServeAFabricThatNeverRestsAfterABoundedNumberOfThrownAwayResults() {
        fabric.start();
        long pushesBefore = fabric.count(Effect.Push.class);

        fabric.holdComputations = true;
        fabric.setCable(cables.get(0), false, true);
        fabric.work();
        for (int i = 1; i <= FabricRules.SUPERSEDED_MAX; i++) {
            fabric.setCable(cables.get(i), false, true);
            fabric.finishComputation(true);
            assertThat(fabric.count(Effect.Push.class)).isEqualTo(pushesBefore);
        }
        fabric.setCable(cables.get(FabricRules.SUPERSEDED_MAX + 1), false, true);
        fabric.finishComputation(true);

        assertThat(fabric.count(Effect.Push.class)).isGreaterThan(pushesBefore);
    }

    @Test
    void shouldKeepAHeadlessSwitchAndRerouteNothing() {
        fabric.start();
        long spine = fabric.guid("l2s0");
        long computed = fabric.count(Effect.Compute.class);
        fabric.mute.add(spine);

        fabric.ringSays(true, spine);
        fabric.work();
        fabric.leave(spine);
        fabric.work();

        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(computed);
        assertThat(fabric.notes(Kind.SWITCH_HEADLESS)).hasSize(1);
    }

    @Test
    void shouldRouteAroundASwitchWhoseNeighboursOnAskingSeeItsLinksDown() {
        fabric.start();
        long spine = fabric.guid("l2s0");
        fabric.mute.add(spine);
        fabric.setLinks(spine, false, false);
        fabric.work();
        assertThat(fabric.notes(Kind.SWITCH_DEAD)).isEmpty();

        fabric.ringSays(true, spine);
        fabric.work();

        assertThat(fabric.notes(Kind.SWITCH_DEAD)).hasSize(1);
        assertThat(Objects.requireNonNull(fabric.state.findSwitch(spine)).condition())
                .isEqualTo(Condition.DEAD);
        FabricView view = Objects.requireNonNull(fabric.state.view());
        assertThat(view.alive(view.switchOf(spine))).isFalse();
        assertThat(fabric.state.outstanding()).isZero();
    }

    @Test
    void shouldLeadAroundAHeadlessSwitchWhatItsTableDoesNotFitAnyMore() {
        fabric.start();
        long spine = fabric.guid("l2s0");
        Cable itsCable = cables.stream()
                .filter(cable -> cable.farGuid() == spine)
                .findFirst()
                .orElseThrow();
        fabric.mute.add(spine);
        fabric.leave(spine);
        fabric.work();

        // The other cable of the bundle is left: the switch should use that one, and cannot be told.
        fabric.setCable(itsCable, false, true);
        fabric.work();

        assertThat(fabric.notes(Kind.SWITCH_BYPASSED)).hasSize(1);
        assertThat(fabric.notes(Kind.EPOCH_REFUSED)).isEmpty();
        assertThat(fabric.state.outstanding()).isZero();

        fabric.mute.remove(spine);
        fabric.join(spine);
        fabric.work();
        assertThat(Objects.requireNonNull(fabric.state.findSwitch(spine)).bypassed())
                .isFalse();
    }

    /** Nobody sends by way of it where both cables of a bundle are cut, so its old entries harm nobody. */
    @Test
    void shouldGoOnUsingAHeadlessSwitchWhoseOldEntriesNobodyNeeds() {
        fabric.start();
        long spine = fabric.guid("l2s0");
        long leaf = cables.stream()
                .filter(cable -> cable.farGuid() == spine)
                .findFirst()
                .orElseThrow()
                .guid();
        fabric.mute.add(spine);
        fabric.leave(spine);
        fabric.work();

        cables.stream()
                .filter(cable -> cable.farGuid() == spine && cable.guid() == leaf)
                .forEach(cable -> fabric.setCable(cable, false, true));
        fabric.work();

        assertThat(fabric.notes(Kind.SWITCH_BYPASSED)).isEmpty();
        assertThat(fabric.notes(Kind.EPOCH_REFUSED)).isEmpty();
        FabricView view = Objects.requireNonNull(fabric.state.view());
        assertThat(view.alive(view.switchOf(spine))).isTrue();
    }

    @Test
    void shouldLookAgainWhenASwitchTurnsOutHeadlessWithoutItsNewestTable() {
        fabric.start();
        long spine = fabric.guid("l2s0");
        Cable itsCable = cables.stream()
                .filter(cable -> cable.farGuid() == spine)
                .findFirst()
                .orElseThrow();
        fabric.mute.add(spine);
        fabric.setCable(itsCable, false, true);
        fabric.work();
        assertThat(fabric.notes(Kind.SWITCH_BYPASSED)).isEmpty();

        fabric.ringSays(true, spine);
        fabric.calm();

        assertThat(fabric.notes(Kind.SWITCH_HEADLESS)).hasSize(1);
        assertThat(fabric.notes(Kind.SWITCH_BYPASSED)).hasSize(1);
        assertThat(Objects.requireNonNull(fabric.state.findSwitch(spine)).bypassed())
                .isTrue();
        LftSet tables = Objects.requireNonNull(fabric.state.tables()).lfts();
        FabricView view = Objects.requireNonNull(fabric.state.view());
        assertThat(IntStream.range(0, view.nodeCount()).filter(d -> leadsTo(tables, view, spine, d)))
                .as("destinations that others still send by way of it")
                .isNotEmpty();
    }

    private static boolean leadsTo(LftSet tables, FabricView view, long spine, int d) {
        return IntStream.range(0, view.switchCount())
                .anyMatch(s -> tables.port(s, d) <= view.portCount(s)
                        && tables.port(s, d) > 0
                        && view.peerSwitch(s, tables.port(s, d)) == view.switchOf(spine));
    }

    @Test
    void shouldNotUseARebootedSwitchBeforeItsAgentSaysWhatItHolds() {
        fabric.start();
        long spine = fabric.guid("l2s0");
        fabric.mute.add(spine);
        fabric.setLinks(spine, false, true);
        fabric.leave(spine);
        fabric.work();
        fabric.held.remove(spine);

        fabric.setLinks(spine, true, true);
        fabric.calm();
        FabricView booting = Objects.requireNonNull(fabric.state.view());
        assertThat(booting.alive(booting.switchOf(spine))).isFalse();
        assertThat(fabric.notes(Kind.SWITCH_HEADLESS))
                .allSatisfy(note -> assertThat(note.severity()).isEqualTo(LoggedEvent.Severity.INFO));

        int before = fabric.log.size();
        fabric.mute.remove(spine);
        fabric.join(spine);
        fabric.calm();
        FabricView back = Objects.requireNonNull(fabric.state.view());
        assertThat(back.alive(back.switchOf(spine))).isTrue();
        assertThat(fabric.log.subList(before, fabric.log.size()).stream()
                        .filter(effect -> effect instanceof Effect.Push push
                                && push.update().guid() == spine))
                .singleElement()
                .satisfies(effect ->
                        assertThat(((Effect.Push) effect).update().complete()).isTrue());
    }

    @Test
    void shouldNotBelieveTheRingWhenTheAccusedAnswers() {
        fabric.start();
        long spine = fabric.guid("l2s0");
        long computed = fabric.count(Effect.Compute.class);

        fabric.ringSays(true, spine);
        fabric.work();

        assertThat(fabric.notes(Kind.AGENT_ALIVE)).hasSize(1);
        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(computed);
        assertThat(Objects.requireNonNull(fabric.state.findSwitch(spine)).condition())
                .isEqualTo(Condition.CONNECTED);
    }

    @Test
    void shouldNameALeafThatIsCutOffOnceAndRouteTheRest() {
        fabric.start();
        long leaf = fabric.guid("leaf0");
        fabric.mute.add(leaf);
        fabric.setLinks(leaf, false, true);
        fabric.leave(leaf);
        fabric.work();
        fabric.setCable(cables.get(cables.size() - 1), false, true);
        fabric.work();

        assertThat(fabric.notes(Kind.LEAVES_CUT_OFF)).hasSize(1);
        assertThat(fabric.notes(Kind.LEAVES_CUT_OFF).get(0).text()).contains("leaf0");
        assertThat(fabric.state.cutOff()).containsExactly("leaf0");
        assertThat(fabric.state.outstanding()).isZero();
    }

    @Test
    void shouldNotPushForEachFlapOfACable() {
        fabric.start();
        long before = fabric.count(Effect.Compute.class);

        for (int flap = 0; flap < 20; flap++) {
            fabric.setCable(cables.get(0), false, true);
            fabric.pass(50 * MILLI);
            fabric.setCable(cables.get(0), true, true);
            fabric.pass(50 * MILLI);
        }
        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(before + 1);

        fabric.calm();
        assertThat(fabric.count(Effect.Compute.class)).isEqualTo(before + 2);
    }

    @Test
    void shouldWriteNothingAfterARestartWhenSwitchesHoldWhatTheyShould() {
        fabric.start();

        SimulatedFabric restarted = fabric.restarted().start();

        assertThat(restarted.count(Effect.Push.class)).isZero();
        assertThat(restarted.state.epochs())
                .last()
                .extracting(EpochRecord::stage)
                .isEqualTo(Stage.COMPLETE);
        assertThat(restarted.state.epoch()).isGreaterThan(fabric.state.epoch());
    }

    @Test
    void shouldSendAWholeTableAfterARestartOnlyToTheSwitchThatHoldsAnother() {
        fabric.start();
        SimulatedFabric restarted = fabric.restarted();
        Objects.requireNonNull(restarted.held.get(fabric.guid("leaf0")))[0] = 42;

        restarted.start();

        assertThat(restarted.log.stream().filter(Effect.Push.class::isInstance))
                .singleElement()
                .satisfies(effect ->
                        assertThat(((Effect.Push) effect).update().complete()).isTrue());
        assertThat(restarted.held.get(fabric.guid("leaf0"))).isEqualTo(fabric.held.get(fabric.guid("leaf0")));
    }

    @Test
    void shouldSendOnlyTheDifferenceToAnAgentThatComesBack() {
        fabric.start();
        long leaf = fabric.guid("leaf5");
        fabric.leave(leaf);
        fabric.work();
        fabric.setCable(cables.get(0), false, true);
        fabric.work();
        int before = fabric.log.size();

        fabric.join(leaf);
        fabric.work();

        assertThat(fabric.log.subList(before, fabric.log.size()).stream().filter(Effect.Push.class::isInstance))
                .allSatisfy(effect ->
                        assertThat(((Effect.Push) effect).update().complete()).isFalse());
        assertThat(fabric.state.outstanding()).isZero();
    }

    @Test
    void shouldFlagAnAgentThatNeverAcknowledgesAndServeTheOthers() {
        fabric.start();
        long leaf = fabric.guid("leaf0");
        fabric.deaf.add(leaf);
        fabric.setCable(cables.get(cables.size() - 1), false, true);
        fabric.setCable(cables.get(0), false, true);
        fabric.work();
        assertThat(fabric.state.outstanding()).isEqualTo(1);

        fabric.pass(10_000 * MILLI);

        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).hasSize(1);
        long tries = fabric.log.stream()
                .filter(effect -> effect instanceof Effect.Push push
                        && push.update().guid() == leaf
                        && push.update().fabricEpoch() > 1)
                .count();
        assertThat(tries).isEqualTo(SimulatedFabric.RULES.pushTries());
        assertThat(fabric.state.outstanding()).isZero();
    }

    @Test
    void shouldSendTheWholeTableWhenADifferenceIsRefused() {
        fabric.start();
        long leaf = fabric.guid("leaf0");
        fabric.deaf.add(leaf);
        fabric.setCable(cables.get(0), false, true);
        fabric.work();
        int before = fabric.log.size();
        fabric.deaf.remove(leaf);
        fabric.held.remove(leaf);

        fabric.send(new TableRefused(
                fabric.now,
                fabric.session(leaf),
                leaf,
                fabric.state.epoch(),
                RefusalReason.OTHER,
                "base mismatch",
                new HeldTable(1, 1, 0, 0)));
        fabric.pass(SimulatedFabric.RULES.ackTimeoutNanos());

        assertThat(fabric.log.subList(before, fabric.log.size()).stream().filter(Effect.Push.class::isInstance))
                .singleElement()
                .satisfies(effect ->
                        assertThat(((Effect.Push) effect).update().complete()).isTrue());
        assertThat(fabric.state.outstanding()).isZero();
    }

    @Test
    void shouldRefuseASecondAgentForTheSameSwitch() {
        fabric.start();
        long leaf = fabric.guid("leaf0");

        fabric.send(new AgentJoined(
                fabric.now, 999, leaf, "impostor", 6, 1, new HeldTable(0, 0, 0, 0), new RingAddress("::1", 9)));
        List<Effect> effects = new ArrayList<>();
        fabric.step.accept(
                new AgentJoined(
                        fabric.now, 999, leaf, "impostor", 6, 1, new HeldTable(0, 0, 0, 0), new RingAddress("::1", 9)),
                effects);

        assertThat(effects).first().isInstanceOf(Effect.Dismiss.class);
        assertThat(Objects.requireNonNull(fabric.state.findSwitch(leaf)).name()).isEqualTo("leaf0");
    }

    @Test
    void shouldIgnoreLateWordsOfAReplacedSession() {
        fabric.start();
        long leaf = fabric.guid("leaf0");
        long old = fabric.session(leaf);
        fabric.join(leaf);
        fabric.work();

        fabric.send(new TableAcked(fabric.now, old, leaf, fabric.state.epoch(), 42));
        fabric.send(new FabricEvent.AgentLeft(fabric.now, old, leaf, "late"));
        fabric.work();

        assertThat(Objects.requireNonNull(fabric.state.findSwitch(leaf)).agentConnected())
                .isTrue();
    }

    @Test
    void shouldGiveTheSameEffectsForTheSameEvents() {
        SimulatedFabric twin = new SimulatedFabric(PGFT);
        for (SimulatedFabric each : List.of(fabric, twin)) {
            each.start();
            each.setCable(cables.get(3), false, true);
            each.work();
            each.leave(each.guid("leaf1"));
            each.calm();
        }

        assertThat(describe(twin)).isEqualTo(describe(fabric));
    }

    private static List<String> describe(SimulatedFabric fabric) {
        return fabric.log.stream()
                .map(effect -> effect instanceof Effect.Push push
                        ? push.session() + " " + push.update().resultDigest() + " "
                                + Arrays.toString(push.update().blocks())
                        : effect instanceof Effect.Compute compute
                                ? "compute " + compute.view().epoch()
                                : effect instanceof Effect.TellAlternatives news
                                        ? "alternatives " + news.tables().epoch() + " "
                                                + Arrays.toString(news.digests()) + " " + news.unsure()
                                        : effect.toString())
                .toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void shouldReturnToTheFirstTablesWhenEverythingIsBack(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedFabric storm = new SimulatedFabric(
                        PgftGenerator.generateShuffled(PgftShape.parse("3;3,3,4;1,2,3;1,2,1"), random))
                .start();
        Map<Long, byte[]> first = storm.tablesHeld();
        List<Cable> stormCables = Degradation.cables(storm.whole());

        for (int i = 0; i < 60; i++) {
            Cable cable = stormCables.get(random.nextInt(stormCables.size()));
            storm.setCable(cable, random.nextInt(3) == 0, true);
            if (random.nextInt(10) == 0) {
                long guid = cable.guid();
                storm.leave(guid);
                storm.work();
                storm.join(guid);
            }
            storm.pass(700L * random.nextInt(3) * MILLI);
            assertThat(storm.notes(Kind.EPOCH_REFUSED)).isEmpty();
            assertThat(storm.state.outstanding()).isZero();
        }
        stormCables.forEach(cable -> storm.setCable(cable, true, true));
        storm.calm();

        assertThat(storm.held).hasSameSizeAs(first);
        first.forEach((guid, row) -> assertThat(storm.held.get(guid)).isEqualTo(row));
    }

    private static String levelsNote(SimulatedFabric fabric) {
        return fabric.notes(Kind.LEVELS_LEARNT).get(0).text();
    }

    @Test
    void shouldRecogniseTheWholePgft() {
        SimulatedFabric whole = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();

        assertThat(levelsNote(whole)).endsWith("learnt from 36 links: the whole PGFT 3;2,2,3;1,2,2;1,2,1");
    }

    /** A spine that lost its leaves floats up by hops; a known design keeps it where it belongs. */
    @Test
    void shouldKeepTheLevelsOfAConfiguredDesignOnAFabricThatStartsDamaged() {
        PgftShape design = PgftShape.parse("3;2,2,3;1,2,2;1,2,1");
        FabricViewBuilder metal = PgftGenerator.generate(design);
        FabricView whole = metal.build(0, new NodeIndexMap(), new GuidNumbers());
        int middle = 6;
        Degradation.cables(whole).stream()
                .filter(cable -> whole.switchOf(cable.farGuid()) == middle)
                .forEach(cable -> Degradation.cut(metal, cable));

        SimulatedFabric designed = new SimulatedFabric(metal, design).start();
        SimulatedFabric learnt = new SimulatedFabric(metal).start();

        assertThat(Objects.requireNonNull(designed.state.view()).rank(middle)).isEqualTo(1);
        assertThat(levelsNote(designed))
                .contains("taken from the design PGFT 3;2,2,3;1,2,2;1,2,1: ")
                .contains(whole.switchName(middle));
        assertThat(Objects.requireNonNull(learnt.state.view()).rank(middle)).isEqualTo(3);
        assertThat(levelsNote(learnt)).contains("no whole PGFT, ");
    }
}
