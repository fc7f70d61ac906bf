package io.dmodc.detector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Angskun, Bosilca, Dongarra, "Binomial Graph", ISPA 2007: regular, logarithmic, as connected as its degree. */
class OverlayTest {
    @Test
    void shouldJoinASlotInBothDirections() {
        assertThat(Overlay.neighbours(0, 12)).containsExactly(1, 2, 4, 8, 10, 11);
        assertThat(Overlay.neighbours(3, 8)).containsExactly(1, 2, 4, 5, 7);
        assertThat(Overlay.neighbours(0, 1)).isEmpty();
        assertThat(Overlay.neighbours(1, 2)).containsExactly(0);
    }

    @Test
    void shouldBeRegularWithTheDegreeOfTheFormula() {
        for (int n = 4; n <= 66; n++) {
            int ceilLog = 32 - Integer.numberOfLeadingZeros(n - 1);
            int ones = Integer.bitCount(n);
            int degree = 2 * ceilLog - (ones == 1 ? 1 : ones == 2 ? 2 : 0);
            for (int slot = 0; slot < n; slot++) {
                assertThat(Overlay.neighbours(slot, n))
                        .as("slot %d of %d", slot, n)
                        .hasSize(degree);
            }
        }
    }

    @Test
    void shouldBeUndirected() {
        for (int n = 2; n <= 66; n++) {
            for (int slot = 0; slot < n; slot++) {
                for (int neighbour : Overlay.neighbours(slot, n)) {
                    assertThat(Overlay.neighbours(neighbour, n)).contains(slot);
                }
            }
        }
    }

    /** So fewer dead slots than the degree never cut the flood. */
    @Test
    void shouldBeAsConnectedAsItsDegree() {
        for (int n = 4; n <= 66; n++) {
            assertThat(connectivity(n)).as("n %d", n).isEqualTo(Overlay.neighbours(0, n).length);
        }
    }

    private static int connectivity(int n) {
        int connectivity = n - 1;
        for (int target = 1; target < n; target++) {
            if (Arrays.binarySearch(Overlay.neighbours(0, n), target) < 0) {
                connectivity = Math.min(connectivity, disjointPaths(n, 0, target));
            }
        }
        return connectivity;
    }

    /** Second opinions are asked of these: running numbers name every neighbour, and nobody else. */
    @Test
    void shouldNameEachNeighbourByARunningNumber() {
        for (int n = 2; n <= 130; n++) {
            int count = n;
            int slot = n / 3;
            assertThat(IntStream.range(0, 40)
                            .map(number -> Overlay.neighbour(slot, count, number))
                            .distinct()
                            .sorted())
                    .as("n %d", n)
                    .containsExactly(
                            Arrays.stream(Overlay.neighbours(slot, n)).boxed().toArray(Integer[]::new));
        }
        assertThat(Overlay.neighbour(0, 1, 3)).isZero();
        assertThat(Overlay.neighbour(3, 12, -1)).isBetween(0, 11);
    }

    @Test
    void shouldRefuseASlotOutsideTheRing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Overlay.neighbours(5, 5))
                .withMessage("overlay: slot 5 outside 0..4");
    }

    /**
     * Vertex-disjoint paths by unit flow on split vertices: in(v) = 2 v, out(v) = 2 v + 1. The graph is vertex
     * transitive, so paths from slot 0 speak for all.
     */
    private static int disjointPaths(int n, int source, int target) {
        int[][] capacity = new int[2 * n][2 * n];
        for (int v = 0; v < n; v++) {
            capacity[2 * v][2 * v + 1] = 1;
            for (int w : Overlay.neighbours(v, n)) {
                capacity[2 * v + 1][2 * w] = 1;
            }
        }
        int paths = 0;
        while (augment(capacity, 2 * source + 1, 2 * target)) {
            paths++;
        }
        return paths;
    }

    private static boolean augment(int[][] capacity, int source, int target) {
        int[] parent = new int[capacity.length];
        Arrays.fill(parent, -1);
        parent[source] = source;
        ArrayDeque<Integer> queue = new ArrayDeque<>();
        queue.add(source);
        while (!queue.isEmpty() && parent[target] < 0) {
            int v = queue.remove();
            for (int w = 0; w < capacity.length; w++) {
                if (parent[w] < 0 && capacity[v][w] > 0) {
                    parent[w] = v;
                    queue.add(w);
                }
            }
        }
        if (parent[target] < 0) {
            return false;
        }
        for (int v = target; v != source; v = parent[v]) {
            capacity[parent[v]][v]--;
            capacity[v][parent[v]]++;
        }
        return true;
    }
}
