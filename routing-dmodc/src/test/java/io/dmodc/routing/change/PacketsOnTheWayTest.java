package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Packets that are on their way while entries change: what a mix of rows at one moment does not show, and drains are for. */
class PacketsOnTheWayTest {
    private static final int RUNS = 3_000;
    private static final int PACKETS = 40;

    /** A packet for one node, at a switch. */
    private static final class Packet {
        int at;
        boolean descended;

        /** It went by an entry that is not the new one, or was not the old one. */
        boolean byOld;

        boolean byNew;

        Packet(int at) {
            this.at = at;
        }
    }

    /** What happened to the packets of one column during one change. */
    private static final class Column {
        private final FabricView works;
        private final LftRow[][] held;
        private final int d;
        private final SplittableRandom random;
        private final int[] entries;
        private final List<Packet> packets = new ArrayList<>();
        private final BitSet turnedBefore = new BitSet();
        private boolean begun;

        /** Packets may turn. */
        private boolean free;

        int turns;

        /** Hops of packets that went by old and by new entries. */
        int mixed;

        Column(FabricView works, LftRow[][] held, int d, SplittableRandom random) {
            this.works = works;
            this.held = held;
            this.d = d;
            this.random = random;
            entries = new int[works.switchCount()];
        }

        void run(BitSet drains) {
            for (int s = 0; s < entries.length; s++) {
                entries[s] = held[0][s].port(d);
            }
            for (int target = 0; target < works.targetCount(); target++) {
                packets.add(new Packet(works.targetSwitch(target)));
            }
            moveAll();
            begun = true;
            for (int round = 1; round < held.length; round++) {
                if (drains.get(round)) {
                    moveAll();
                }
                play(round);
            }
            moveAll();
        }

        private void play(int round) {
            List<Integer> due = new ArrayList<>();
            for (int s = 0; s < entries.length; s++) {
                if (entries[s] != held[round][s].port(d)) {
                    due.add(random.nextInt(due.size() + 1), s);
                }
            }
            int left = PACKETS;
            while (!due.isEmpty() || left > 0) {
                int what = random.nextInt(4);
                if (what == 0 && !due.isEmpty()) {
                    int s = due.remove(0);
                    entries[s] = held[round][s].port(d);
                } else if (what == 1 && left > 0) {
                    packets.add(new Packet(works.targetSwitch(random.nextInt(works.targetCount()))));
                    left--;
                } else if (!packets.isEmpty()) {
                    int i = random.nextInt(packets.size());
                    if (!move(packets.get(i))) {
                        packets.remove(i);
                    }
                }
            }
        }

        private void moveAll() {
            for (Packet packet : packets) {
                while (move(packet)) {
                    // to its end
                }
            }
            packets.clear();
        }

        /** One hop; false where the way ends. */
        private boolean move(Packet packet) {
            int port = entries[packet.at];
            boolean arrived = packet.at == works.nodeSwitch(d) && port == works.nodePort(d);
            int next = !arrived && port >= 1 && port <= works.portCount(packet.at)
                    ? works.peerSwitch(packet.at, port)
                    : -1;
            if (next < 0 || !works.alive(packet.at)) {
                return false;
            }
            boolean down = works.isDown(packet.at, next);
            packet.byOld |= port != held[held.length - 1][packet.at].port(d);
            packet.byNew |= port != held[0][packet.at].port(d);
            mixed += packet.byOld && packet.byNew ? 1 : 0;
            if (!free && !down && (packet.descended || !works.isUp(packet.at, next))) {
                int turn = 256 * packet.at + port;
                turns += begun && !turnedBefore.get(turn) ? 1 : 0;
                turnedBefore.set(turn, turnedBefore.get(turn) || !begun);
                return false;
            }
            packet.descended |= down;
            packet.at = next;
            return true;
        }
    }

    @Test
    void shouldTurnNoPacketThatIsOnItsWay() {
        long seed = 20_261_125;
        System.out.println("seed " + seed);
        int changes = 0;
        long turnsWithDrains = 0;
        long turnsWithout = 0;
        for (int run = 0; run < RUNS; run++) {
            SplittableRandom random = new SplittableRandom(seed + run);
            PgftShape shape = PgftShape.parse(run % 2 == 0 ? "3;2,2,3;1,2,2;1,2,1" : "2;3,3;1,3;1,2");
            ChangedFabric fabric = new ChangedFabric(shape, Dmodc.standard(), random);
            fabric.swapCables(random.nextInt(2));
            fabric.draw();
            fabric.settle();
            fabric.moveHost();
            fabric.cutCables(random.nextInt(3));
            fabric.draw();
            ChangePlan plan = fabric.plan();
            if (plan.drains().isEmpty() || !plan.turning().isEmpty()) {
                continue;
            }
            changes++;
            LftRow[][] held = MixTwin.schedule(fabric.inForce, fabric.tables, plan, count -> 0);
            // Columns of which packets may turn, as no circle comes of it, promise nothing of the kind (Theorem 4).
            BitSet ordered = (BitSet) plan.suspects().clone();
            ordered.andNot(plan.free());
            for (int d = ordered.nextSetBit(0); d >= 0; d = ordered.nextSetBit(d + 1)) {
                Column drained = new Column(fabric.works, held, d, random.split());
                drained.run(plan.drains());
                turnsWithDrains += drained.turns;
                Column undrained = new Column(fabric.works, held, d, random.split());
                undrained.run(new BitSet());
                turnsWithout += undrained.turns;
            }
        }
        System.out.printf(
                "%d changes with a drain: %d turns with it, %d without%n", changes, turnsWithDrains, turnsWithout);
        assertThat(changes).isGreaterThan(RUNS / 20);
        assertThat(turnsWithDrains).isZero();
        assertThat(turnsWithout).isPositive();
    }

    @Test
    void shouldLetNoPacketMeetOldAndNewEntriesWhereColumnsStandStill() {
        int changes = 0;
        long mixedWithDrains = 0;
        long mixedAtOnce = 0;
        for (int run = 0; run < 300; run++) {
            SplittableRandom random = new SplittableRandom(run);
            RoutingEngine first = run % 2 == 0 ? new MinHop() : Dmodc.plain();
            ChangedFabric fabric = new ChangedFabric(PgftShape.parse("3;2,3,2;1,2,3;1,1,1"), first, random);
            fabric.cutCables(fabric.cableCount() / 4);
            fabric.draw();
            fabric.settle();
            fabric.use(run % 2 == 0 ? Dmodc.plain() : new MinHop());
            fabric.draw();
            ChangePlan plan = fabric.plan(ChangeTerms.UNBOUNDED.withQuiesce(true));
            changes += plan.quiesced().isEmpty() ? 0 : 1;
            LftRow[][] held = MixTwin.schedule(fabric.inForce, fabric.tables, plan, count -> 0);
            for (int d = plan.quiesced().nextSetBit(0);
                    d >= 0;
                    d = plan.quiesced().nextSetBit(d + 1)) {
                for (int i = 0; i < 10; i++) {
                    Column drained = new Column(fabric.works, held, d, random.split());
                    drained.free = true;
                    drained.run(plan.drains());
                    mixedWithDrains += drained.mixed;
                    LftRow[][] both = {held[0], held[plan.rounds()]};
                    Column atOnce = new Column(fabric.works, both, d, random.split());
                    atOnce.free = true;
                    atOnce.run(new BitSet());
                    mixedAtOnce += atOnce.mixed;
                }
            }
        }
        System.out.printf(
                "%d changes quiesced: %d hops of packets that met both, %d if all leave at once%n",
                changes, mixedWithDrains, mixedAtOnce);
        assertThat(changes).isGreaterThan(10);
        assertThat(mixedWithDrains).isZero();
        assertThat(mixedAtOnce).isPositive();
    }
}
