package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code -Dkill=N} kills a manager N times at random moments during faults, {@code -Dkill.seed=N} with other moments and faults;
 * about six seconds a kill. Prints a line for each.
 */
class KillTest {
    @TempDir
    Path directory;

    @Test
    @EnabledIfSystemProperty(named = "kill", matches = "[1-9]\\d{0,6}")
    void shouldHoldEqualTablesAndWriteNothingNeedlessAfterEachKill() throws Exception {
        try (KillTrial trial = new KillTrial(directory, Long.getLong("kill.seed", 1), KillTest::print)) {
            int bad = trial.run(Integer.getInteger("kill"));

            assertThat(bad)
                    .as("kills after which tables differed, or blocks were written needlessly")
                    .isZero();
        }
    }

    private static void print(String line) {
        System.out.println(line);
    }
}
