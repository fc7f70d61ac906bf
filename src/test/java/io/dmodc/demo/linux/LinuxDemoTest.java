package io.dmodc.demo.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.e2e.ClassArchives;
import io.dmodc.e2e.MainRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

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

    private static final String LAUNCHERS = "fabric-manager.launchers";

    /** Long: this runs beside other tests, and what is judged is what happens, not how soon. */
    private static final String HELLO_MILLIS = "300";

    /** In place of the launchers: the processes share the archives of classes that other tests have, too. */
    @BeforeAll
    static void startFromArchives(@TempDir Path launchers) throws IOException {
        launcher(launchers.resolve("switch-agent"), io.dmodc.agent.Main.class);
        launcher(launchers.resolve("fabric-manager"), io.dmodc.manager.app.Main.class);
        System.setProperty(LAUNCHERS, launchers.toString());
    }

    private static void launcher(Path file, Class<?> main) throws IOException {
        String java =
                ClassArchives.java(main).stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        Files.writeString(file, "#!/bin/sh\n[ \"$1\" = archive ] || exec " + java + " \"$@\"\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    @AfterAll
    static void forgetTheLauncher() {
        System.clearProperty(LAUNCHERS);
    }

    /** Returns what was printed. */
    private static String play(String pgft, String scenes) {
        MainRun ended =
                MainRun.of("demo", "--plane", "linux", "--pgft", pgft, "--scenes", scenes, "--hello", HELLO_MILLIS);
        Assumptions.assumeFalse(
                ended.status() == 1 && NOT_HERE.stream().anyMatch(ended.err()::startsWith),
                () -> ended.err().strip());

        assertThat(ended.status()).as(ended.out() + ended.err()).isZero();
        assertThat(ended.out()).contains("All checks held");
        assertThat(MainRun.of("demo", "--plane", "linux", "--clean").out()).startsWith("nothing was left");
        return ended.out();
    }

    /** A host at each leaf: each further one is two processes more, and pairs to probe all the time. */
    @Test
    void shouldHealSixSwitchesAndLeaveNothingBehind() {
        playAll(6, "2;1,4;1,2;1,1");
    }

    @Test
    @EnabledIfSystemProperty(named = "trials", matches = "|true")
    void shouldHealSixteenSwitchesOfThreeLevelsWithTwoHostsALeaf() {
        playAll(16, "3;2,2,3;1,2,2;1,2,1");
    }

    /**
     * Where both ends of the cut cable have another way, none may lose a probe: whether one does is a matter of milliseconds; that routes
     * were led another way is not.
     */
    private static void playAll(int switches, String pgft) {
        assertThat(play(pgft, "cut,silent,oneway,switch,agent,manager"))
                .containsPattern("all \\d+ pairs that are probed are connected")
                .containsPattern(
                        "a cable is cut.*\\R *(none|\\d+) of \\d+ pairs .*\\R(.*\\R){0,12}?.*its switch led \\d+ entr"
                                + "(y|ies) over other ports by itself")
                .containsPattern("a cable carries nothing any more.*\\R *\\d+ of \\d+ pairs hit, outage")
                .containsPattern("a cable carries one way only")
                .containsPattern("a switch loses power.*\\R *(none|\\d+) of \\d+ pairs ")
                .containsPattern("an agent is killed.*\\R *none of \\d+ pairs lost a probe")
                .containsPattern("the manager is killed\\R *none of \\d+ pairs lost a probe")
                .contains("The last routes of all " + switches + " switches equal the first ones");
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
        assertThat(MainRun.of("demo", "--plane", "linux", "--scenes", "flood").status())
                .isEqualTo(2);
        assertThat(MainRun.of("demo", "--scenes", "cut").status()).isEqualTo(2);
    }
}
