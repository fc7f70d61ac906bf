package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.e2e.BareMachine.Ended;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the launchers do on a machine without Java: they install nothing that nobody agreed to. */
class LaunchersAskTest {
    private static final String JRE = "openjdk-17-jre-headless";
    private static final String JDK_AND_MAVEN = "openjdk-17-jdk-headless maven";
    private static final String OPENSM_AND_PYTHON = "opensm ibsim-utils python3";
    private static final String PYTHON = "python3";
    private static final Map<String, String> NOTHING = Map.of();

    @TempDir
    private Path directory = Path.of("");

    private BareMachine machineOf(int user) throws IOException {
        return BareMachine.at(directory.resolve("machine"), user);
    }

    @Test
    void shouldRefuseAsRootWithoutATerminalAndNameBothWays() throws Exception {
        BareMachine machine = machineOf(0);

        Ended ended = machine.run(NOTHING, machine.installed("fabricctl").resolve("fabricctl"), "status");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.lines())
                .containsExactly("fabricctl: missing: Java 17 or newer. Install with: 'fabricctl --yes ...', or: "
                        + "apt-get update && apt-get install -y --no-install-recommends " + JRE);
        assertThat(machine.installed()).isEmpty();
    }

    @Test
    void shouldInstallWhenToldYesAndKeepThatFromTheProgram() throws Exception {
        BareMachine machine = machineOf(0);

        Ended ended = machine.run(
                NOTHING, machine.installed("switch-agent").resolve("switch-agent"), "--yes", "run", "--yes");

        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(machine.installed()).containsExactly(JRE);
        assertThat(ended.lines()).hasSize(2).first().isEqualTo("installing " + JRE + " through apt");
        assertThat(ended.lines().get(1)).startsWith("java: ").endsWith(" io.dmodc.agent.Main run --yes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CI=true", "FM_YES=1"})
    void shouldInstallWhenTheEnvironmentAgrees(String variable) throws Exception {
        BareMachine machine = machineOf(0);
        Map<String, String> environment = Map.of(variable.split("=")[0], variable.split("=")[1]);

        Ended ended = machine.run(environment, machine.installed("demo").resolve("fabric-manager"), "demo", "--keep");

        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(machine.installed()).containsExactly(JRE);
        // The launcher looks at the first word for the size of the heap.
        assertThat(ended.lines().get(1))
                .contains("-XX:MaxRAMPercentage=60")
                .endsWith(" io.dmodc.manager.app.Main demo --keep");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CI=false", "FM_YES=0"})
    void shouldNotTakeOtherValuesForConsent(String variable) throws Exception {
        BareMachine machine = machineOf(0);
        Map<String, String> environment = Map.of(variable.split("=")[0], variable.split("=")[1]);

        Ended ended = machine.run(environment, machine.installed("fabricctl").resolve("fabricctl"));

        assertThat(ended.status()).isEqualTo(2);
        assertThat(machine.installed()).isEmpty();
    }

    @Test
    void shouldOnlySayTheCommandToWhoIsNotRoot() throws Exception {
        BareMachine machine = machineOf(1000);

        Ended ended = machine.run(NOTHING, machine.installed("fabricctl").resolve("fabricctl"), "--yes", "status");

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.lines())
                .singleElement()
                .asString()
                .endsWith("with: sudo apt-get update && sudo apt-get install -y --no-install-recommends " + JRE);
        assertThat(machine.installed()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"y", "Yes"})
    void shouldInstallWhenTheTerminalSaysYes(String answer) throws Exception {
        BareMachine machine = machineOf(0);

        Ended ended =
                machine.runOnTerminal(answer, machine.installed("fabricctl").resolve("fabricctl"), "status");

        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(machine.installed()).containsExactly(JRE);
        assertThat(ended.lines().toString())
                .contains("Missing: Java 17 or newer.", "install -y --no-install-recommends " + JRE, "[y/N]")
                .contains(" io.dmodc.ctl.Main status");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "n", "yesterday"})
    void shouldTakeAnythingElseOnTheTerminalForNo(String answer) throws Exception {
        BareMachine machine = machineOf(0);

        Ended ended =
                machine.runOnTerminal(answer, machine.installed("fabricctl").resolve("fabricctl"), "status");

        assertThat(ended.status()).as(ended.toString()).isEqualTo(2);
        assertThat(ended.lines().toString()).contains("[y/N]", "'fabricctl --yes ...'");
        assertThat(machine.installed()).isEmpty();
    }

    @Test
    void shouldInstallAllThatTestsNeedAndRunThem() throws Exception {
        BareMachine machine = machineOf(0);

        Ended ended =
                machine.run(NOTHING, machine.checkout().resolve("run-tests"), "--yes", "-pl", "routing-dmodc", "-am");

        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(machine.installed()).containsExactly(JDK_AND_MAVEN, OPENSM_AND_PYTHON);
        assertThat(ended.lines()).last().isEqualTo("mvn: -T 1.5C verify -pl routing-dmodc -am");
    }

    @Test
    void shouldAskOnceForAllThatTestsNeed() throws Exception {
        BareMachine machine = machineOf(0);

        Ended ended = machine.runOnTerminal("y", machine.checkout().resolve("run-tests"));

        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(ended.lines()).filteredOn(line -> line.contains("[y/N]")).hasSize(1);
        assertThat(ended.lines().toString())
                .contains("Missing: a JDK 17 or newer, Maven, opensm with ibsim (optional,", " and Python 3 (optional,")
                .contains("--no-install-recommends " + JDK_AND_MAVEN + " " + OPENSM_AND_PYTHON);
        assertThat(machine.installed()).containsExactly(JDK_AND_MAVEN, OPENSM_AND_PYTHON);
    }

    @Test
    void shouldRefuseToTestWithoutJdkAndMaven() throws Exception {
        BareMachine machine = machineOf(0);

        Ended ended = machine.run(NOTHING, machine.checkout().resolve("run-tests"));

        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.lines())
                .containsExactly(
                        "run-tests: missing: a JDK 17 or newer and Maven. Install with: 'run-tests --yes ...', or: "
                                + "apt-get update && apt-get install -y --no-install-recommends " + JDK_AND_MAVEN);
        assertThat(machine.installed()).isEmpty();
    }

    @Test
    void shouldTestWithoutOpenSmAndPythonAndSaySo() throws Exception {
        BareMachine machine = machineOf(0);
        Path runTests = machine.checkout().resolve("run-tests");
        machine.installNow(JDK_AND_MAVEN);

        Ended ended = machine.run(NOTHING, runTests);

        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(ended.lines()).hasSize(2).last().isEqualTo("mvn: -T 1.5C verify");
        assertThat(ended.lines().get(0))
                .startsWith("missing: opensm with ibsim (optional,")
                .contains(" and Python 3 (optional,", "skipped");
        assertThat(machine.installed()).containsExactly(JDK_AND_MAVEN);
    }

    @Test
    void shouldNotInstallOpenSmBesideInfiniBandHardware() throws Exception {
        BareMachine machine = machineOf(0);
        Path runTests = machine.checkout().resolve("run-tests");
        machine.addInfiniBand();

        Ended ended = machine.run(Map.of("CI", "true"), runTests);

        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(ended.lines().get(0)).startsWith("this machine has InfiniBand hardware");
        assertThat(machine.installed()).containsExactly(JDK_AND_MAVEN, PYTHON);
    }

    @Test
    void shouldRunTheDaemonWithoutTheJarsOfTheDemonstration() throws Exception {
        BareMachine machine = machineOf(0);
        Path manager = machine.installed("daemon").resolve("fabric-manager");
        machine.installNow(JRE);

        Ended run = machine.run(NOTHING, manager, "run", "--config", "demo");
        Ended demo = machine.run(NOTHING, manager, "demo");

        assertThat(run.status()).as(run.toString()).isZero();
        assertThat(run.lines())
                .singleElement()
                .asString()
                .containsPattern("java: -Xmx[1-4]\\d{3}m ")
                .contains("/lib/daemon-0.0.1.jar io.dmodc.manager.app.Main run --config demo");
        assertThat(demo.status()).isEqualTo(1);
        assertThat(demo.lines()).singleElement().asString().contains("no demo-*.jar in ", "not complete");
    }

    @Test
    void shouldTouchNothingWhereAllIsThere() throws Exception {
        BareMachine machine = machineOf(0);
        Path fabricctl = machine.installed("fabricctl").resolve("fabricctl");
        machine.installNow(JRE);

        Ended ended = machine.run(NOTHING, fabricctl, "--yes", "--version");

        assertThat(ended.status()).as(ended.toString()).isZero();
        assertThat(ended.lines()).singleElement().asString().endsWith(" io.dmodc.ctl.Main --version");
        assertThat(machine.installed()).containsExactly(JRE);
    }
}
