package io.dmodc.routing.minhop.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.minhop.MinHopEngine;
import io.dmodc.routing.minhop.MinHopTables;
import io.dmodc.routing.minhop.TargetChoice;
import io.dmodc.routing.updown.UpDown;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The memo's Table 1, row by row: what a change of the cabling leaves of kept min-hop tables, roots and routes.
 *
 * <pre>
 *   spine 3        spine 4       two cables from each leaf to each spine: leaf ports 3 and 5 lead to
 *   ||  |||| ||    (alike)       spine 3, ports 4 and 6 to spine 4; nodes on ports 1 and 2
 *  leaf 0  leaf 1  leaf 2
 * </pre>
 */
class TableOneTest {
    private static final Parallel HERE = Parallel.sequential();

    private final FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse("2;2,3;1,2;1,2"));
    private NodeIndexMap nodes = new NodeIndexMap();
    private final List<Long> guids = new ArrayList<>();

    @BeforeEach
    void numberNodes() {
        FabricView view = view();
        for (int s = 0; s < view.switchCount(); s++) {
            guids.add(view.switchGuid(s));
        }
    }

    private FabricView view() {
        return fabric.build(1, nodes, new GuidNumbers());
    }

    private StoredRouting route(MinHopEngine engine, @Nullable StoredState kept) {
        return StoredRouting.route(engine, view(), kept, HERE);
    }

    /** What a first run leaves, through bytes and back. */
    private StoredState keep() {
        StoredRouting routed = StoredRouting.route(new MinHop(), view(), null, HERE);
        return throughBytes(Objects.requireNonNull(routed.next()));
    }

    private static StoredState throughBytes(StoredState kept) {
        try {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            StateFile.write(kept, out);
            return StateFile.read("bytes", new ByteArrayInputStream(out.toByteArray()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void setPort(int s, int port, boolean up) {
        long guid = guids.get(s);
        fabric.apply(new PortSeen(guid, port, up, fabric.neighbour(guid, port)));
    }

    private void unplug(int s, int port) {
        fabric.apply(new PortSeen(guids.get(s), port, false, null));
    }

    private void plug(int s, int port, Host host) {
        fabric.apply(new PortSeen(guids.get(s), port, true, new ToHost(host)));
    }

    private LftSet keptRoutes(CablingComparison comparison) {
        return comparison.routes(comparison.minHopsHold() ? comparison.minHops() : fresh());
    }

    private LftSet freshTables() {
        return Objects.requireNonNull(new MinHop().route(view(), HERE).tables());
    }

    private static LftSet tables(StoredRouting routing) {
        return Objects.requireNonNull(routing.result().tables());
    }

    private Host host(int node) {
        return Objects.requireNonNull(view().host(node));
    }

    private MinHopTables fresh() {
        return MinHop.minHops(view(), TargetChoice.ALL, HERE);
    }

    private static int count(LftSet tables) {
        int count = 0;
        for (int s = 0; s < tables.switchCount(); s++) {
            for (int d = 0; d < tables.entryCount(); d++) {
                count += tables.port(s, d) != LftSet.NO_ROUTE ? 1 : 0;
            }
        }
        return count;
    }

    /** 5 switches x 6 nodes, without the two own ones of each leaf. */
    private static final int ALL_ROUTES = 5 * 6 - 3 * 2;

    @Test
    void shouldKeepEverythingWhenNothingChanged() {
        StoredState kept = keep();

        CablingComparison comparison = CablingComparison.of(kept, view());
        StoredRouting again = route(new MinHop(), kept);

        assertThat(comparison.changes()).isEmpty();
        assertThat(count(keptRoutes(comparison))).isEqualTo(ALL_ROUTES);
        assertThat(again.remark()).isEqualTo("kept min-hop tables are used");
        assertSameTables(tables(again), freshTables());
        assertSameTables(Objects.requireNonNull(again.switchTables()), new MinHop().routeSwitches(view(), HERE));
        assertSameMinHops(comparison.minHops());
    }

    @Test
    void newSwitchInvalidatesMinHopsAndRoutes() {
        fabric.apply(new SwitchState(guids.get(4), false));
        StoredState kept = keep();
        fabric.apply(new SwitchState(guids.get(4), true));

        CablingComparison comparison = CablingComparison.of(kept, view());

        assertThat(comparison.changes()).isEqualTo(Map.of(CablingChange.NEW_SWITCH, 1));
        assertThat(comparison.minHopsHold()).isFalse();
        assertThat(comparison.rootsHold()).isFalse();
        assertThat(count(keptRoutes(comparison))).isZero();
        assertThat(route(new MinHop(), kept).remark())
                .isEqualTo("min-hop tables are made anew: new switch: switch 0x02f0000000000004");
    }

    @Test
    void missingSwitchInvalidatesMinHopsAndRoutes() {
        StoredState kept = keep();
        fabric.apply(new SwitchState(guids.get(4), false));

        CablingComparison comparison = CablingComparison.of(kept, view());

        assertThat(comparison.changes()).isEqualTo(Map.of(CablingChange.MISSING_SWITCH, 1));
        assertThat(comparison.minHopsHold()).isFalse();
        assertThat(comparison.rootsHold()).isFalse();
        assertThat(count(keptRoutes(comparison))).isZero();
    }

    @Test
    void newCableInvalidatesNothing() {
        setPort(0, 5, false);
        StoredState kept = keep();
        setPort(0, 5, true);

        CablingComparison comparison = CablingComparison.of(kept, view());

        assertThat(comparison.changes()).isEqualTo(Map.of(CablingChange.NEW_CABLE, 1));
        assertThat(comparison.minHopsHold()).isTrue();
        assertThat(count(keptRoutes(comparison))).isEqualTo(ALL_ROUTES);
        assertThat(route(new MinHop(), kept).remark()).isEqualTo("kept min-hop tables are used");
        // It joins the cables beside it.
        assertSameMinHops(comparison.minHops());
    }

    @Test
    void missingCableWithAnotherBesideItInvalidatesTheRoutesThroughItsPort() {
        StoredState kept = keep();
        LftSet before = freshTables();
        int farPort = view().peerPort(0, 5);
        setPort(0, 5, false);

        CablingComparison comparison = CablingComparison.of(kept, view());

        assertThat(comparison.changes()).isEqualTo(Map.of(CablingChange.MISSING_CABLE_OF_SEVERAL, 1));
        assertThat(comparison.minHopsHold()).isTrue();
        assertKeptBut(keptRoutes(comparison), before, 0, 5, 3, farPort);
        assertSameMinHops(comparison.minHops());
    }

    @Test
    void missingLastCableInvalidatesMinHopsAndTheRoutesThroughItsPort() {
        setPort(0, 5, false);
        StoredState kept = keep();
        LftSet before = freshTables();
        setPort(0, 3, false);

        CablingComparison comparison = CablingComparison.of(kept, view());

        assertThat(comparison.changes()).isEqualTo(Map.of(CablingChange.MISSING_LAST_CABLE, 1));
        assertThat(comparison.minHopsHold()).isFalse();
        assertThat(comparison.rootsHold()).isTrue();
        // Leaves 1 and 2 went to leaf 0 over spine 3 as well; that is no shortest path any more.
        LftSet held = keptRoutes(comparison);
        for (int s = 0; s < 5; s++) {
            for (int d = 0; d < 6; d++) {
                boolean lost = (s == 0 && before.port(s, d) == 3)
                        || (d < 2
                                && (s == 3 || (s != 0 && s != 4 && List.of(3, 5).contains(before.port(s, d)))));
                boolean own = view().nodeSwitch(d) == s;
                assertThat(held.port(s, d)).isEqualTo(lost || own ? LftSet.NO_ROUTE : before.port(s, d));
            }
        }
        assertThat(route(new MinHop(), kept).remark())
                .isEqualTo("min-hop tables are made anew: missing last cable: switch 0x02f0000000000000 port 3");
    }

    @Test
    void missingCableToANodeInvalidatesNothing() {
        // A second port of node 0's adapter on leaf 1 stays.
        Host first = host(0);
        unplug(1, 1);
        plug(1, 1, new Host(0x99, first.hostGuid(), 2, first.name()));
        StoredState kept = keep();
        unplug(0, 1);

        CablingComparison comparison = CablingComparison.of(kept, view());

        assertThat(comparison.changes()).isEqualTo(Map.of(CablingChange.MISSING_NODE_CABLE, 1));
        assertThat(comparison.minHopsHold()).isTrue();
        assertNothingMovesForTheOthers(kept, comparison);
    }

    @Test
    void newNodeInvalidatesNothing() {
        Host late = host(5);
        unplug(2, 2);
        StoredState kept = keep();
        plug(2, 2, late);

        CablingComparison comparison = CablingComparison.of(kept, view());

        assertThat(comparison.changes()).isEqualTo(Map.of(CablingChange.NEW_NODE, 1));
        assertThat(comparison.minHopsHold()).isTrue();
        assertThat(count(keptRoutes(comparison))).isEqualTo(ALL_ROUTES - 4);
        assertThat(count(tables(route(new MinHop(), kept)))).isEqualTo(5 * 6);
    }

    @Test
    void missingNodeInvalidatesNothing() {
        StoredState kept = keep();
        unplug(2, 2);

        CablingComparison comparison = CablingComparison.of(kept, view());

        assertThat(comparison.changes()).isEqualTo(Map.of(CablingChange.MISSING_NODE, 1));
        assertThat(comparison.minHopsHold()).isTrue();
        assertNothingMovesForTheOthers(kept, comparison);
    }

    @Test
    void changedIndexInvalidatesTheRoutesToItOnly() {
        StoredState kept = keep();
        LftSet before = freshTables();
        List<String> lines = new ArrayList<>();
        for (int node = 0; node < 6; node++) {
            lines.add(Guid.format(view().nodeGuid(node)) + " " + (node < 4 ? node : 9 - node));
        }
        nodes = NodeIndexMap.parse("swapped", lines);

        CablingComparison comparison = CablingComparison.of(kept, view());
        LftSet held = keptRoutes(comparison);

        assertThat(comparison.changes()).isEqualTo(Map.of(CablingChange.NEW_NODE_INDEX, 2));
        assertThat(comparison.minHopsHold()).isTrue();
        for (int s = 0; s < 5; s++) {
            for (int d = 0; d < 6; d++) {
                boolean own = view().nodeSwitch(d) == s;
                assertThat(held.port(s, d)).isEqualTo(own || d >= 4 ? LftSet.NO_ROUTE : before.port(s, d));
            }
        }
    }

    @Test
    void rootsAreKeptUntilASwitchComesOrGoes() {
        UpDown engine = new UpDown(null);
        StoredState kept =
                throughBytes(Objects.requireNonNull(route(engine, null).next()));
        BitSet roots = new BitSet();
        roots.set(3, 5);

        setPort(0, 5, false);
        setPort(0, 3, false);
        assertThat(CablingComparison.of(kept, view()).rootsHold()).isTrue();
        assertThat(CablingComparison.of(kept, view()).roots()).isEqualTo(roots);
        // Found anew, spine 3 would be none: two of six nodes are further than the others.
        assertThat(engine.roots(view(), HERE)).isNotEqualTo(roots);
        assertThat(Objects.requireNonNull(route(engine, kept).next()).roots).isEqualTo(roots);

        fabric.apply(new SwitchState(guids.get(4), false));
        assertThat(CablingComparison.of(kept, view()).rootsHold()).isFalse();
    }

    @Test
    void shouldNotUseWhatAnotherEngineKept() {
        assertThat(route(new UpDown(null), keep()).remark())
                .isEqualTo("min-hop tables are made anew: the kept ones are of engine minhop, not updn");
    }

    private void assertKeptBut(LftSet held, LftSet before, int s, int port, int far, int farPort) {
        int missing = 0;
        for (int at = 0; at < held.switchCount(); at++) {
            for (int d = 0; d < held.entryCount(); d++) {
                boolean through =
                        (at == s && before.port(at, d) == port) || (at == far && before.port(at, d) == farPort);
                boolean own = view().nodeSwitch(d) == at;
                assertThat(held.port(at, d)).isEqualTo(own || through ? LftSet.NO_ROUTE : before.port(at, d));
                missing += through ? 1 : 0;
            }
        }
        assertThat(missing).isPositive();
    }

    /** Entries of the other nodes are as they were, after routing too. */
    private void assertNothingMovesForTheOthers(StoredState kept, CablingComparison comparison) {
        LftSet held = keptRoutes(comparison);
        LftSet tables = tables(route(new MinHop(), kept));
        for (int i = 0; i < held.switchCount(); i++) {
            for (int d = 0; d < held.entryCount(); d++) {
                if (view().nodeSwitch(d) >= 0 && view().nodeSwitch(d) != i) {
                    assertThat(held.port(i, d)).isEqualTo(kept.routes[i][d] & 0xff);
                    assertThat(tables.port(i, d)).isEqualTo(kept.routes[i][d] & 0xff);
                }
            }
        }
    }

    private void assertSameMinHops(MinHopTables tables) {
        MinHopTables fresh = fresh();
        for (int s = 0; s < 5; s++) {
            for (int t = 0; t < 5; t++) {
                assertThat(tables.hops(s, t)).isEqualTo(fresh.hops(s, t));
                for (int port = 1; port <= view().portCount(s); port++) {
                    assertThat(tables.begins(s, t, port)).isEqualTo(fresh.begins(s, t, port));
                }
            }
        }
    }

    private static void assertSameTables(LftSet one, LftSet other) {
        for (int s = 0; s < one.switchCount(); s++) {
            for (int d = 0; d < one.entryCount(); d++) {
                assertThat(one.port(s, d)).isEqualTo(other.port(s, d));
            }
        }
    }
}
