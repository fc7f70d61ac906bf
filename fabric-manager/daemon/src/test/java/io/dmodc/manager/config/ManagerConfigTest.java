package io.dmodc.manager.config;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.settings.Settings;
import io.dmodc.settings.SettingsException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManagerConfigTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "push: {tries: 0}|push.tries: 0 is outside 1..100",
                "southbound: {keep-alive: 1ms}|southbound.keep-alive: 1ms is outside 100ms..1min",
                "routing: {threads: -1}|routing.threads: -1 is outside 0..1024",
                "detector: {heartbeat: 1s, suspicion: 1s}|detector.suspicion: 1s is outside 2s..1h",
                "discovery: {timeout: 1s}|discovery.timeout: 1s is outside 2s..1h",
                "links: {hold-down: 2h}|links.hold-down: 2h is outside 0s..1h",
                "routing: {engine: ftree}|routing.engine: 'ftree' is not one of dmodc, dmodc-plain, minhop, updn",
                "routing: {engine: minhop, roots: r.txt}|routing.roots: 'r.txt' is only for engine updn",
                "routing: {engin: dmodc}|routing.engin: unknown key",
                "northbound: {listen: here}|northbound.listen: 'here' is not a network address"
            })
    void shouldNameTheLineTheKeyAndWhatWasExpected(String yaml, String problem) {
        assertThatThrownBy(() -> Settings.parse("\n" + yaml, "fm.yaml", ManagerConfig.class, Map.of()))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("fm.yaml:2: " + problem);
    }
}
