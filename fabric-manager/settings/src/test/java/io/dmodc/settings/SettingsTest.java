package io.dmodc.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    enum Mode {
        QUIET,
        VERY_LOUD
    }

    record Detector(Duration heartbeat, Duration suspicion, boolean enabled) {
        Detector {
            Range.check("heartbeat", heartbeat, Duration.ofMillis(1), Duration.ofMinutes(1));
            if (suspicion.compareTo(heartbeat) <= 0) {
                throw new IllegalArgumentException("suspicion must be longer than heartbeat");
            }
        }
    }

    record Cable(
            int number,
            @Nullable @Hex @SettingsKey("switch") Long switchGuid,
            @Nullable String label) {
        Cable {
            Range.check("number", number, 1, 254);
        }
    }

    record Example(
            HostPort manager,
            @Hex long guid,
            int maxPorts,
            double ratio,
            Mode mode,
            @Nullable Path stateDir,
            Detector detector,
            List<Cable> ports) {
        Example {
            Range.check("max-ports", maxPorts, 1, 254);
            ports = List.copyOf(ports);
        }

        static Example defaults() {
            return new Example(
                    new HostPort("127.0.0.1", 7400),
                    0x10L,
                    36,
                    0.5,
                    Mode.QUIET,
                    null,
                    new Detector(Duration.ofMillis(100), Duration.ofSeconds(1), true),
                    List.of());
        }
    }

    private static final String FULL = """
            manager: "[::1]:7401"
            guid: 0xfedcba9876543210
            max-ports: 40
            ratio: 1.25
            mode: very-loud
            state-dir: /var/lib/x
            detector:
              heartbeat: 250us   # fast, so out of range
              suspicion: 2s
              enabled: false
            ports:
              - {number: 1, switch: 0xf0, label: up}
              - {number: 2}
            """;

    private static Example read(String yaml, String... sets) {
        return Settings.parse(yaml, "conf/x.yaml", Example.class, Settings.overrides(List.of(sets)));
    }

    @Test
    void shouldGiveTheDefaultsForAnEmptyFile() {
        assertThat(read("# nothing yet\n")).isEqualTo(Example.defaults());
    }

    @Test
    void shouldTakeASectionWithoutValueAsItsDefaults() {
        assertThat(read("detector:\n")).isEqualTo(Example.defaults());
    }

    @Test
    void shouldReadEveryKindOfValue() {
        Example example = read(FULL.replace("250us", "1.5ms"));

        assertThat(example.manager()).isEqualTo(new HostPort("::1", 7401));
        assertThat(example.guid()).isEqualTo(0xfedcba9876543210L);
        assertThat(example.mode()).isEqualTo(Mode.VERY_LOUD);
        assertThat(example.stateDir()).isEqualTo(Path.of("/var/lib/x"));
        assertThat(example.detector().heartbeat()).isEqualTo(Duration.ofNanos(1_500_000));
        assertThat(example.ports()).containsExactly(new Cable(1, 0xf0L, "up"), new Cable(2, null, null));
    }

    @ParameterizedTest
    @CsvSource({"./7,./7", "..,..", "v1.2,v1.2", "run-7,run-7"})
    void shouldTakeForAPathWhatIsNoNumber(String text, Path path) {
        assertThat(read("state-dir: " + text).stateDir()).isEqualTo(path);
    }

    @Test
    void shouldKeepOtherDefaultsOfASectionThatIsGivenInPart() {
        assertThat(read("detector: {suspicion: 5min}").detector())
                .isEqualTo(new Detector(Duration.ofMillis(100), Duration.ofMinutes(5), true));
    }

    @Test
    void shouldLetOverridesWin() {
        Example example =
                read("max-ports: 3", "max-ports=7", "detector.heartbeat=2ms", "ports=[{number: 9, switch: 0x1}]");

        assertThat(example.maxPorts()).isEqualTo(7);
        assertThat(example.detector().heartbeat()).isEqualTo(Duration.ofMillis(2));
        assertThat(example.ports()).containsExactly(new Cable(9, 1L, null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        "a: 1"                                     | conf/x.yaml:1: a: unknown key; expected one of manager, guid, max-ports, ratio, mode, state-dir, detector, ports
        "\n\ndetector:\n  heartbaet: 1s"           | conf/x.yaml:4: detector.heartbaet: unknown key; expected one of heartbeat, suspicion, enabled
        "\ndetector:\n  heartbeat: 5 lightyears"   | conf/x.yaml:3: detector.heartbeat: '5 lightyears' is not a duration; expected e.g. 100ms, 2s
        "detector:\n  heartbeat: 1h"               | conf/x.yaml:2: detector.heartbeat: 1h is outside 1ms..1min
        "\ndetector:\n  heartbeat: 5s"             | conf/x.yaml:2: detector.suspicion: must be longer than heartbeat
        "max-ports: 0"                             | conf/x.yaml:1: max-ports: 0 is outside 1..254
        "max-ports: many"                          | conf/x.yaml:1: max-ports: 'many' is not a whole number; expected decimal digits, no leading 0
        "max-ports: 99999999999"                   | conf/x.yaml:1: max-ports: '99999999999' is not a whole number; expected decimal digits, no leading 0
        "mode: quiet\nmax-ports: 010"              | conf/x.yaml:2: max-ports: '010' is not a whole number; expected decimal digits, no leading 0
        "max-ports: -010"                          | conf/x.yaml:1: max-ports: '-010' is not a whole number; expected decimal digits, no leading 0
        "max-ports: 0x10"                          | conf/x.yaml:1: max-ports: '0x10' is not a whole number; expected decimal digits, no leading 0
        "max-ports: 0o10"                          | conf/x.yaml:1: max-ports: '0o10' is not a whole number; expected decimal digits, no leading 0
        "max-ports: [1]"                           | conf/x.yaml:1: max-ports: a list is not a single value
        "ratio: .nan"                              | conf/x.yaml:1: ratio: '.nan' is not a number
        "guid: 17"                                 | conf/x.yaml:1: guid: '17' is not an identity; expected 0x and 1 to 16 hex digits
        "mode: loud"                               | conf/x.yaml:1: mode: 'loud' is not one of quiet, very-loud
        "state-dir: 7"                             | conf/x.yaml:1: state-dir: '7' is not a path; expected e.g. /var/lib/x, ./x
        "state-dir: -.5"                           | conf/x.yaml:1: state-dir: '-.5' is not a path; expected e.g. /var/lib/x, ./x
        "state-dir: true"                          | conf/x.yaml:1: state-dir: 'true' is not a path; expected e.g. /var/lib/x, ./x
        "state-dir: ' '"                           | conf/x.yaml:1: state-dir: ' ' is not a path; expected e.g. /var/lib/x, ./x
        "detector: 5"                              | conf/x.yaml:1: detector: '5' is not a section with heartbeat, suspicion, enabled
        "detector: {enabled: yes}"                 | conf/x.yaml:1: detector.enabled: 'yes' is not true or false
        "manager: here"                            | conf/x.yaml:1: manager: 'here' is not a network address; expected host:port
        "manager: a:70000"                         | conf/x.yaml:1: manager: 'a:70000' is not a network address; expected host:port
        "ports:\n- {number: 1}\n- {number: 255}"   | conf/x.yaml:3: ports[1].number: 255 is outside 1..254
        "ports:\n- {switch: 0x1}"                  | conf/x.yaml:2: ports[0].number: missing; expected a single value
        "max-ports: 1\nmax-ports: 2"               | conf/x.yaml:2: max-ports: given twice
        "- 1"                                      | conf/x.yaml:1: a list is not a section with manager, guid, max-ports, ratio, mode, state-dir, detector, ports
        "a: &x 1\nb: *x"                           | conf/x.yaml:2: aliases are not supported; write the value out
        """)
    void shouldNamePlaceKeyValueAndExpectation(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml.replace("\\n", "\n")))
                .isInstanceOf(SettingsException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        detector.heartbeat=5 lightyears | --set detector.heartbeat: '5 lightyears' is not a duration; expected e.g. 100ms, 2s
        detector.heartbeat=1h           | --set detector.heartbeat: 1h is outside 1ms..1min
        detektor.heartbeat=1s           | --set detektor: unknown key; expected one of manager, guid, max-ports, ratio, mode, state-dir, detector, ports
        ratio.x=1                       | --set ratio.x: ratio is not a section
        ports=[{number: 0}]             | --set ports[0].number: 0 is outside 1..254
        max-ports                       | --set max-ports: expected key=value
        """)
    void shouldNameTheOverride(String set, String message) {
        assertThatThrownBy(() -> read("ratio: 1", set))
                .isInstanceOf(SettingsException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        `a: 1\nb: [1, 2\n` | conf/x.yaml:3: not YAML: while parsing a flow sequence
        `a: 1\n@x`         | conf/x.yaml:2: not YAML: while scanning for the next token
        `a: \u0001`        | conf/x.yaml: not YAML: special characters are not allowed
        `a: "\\u`          | conf/x.yaml: not YAML: For input string: "" under radix 16
        `? [a]\n: b`       | conf/x.yaml:1: a section or a list for a key; expected a single value
        `*a : b`           | conf/x.yaml:1: aliases are not supported; write the value out
        `a: 1\n---\nb: 2`  | conf/x.yaml:2: a second document; expected one
        """)
    void shouldSayInOneLineThatTheFileIsNotYaml(String yaml, String message) {
        assertThatThrownBy(() -> read(yaml.replace("\\n", "\n")))
                .isInstanceOf(SettingsException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "~", "null", "Null", "NULL"})
    void shouldTakeNothingForAKeyWithoutValue(String nothing) {
        assertThat(read("detector: " + nothing)).isEqualTo(Example.defaults());
        assertThatThrownBy(() -> read("detector: '" + nothing + "'")).hasMessageContaining("is not a section");
        assertThatThrownBy(() -> read("detector: !!str " + nothing)).hasMessageContaining("is not a section");
    }

    @Test
    void shouldSayWhichFileCannotBeUsed(@TempDir Path dir) throws Exception {
        Path binary = Files.write(dir.resolve("b.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        Path large = Files.write(dir.resolve("l.yaml"), new byte[Settings.MAX_FILE_BYTES + 1]);

        assertThatThrownBy(() -> Settings.read(dir.resolve("none.yaml"), Example.class, Map.of()))
                .hasMessage(dir.resolve("none.yaml") + ": no such file; expected YAML");
        assertThatThrownBy(() -> Settings.read(dir, Example.class, Map.of()))
                .hasMessage(dir + ": not a file; expected YAML");
        assertThatThrownBy(() -> Settings.read(binary, Example.class, Map.of()))
                .hasMessage(binary + ": not UTF-8 text; expected YAML");
        assertThatThrownBy(() -> Settings.read(large, Example.class, Map.of()))
                .hasMessage(large + ": 1048577 bytes; expected YAML of at most 1048576");
    }

    @Test
    void shouldDescribeWhatItWouldReadAgain() {
        Example example = read(FULL.replace("250us", "1.5ms"));

        String yaml = Settings.describe(example);

        assertThat(yaml).contains("heartbeat: 1500us", "switch: ", "0xfedcba9876543210", "mode: very-loud");
        assertThat(read(yaml)).isEqualTo(example);
        assertThat(read(Settings.describe(Example.defaults()))).isEqualTo(Example.defaults());
    }

    @ParameterizedTest
    @CsvSource({"1ns,1ns", "1000us,1ms", "90s,90s", "120s,2min", "0,0s", "0ms,0s", "1.5h,90min", "48h,2d"})
    void shouldPrintDurationsWithTheLargestWholeUnit(String text, String printed) {
        assertThat(DurationText.print(DurationText.parse(text))).isEqualTo(printed);
    }
}
