package io.dmodc.routing.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dmodc.routing.check.Fabrics;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrafficPatternTest {
    private static int[] destinations(String name, int nodes, long seed) {
        TrafficPattern pattern = TrafficPattern.named(name, nodes, seed);
        return IntStream.range(0, nodes).map(pattern::destination).toArray();
    }

    /** Written out as words of bits, which shares nothing with shifts of integers. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 16, 64, 256})
    void shouldDoWithBitsWhatTheirNamesSay(int nodes) {
        for (int x = 0; x < nodes; x++) {
            String word = nodes == 1 ? "" : Integer.toBinaryString(nodes | x).substring(1);
            StringBuilder complement = new StringBuilder();
            word.chars().forEach(bit -> complement.append(bit == '0' ? '1' : '0'));
            int half = word.length() / 2;

            assertThat(destinations("bit-complement", nodes, 1)[x]).isEqualTo(number(complement.toString()));
            assertThat(destinations("bit-reverse", nodes, 1)[x])
                    .isEqualTo(number(new StringBuilder(word).reverse().toString()));
            assertThat(destinations("shuffle", nodes, 1)[x])
                    .isEqualTo(number(word.isEmpty() ? word : word.substring(1) + word.charAt(0)));
            assertThat(destinations("transpose", nodes, 1)[x])
                    .isEqualTo(number(word.substring(half) + word.substring(0, half)));
        }
    }

    private static int number(String word) {
        return word.isEmpty() ? 0 : Integer.parseInt(word, 2);
    }

    @Test
    void shouldShiftEitherWay() {
        assertThat(destinations("shift:2", 5, 1)).containsExactly(2, 3, 4, 0, 1);
        assertThat(destinations("SHIFT:-1", 5, 1)).containsExactly(4, 0, 1, 2, 3);
        assertThat(destinations("shift:12", 5, 1)).containsExactly(2, 3, 4, 0, 1);
    }

    @Test
    void shouldDrawPermutationsBySeed() {
        int[] drawn = destinations("permutation", 100, 7);

        assertThat(drawn).containsExactlyInAnyOrder(IntStream.range(0, 100).toArray());
        assertThat(drawn).isEqualTo(destinations("permutation", 100, 7));
        assertThat(drawn).isNotEqualTo(destinations("permutation", 100, 8));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bit-complement|12|expected a power of two",
                "bit-reverse|0|expected a power of two",
                "shuffle|255|expected a power of two",
                "transpose|12|expected a power of four",
                "transpose|8|expected a power of four",
                "tornado|8|pattern 'tornado' is unknown; expected one of uniform, permutation, shift:K,",
                "shift:K|8|pattern 'shift:K' is unknown",
                "shift:|8|pattern 'shift:' is unknown"
            })
    void shouldRefuseInOneLineWhatDoesNotFit(String name, int nodes, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TrafficPattern.named(name, nodes, 1))
                .withMessageContaining(why)
                .withMessageNotContaining("\n");
    }

    @Test
    void shouldHaveNoOneDestinationInUniformTraffic() {
        TrafficPattern uniform = TrafficPattern.named("uniform", 12, 1);

        assertThat(uniform.isUniform()).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> uniform.destination(3));
    }

    @Test
    void shouldLeaveOutNodesOfDeadSwitches() {
        FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse("2;2,3;1,2;1,1"));
        FabricView whole = Fabrics.view(fabric);
        fabric.apply(new SwitchState(whole.switchGuid(whole.targetSwitch(1)), false));

        Endpoints nodes = new Endpoints(fabric.build(2, nodesOf(whole), new GuidNumbers()));

        assertThat(nodes.count()).isEqualTo(4);
        assertThat(IntStream.range(0, 4).map(nodes::node)).containsExactly(0, 1, 4, 5);
        assertThat(IntStream.range(0, 4).map(nodes::home)).doesNotContain(whole.targetSwitch(1));
    }

    private static NodeIndexMap nodesOf(FabricView whole) {
        return NodeIndexMap.parse(
                "drawn",
                IntStream.range(0, whole.nodeCount())
                        .mapToObj(d -> Guid.format(whole.nodeGuid(d)) + " " + d)
                        .toList());
    }
}
