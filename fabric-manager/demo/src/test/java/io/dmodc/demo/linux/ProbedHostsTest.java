package io.dmodc.demo.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProbedHostsTest {
    @Test
    void shouldBeAllHostsAsLongAsTheyAreFew() {
        for (int hosts = 0; hosts <= ProbedHosts.MAX; hosts++) {
            assertThat(ProbedHosts.of(hosts))
                    .isEqualTo(IntStream.range(0, hosts).boxed().toList());
        }
    }

    @Test
    void shouldBeDifferentOnesOfMany() {
        for (int hosts = ProbedHosts.MAX + 1; hosts <= FabricPlan.HOSTS_MAX; hosts++) {
            int all = hosts;
            assertThat(ProbedHosts.of(hosts))
                    .hasSize(ProbedHosts.MAX)
                    .doesNotHaveDuplicates()
                    .allMatch(host -> host >= 0 && host < all);
        }
    }

    @Test
    void shouldBeAtAllLeavesAndUseAllUplinks() {
        List<Integer> of64 = ProbedHosts.of(64);

        for (int part = 0; part < 4; part++) {
            int leaf = part;
            assertThat(of64.stream().filter(host -> host / 16 == leaf).count()).isBetween(3L, 5L);
            assertThat(of64.stream().filter(host -> host % 4 == leaf).count()).isBetween(3L, 5L);
        }
    }
}
