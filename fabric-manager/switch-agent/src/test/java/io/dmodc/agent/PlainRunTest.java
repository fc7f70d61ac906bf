package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlainRunTest {
    @Test
    void shouldTakeAFileAndOverrides() {
        PlainRun plain = PlainRun.of("run", "--set", "name=a", "--config", "agent.yaml", "--set", "guid=0x1");

        assertThat(plain).isEqualTo(new PlainRun(Path.of("agent.yaml"), List.of("name=a", "guid=0x1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "run",
                "--version",
                "check-config --config agent.yaml",
                "run --set name=a",
                "run --config",
                "run --config=agent.yaml",
                "run --config --print-config",
                "run --config agent.yaml --print-config",
                "run --config agent.yaml --config agent.yaml",
                "run --config @arguments",
                "run --conf agent.yaml"
            })
    void shouldLeaveAllElseToPicocli(String line) {
        assertThat(PlainRun.of(line.isEmpty() ? new String[0] : line.split(" ")))
                .isNull();
    }
}
