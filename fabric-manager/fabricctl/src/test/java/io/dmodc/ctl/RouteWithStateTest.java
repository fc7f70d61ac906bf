package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code route --engine minhop|updn} with root lists and kept state, as an operator would use them. */
class RouteWithStateTest {
    private static final String DOUBLED = "2;2,3;1,2;1,2";

    @TempDir
    private Path directory = Path.of("");

    private Path state = Path.of("");
    private Path lft = Path.of("");
    private Path roots = Path.of("");

    @BeforeEach
    void nameFiles() {
        state = directory.resolve("state");
        lft = directory.resolve("lft");
        roots = directory.resolve("roots");
    }

    private Ctl route(String engine, Object... more) {
        Object[] words = new Object[9 + more.length];
        Object[] first = {"route", "--pgft", DOUBLED, "--engine", engine, "--state", state, "--out", lft};
        System.arraycopy(first, 0, words, 0, first.length);
        System.arraycopy(more, 0, words, first.length, more.length);
        return Ctl.run(words);
    }

    @Test
    void shouldMakeTheSameTablesFromWhatWasKept() throws IOException {
        Ctl first = route("updn");
        byte[] tables = Files.readAllBytes(lft);
        byte[] kept = Files.readAllBytes(state);
        Ctl second = route("updn");
        Ctl.run("route", "--pgft", DOUBLED, "--engine", "updn", "--out", lft);

        assertThat(first.err()).containsExactly(state + ": min-hop tables are made anew: none were kept");
        assertThat(second.err()).containsExactly(state + ": kept min-hop tables are used");
        assertThat(second.code()).isZero();
        assertThat(Files.readAllBytes(state)).isEqualTo(kept);
        assertThat(Files.readAllBytes(lft)).isEqualTo(tables);
    }

    @Test
    void shouldSayWhyWhatWasKeptDoesNotHold() {
        route("minhop");
        Ctl missing = route("minhop", "--fail-switches", 1);
        Ctl check = Ctl.run("check", "--pgft", DOUBLED, "--fail-switches", 1, "--lft", lft);

        assertThat(missing.code()).isZero();
        assertThat(missing.err()).hasSize(1);
        assertThat(missing.err().get(0))
                .contains("min-hop tables are made anew: missing switch: switch 0x02f000000000000");
        assertThat(check.code()).as(check.text()).isZero();
    }

    @Test
    void shouldUseWhatWasKeptWhenOneOfTwoCablesIsGone() {
        route("minhop");
        Ctl missing = route("minhop", "--fail-links", 1);
        Ctl check = Ctl.run("check", "--pgft", DOUBLED, "--fail-links", 1, "--lft", lft);

        assertThat(missing.err()).containsExactly(state + ": kept min-hop tables are used");
        assertThat(check.code()).as(check.text()).isZero();
    }

    @Test
    void shouldReplaceAFileThatCannotBeUsed() throws IOException {
        Files.writeString(state, "not a state file");
        Ctl replaced = route("minhop");

        assertThat(replaced.code()).isZero();
        assertThat(replaced.err())
                .containsExactly(state + ": is no state file; expected one that 'fabricctl route --state' wrote;"
                        + " min-hop tables are made anew: none were kept");
        assertThat(route("minhop").err()).containsExactly(state + ": kept min-hop tables are used");
    }

    @Test
    void shouldRefuseStateWithAnEngineThatKeepsNothing() {
        Ctl route = route("dmodc");

        assertThat(route.code()).isEqualTo(2);
        assertThat(route.err())
                .containsExactly(
                        "fabricctl route: --state with engine dmodc, which keeps nothing; expected minhop or updn");
    }

    @Test
    void shouldTakeRootsFromAListInWhichAHostStandsForItsSwitch() throws IOException {
        Files.write(roots, List.of("# the spines", "0x02f0000000000003 spine", "", "0x2c0000000000000", "0x77"));
        Ctl route = Ctl.run("route", "--pgft", DOUBLED, "--engine", "updn", "--roots", roots);

        assertThat(route.code()).isZero();
        assertThat(route.err()).containsExactly(roots + ": nothing in the fabric has GUID 0x0000000000000077");
    }

    @Test
    void shouldNameTheLineOfABadRoot() throws IOException {
        Files.write(roots, List.of("0x02f0000000000003", "spine4"));
        Ctl route = Ctl.run("route", "--pgft", DOUBLED, "--engine", "updn", "--roots", roots);

        assertThat(route.code()).isEqualTo(2);
        assertThat(route.err())
                .containsExactly("fabricctl route: " + roots + ":2: 'spine4'; expected the GUID of a root switch");
    }

    @Test
    void shouldAnswerNoWhenNoRootIsThere() throws IOException {
        Files.write(roots, List.of("0x77"));
        Ctl route = Ctl.run("route", "--pgft", DOUBLED, "--engine", "updn", "--roots", roots);

        assertThat(route.code()).isEqualTo(1);
        assertThat(route.err())
                .last()
                .isEqualTo("fabricctl route: no tables: none of the named roots is a live switch of" + " this fabric");
    }

    @Test
    void shouldMakeNewTablesWhenTheRootsAreOthers() throws IOException {
        route("updn");
        Files.write(roots, List.of("0x02f0000000000003"));

        assertThat(route("updn", "--roots", roots).err())
                .containsExactly(state + ": min-hop tables are made anew: the roots are others");
    }
}
