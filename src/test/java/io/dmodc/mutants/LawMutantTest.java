package io.dmodc.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whoever moves the code that keeps a law moves its mutant with it: {@link LawMutantsTest} is run seldom. */
class LawMutantTest {
    /** Surefire starts in the module's directory, {@code src/test}. */
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @Test
    void shouldApplyToTheSources() throws IOException {
        List<String> problems = new ArrayList<>();
        List<LawMutant> mutants = LawMutant.read(ROOT.resolve("src/test/laws.mutants"));
        for (LawMutant mutant : mutants) {
            try {
                mutant.mutated(ROOT);
            } catch (IOException | IllegalStateException e) {
                problems.add("law " + mutant.law() + ": " + e.getMessage());
            }
        }
        assertThat(mutants).hasSizeGreaterThan(20);
        assertThat(problems).isEmpty();
    }
}
