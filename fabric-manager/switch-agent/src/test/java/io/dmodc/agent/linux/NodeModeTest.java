package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dmodc.agent.plane.Neighbour.HostPort;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code switch-agent node} as a process; {@link NodeScenarios} has what is done and expected. */
class NodeModeTest {
    @ParameterizedTest
    @Timeout(120)
    @ValueSource(strings = {"way", "foreign", "missing"})
    void shouldHoldIn(String scenario) throws Exception {
        OwnNamespace.run(NodeScenarios.class, scenario);
    }

    @ParameterizedTest
    @CsvSource({
        "10.100.0.0/16, 0a640000, 16",
        "10.1.2.3/32, 0a010203, 32",
        "0.0.0.0/0, 00000000, 0",
        "::/0, 00000000000000000000000000000000, 0",
        "fd00::/48, fd000000000000000000000000000000, 48",
        "fd00::7/128, fd000000000000000000000000000007, 128"
    })
    void shouldReadNetworks(String text, String hex, int length) {
        Network network = Network.parse(text);

        assertThat(network.hex()).isEqualTo(hex);
        assertThat(network.length()).isEqualTo(length);
        assertThat(network).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0",
                "10.0.0.0/33",
                "10.0.0.0/",
                "/8",
                "fd00::/129",
                "x/8",
                "10.0.0.1/0",
                "1::/0",
                "10.0.0.0/9999"
            })
    void shouldRefuseWhatIsNoNetwork(String text) {
        assertThat(catchThrowable(() -> Network.parse(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + text + "' is no network; expected an address");
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1/8", "fd00::1/64"})
    void shouldRefuseBitsBehindTheNetwork(String text) {
        assertThat(catchThrowable(() -> Network.parse(text)))
                .hasMessageStartingWith("network '" + text + "' has bits behind the first ");
    }

    @Test
    void shouldRefuseNamesThatNoInterfaceHas() {
        for (String name : List.of("", "..", "a/b", "a b", "0123456789abcdef")) {
            assertThat(catchThrowable(() -> new HostNode(1, new HostPort(7, 7, 1, "x"), name, List.of(), 201)))
                    .hasMessageStartingWith("interface '" + name + "': expected the name of a network interface");
        }
    }
}
