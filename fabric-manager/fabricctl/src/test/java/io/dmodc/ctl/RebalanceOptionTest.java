package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --rebalance} of {@code route} and {@code quality}. */
class RebalanceOptionTest {
    private static final Object[] DAMAGED = {"--pgft", "3;4,4,8;1,4,4;1,1,1", "--fail-switches", 6, "--seed", 2};

    @TempDir
    private Path directory = Path.of("");

    private static Ctl run(String command, Object... words) {
        Object[] all = new Object[1 + DAMAGED.length + words.length];
        all[0] = command;
        System.arraycopy(DAMAGED, 0, all, 1, DAMAGED.length);
        System.arraycopy(words, 0, all, 1 + DAMAGED.length, words.length);
        return Ctl.run(all);
    }

    private static String moved(Ctl ctl) {
        return ctl.err().stream()
                .filter(line -> line.startsWith("rebalance: moved "))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldWriteTablesThatAreValidAndOfTheFiguresTold() {
        Path lft = directory.resolve("lft");

        Ctl route = run("route", "--rebalance", "20", "--out", lft);
        Ctl check = run("check", "--lft", lft, "--strict");
        Ctl quality = run("quality", "--lft", lft, "--permutations", 0);

        assertThat(route.code()).as(String.join("\n", route.err())).isZero();
        assertThat(moved(route)).matches("rebalance: moved [1-9]\\d* entries in 1?\\d of at most 20 blocks, of .*");
        assertThat(check.code()).as(check.text()).isZero();
        String mean = moved(route).replaceFirst(".* -> (.*), at least .*", "$1");
        assertThat(quality.text()).containsPattern("whole fabric .* " + mean.replace(".", "\\."));
    }

    @Test
    void shouldMeasureWhatRouteWouldWrite() {
        Ctl quality = run("quality", "--rebalance", "--permutations", 0);
        Ctl route = run("route", "--rebalance", "0");

        assertThat(quality.code()).isZero();
        assertThat(moved(quality)).isEqualTo(moved(route)).contains(" of at most ");
    }

    @Test
    void shouldRefuseTablesWithoutCandidates() {
        String expected = "; expected engine dmodc or dmodc-strict";

        assertThat(run("route", "--rebalance", "--engine", "minhop").err())
                .isEqualTo(List.of("fabricctl route: --rebalance with minhop" + expected));
        assertThat(run("quality", "--rebalance", "--lft", "none"))
                .isEqualTo(new Ctl(2, List.of(), List.of("fabricctl quality: --rebalance with --lft" + expected)));
        assertThat(run("route", "--rebalance", "-3"))
                .isEqualTo(new Ctl(
                        2,
                        List.of(),
                        List.of("fabricctl route: --rebalance -3; expected 1 or more, or 0 for a twentieth")));
    }
}
