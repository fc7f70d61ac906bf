package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.updown.UpDown;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** An engine is changed to by way of tables that drop packets, where an operator allows it: for that change, and for no later one. */
class QuiesceTest {
    private static final int SEEDS = 120;

    /** Computes by one engine, later by another. */
    private static final class TwoEngines implements RoutingEngine {
        private RoutingEngine engine = Dmodc.standard();

        /** So many computations fail. */
        private int failures;

        @Override
        public String name() {
            return "two engines";
        }

        @Override
        public RoutingResult route(FabricView view, Parallel parallel) {
            if (failures > 0) {
                failures--;
                return new RoutingResult.Unroutable("a defect");
            }
            return engine.route(view, parallel);
        }

        @Override
        public LftSet routeSwitches(FabricView view, Parallel parallel) {
            return engine.routeSwitches(view, parallel);
        }
    }

    private final TwoEngines engine = new TwoEngines();
    private SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");

    /** By the engine that follows some mix closes a circle of channels, and no order avoids it. */
    private boolean begin(long seed, boolean quiesce) {
        SplittableRandom random = new SplittableRandom(seed);
        engine.engine = Dmodc.plain();
        PgftShape shape = PgftShape.parse("3;3,3,3;1,3,3;1,1,1");
        fabric = new SimulatedFabric(PgftGenerator.generate(shape), shape);
        fabric.engines.put(Effect.Method.INCREMENTAL, engine);
        fabric.engines.put(Effect.Method.FRESH, engine);
        fabric.comparesSnapshots = false;
        for (int cut = Degradation.cables(fabric.whole()).size() * 3 / 10; cut > 0; cut--) {
            List<Cable> cables = Degradation.cables(fabric.whole());
            fabric.setCable(cables.get(random.nextInt(cables.size())), false, false);
        }
        fabric.start();
        engine.engine = new UpDown(null);
        fabric.holdPushes = true;
        Act act = Act.engine("updn", quiesce);
        fabric.send(new ActAsked(fabric.now, act, 0, "ada", "to compare"));
        fabric.pass(fabric.state.rules.settleNanos());
        return text().startsWith(quiesce ? "transient-safe: quiesced" : "not provable");
    }

    private String text() {
        EpochRecord epoch = fabric.state.epochs.peekLast();
        return epoch == null ? "" : epoch.change;
    }

    @Test
    void shouldDropWhatCouldCloseACircleWhileItChanges() {
        long seed = 0;
        while (!begin(seed, false)) {
            seed++;
            assertThat(seed).isLessThan(SEEDS);
        }
        String refused = text();
        assertThat(begin(seed, true))
                .as("%d: %s, but %s", seed, refused, text())
                .isTrue();
        Set<Long> dropped = new HashSet<>();

        while (!fabric.heldPushes.isEmpty() || fabric.state.epochs.peekLast().stage == EpochRecord.Stage.PUSHING) {
            List<Effect.Push> pushes = new ArrayList<>(fabric.heldPushes);
            fabric.heldPushes.clear();
            for (Effect.Push push : pushes) {
                byte[] before =
                        Objects.requireNonNull(fabric.held.get(push.update().guid()));
                byte[] after = push.update().row().toBytes();
                for (int d = 0; d < after.length; d++) {
                    if (before[d] != (byte) LftSet.NO_ROUTE && after[d] == (byte) LftSet.NO_ROUTE) {
                        dropped.add(push.update().guid());
                    }
                }
                fabric.take(push);
                requireNoLoop();
            }
            fabric.work();
            if (fabric.heldPushes.isEmpty()) {
                fabric.pass(fabric.state.rules.drainNanos());
            }
        }

        assertThat(dropped).contains(fabric.guid("leaf0"), fabric.guid("leaf1"));
        assertThat(fabric.state.epochs.peekLast().stage).isEqualTo(EpochRecord.Stage.COMPLETE);
        requireAllInForce();
    }

    private void requireNoLoop() {
        FabricView view = Objects.requireNonNull(fabric.state.view);
        for (int target = 0; target < view.targetCount(); target++) {
            for (int d = 0; d < view.nodeCount(); d++) {
                int at = view.targetSwitch(target);
                Set<Integer> been = new HashSet<>();
                while (at >= 0) {
                    assertThat(been.add(at))
                            .as("node %d comes back to %s", d, view.switchName(at))
                            .isTrue();
                    int port = Objects.requireNonNull(fabric.held.get(view.switchGuid(at)))[d] & 0xff;
                    at = port >= 1 && port <= view.portCount(at) ? view.peerSwitch(at, port) : -1;
                }
            }
        }
    }

    @Test
    void shouldAskAgainForTheNextChange() {
        begin(0, true);
        fabric.holdPushes = false;
        List<Boolean> allowed = new ArrayList<>();
        fabric.computing = compute -> allowed.add(compute.terms().quiesce());
        List<Effect.Push> pushes = new ArrayList<>(fabric.heldPushes);
        fabric.heldPushes.clear();
        pushes.forEach(fabric::take);
        fabric.calm();

        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.calm();

        assertThat(allowed).isNotEmpty().containsOnly(false);
    }

    @Test
    void shouldStillBeAllowedWhenTheSameIsTriedAgain() {
        List<Boolean> allowed = new ArrayList<>();
        engine.engine = Dmodc.plain();
        fabric.engines.put(Effect.Method.INCREMENTAL, engine);
        fabric.engines.put(Effect.Method.FRESH, engine);
        fabric.start();
        fabric.computing = compute -> allowed.add(compute.terms().quiesce());

        engine.failures = 3;
        fabric.send(new ActAsked(fabric.now, Act.engine("updn", true), 0, "ada", "to compare"));
        fabric.calm();
        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.calm();

        // As it was, from scratch, by the engine of the settings; and a fault.
        assertThat(allowed.subList(0, 3)).containsExactly(true, true, false);
        assertThat(allowed.subList(3, allowed.size())).isNotEmpty().containsOnly(false);
    }

    @Test
    void shouldNotBeAllowedForAnEngineThatARollbackChooses() {
        List<Boolean> allowed = new ArrayList<>();
        fabric.start();
        fabric.computing = compute -> allowed.add(compute.terms().quiesce());

        fabric.send(new ActAsked(fabric.now, Act.engine("updn", true), 0, "ada", "to compare"));
        fabric.work();
        allowed.clear();
        fabric.send(new ActAsked(fabric.now, Act.rollback(1, List.of(), "minhop"), 0, "ada", "no"));
        fabric.calm();

        assertThat(allowed).isNotEmpty().containsOnly(false);
    }

    @Test
    void shouldNotPauseWhileHostsAreKeptFromSending() {
        long seed = 0;
        while (!begin(seed, true)) {
            seed++;
            assertThat(seed).isLessThan(SEEDS);
        }
        List<Effect.Push> pushes = new ArrayList<>(fabric.heldPushes);
        fabric.heldPushes.clear();
        pushes.forEach(fabric::take);
        fabric.send(new ActAsked(fabric.now, Act.pause(0, false), 0, "ada", "lunch"));
        fabric.work();

        boolean declined = fabric.log.stream().anyMatch(Effect.Declined.class::isInstance);
        fabric.holdPushes = false;
        pushes = new ArrayList<>(fabric.heldPushes);
        fabric.heldPushes.clear();
        pushes.forEach(fabric::take);
        fabric.calm();
        requireAllInForce();
        assertThat(declined).isTrue();

        fabric.send(new ActAsked(fabric.now, Act.pause(0, false), 0, "ada", "lunch"));
        fabric.calm();
        assertThat(fabric.state.intent.pause()).isNotNull();
    }

    @Test
    void shouldLetNothingDropWhenTheManagerDiesInTheMiddle() {
        long seed = 0;
        while (!begin(seed, true)) {
            seed++;
            assertThat(seed).isLessThan(SEEDS);
        }
        List.copyOf(fabric.heldPushes).forEach(fabric::take);

        SimulatedFabric next = fabric.restarted();
        next.engines.put(Effect.Method.INCREMENTAL, engine);
        next.comparesSnapshots = false;
        fabric = next;
        fabric.start();

        requireAllInForce();
    }

    @Test
    void shouldLetNothingDropWhenALeafIsLostInTheMiddle() {
        long seed = 0;
        while (!begin(seed, true)) {
            seed++;
            assertThat(seed).isLessThan(SEEDS);
        }
        List<Effect.Push> pushes = new ArrayList<>(fabric.heldPushes);
        fabric.heldPushes.clear();
        long lost = fabric.guid("leaf0");
        pushes.stream().filter(push -> push.update().guid() != lost).forEach(fabric::take);
        fabric.leave(lost);
        fabric.holdPushes = false;
        fabric.calm();
        pushes = new ArrayList<>(fabric.heldPushes);
        fabric.heldPushes.clear();
        pushes.stream().filter(push -> push.update().guid() != lost).forEach(fabric::take);
        fabric.calm();
        fabric.join(lost);
        fabric.calm();

        requireAllInForce();
    }

    private void requireAllInForce() {
        FabricView view = Objects.requireNonNull(fabric.state.view);
        LftSet tables = Objects.requireNonNull(fabric.state.tables).lfts();
        for (int s = 0; s < view.switchCount(); s++) {
            assertThat(fabric.held.get(view.switchGuid(s)))
                    .isEqualTo(tables.row(s).toBytes());
        }
    }

    @Test
    void shouldWaitLongerForWhatOnlyOperatorsAskFor() {
        List<Long> steps = new ArrayList<>();
        fabric.start();
        fabric.computing = compute -> steps.add(compute.terms().unionMax());

        fabric.send(new ActAsked(fabric.now, Act.engine("minhop", false), 0, "ada", "to compare"));
        fabric.calm();
        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.send(new ActAsked(fabric.now, Act.engine("dmodc", false), 0, "ada", "enough"));
        fabric.calm();

        assertThat(steps).hasSizeGreaterThan(1);
        assertThat(steps.get(0)).isGreaterThan(steps.get(1));
    }
}
