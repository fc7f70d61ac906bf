package io.dmodc.ctl.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Names as Slurm shortens them; a slow reader of such lists takes them apart again. */
class HostListTest {
    @Test
    void shouldJoinNumbersInARow() {
        assertThat(HostList.of(List.of("node3", "node1", "node2", "node7"))).isEqualTo("node[1-3,7]");
        assertThat(HostList.of(List.of("node9", "node10", "node11"))).isEqualTo("node[9-11]");
        assertThat(HostList.of(List.of("r1n0"))).isEqualTo("r1n0");
    }

    @Test
    void shouldKeepZerosInFront() {
        assertThat(HostList.of(List.of("n08", "n09", "n10", "n11"))).isEqualTo("n[08-11]");
        assertThat(HostList.of(List.of("n8", "n008", "n08", "n09"))).isEqualTo("n[8,08-09,008]");
        assertThat(HostList.of(List.of("n0", "n1", "n00"))).isEqualTo("n[0-1,00]");
    }

    @Test
    void shouldLeaveOtherNamesAsTheyAre() {
        assertThat(HostList.of(List.of("login", "S-0200000000005790", "gpu1")))
                .isEqualTo("gpu1,S-0200000000005790,login");
    }

    @Test
    void shouldNameExactlyTheHostsItWasGiven() {
        long seed = 20261121;
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 2_000; round++) {
            TreeSet<String> names = new TreeSet<>();
            for (int i = random.nextInt(1, 40); i > 0; i--) {
                String digits = Integer.toString(random.nextInt(0, 130));
                String zeros = "0".repeat(random.nextInt(0, 3) / 2);
                names.add("ab".substring(random.nextInt(0, 3)) + (random.nextInt(9) == 0 ? "x" : zeros + digits));
            }

            String list = HostList.of(names);

            assertThat(expand(list)).as(list).containsExactlyInAnyOrderElementsOf(names);
        }
    }

    /** As Slurm does: each range has the width of its lower end. */
    static List<String> expand(String list) {
        List<String> names = new ArrayList<>();
        for (String part : list.split(",(?![^\\[]*])")) {
            int open = part.indexOf('[');
            if (open < 0) {
                names.add(part);
                continue;
            }
            for (String range : part.substring(open + 1, part.length() - 1).split(",")) {
                String[] ends = range.split("-");
                for (int n = Integer.parseInt(ends[0]); n <= Integer.parseInt(ends[ends.length - 1]); n++) {
                    names.add(part.substring(0, open) + String.format("%0" + ends[0].length() + "d", n));
                }
            }
        }
        return names;
    }
}
