package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.VtftrEngine;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridGenerator;
import io.dmodc.topology.grid.GridShape;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Random histories of a grid: switches and cables die and come back, with their old tables or without, agents and the manager start again, tables
 * are refused, and taken in any order. No packet ever loops or turns as none may; no pair is lost by a table whose plan is transient-safe; at
 * rest every pair that does not arrive has a leaf that is named. {@code -Dgrid.histories=4000} runs more seeds.
 */
class GridHistoriesTest {
    private static final int SEEDS = Integer.getInteger("grid.histories", 20);
    private static final int OFF_MAX = 4;
    private static final List<String> SHAPES =
            List.of("4x4;hosts=1;roots=1,2", "4x3;hosts=2;roots=2,1", "5x4;hosts=1;roots=2,2", "4x5;hosts=1;roots=1,1");

    private static final class History {
        private final int seed;
        private final SplittableRandom random;
        private final RoutingEngine engine;
        private final boolean followsPlans;
        private SimulatedFabric fabric;
        private final List<Long> guids = new ArrayList<>();
        private final List<Long> leaves;
        private final Set<Long> off = new HashSet<>();

        /** Grows with everything that happens to the metal. */
        private int metal;

        /** By epoch, what the metal was when its change was planned, and which pairs worked whatever switches held. */
        private final Map<Long, Integer> metalAt = new HashMap<>();

        private final Map<Long, BitSet> working = new HashMap<>();
        int looked;
        int lost;

        History(int seed, boolean followsPlans) {
            this.seed = seed;
            this.followsPlans = followsPlans;
            random = new SplittableRandom(seed);
            engine = new VtftrEngine(random.nextBoolean() ? SpareMode.PAPER : SpareMode.PAIRWISE);
            GridShape shape = GridShape.parse(SHAPES.get(random.nextInt(SHAPES.size())));
            fabric = prepared(new SimulatedFabric(GridGenerator.generateShuffled(shape, random)))
                    .start();
            FabricView whole = fabric.whole();
            for (int s = 0; s < whole.switchCount(); s++) {
                guids.add(whole.switchGuid(s));
            }
            leaves = new HeldTurns(fabric).leaves;
            fabric.computing = this::planning;
            fabric.holdPushes = true;
        }

        private SimulatedFabric prepared(SimulatedFabric next) {
            for (Effect.Method method : Effect.Method.values()) {
                next.engines.put(method, engine);
            }
            next.comparesSnapshots = false;
            next.followsPlans = followsPlans;
            return next;
        }

        private void planning(Effect.Compute compute) {
            metalAt.put(compute.view().epoch(), metal);
            working.put(
                    compute.view().epoch(),
                    compute.inForce() == null ? new BitSet() : HeldTurns.surelyArriving(compute, leaves));
        }

        void run() {
            for (int i = 0; i < 12; i++) {
                happen();
                fabric.work();
                for (int taken = random.nextInt(12); taken > 0 && !fabric.heldPushes.isEmpty(); taken--) {
                    take(any(fabric.heldPushes));
                }
                fabric.pass(random.nextLong(150) * SimulatedFabric.MILLI);
            }
            rest();
            List.copyOf(off).forEach(this::powerOn);
            mendCables();
            rest();
            assertThat(new HeldTurns(fabric).arriving().cardinality())
                    .as("seed %d: all is mended", seed)
                    .isEqualTo(leaves.size() * fabric.whole().nodeCount());
        }

        private void happen() {
            long guid = any(guids);
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> power(guid);
                case 3, 4 -> cut(any(Degradation.cables(fabric.whole())));
                case 5 -> refuse();
                case 6 -> startAgentAnew(guid);
                default -> {
                    if (random.nextInt(3) == 0) {
                        startManagerAnew();
                    } else {
                        mendCables();
                    }
                }
            }
        }

        private <T> T any(List<T> some) {
            return some.get(random.nextInt(some.size()));
        }

        private void power(long guid) {
            if (off.contains(guid)) {
                powerOn(guid);
            } else if (off.size() < OFF_MAX) {
                metal++;
                off.add(guid);
                fabric.leave(guid);
                forgetPush(guid);
                fabric.setLinks(guid, false, true);
            }
        }

        private void powerOn(long guid) {
            metal++;
            off.remove(guid);
            if (random.nextBoolean()) {
                fabric.held.remove(guid);
            }
            connect(guid);
            fabric.join(guid);
        }

        private void connect(long guid) {
            for (int port = 1; port <= fabric.metal.portCount(guid); port++) {
                if (fabric.metal.neighbour(guid, port) instanceof ToSwitch to
                        && !off.contains(to.guid())
                        && !fabric.metal.isLive(guid, port)) {
                    fabric.setCable(new Cable(guid, port, to.guid(), to.port()), true, true);
                }
            }
        }

        private void cut(Cable cable) {
            metal++;
            fabric.setCable(cable, false, true);
            if (random.nextInt(3) == 0) {
                fabric.work();
                fabric.setCable(cable, true, true);
            }
        }

        private void mendCables() {
            metal++;
            guids.stream().filter(guid -> !off.contains(guid)).forEach(this::connect);
        }

        private void refuse() {
            if (!fabric.heldPushes.isEmpty()) {
                Effect.Push push = any(fabric.heldPushes);
                fabric.heldPushes.remove(push);
                long guid = push.update().guid();
                byte[] held = fabric.held.getOrDefault(guid, new byte[0]);
                fabric.send(new TableRefused(
                        fabric.now,
                        push.session(),
                        guid,
                        push.update().fabricEpoch(),
                        RefusalReason.OTHER,
                        "busy",
                        new HeldTable(1, 0, held.length, TableDigest.of(held))));
            }
        }

        private void startAgentAnew(long guid) {
            if (!off.contains(guid)) {
                fabric.leave(guid);
                forgetPush(guid);
                fabric.pass(random.nextLong(4_000) * SimulatedFabric.MILLI);
                fabric.join(guid);
            }
        }

        private void forgetPush(long guid) {
            fabric.heldPushes.removeIf(push -> push.update().guid() == guid);
        }

        private void startManagerAnew() {
            metal++;
            fabric = prepared(fabric.restarted());
            fabric.computing = this::planning;
            fabric.holdPushes = true;
            joinAll();
        }

        /** Also those that were dismissed. */
        private void joinAll() {
            guids.stream()
                    .filter(guid -> !off.contains(guid) && fabric.session(guid) == 0)
                    .forEach(fabric::join);
            fabric.work();
        }

        private void take(Effect.Push push) {
            long epoch = push.update().fabricEpoch();
            boolean planned = Objects.equals(metalAt.get(epoch), metal) && (isSafe(epoch) || !followsPlans);
            HeldTurns packets = new HeldTurns(fabric);
            BitSet before = planned ? packets.arriving(Objects.requireNonNull(working.get(epoch))) : new BitSet();
            fabric.take(push);
            looked += before.cardinality();
            before.andNot(packets.arriving(before));
            lost += before.cardinality();
            if (followsPlans) {
                assertThat(lost)
                        .as(
                                "seed %d: pairs lost by the table of epoch %d at %s",
                                seed, epoch, push.update().guid())
                        .isZero();
            }
            if (random.nextInt(4) == 0) {
                fabric.work();
            }
        }

        private boolean isSafe(long epoch) {
            return fabric.state.epochs().stream()
                    .anyMatch(
                            record -> record.epoch() == epoch && record.change().startsWith("transient-safe"));
        }

        /** Everybody is there, and what flapped is believed again. */
        private void rest() {
            for (int i = 0; i < 16; i++) {
                joinAll();
                while (!fabric.heldPushes.isEmpty()) {
                    take(any(fabric.heldPushes));
                    if (fabric.heldPushes.isEmpty()) {
                        fabric.work();
                    }
                }
                fabric.pass((i < 8 ? 300 : 120_000) * SimulatedFabric.MILLI);
            }
            FabricView view = Objects.requireNonNull(fabric.state.snapshot().works());
            HeldTurns packets = new HeldTurns(fabric);
            BitSet missing = new BitSet();
            missing.set(0, leaves.size() * view.nodeCount());
            missing.andNot(packets.arriving());
            for (int pair : missing.stream().toArray()) {
                long from = view.switchGuid(packets.leafOf(pair));
                long to = view.switchGuid(packets.homeOf(pair));
                assertThat(off.contains(from)
                                || off.contains(to)
                                || fabric.state.cutOffGuids.contains(from)
                                || fabric.state.cutOffGuids.contains(to))
                        .as("seed %d: %s to %s", seed, fabric.metal.name(from), fabric.metal.name(to))
                        .isTrue();
            }
        }
    }

    @Test
    void shouldLoseNoWorkingPairAndNameAllThatAreLost() {
        int looked = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            History history = new History(seed, true);
            history.run();
            looked += history.looked;
        }
        assertThat(looked).isPositive();
    }

    /** What the test would notice. */
    @Test
    void shouldLoseWorkingPairsWhenAllTablesLeaveAtOnce() {
        int lost = 0;
        for (int seed = 0; seed < 5; seed++) {
            History history = new History(seed, false);
            history.run();
            lost += history.lost;
        }
        assertThat(lost).isPositive();
    }
}
