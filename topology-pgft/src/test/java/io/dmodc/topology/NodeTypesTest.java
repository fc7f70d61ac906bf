package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which host is of which type, and what numbers hosts get by it. */
class NodeTypesTest {
    private static final FabricViewBuilder FIGURE_1 = PgftGenerator.generate(PgftShape.parse("3;2,2,3;1,2,2;1,2,1"));
    private static final FabricView CANONICAL = FIGURE_1.build(1, new NodeIndexMap(), new GuidNumbers());

    private static Host host(long portGuid, long hostGuid, String name) {
        return new Host(portGuid, hostGuid, 1, name);
    }

    private static NodeTypes parse(String... lines) {
        return NodeTypes.parse("types", List.of(lines));
    }

    @Test
    void shouldGoByGuidThenByTheFirstPatternThatMatches() {
        NodeTypes types = parse(
                "# who is who",
                "",
                "io-* storage",
                "0x20 service",
                "*-9 HCA-? service",
                "io-9* compute",
                "0x31 compute");

        assertThat(types.names()).containsExactly("compute", "storage", "service");
        assertThat(types.name(types.of(host(0x11, 0x10, "io-1 HCA-1")))).isEqualTo("storage");
        assertThat(types.name(types.of(host(0x21, 0x20, "io-2 HCA-1")))).isEqualTo("service");
        assertThat(types.name(types.of(host(0x31, 0x30, "io-3 HCA-1")))).isEqualTo("compute");
        assertThat(types.name(types.of(host(0x41, 0x40, "n-9 HCA-1")))).isEqualTo("service");
        assertThat(types.name(types.of(host(0x51, 0x50, "n-9 HCA-12")))).isEqualTo("compute");
        assertThat(types.name(types.of(host(0x61, 0x60, "nio-1")))).isEqualTo("compute");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "storage         | types:1: 'storage'; expected 'guid type' or 'name-pattern type', a type of up to 32 letters,"
                        + " digits, '.', '_', '-'",
                "io-* a/b        | types:1: 'io-* a/b'; expected 'guid type' or 'name-pattern type', a type of up to 32 letters,"
                        + " digits, '.', '_', '-'",
                "0xzz storage    | types:1: '0xzz' is not a GUID; expected 0x and up to 16 hexadecimal digits",
                "0x1 a;0x01 b    | types:2: GUID 0x0000000000000001 a second time",
            })
    void shouldSayWhichLineCannotBeRead(String text, String message) {
        assertThatThrownBy(() -> parse(text.split(";")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldBoundTypesAndPatterns() {
        String[] types = IntStream.rangeClosed(1, NodeTypes.TYPES_MAX)
                .mapToObj(i -> "a" + i + "* t" + i)
                .toArray(String[]::new);
        String[] patterns = IntStream.rangeClosed(0, NodeTypes.PATTERNS_MAX)
                .mapToObj(i -> "a" + i + "* io")
                .toArray(String[]::new);

        assertThatThrownBy(() -> parse(types)).hasMessageStartingWith("types:16: type 't16' is one more than 16");
        assertThatThrownBy(() -> parse(patterns)).hasMessage("types:101: a pattern more than 100");
    }

    /** GUIDs of the odd nodes of Figure 1: the second host of each leaf. */
    private static List<String> oddNodes(String type) {
        return IntStream.range(0, CANONICAL.nodeCount())
                .filter(node -> node % 2 == 1)
                .mapToObj(node -> Guid.format(CANONICAL.nodeGuid(node)) + " " + type)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    @Test
    void shouldNumberTypeAfterTypeEachInCanonicalOrder() {
        NodeIndexMap nodes = new NodeIndexMap();
        nodes.numberBy(NodeTypes.parse("types", oddNodes("io")));

        FIGURE_1.build(2, nodes, new GuidNumbers());

        assertThat(IntStream.range(0, 12).map(node -> nodes.indexOf(CANONICAL.nodeGuid(node))))
                .containsExactly(0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11);
    }

    @Test
    void shouldLeaveThoseThatHaveANumberAlone() {
        NodeIndexMap nodes = new NodeIndexMap();
        FIGURE_1.build(2, nodes, new GuidNumbers());
        nodes.numberBy(NodeTypes.parse("types", oddNodes("io")));

        FIGURE_1.build(3, nodes, new GuidNumbers());

        assertThat(IntStream.range(0, 12).map(node -> nodes.indexOf(CANONICAL.nodeGuid(node))))
                .containsExactly(IntStream.range(0, 12).boxed().toArray(Integer[]::new));
    }
}
