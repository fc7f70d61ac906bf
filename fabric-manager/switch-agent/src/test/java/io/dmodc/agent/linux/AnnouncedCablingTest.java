package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cabling over real interfaces; {@link CablingScenarios} has what is done and expected. */
@Timeout(120)
class AnnouncedCablingTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
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
                "flaps"
            })
    void shouldHoldIn(String scenario) throws Exception {
        OwnNamespace.run(CablingScenarios.class, scenario);
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

        OwnNamespace.run("mount -t tmpfs none /run && mkdir /run/lldpd", CablingScenarios.class, "lldp");
    }
}
