package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The demonstration on a plane of Linux, with all of its steps: packets between all hosts come through again after each of them, and nothing
 * moves when an agent or the manager dies. Skipped where the machine has no namespaces to give.
 */
class LinuxDemoTest {
    /** How the one line begins that says why it cannot run here. */
    private static final List<String> NOT_HERE = List.of(
            "fabric-manager: the program ",
            "fabric-manager: namespaces ",
            "fabric-manager: network namespaces ",
            "fabric-manager: 172.30.0.0/16");

    /** Long: this runs beside other tests, and what is judged is what happens, not how soon. */
    private static final String HELLO_MILLIS = "300";

    private static void play(String pgft) {
        MainRun ended = MainRun.of("demo", "--plane", "linux", "--pgft", pgft, "--hello", HELLO_MILLIS);
        Assumptions.assumeFalse(
                ended.status() == 1 && NOT_HERE.stream().anyMatch(ended.err()::startsWith),
                () -> ended.err().strip());

        assertThat(ended.status()).as(ended.out() + ended.err()).isZero();
        assertThat(ended.out())
                .contains("All checks held")
                .containsPattern("a cable is cut.*\\R *\\d+ of \\d+ pairs hit, outage")
                .containsPattern("an agent is killed.*\\R *none of \\d+ pairs lost a probe")
                .containsPattern("the manager is killed\\R *none of \\d+ pairs lost a probe");
        assertThat(MainRun.of("demo", "--plane", "linux", "--clean").out()).startsWith("nothing was left");
    }

    /** A host at each leaf: each further one is two processes more, and pairs to probe all the time. */
    @Test
    void shouldHealSixSwitchesAndLeaveNothingBehind() {
        play("2;1,4;1,2;1,1");
    }

    @Test
    @EnabledIfSystemProperty(named = "trials", matches = "|true")
    void shouldHealSixteenSwitchesOnThreeLevels() {
        play("3;2,2,3;1,2,2;1,2,1");
    }

    @Test
    void shouldRefuseWhatIsTooLargeForProcessesOrHasNothingToSpare() {
        assertThat(MainRun.of("demo", "--plane", "linux", "--pgft", "3;8,8,16;1,4,8;1,2,1")
                        .status())
                .isEqualTo(2);
        assertThat(MainRun.of("demo", "--plane", "linux", "--pgft", "2;2,2;1,1;1,1")
                        .status())
                .isEqualTo(2);
        assertThat(MainRun.of("demo", "--plane", "linux", "--hello", "5").status())
                .isEqualTo(2);
    }
}
