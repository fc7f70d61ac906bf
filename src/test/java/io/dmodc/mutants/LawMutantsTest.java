package io.dmodc.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.mutants.ChangedClasses.Ended;
import io.dmodc.mutants.LawMutant.BrokenLaw;
import io.dmodc.simulator.BrokenLaws;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Each law has a change that its test and the simulator notice. {@code run-tests -Dmutate=laws}; takes ten minutes. */
@EnabledIfSystemProperty(named = "mutate", matches = "laws")
class LawMutantsTest {
    /** Surefire starts in the module's directory, {@code src/test}. */
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final Path LIST = ROOT.resolve("src/test/laws.mutants");

    /** Seeds from 1 that are looked through where the named one shows nothing, {@code -Dmutate.seeds=N}; 0: the simulator is left out. */
    private static final int SEEDS = Integer.getInteger("mutate.seeds", 400);

    /** How much processor time that may take, and how many of these seeds may break the law without the change, too. */
    private static final int SECONDS = 120;

    private static final int UNKEPT = 3;

    @TempDir
    private Path directory;

    /** How a mutant fared; {@code problem} is empty when all who should notice did. */
    private record Outcome(LawMutant mutant, String seed, String problem) {}

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

        List<Outcome> outcomes = new ArrayList<>();
        System.out.printf("%-3s  %-100s  %-80s  %s%n", "law", "change", "noticed by", "seed");
        for (LawMutant mutant : mutants) {
            Outcome outcome = outcome(classes, mutant);
            outcomes.add(outcome);
            System.out.printf(
                    "%3d  %-100s  %-80s  %s %s%n",
                    mutant.law(),
                    mutant.text(),
                    mutant.test().replaceFirst(".*\\.", ""),
                    outcome.seed,
                    outcome.problem);
        }

        assertThat(outcomes).filteredOn(it -> !it.problem.isEmpty()).isEmpty();
    }

    private static Outcome outcome(ChangedClasses classes, LawMutant mutant) throws IOException, InterruptedException {
        try {
            Ended test = classes.run(mutant, List.of(NamedTests.class.getName(), mutant.test()));
            boolean noticed = test.status() == NamedTests.FAILED || test.status() == ChangedClasses.ENDED_BY_FORCE;
            String problem = noticed ? "" : "survives, status " + test.status() + " of " + mutant.test();
            BrokenLaw broken = mutant.broken();
            if (broken == null || SEEDS == 0) {
                return new Outcome(mutant, "-", problem);
            }
            String named = broken.law() + " " + broken.kind() + " ";
            String seed = seed(classes, mutant, broken, broken.seed(), broken.seed());
            if (!seed.isEmpty()) {
                return new Outcome(mutant, named + seed, problem);
            }
            seed = seed(classes, mutant, broken, 1, SEEDS);
            return seed.isEmpty()
                    ? new Outcome(mutant, "-", problem + " no seed breaks " + broken.law())
                    : new Outcome(mutant, named + seed + ", to be named instead of " + broken.seed(), problem);
        } catch (IllegalStateException e) {
            return new Outcome(mutant, "-", String.valueOf(e.getMessage()));
        }
    }

    /** The first of some seeds that breaks the law with the change, and not without it; empty: none does. */
    private static String seed(ChangedClasses classes, LawMutant mutant, BrokenLaw broken, long from, long to)
            throws IOException, InterruptedException {
        for (String seed : seeds(broken, classes.run(mutant, command(broken, from, to)))) {
            long one = Long.parseLong(seed);
            if (seeds(broken, classes.run(command(broken, one, one))).isEmpty()) {
                return seed;
            }
        }
        return "";
    }

    private static List<String> command(BrokenLaw broken, long from, long to) {
        return List.of(
                BrokenLaws.class.getName(),
                broken.law(),
                broken.kind(),
                "" + from,
                "" + to,
                "" + (UNKEPT + 1),
                "" + SECONDS);
    }

    /**
     * Those that it printed.
     *
     * @throws IllegalStateException if it could not look
     */
    private static List<String> seeds(BrokenLaw broken, Ended ended) {
        if (ended.status() != 0 && ended.status() != ChangedClasses.ENDED_BY_FORCE) {
            throw new IllegalStateException("no histories, status " + ended.status() + ": " + ended.lines());
        }
        return ended.lines().stream()
                .filter(line -> line.matches("\\d+ " + broken.law() + " .*"))
                .map(line -> line.split(" ", 2)[0])
                .toList();
    }
}
