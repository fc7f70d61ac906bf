package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cabling over real interfaces; {@link CablingScenarios} has what is done and expected. */
@Timeout(300)
class AnnouncedCablingTest {
    private static final List<String> SCENARIOS = List.of(
            "both-ends",
            "host",
            "hellos",
            "withdrawals",
            "made-anew",
            "renamed",
            "moved",
            "away-and-back",
            "cluster",
            "two",
            "loop",
            "storm",
            "off",
            "taken",
            "flaps"); // the last, as it changes a setting of the namespace

    /** What each printed: all are run by one process, whose start takes longer than most of them. */
    private static final Map<String, String> PRINTED = new HashMap<>();

    private static List<String> scenarios() {
        return SCENARIOS;
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void shouldHoldIn(String scenario) throws Exception {
        if (PRINTED.isEmpty()) {
            PRINTED.putAll(CablingScenarios.run("true", SCENARIOS));
        }

        // Its threads may log a last line behind that.
        assertThat(String.valueOf(PRINTED.get(scenario)).lines()).contains(CablingScenarios.HELD);
    }

    @Test
    void shouldRefusePortsThatThereAreNot() throws Exception {
        assertThatThrownBy(() -> AnnouncedCabling.start(Announcer.ofSwitch(1, 1), 255))
                .hasMessage("255 ports; expected 1..254");
    }

    /** With the real lldpd, in a mount namespace of its own as well, where it keeps its lock. */
    @Test
    void shouldKnowHostsByLldp() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/lldpd")), "lldpd is not installed");

        assertThat(CablingScenarios.run("mount -t tmpfs none /run && mkdir /run/lldpd", List.of("lldp")))
                .containsOnlyKeys("lldp")
                .allSatisfy((name, printed) -> assertThat(printed.lines()).contains(CablingScenarios.HELD));
    }
}
