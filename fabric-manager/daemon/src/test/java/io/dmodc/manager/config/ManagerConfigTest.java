package io.dmodc.manager.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.detector.Overlay;
import io.dmodc.detector.RingRules;
import io.dmodc.manager.config.ManagerConfig.RingAuthentication;
import io.dmodc.manager.core.RebalanceRule;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.settings.Settings;
import io.dmodc.settings.SettingsException;
import io.dmodc.topology.NodeTypes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManagerConfigTest {
    @Test
    void shouldTellTheRingWhatTheFileSays() {
        RingRules auto = detector("{heartbeat: 100ms, suspicion: 1s}").rules(1000);
        RingRules chosen =
                detector("{asking-width: 0, opinions: 0, overlay: hypercube}").rules(1000);

        assertThat(auto).isEqualTo(RingRules.standard(100_000_000, 1_000_000_000, 1000));
        assertThat(chosen).isEqualTo(new RingRules(50_000_000, 500_000_000, 0, 0, Overlay.Kind.HYPERCUBE));
        assertThat(detector("{authentication: off}").authentication()).isEqualTo(RingAuthentication.OFF);
    }

    @Test
    void shouldReadAndPrintAllowedSwitchesAsGuids() {
        ManagerConfig config = Settings.parse(
                "fabric: {allow: [0x2c90300a1b2c3, 0xfffffffffffffffe]}", "fm.yaml", ManagerConfig.class, Map.of());

        assertThat(config.fabric().allow()).containsExactly(0x2c90300a1b2c3L, -2L);
        assertThat(Settings.describe(config)).contains("0x0002c90300a1b2c3").contains("0xfffffffffffffffe");
    }

    @Test
    void shouldAllowTheAddressesOfTheNetworksThatAreNamed() throws UnknownHostException {
        ManagerConfig.Detector detector = detector("{networks: [10.1.0.0/16, 192.0.2.7/32, 'fd00::/8']}");

        for (String inside : List.of("10.1.0.0", "10.1.255.255", "192.0.2.7", "fd12::1")) {
            assertThat(detector.allows(InetAddress.getByName(inside)))
                    .as(inside)
                    .isTrue();
        }
        for (String outside : List.of("10.2.0.0", "10.0.255.255", "192.0.2.6", "fe80::1", "::ffff:10.2.0.1")) {
            assertThat(detector.allows(InetAddress.getByName(outside)))
                    .as(outside)
                    .isFalse();
        }
        assertThat(detector("{}").allows(InetAddress.getByName("10.1.0.0"))).isFalse();
        assertThat(detector("{networks: [0.0.0.0/0]}").allows(InetAddress.getByName("198.51.100.1")))
                .isTrue();
        ManagerConfig config =
                Settings.parse("detector: {networks: [10.1.0.0/16]}", "fm.yaml", ManagerConfig.class, Map.of());
        assertThat(Settings.describe(config)).contains("10.1.0.0/16");
    }

    @Test
    void shouldSayOnceWhichKeyTakesNoSuchDrainTime() {
        assertThatThrownBy(() -> Settings.parse("push: {drain: 2min}", "fm.yaml", ManagerConfig.class, Map.of()))
                .hasMessage("fm.yaml:1: push.drain: 2min is neither unknown nor in 0..1min");
    }

    @Test
    void shouldReadASeedAsPeopleDo() {
        assertThat(detector("{ring-seed: -9223372036854775808}").ringSeed()).isEqualTo(Long.MIN_VALUE);
        assertThatThrownBy(() -> detector("{ring-seed: 010}"))
                .hasMessage("fm.yaml:1: detector.ring-seed: '010' is not a whole number; expected decimal digits,"
                        + " no leading 0");
    }

    private static ManagerConfig.Detector detector(String yaml) {
        return Settings.parse("detector: " + yaml, "fm.yaml", ManagerConfig.class, Map.of())
                .detector();
    }

    @Test
    void shouldSayWhetherEntriesMayBeMoved() {
        ManagerConfig.Routing off = Settings.parse(
                        "routing: {rebalance: off, rebalance-blocks: 9}", "fm.yaml", ManagerConfig.class, Map.of())
                .routing();

        assertThat(off.rebalance()).isEqualTo(RebalanceRule.Policy.OFF);
        assertThat(off.rebalanceBlocks()).isEqualTo(9);
        assertThat(ManagerConfig.defaults()
                        .rules(SwitchDomains.none(), NodeTypes.NONE)
                        .rebalance())
                .isEqualTo(RebalanceRule.STANDARD);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "push: {tries: 0}|push.tries: 0 is outside 1..100",
                "southbound: {keep-alive: 1ms}|southbound.keep-alive: 1ms is outside 100ms..1min",
                "routing: {threads: -1}|routing.threads: -1 is outside 0..1024",
                "detector: {heartbeat: 1s, suspicion: 1s}|detector.suspicion: 1s is outside 2s..1h",
                "detector: {asking-width: 65}|detector.asking-width: '65' is neither auto nor a number in 0..64",
                "detector: {asking-width: some}|detector.asking-width: 'some' is neither auto nor a number in 0..64",
                "detector: {opinions: 5}|detector.opinions: 5 is outside 0..4",
                "detector: {overlay: ring}|detector.overlay: 'ring' is not one of binomial, hypercube",
                "detector: {authentication: maybe}|detector.authentication: 'maybe' is not one of key, off",
                "discovery: {timeout: 1s}|discovery.timeout: 1s is outside 2s..1h",
                "links: {hold-down: 2h}|links.hold-down: 2h is outside 0s..1h",
                "routing: {engine: ftree}|routing.engine: 'ftree' is not one of dmodc, dmodc-strict, dmodc-plain, minhop, updn",
                "routing: {engine: minhop, roots: r.txt}|routing.roots: 'r.txt' is only for engine updn",
                "routing: {fallback: dmodc}|routing.fallback: 'dmodc' is not one of minhop, updn",
                "routing: {engine: updn, fallback: updn}|routing.fallback: 'updn' is the engine already; expected another",
                "routing: {fallback: minhop, roots: r.txt}|routing.roots: 'r.txt' is only for engine updn or fallback updn",
                "routing: {rebalance: often}|routing.rebalance: 'often' is not one of off, on-demand, quiet",
                "routing: {slow-links: maybe}|routing.slow-links: 'maybe' is not one of ignore, avoid",
                "routing: {slow-links: 7}|routing.slow-links: ",
                "routing: {rebalance-blocks: -1}|routing.rebalance-blocks: -1 is outside 0..16777216",
                "routing: {engine: updn, rebalance: quiet}|routing.rebalance: 'quiet' with engine updn; expected engine dmodc",
                "routing: {engin: dmodc}|routing.engin: unknown key",
                "southbound: {sessions-per-address: 0}|southbound.sessions-per-address: 0 is outside 1..16384",
                "detector: {networks: [10.1.0.0]}|detector.networks[0]: '10.1.0.0' is not a network; expected address/prefix",
                "detector: {networks: [10.1.0.0/33]}|detector.networks[0]: '10.1.0.0/33' is not a network",
                "detector: {networks: ['fd00::/129']}|detector.networks[0]: 'fd00::/129' is not a network",
                "detector: {networks: [localhost/8]}|detector.networks[0]: 'localhost/8' is not a network",
                "detector: {networks: [10.0.0.0/-1]}|detector.networks[0]: '10.0.0.0/-1' is not a network",
                "fabric: {allow: [leaf0]}|fabric.allow[0]: 'leaf0' is not an identity; expected 0x and 1 to 16 hex digits",
                "northbound: {listen: here}|northbound.listen: 'here' is not a network address"
            })
    void shouldNameTheLineTheKeyAndWhatWasExpected(String yaml, String problem) {
        assertThatThrownBy(() -> Settings.parse("\n" + yaml, "fm.yaml", ManagerConfig.class, Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("fm.yaml:2: " + problem);
    }
}
