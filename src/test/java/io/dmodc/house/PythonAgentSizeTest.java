package io.dmodc.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** How much there is to write for a switch of another language: what {@code docs/southbound-protocol.md} says of the one in Python. */
class PythonAgentSizeTest {
    private static final Path SCRIPTS = Path.of("python");
    private static final int LINES_MAX = 150;
    private static final int COLUMNS_MAX = 130;
    private static final Pattern OWN = Pattern.compile("(?:from|import) (agent|connection|protobuf|switch)\\b.*");

    @Test
    void shouldSayAllOfTheProtocolIn150Lines() throws IOException {
        List<String> lines = Files.readAllLines(SCRIPTS.resolve("agent.py"));

        assertThat(lines).hasSizeLessThanOrEqualTo(LINES_MAX);
        assertThat(lines)
                .allSatisfy(line ->
                        assertThat(line).hasSizeLessThanOrEqualTo(COLUMNS_MAX).doesNotContain(";"));
    }

    /** What stands for libraries and hardware knows no message of the protocol. */
    @Test
    void shouldLeaveNothingOfTheProtocolToWhatItStandsOn() throws IOException {
        assertThat(imports("agent.py")).containsExactly("connection", "protobuf", "switch");
        for (String script : imports("agent.py")) {
            assertThat(imports(script + ".py")).isEmpty();
        }
        for (String script : List.of("connection.py", "protobuf.py")) {
            assertThat(Files.readString(SCRIPTS.resolve(script)))
                    .doesNotContainIgnoringCase("digest")
                    .doesNotContainIgnoringCase("epoch")
                    .doesNotContain("table", "Welcome", "Hello");
        }
    }

    private static List<String> imports(String script) throws IOException {
        return Files.readAllLines(SCRIPTS.resolve(script)).stream()
                .map(OWN::matcher)
                .filter(Matcher::matches)
                .map(matcher -> matcher.group(1))
                .toList();
    }
}
