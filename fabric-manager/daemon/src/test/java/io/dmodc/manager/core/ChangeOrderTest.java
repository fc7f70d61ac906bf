package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
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
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** Switches take their tables in any order, and all pairs are walked before and after each: no pair that works is lost by a change of ours. */
class ChangeOrderTest {
    /** Another fabric can be asked for: {@code -Dreturns.pgft="3;16,8,8;1,8,8;1,1,1"} has 1,024 nodes and takes minutes. */
    private static final String PGFT = System.getProperty("returns.pgft", "3;4,4,4;1,4,4;1,1,1");

    /** What switches hold, and which pairs that costs. */
    private static final class Traffic {
        private final SimulatedFabric fabric;
        private final List<Long> leaves = new ArrayList<>();

        /** By node index, its leaf and the port there. */
        private final Map<Integer, Long> home = new HashMap<>();

        private final Map<Integer, Integer> exit = new HashMap<>();

        /** A cable was cut since they were sent: what they lose now is lost by the cut. */
        private final Set<Effect.Push> overtaken = new HashSet<>();

        /**
         * By epoch, pairs that worked when it was planned: index of the leaf × nodes + node.
         */
        private final Map<Long, BitSet> working = new HashMap<>();

        /** Where the last packet came to. */
        private long last;

        int lost;
        int applied;
        String first = "";

        Traffic(SimulatedFabric fabric) {
            this.fabric = fabric;
            fabric.computing = this::planning;
            fabric.comparesSnapshots = false;
            FabricView view = view();
            for (int s = 0; s < view.switchCount(); s++) {
                if (view.isLeaf(s)) {
                    leaves.add(view.switchGuid(s));
                }
            }
            for (int d = 0; d < view.nodeCount(); d++) {
                home.put(d, view.switchGuid(view.nodeSwitch(d)));
                exit.put(d, view.nodePort(d));
            }
        }

        /** With what is drained, which forwards. */
        private FabricView view() {
            return Objects.requireNonNull(fabric.state.snapshot().works());
        }

        /** A cable is cut: what is under way was sent for another fabric. */
        void overtaken() {
            overtaken.addAll(fabric.heldPushes);
        }

        /** Notes which pairs work when a change is planned, whichever of their possible rows switches have. */
        void planning(Effect.Compute compute) {
            BitSet now = new BitSet();
            for (int i = 0; i < leaves.size() * home.size(); i++) {
                int leaf = compute.works().switchOf(leaves.get(i / home.size()));
                now.set(i, compute.works().alive(leaf) && arrivesAnyhow(compute, leaf, i % home.size(), 8));
            }
            working.put(compute.view().epoch(), now);
        }

        private static boolean arrivesAnyhow(Effect.Compute compute, int at, int d, int hops) {
            FabricView view = compute.works();
            List<LftRow> rows = Objects.requireNonNull(compute.inForce()).rows().get(at);
            boolean arrives = hops > 0 && !rows.isEmpty();
            for (LftRow row : rows) {
                int port = d < row.entryCount() ? row.port(d) : LftSet.NO_ROUTE;
                boolean onward = port >= 1 && port <= view.portCount(at) && view.peerSwitch(at, port) >= 0;
                arrives &= at == view.nodeSwitch(d)
                        ? port == view.nodePort(d)
                        : onward && arrivesAnyhow(compute, view.peerSwitch(at, port), d, hops - 1);
            }
            return arrives;
        }

        /** One switch takes its table. */
        void take(Effect.Push push) {
            long guid = push.update().guid();
            byte[] before = fabric.held.getOrDefault(guid, new byte[0]);
            byte[] after = push.update().row().toBytes();
            BitSet worked = new BitSet();
            Objects.requireNonNull(working.get(push.update().fabricEpoch())).stream()
                    .filter(pair -> changes(before, after, pair % home.size()))
                    .filter(this::arrives)
                    .forEach(worked::set);
            fabric.take(push);
            applied++;
            if (!overtaken.contains(push)) {
                worked.stream().filter(pair -> !arrives(pair) && isWanted(pair)).forEach(pair -> {
                    lost++;
                    first = first.isEmpty() ? text(pair, push) : first;
                });
            }
        }

        private static boolean changes(byte[] before, byte[] after, int d) {
            return d < after.length && (d >= before.length || before[d] != after[d]);
        }

        private String text(int pair, Effect.Push push) {
            arrives(pair);
            return fabric.metal.name(leaves.get(pair / home.size())) + " to node " + pair % home.size()
                    + " by the table of epoch "
                    + push.update().fabricEpoch() + " at "
                    + fabric.metal.name(push.update().guid()) + ", lost at " + fabric.metal.name(last);
        }

        private boolean arrives(int pair) {
            return arrives(pair, guid -> fabric.held.getOrDefault(guid, new byte[0]));
        }

        /** True if the tables that all should have deliver it: no route leads over a link that is held down, even if there is no other. */
        private boolean isWanted(int pair) {
            return arrives(pair, guid -> {
                LftRow row =
                        Objects.requireNonNull(fabric.state.findSwitch(guid)).desiredRow();
                return row == null ? new byte[0] : row.toBytes();
            });
        }

        private boolean arrives(int pair, LongFunction<byte[]> rows) {
            long at = leaves.get(pair / home.size());
            int d = pair % home.size();
            for (int hops = 0; hops < 8; hops++) {
                byte[] row = rows.apply(at);
                int port = d < row.length ? Byte.toUnsignedInt(row[d]) : LftSet.NO_ROUTE;
                last = at;
                if (at == Objects.requireNonNull(home.get(d)) && port == Objects.requireNonNull(exit.get(d))) {
                    return fabric.metal.saysUp(at, port);
                }
                if (port < 1
                        || port > fabric.metal.portCount(at)
                        || !fabric.metal.isLive(at, port)
                        || !(fabric.metal.neighbour(at, port) instanceof ToSwitch to)) {
                    return false;
                }
                at = to.guid();
            }
            return false;
        }
    }

    /** Applies what is under way in a random order, and acknowledgements arrive later, until nothing is left. */
    private static void settle(SimulatedFabric fabric, Traffic traffic, SplittableRandom random) {
        fabric.work();
        while (!fabric.heldPushes.isEmpty()) {
            traffic.take(fabric.heldPushes.get(random.nextInt(fabric.heldPushes.size())));
            if (fabric.heldPushes.isEmpty() || random.nextInt(4) == 0) {
                fabric.work();
            }
        }
    }

    /** Until links are not held down any more, and drains are over. */
    private static void settleAll(SimulatedFabric fabric, Traffic traffic, SplittableRandom random) {
        for (int i = 0; i < 8; i++) {
            settle(fabric, traffic, random);
            fabric.pass(250 * SimulatedFabric.MILLI);
        }
        settle(fabric, traffic, random);
    }

    /** All links of a switch above the leaves go, and come back when it has no table any more. */
    private static void returns(SimulatedFabric fabric, Traffic traffic, SplittableRandom random) {
        FabricView view = fabric.whole();
        int s = random.nextInt(view.switchCount());
        while (view.isLeaf(s)) {
            s = random.nextInt(view.switchCount());
        }
        long guid = view.switchGuid(s);
        fabric.leave(guid);
        fabric.setLinks(guid, false, true);
        settleAll(fabric, traffic, random);
        fabric.held.remove(guid);
        fabric.setLinks(guid, true, true);
        fabric.join(guid);
        settleAll(fabric, traffic, random);
    }

    private static Traffic returns(int count, boolean followsPlans, boolean oneIsDeaf) {
        SimulatedFabric fabric = new SimulatedFabric(PGFT).start();
        Traffic traffic = new Traffic(fabric);
        fabric.holdPushes = true;
        fabric.followsPlans = followsPlans;
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < count; i++) {
            if (oneIsDeaf && i % 10 == 4) {
                // Some switch takes no table: it is flagged, and led around with the one it has.
                FabricView view = fabric.whole();
                fabric.deaf.clear();
                fabric.deaf.add(view.switchGuid(random.nextInt(view.switchCount())));
            }
            returns(fabric, traffic, random);
            fabric.pass(120_000 * SimulatedFabric.MILLI);
        }
        System.out.println(count + " returns, " + traffic.applied + " tables, " + traffic.lost + " pairs lost "
                + (followsPlans ? "in the order planned" : "at once"));
        return traffic;
    }

    @Test
    void shouldLoseNoWorkingPairWhenSwitchesComeBack() {
        Traffic planned = returns(50 * Integer.getInteger("more", 1), true, false);

        assertThat(planned.lost).as(planned.first).isZero();
    }

    @Test
    void shouldLoseNoWorkingPairWhileSwitchesCannotBeTold() {
        Traffic planned = returns(40, true, true);

        assertThat(planned.lost).as(planned.first).isZero();
    }

    @Test
    void shouldLoseWorkingPairsWhenAllTablesLeaveAtOnce() {
        assertThat(returns(10, false, false).lost).isPositive();
    }

    /** Drains and undrains a switch above the leaves, or a cable; when it is said to be safe, its links go and come back. */
    private static void drains(SimulatedFabric fabric, Traffic traffic, SplittableRandom random) {
        FabricView view = fabric.whole();
        int s = random.nextInt(view.switchCount());
        while (view.isLeaf(s)) {
            s = random.nextInt(view.switchCount());
        }
        long guid = view.switchGuid(s);
        boolean whole = random.nextBoolean();
        Cable cable = fabric.cableAt(guid);
        List<PortPlace> place = List.of(whole ? new PortPlace(guid, 0) : new PortPlace(cable.guid(), cable.port()));
        fabric.send(new ActAsked(fabric.now, new Act(Verb.DRAIN, place, ""), 0, "ops", "a new fan"));
        settleAll(fabric, traffic, random);
        fabric.pass(1_000 * SimulatedFabric.MILLI);
        assertThat(fabric.state.snapshot().intent().drains())
                .singleElement()
                .satisfies(
                        drain -> assertThat(drain.safe()).as(drain.toString()).isTrue());
        if (whole) {
            fabric.setLinks(guid, false, true);
            settleAll(fabric, traffic, random);
            fabric.setLinks(guid, true, true);
            settleAll(fabric, traffic, random);
        }
        fabric.send(new ActAsked(fabric.now, new Act(Verb.UNDRAIN, place, ""), 0, "ops", ""));
        settleAll(fabric, traffic, random);
    }

    @Test
    void shouldLoseNoWorkingPairWhenSwitchesAndCablesAreDrained() {
        SimulatedFabric fabric = new SimulatedFabric(PGFT).start();
        Traffic traffic = new Traffic(fabric);
        fabric.holdPushes = true;
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 40; i++) {
            drains(fabric, traffic, random);
            fabric.pass(120_000 * SimulatedFabric.MILLI);
        }
        System.out.println("40 drains, " + traffic.applied + " tables, " + traffic.lost + " pairs lost");

        assertThat(traffic.lost).as(traffic.first).isZero();
        assertThat(traffic.applied).isPositive();
    }

    /** The way to a drained cable's leaf is taken from switches one above the other: who sends to the lowest of them is waited for by all. */
    @Test
    void shouldTakeNoWayAwayBeforeAllWhoUseItHaveAnother() {
        SimulatedFabric fabric = new SimulatedFabric(PGFT).start();
        Traffic traffic = new Traffic(fabric);
        fabric.holdPushes = true;
        SplittableRandom random = new SplittableRandom(1);
        for (long late : traffic.leaves) {
            Cable cable = fabric.cableAt(traffic.leaves.get(0));
            List<PortPlace> place = List.of(new PortPlace(cable.guid(), cable.port()));
            fabric.send(new ActAsked(fabric.now, new Act(Verb.DRAIN, place, ""), 0, "ops", "a new cable"));
            fabric.work();
            for (int i = 0; i < 4; i++) {
                List<Effect.Push> others = new ArrayList<>(fabric.heldPushes);
                others.removeIf(push -> push.update().guid() == late);
                others.forEach(traffic::take);
                fabric.pass(fabric.state.rules.drainNanos());
            }
            settleAll(fabric, traffic, random);
            fabric.send(new ActAsked(fabric.now, new Act(Verb.UNDRAIN, place, ""), 0, "ops", ""));
            settleAll(fabric, traffic, random);
        }

        assertThat(traffic.lost).as(traffic.first).isZero();
        assertThat(traffic.applied).isPositive();
    }

    /** Whatever comes in the middle of a round: tables not taken yet are planned with, and the next epoch overtakes. */
    @Test
    void shouldLoseNoWorkingPairWhenFaultsOvertakeEachOther() {
        for (int seed = 0; seed < 3 * Integer.getInteger("more", 1); seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            SimulatedFabric fabric = new SimulatedFabric(PGFT).start();
            Traffic traffic = new Traffic(fabric);
            fabric.holdPushes = true;
            List<Cable> down = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                happen(fabric, traffic, down, random);
                fabric.work();
                for (int taken = random.nextInt(12); taken > 0 && !fabric.heldPushes.isEmpty(); taken--) {
                    traffic.take(fabric.heldPushes.get(random.nextInt(fabric.heldPushes.size())));
                    fabric.work();
                }
                fabric.pass(random.nextLong(150) * SimulatedFabric.MILLI);
                assertThat(traffic.lost)
                        .as("seed %d, event %d: %s", seed, i, traffic.first)
                        .isZero();
            }
        }
    }

    private static void happen(SimulatedFabric fabric, Traffic traffic, List<Cable> down, SplittableRandom random) {
        List<Cable> cables = Degradation.cables(fabric.whole());
        if (random.nextBoolean() || down.isEmpty()) {
            Cable cable = cables.get(random.nextInt(cables.size()));
            down.add(cable);
            traffic.overtaken();
            fabric.setCable(cable, false, true);
        } else {
            fabric.setCable(down.remove(random.nextInt(down.size())), true, true);
        }
    }
}
