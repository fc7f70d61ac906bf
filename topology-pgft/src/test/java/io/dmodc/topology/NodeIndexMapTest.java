package io.dmodc.topology;

import static io.dmodc.topology.TestFabric.fabric;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeIndexMapTest {
    @Test
    void shouldComeBackFromItsFile(@TempDir Path directory) throws IOException {
        TestFabric fabric = TestFabric.shuffled("3;2,2,3;1,2,2;1,2,1", 4);
        List<String> before = ViewText.of(fabric.view());
        Path file = Files.write(directory.resolve("nodes"), fabric.nodes().lines());

        NodeIndexMap again = NodeIndexMap.parse("nodes", Files.readAllLines(file));

        assertThat(again.size()).isEqualTo(12);
        assertThat(again.lines()).isEqualTo(fabric.nodes().lines());
        assertThat(ViewText.of(fabric.builder().build(1, again, new GuidNumbers())))
                .isEqualTo(before);
    }

    @Test
    void shouldNeverRenumberWhenNodesComeAndGo() {
        SplittableRandom random = new SplittableRandom(8);
        TestFabric fabric = fabric("2;4,6;1,2;1,1");
        Map<Long, Integer> firstIndex = new HashMap<>();
        long guid = 1;
        for (int step = 0; step < 300; step++) {
            String leaf = "leaf" + random.nextInt(6);
            int port = 1 + random.nextInt(4);
            Neighbour neighbour = fabric.builder().neighbour(fabric.guid(leaf), port);
            if (neighbour == null || random.nextInt(4) == 0) {
                Host host = new Host(random.nextBoolean() ? guid++ : 1 + random.nextLong(guid), 7, 1, "n");
                fabric.apply(new PortSeen(fabric.guid(leaf), port, true, new ToHost(host)));
            } else {
                fabric.apply(new PortSeen(fabric.guid(leaf), port, false, null));
            }

            FabricView view = fabric.view();

            for (int node = 0; node < view.nodeCount(); node++) {
                if (view.nodeSwitch(node) >= 0) {
                    assertThat(firstIndex.computeIfAbsent(view.nodeGuid(node), indexNow(node)))
                            .isEqualTo(node);
                }
            }
        }
        assertThat(firstIndex).hasSizeGreaterThan(30);
    }

    private static Function<Long, Integer> indexNow(int node) {
        return guid -> node;
    }

    @Test
    void shouldContinueAfterTheHighestIndexOfAFile() {
        NodeIndexMap nodes = NodeIndexMap.parse("nodes", List.of("0x1 7", "0x2 3"));

        assertThat(nodes.indexOf(2)).isEqualTo(3);
        assertThat(nodes.indexOf(3)).isEqualTo(-1);
        assertThat(nodes.assign(3)).isEqualTo(8);
        assertThat(nodes.size()).isEqualTo(9);
    }

    @Test
    void shouldDrawIndicesWithoutHosts() {
        NodeIndexMap nodes = NodeIndexMap.parse("nodes", List.of("0x1 7"));

        FabricView view = fabric("1;2;1;1").builder().build(1, nodes, new GuidNumbers());

        assertThat(view.nodeCount()).isEqualTo(10);
        assertThat(view.nodeSwitch(7)).isEqualTo(-1);
        assertThat(view.nodeSwitch(8)).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0x1|f:2: '0x1'; expected 'guid number'",
                "0x1 2 3|f:2: '0x1 2 3'; expected 'guid number'",
                "0x1 x|f:2: '0x1 x'; expected 'guid number'",
                "zz 1|f:2: 'zz 1'; expected 'guid number'",
                "0x1 99999999999|f:2: '0x1 99999999999'; expected 'guid number'",
                "0x1 -1|f:2: number -1 is negative",
                "0x9 1|f:2: GUID 0x0000000000000009 a second time",
                "0x1 0|f: 0x0000000000000001: node index 0 is taken by another GUID",
                "0x1 1048576|f:2: number 1048576; expected 0..1048575"
            })
    void shouldSayInOneLineWhatIsWrong(String line, String message) {
        assertThatThrownBy(() -> NodeIndexMap.parse("f", List.of("0x9 0", line)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void shouldLeaveOutWhoWouldGetAnIndexBeyondTheLast() {
        NodeIndexMap nodes = NodeIndexMap.parse("f", List.of("0x1 " + NodeIndexMap.INDEX_MAX));

        assertThat(nodes.assign(2)).isEqualTo(-1);
        assertThat(nodes.assign(3)).isEqualTo(-1);
        assertThat(nodes.assign(2)).isEqualTo(-1);
        assertThat(nodes.indexOf(2)).isEqualTo(-1);
        assertThat(nodes.takeDealt()).isEmpty();
        assertThat(nodes.takeLeftOut()).containsExactly(2L, 3L);
        assertThat(nodes.takeLeftOut()).isEmpty();

        nodes.forget(1);
        assertThat(nodes.assign(2)).isEqualTo(NodeIndexMap.INDEX_MAX);
        assertThat(nodes.assign(3)).isEqualTo(-1);
    }

    /** The index that a new host had of its own is dealt to nobody, and the space stays as large, also when the map is read again. */
    @Test
    void shouldHandAnIndexOverAndRetireTheOtherOne() {
        NodeIndexMap nodes = NodeIndexMap.parse("f", List.of("0x1 0", "0x2 1"));
        assertThat(nodes.sizeBeyondKnown()).isZero();

        assertThat(nodes.handOver(1, 2)).isTrue();
        nodes.retire(1);

        assertThat(nodes.indexOf(2)).isZero();
        assertThat(nodes.indexOf(1)).isEqualTo(-1);
        assertThat(nodes.sizeBeyondKnown()).isEqualTo(2);
        assertThat(nodes.takeDealt()).isEmpty();
        assertThat(nodes.assign(3)).isEqualTo(2);
        assertThat(nodes.sizeBeyondKnown()).isZero();
        nodes.retire(0);
        assertThat(nodes.indexOf(2)).as("it is not free").isZero();

        NodeIndexMap again = NodeIndexMap.parse("f", List.of("0x2 0"));
        again.reserve(3);
        again.freeGaps();
        assertThat(again.size()).isEqualTo(3);
        assertThat(again.assign(4)).isEqualTo(1);
        again.put(5, 2);
        assertThat(again.handOver(5, 6)).isTrue();
        assertThat(again.indexOf(6)).isEqualTo(2);
    }
}
