package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
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
}
