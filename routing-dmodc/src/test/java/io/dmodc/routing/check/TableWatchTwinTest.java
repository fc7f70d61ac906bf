package io.dmodc.routing.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.dmodc.SwitchRerouter;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The check that keeps what it found against one that knows nothing, over long runs of faults and recoveries. */
class TableWatchTwinTest {
    private static final String[] SHAPES = {
        "2;2,4;1,2;1,1",
        "3;2,2,3;1,2,2;1,2,1",
        "3;2,3,4;1,3,2;1,1,1",
        "4;1,2,2,3;1,2,2,2;1,1,1,1",
        "3;1,12,10;1,3,2;1,1,1",
        "2;16,80;1,3;1,1"
    };
    private static final int RUNS = 30 * Integer.getInteger("more", 1);
    private static final int EPOCHS = 40;

    /** A fabric that is damaged and repaired, its tables, and who judges them. */
    private static final class FaultRun {
        private final SplittableRandom random;
        private final FabricViewBuilder fabric;
        private final NodeIndexMap nodes = new NodeIndexMap();
        private final GuidNumbers levels = new GuidNumbers();
        private final Rerouter engine;
        private final TableWatch watch = new TableWatch();
        private final TableWatch switchWatch = TableWatch.ofSwitchTables();
        private final SwitchRerouter switchRerouter;
        private @Nullable LftSet lastToSwitches;
        private final List<Cable> cut = new ArrayList<>();
        private final List<Long> dead = new ArrayList<>();
        private final List<PortPlace> free = new ArrayList<>();
        private final boolean hostsMove;
        private long adapters = 0x6000_0000_0000_0000L;
        private long epoch;
        int valid;
        int invalid;

        /** Where it was broken by hand, until it is mended. */
        private boolean broken;

        private int frozen = -1;

        FaultRun(int number, long seed) {
            random = new SplittableRandom(seed);
            hostsMove = number % 2 == 0;
            GuidNumbers designed = new GuidNumbers();
            fabric = Fabrics.spoilt(PgftShape.parse(SHAPES[number % SHAPES.length]), designed, random);
            FabricView first = Fabrics.view(fabric);
            boolean keep = random.nextInt(4) > 0;
            for (int s = 0; keep && s < first.switchCount(); s++) {
                levels.put(first.switchGuid(s), designed.getOrDefault(first.switchGuid(s), 0));
            }
            Dmodc form = number % 5 == 0 ? Dmodc.plain() : Dmodc.standard();
            engine = form.rerouter();
            switchRerouter = form.switchRerouter();
        }

        void run(long seed) {
            LftSet last = null;
            for (int i = 0; i < EPOCHS; i++) {
                for (int change = random.nextInt(3); change >= 0 && i > 0; change--) {
                    change();
                }
                FabricView view = fabric.build(++epoch, nodes, levels);
                LftSet tables = engine.route(view, Parallel.sequential()).tables();
                if (tables != null) {
                    LftSet held = held(view, tables, last);
                    judge(view, held, seed);
                    last = broken ? tables : held;
                }
                judgeSwitchTables(view, seed);
            }
        }

        private void change() {
            switch (random.nextInt(hostsMove ? 9 : 6)) {
                case 0, 1 -> cutCable();
                case 2, 3 -> mendCable();
                case 4 -> killSwitch();
                case 5 -> wakeSwitch();
                default -> moveHost();
            }
        }

        /** Pulls a host out, plugs one in where one was, or replaces it, with its index handed over or not. */
        private void moveHost() {
            FabricView view = Fabrics.view(fabric);
            int node = random.nextInt(view.nodeCount());
            if (view.nodeSwitch(node) >= 0) {
                long guid = view.switchGuid(view.nodeSwitch(node));
                Host old = Objects.requireNonNull(view.host(node));
                Host host = new Host(++adapters, 1, 1, "adapter");
                switch (random.nextInt(4)) {
                    case 0 -> {
                        fabric.apply(new PortSeen(guid, view.nodePort(node), false, null));
                        free.add(new PortPlace(guid, view.nodePort(node)));
                    }
                    case 1 -> {
                        nodes.handOver(old.portGuid(), host.portGuid());
                        fabric.apply(new PortSeen(guid, view.nodePort(node), true, new ToHost(host)));
                    }
                    case 2 -> fabric.apply(new PortSeen(guid, view.nodePort(node), true, new ToHost(host)));
                    default -> {
                        if (!free.isEmpty()) {
                            PortPlace place = free.remove(random.nextInt(free.size()));
                            fabric.apply(new PortSeen(
                                    place.guid(), place.port(), true, new ToHost(random.nextBoolean() ? old : host)));
                        }
                    }
                }
            }
        }

        private void cutCable() {
            List<Cable> cables = Degradation.cables(Fabrics.view(fabric));
            if (!cables.isEmpty()) {
                Cable cable = cables.get(random.nextInt(cables.size()));
                Degradation.cut(fabric, cable);
                cut.add(cable);
            }
        }

        private void mendCable() {
            if (!cut.isEmpty()) {
                Cable cable = cut.remove(random.nextInt(cut.size()));
                Fabrics.connect(fabric, cable.guid(), cable.port(), cable.farGuid(), cable.farPort());
            }
        }

        private void killSwitch() {
            FabricView view = Fabrics.view(fabric);
            long guid = view.switchGuid(random.nextInt(view.switchCount()));
            fabric.apply(new SwitchState(guid, false));
            dead.add(guid);
        }

        private void wakeSwitch() {
            if (!dead.isEmpty()) {
                fabric.apply(new SwitchState(dead.remove(random.nextInt(dead.size())), true));
            }
        }

        /** What switches hold: the new tables, at times with a row left as it was, or spoilt. */
        private LftSet held(FabricView view, LftSet tables, @Nullable LftSet last) {
            frozen = random.nextInt(3) == 0 ? random.nextInt(view.switchCount()) : random.nextInt(3) == 0 ? -1 : frozen;
            broken = random.nextInt(4) == 0;
            LftSet held = tables;
            if (frozen >= 0 && last != null && last.entryCount() <= tables.entryCount()) {
                LftRow[] rows = RunTables.rows(tables);
                rows[frozen] = last.row(frozen).fittedTo(tables.entryCount());
                held = new LftSet(tables.epoch(), tables.entryCount(), rows);
            }
            return broken ? RunTables.spoilt(view, held, 1 + random.nextInt(3), random) : held;
        }

        /** The next ones, at times with a row left as it was, or spoilt, or a view left out. */
        private void judgeSwitchTables(FabricView view, long seed) {
            if (random.nextInt(5) == 0) {
                return;
            }
            LftSet tables = switchRerouter.route(view, Parallel.sequential());
            LftSet held = held(view, tables, lastToSwitches);
            lastToSwitches = broken ? tables : held;

            CheckReport next = switchWatch.check(view, held, SurplusEntryRule.FORBIDDEN, Parallel.sequential());

            CheckReport full = TableCheck.checkSwitchTables(view, held, Parallel.sequential());
            assertThat(next).as("to switches, seed %d, epoch %d", seed, epoch).isEqualTo(full);
            valid += full.valid() ? 1 : 0;
            invalid += full.valid() ? 0 : 1;
        }

        private void judge(FabricView view, LftSet held, long seed) {
            SurplusEntryRule surplus = random.nextBoolean() ? SurplusEntryRule.NOTED : SurplusEntryRule.FORBIDDEN;
            CheckReport full = TableCheck.check(view, held, surplus, Parallel.sequential());

            CheckReport next = watch.check(view, held, surplus, Parallel.sequential());

            assertThat(next).as("seed %d, epoch %d", seed, epoch).isEqualTo(full);
            assertThat(watch.notRight())
                    .as("seed %d, epoch %d", seed, epoch)
                    .isEqualTo(TableCheck.notRight(view, held, Parallel.sequential()));
            valid += full.valid() ? 1 : 0;
            invalid += full.valid() ? 0 : 1;
        }
    }

    @Test
    void shouldSayWhatAFullCheckSays() {
        long seed = 20_261_122;
        System.out.println("seed " + seed);
        int valid = 0;
        int invalid = 0;
        for (int number = 0; number < RUNS; number++) {
            FaultRun run = new FaultRun(number, seed + number);
            run.run(seed + number);
            valid += run.valid;
            invalid += run.invalid;
        }
        System.out.println(RUNS + " runs, " + valid + " epochs valid, " + invalid + " not");
        assertThat(valid).isGreaterThan(RUNS * EPOCHS / 4);
        assertThat(invalid).isGreaterThan(RUNS * EPOCHS / 10);
    }

    @Test
    void shouldBeginAnewAfterTablesOfAnotherSize() {
        FabricView view = Fabrics.pgft("2;2,4;1,2;1,1");
        LftSet good = NaiveTables.set(view, NaiveTables.minimal(view, new SplittableRandom(1)));
        TableWatch watch = new TableWatch();

        assertThat(watch.check(view, good, SurplusEntryRule.FORBIDDEN, Parallel.sequential())
                        .valid())
                .isTrue();
        assertThatThrownBy(() -> watch.check(
                        view, new LftSet(1, 7, new byte[6][7]), SurplusEntryRule.FORBIDDEN, Parallel.sequential()))
                .hasMessage("tables of 6 rows and 7 columns; expected 6, one per switch, and 8, one per node");
        FabricView other = Fabrics.pgft("2;2,3;1,2;1,1");
        LftSet otherTables = NaiveTables.set(other, NaiveTables.minimal(other, new SplittableRandom(1)));
        assertThat(watch.check(other, otherTables, SurplusEntryRule.FORBIDDEN, Parallel.sequential()))
                .isEqualTo(TableCheck.check(other, otherTables, Parallel.sequential()));
    }
}
