package io.dmodc.ctl.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.quality.Progress;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinkUse;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Which losses cut hosts off, beside a slow walk along the cables. */
class SwitchLossesTest {
    private static ReportInput input(String shape, int cables, SplittableRandom random) {
        FabricViewBuilder fabric = PgftGenerator.generateShuffled(PgftShape.parse(shape), random);
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView whole = fabric.build(0, nodes, new GuidNumbers());
        GuidNumbers levels = new GuidNumbers();
        for (int s = 0; s < whole.switchCount(); s++) {
            levels.put(whole.switchGuid(s), whole.rank(s));
        }
        Degradation.apply(fabric, 0, Math.min(cables, whole.linkCount()), random);
        FabricView view = fabric.build(0, nodes, levels);
        return new ReportInput(
                "test",
                fabric,
                nodes,
                levels,
                new PlaneNumbers(),
                view,
                new LinkRates(),
                SlowLinkUse.IGNORE,
                null,
                List.of(),
                null,
                null,
                "",
                "");
    }

    @Test
    void shouldCutOffHostsExactlyWhereNoPathIsLeft() {
        long seed = 99;
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        List<String> shapes = List.of("2;2,4;1,2;1,1", "2;1,3;1,3;1,2", "3;2,2,3;1,2,2;1,2,1", "3;1,3,3;1,2,3;1,1,1");
        int cutting = 0;
        for (int round = 0; round < 60; round++) {
            ReportInput input = input(shapes.get(round % 4), round % 9, random);
            if (unreachable(input.view()) > 0) {
                continue;
            }

            SwitchLosses losses = SwitchLosses.of(input, Set.of(), Parallel.sequential(), Progress.NONE);

            Set<Integer> expected = new TreeSet<>();
            for (int s = 0; s < input.view().switchCount(); s++) {
                if (input.view().rank(s) > 0) {
                    input.builder().apply(new SwitchState(input.view().switchGuid(s), false));
                    if (unreachable(input.draw()) > 0) {
                        expected.add(s);
                    }
                    input.builder().apply(new SwitchState(input.view().switchGuid(s), true));
                }
            }
            Set<Integer> found = new TreeSet<>();
            losses.groups().stream()
                    .filter(group -> group.hosts() > 0)
                    .forEach(group -> found.addAll(group.switches()));
            assertThat(found).isEqualTo(expected);
            assertThat(losses.played()).isEqualTo(losses.possible());
            assertThat(losses.groups().stream()
                            .mapToInt(group -> group.switches().size())
                            .sum())
                    .isEqualTo(losses.possible());
            cutting += expected.isEmpty() ? 0 : 1;
        }
        assertThat(cutting).isGreaterThan(5);
    }

    @Test
    void shouldLeaveTheFabricAsItWas() {
        ReportInput input = input("3;2,2,3;1,2,2;1,2,1", 3, new SplittableRandom(1));

        SwitchLosses.of(input, Set.of(), Parallel.sequential(), Progress.NONE);

        FabricView after = input.draw();
        assertThat(after.comparableTo(input.view())).isTrue();
        assertThat(after.switchesChangedSince(input.view())).isEmpty();
    }

    @Test
    void shouldGroupLossesThatAreAlike() {
        ReportInput input = input("2;4,4;1,4;1,1", 0, new SplittableRandom(1));

        SwitchLosses losses = SwitchLosses.of(input, Set.of(), Parallel.sequential(), Progress.NONE);

        assertThat(losses.groups()).hasSize(1);
        assertThat(losses.groups().get(0).switches()).hasSize(4);
        assertThat(losses.before().shiftsMax()).isEqualTo(1);
        assertThat(losses.groups().get(0).most().shiftsMax()).isEqualTo(2);
    }

    /** Ordered pairs of leaves without anybody above both. */
    private static int unreachable(FabricView view) {
        int pairs = 0;
        for (int a = 0; a < view.leafCount(); a++) {
            for (int b = 0; b < view.leafCount(); b++) {
                Set<Integer> common = above(view, view.targetSwitch(a));
                common.retainAll(above(view, view.targetSwitch(b)));
                pairs += a != b && common.isEmpty() ? 1 : 0;
            }
        }
        return pairs;
    }

    private static Set<Integer> above(FabricView view, int s) {
        Set<Integer> above = new HashSet<>(Set.of(s));
        for (int port = 1; port <= view.portCount(s); port++) {
            int far = view.peerSwitch(s, port);
            if (far >= 0 && view.rank(far) == view.rank(s) + 1) {
                above.addAll(above(view, far));
            }
        }
        return above;
    }
}
