package io.dmodc.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a build knows of itself: from the repository, from an archive, or from neither. */
class BuildInfoTest {
    @ParameterizedTest
    @CsvSource({
        "282e329ab, $Format:%h$, 282e329ab",
        "'', 282e329, 282e329",
        "'', $Format:%h$, unknown",
        "fatal: not a git repository, 282e329, 282e329"
    })
    void shouldTakeTheCommitFromWhereThereIsOne(String built, String archive, String commit) {
        Properties properties = new Properties();
        properties.setProperty("version", "0.1.0-SNAPSHOT");
        properties.setProperty("archive", archive);

        assertThat(BuildInfo.of(properties, built).line("program")).isEqualTo("program 0.1.0 (commit " + commit + ")");
    }

    @Test
    void shouldFindWhatTheBuildWrote() {
        BuildInfo info = BuildInfo.read();

        assertThat(info.version()).matches("\\d+\\.\\d+\\.\\d+");
        assertThat(info.commit()).matches("[0-9a-f]{7,40}|unknown");
    }
}
