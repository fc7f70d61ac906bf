package io.dmodc.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.mutants.ChangedClasses.Ended;
import io.dmodc.simulator.BrokenLaws;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Each law has a change that its test and the simulator notice. {@code run-tests -Dmutate=laws}; takes ten minutes. */
@EnabledIfSystemProperty(named = "mutate", matches = "laws")
class LawMutantsTest {
    /** Surefire starts in the module's directory, {@code src/test}. */
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final Path LIST = ROOT.resolve("src/test/laws.mutants");

    /** Seeds from 1 that are tried, {@code -Dmutate.seeds=N}; 0: the simulator is left out. */
    private static final int SEEDS = Integer.getInteger("mutate.seeds", 400);

    /** How much processor time a mutant has in the simulator, and how many seeds are shown. */
    private static final int SECONDS = 15;

    private static final int SHOWN = 3;

    @TempDir
    private Path directory;

    /** How a mutant fared; {@code problem} is empty when all who should notice did. */
    private record Outcome(LawMutant mutant, String seeds, String problem) {}

    @Test
    void shouldNoticeEveryChangeThatTakesAMendOut() throws Exception {
        List<LawMutant> mutants = LawMutant.read(LIST);
        ChangedClasses classes = new ChangedClasses(ROOT, directory);
        List<String> all = new ArrayList<>(List.of(NamedTests.class.getName()));
        mutants.stream().map(LawMutant::test).distinct().forEach(all::add);
        Ended unchanged = classes.run(all);
        assertThat(unchanged.status())
                .as("tests of the unchanged code: %s", unchanged.lines())
                .isZero();
        Set<String> known = brokenToday(classes);

        List<Outcome> outcomes = new ArrayList<>();
        System.out.printf("%-3s  %-100s  %-80s  %s%n", "law", "change", "noticed by", "seeds");
        for (LawMutant mutant : mutants) {
            Outcome outcome = outcome(classes, mutant, known);
            outcomes.add(outcome);
            System.out.printf(
                    "%3d  %-100s  %-80s  %s %s%n",
                    mutant.law(),
                    mutant.text(),
                    mutant.test().replaceFirst(".*\\.", ""),
                    outcome.seeds,
                    outcome.problem);
        }

        assertThat(outcomes).filteredOn(it -> !it.problem.isEmpty()).isEmpty();
    }

    /** {@code SEED LAW} of what the unchanged code breaks: laws that are not kept yet. */
    private static Set<String> brokenToday(ChangedClasses classes) throws IOException, InterruptedException {
        Set<String> broken = new HashSet<>();
        if (SEEDS == 0) {
            return broken;
        }
        for (String line : classes.run(seeds("")).lines()) {
            broken.add(seedAndLaw(line));
        }
        return broken;
    }

    private static List<String> seeds(String law) {
        List<String> command = new ArrayList<>(
                List.of(BrokenLaws.class.getName(), "1", "" + SEEDS, "" + Integer.MAX_VALUE, "" + 4 * SECONDS));
        if (!law.isEmpty()) {
            command.set(3, "" + (SHOWN + 3));
            command.set(4, "" + SECONDS);
            command.add(law);
        }
        return command;
    }

    private static String seedAndLaw(String line) {
        String[] words = line.split(" ", 3);
        return words[0] + " " + (words.length > 1 ? words[1] : "");
    }

    private static Outcome outcome(ChangedClasses classes, LawMutant mutant, Set<String> known)
            throws IOException, InterruptedException {
        try {
            Ended test = classes.run(mutant, List.of(NamedTests.class.getName(), mutant.test()));
            boolean noticed = test.status() == NamedTests.FAILED || test.status() == ChangedClasses.ENDED_BY_FORCE;
            String problem = noticed ? "" : "survives, status " + test.status() + " of " + mutant.test();
            if (mutant.simulatorLaw().isEmpty() || SEEDS == 0) {
                return new Outcome(mutant, "-", problem);
            }
            List<String> seeds = classes.run(mutant, seeds(mutant.simulatorLaw())).lines().stream()
                    .map(LawMutantsTest::seedAndLaw)
                    .filter(it -> it.endsWith(" " + mutant.simulatorLaw()) && !known.contains(it))
                    .map(it -> it.split(" ", 2)[0])
                    .limit(SHOWN)
                    .toList();
            String none = "no seed breaks " + mutant.simulatorLaw();
            return new Outcome(
                    mutant,
                    mutant.simulatorLaw() + " " + String.join(", ", seeds),
                    seeds.isEmpty() ? problem + " " + none : problem);
        } catch (IllegalStateException e) {
            return new Outcome(mutant, "-", String.valueOf(e.getMessage()));
        }
    }
}
