package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SwitchRoutesTest {
    private final FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse("3;4,4,3;1,4,3;1,1,2"));
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final SwitchRoutes routes = new SwitchRoutes();
    private final FabricView whole = view();

    private FabricView view() {
        return fabric.build(1, nodes, new GuidNumbers());
    }

    private void setUp(int s, int port, boolean up) {
        long guid = whole.switchGuid(s);
        long far = whole.switchGuid(whole.peerSwitch(s, port));
        int farPort = whole.peerPort(s, port);
        fabric.apply(new PortSeen(guid, port, up, fabric.neighbour(guid, port)));
        fabric.apply(new PortSeen(far, farPort, up, fabric.neighbour(far, farPort)));
    }

    private LftSet of(FabricView view) {
        return Objects.requireNonNull(routes.of(view));
    }

    private static int differences(LftSet one, LftSet other) {
        int count = 0;
        for (int s = 0; s < one.switchCount(); s++) {
            for (int to = 0; to < one.switchCount(); to++) {
                count += one.port(s, to) == other.port(s, to) ? 0 : 1;
            }
        }
        return count;
    }

    /** Exactly those entries change whose way was over the lost cable. */
    @Test
    void shouldMoveOnlyWhatIsBroken() {
        LftSet before = of(whole);
        int leaf = 0;
        int port = whole.portCount(leaf);
        int top = whole.peerSwitch(leaf, port);

        setUp(leaf, port, false);
        LftSet after = of(view());

        int over = 0;
        for (int s = 0; s < whole.switchCount(); s++) {
            for (int to = 0; to < whole.switchCount(); to++) {
                boolean leadsOver = false;
                for (int at = s; at != to && before.port(at, to) != LftSet.NO_ROUTE; ) {
                    int next = whole.peerSwitch(at, before.port(at, to));
                    leadsOver |= (at == leaf && next == top) || (at == top && next == leaf);
                    at = next;
                }
                over += leadsOver ? 1 : 0;
                if (!leadsOver) {
                    assertThat(after.port(s, to)).isEqualTo(before.port(s, to));
                }
            }
        }
        assertThat(differences(before, after)).isBetween(1, over);
        assertThat(differences(before, Dmodc.standard().routeSwitches(view(), Parallel.sequential())))
                .isGreaterThan(over);
    }

    /** A view that another one overtakes, in which nothing of what was prepared is broken, is never in force. */
    @Test
    void shouldNotTakeForInForceWhatIsOnlyPrepared() {
        LftSet before = of(whole);
        int port = whole.portCount(0);
        setUp(0, port, false);

        routes.prepare(view());
        LftSet after = of(view());

        assertThat(differences(before, after))
                .isPositive()
                .isLessThan(differences(before, Dmodc.standard().routeSwitches(view(), Parallel.sequential())));
    }

    @Test
    void shouldBeDmodcsAgainWhenTheCableIsBack() {
        LftSet before = of(whole);
        int port = whole.portCount(0);
        setUp(0, port, false);
        of(view());

        setUp(0, port, true);
        LftSet after = of(view());

        assertThat(differences(before, after)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldPassTheCheckAfterEachOfManyLosses(long seed) {
        of(whole);
        SplittableRandom random = new SplittableRandom(seed);
        List<int[]> cables = new ArrayList<>();
        for (int s = 0; s < whole.switchCount(); s++) {
            for (int port = 1; port <= whole.portCount(s); port++) {
                if (whole.peerSwitch(s, port) > s) {
                    cables.add(new int[] {s, port});
                }
            }
        }
        for (int lost = 0; lost < 20; lost++) {
            int[] cable = cables.remove(random.nextInt(cables.size()));
            setUp(cable[0], cable[1], false);

            FabricView view = view();
            LftSet tables = of(view);

            assertThat(TableCheck.checkSwitchTables(view, tables, Parallel.sequential())
                            .valid())
                    .isTrue();
        }
    }

    /** Cables and switches go, come back and are exchanged, several at once: an entry stays just where its way is whole, walked hop by hop, and is Dmodc's else. */
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void shouldKeepEachEntryWhoseWayIsWholeAndNoOther(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        LftSet before = of(whole);
        int kept = 0;
        for (int event = 0; event < 60; event++) {
            for (int change = random.nextInt(3); change >= 0; change--) {
                change(random);
            }
            FabricView view = view();
            LftSet fresh = Dmodc.standard().routeSwitches(view, Parallel.sequential());
            LftSet mixed = mix(view, before, fresh);

            LftSet tables = routes.of(view);

            boolean valid = TableCheck.checkSwitchTables(view, mixed, Parallel.sequential())
                    .valid();
            kept += valid && differences(mixed, fresh) > 0 ? 1 : 0;
            assertThat(tables).as("seed %d event %d", seed, event).isNotNull();
            assertThat(differences(Objects.requireNonNull(tables), valid ? mixed : fresh))
                    .as("seed %d event %d", seed, event)
                    .isZero();
            before = tables;
        }
        assertThat(kept).isGreaterThan(10);
    }

    /** A row of switches with its hosts at one end: other engines route it, so there are tables, and none to switches. */
    @Test
    void shouldMakeNoneOfRanksThatDmodcDoesNotTake() {
        FabricViewBuilder row = new FabricViewBuilder();
        for (int s = 1; s <= Dmodc.RANK_MAX + 2; s++) {
            row.apply(new SwitchSeen(s, "s" + s, 2));
            if (s > 1) {
                row.apply(new PortSeen(s, 1, true, new ToSwitch(s - 1, 2)));
                row.apply(new PortSeen(s - 1, 2, true, new ToSwitch(s, 1)));
            }
        }
        row.apply(new PortSeen(1, 1, true, new ToHost(new Host(100, 100, 1, "host"))));
        FabricView view = row.build(1, nodes, new GuidNumbers());
        assertThat(view.rankMax()).isGreaterThan(Dmodc.RANK_MAX);

        assertThat(routes.of(view)).isNull();
        assertThat(routes.of(whole)).isNotNull();
    }

    private void change(SplittableRandom random) {
        int s = random.nextInt(whole.switchCount());
        if (random.nextInt(6) == 0) {
            fabric.apply(new SwitchState(whole.switchGuid(s), random.nextBoolean()));
            return;
        }
        int port = 1 + random.nextInt(whole.portCount(s));
        if (random.nextInt(4) == 0) {
            exchange(s, port, 1 + random.nextInt(whole.portCount(s)));
        } else if (whole.peerSwitch(s, port) >= 0) {
            setUp(s, port, random.nextInt(3) == 0);
        }
    }

    /** Exchanges the far ends of two cables of a switch, if both are there. */
    private void exchange(int s, int one, int other) {
        long guid = whole.switchGuid(s);
        if (fabric.neighbour(guid, one) instanceof ToSwitch a && fabric.neighbour(guid, other) instanceof ToSwitch b) {
            connect(guid, one, b);
            connect(guid, other, a);
        }
    }

    private void connect(long guid, int port, ToSwitch far) {
        fabric.apply(new PortSeen(guid, port, true, far));
        fabric.apply(new PortSeen(far.guid(), far.port(), true, new ToSwitch(guid, port)));
    }

    /** As the tables are to be: entries of before that lead to their end, and the others as they are made; all of these if none of before is broken. */
    private static LftSet mix(FabricView view, LftSet before, LftSet made) {
        byte[][] rows = new byte[made.switchCount()][];
        boolean broken = false;
        for (int s = 0; s < rows.length; s++) {
            rows[s] = made.row(s).toBytes();
            for (int to = 0; to < rows.length; to++) {
                boolean has = s != to && before.port(s, to) != LftSet.NO_ROUTE;
                boolean leads = has && leads(view, before, s, to);
                rows[s][to] = leads ? (byte) before.port(s, to) : rows[s][to];
                broken |= has && !leads;
            }
        }
        return broken ? new LftSet(made.epoch(), made.entryCount(), rows) : made;
    }

    private static boolean leads(FabricView view, LftSet by, int from, int to) {
        int at = from;
        for (int hops = 0; hops < view.switchCount() && at >= 0 && at != to && view.alive(at); hops++) {
            int port = by.port(at, to);
            at = port == LftSet.NO_ROUTE || port == 0 ? -1 : view.peerSwitch(at, port);
        }
        return at == to && view.alive(to);
    }
}
