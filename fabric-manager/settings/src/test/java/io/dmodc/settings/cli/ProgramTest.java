package io.dmodc.settings.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What all our programs answer alike. */
class ProgramTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|a-tool: expected a command (see 'a-tool --help')",
                "shwo|a-tool: unknown command 'shwo'; did you mean show? (see 'a-tool --help')",
                "SHOW|a-tool: unknown command 'SHOW'; did you mean show? (see 'a-tool --help')",
                "comp|a-tool: unknown command 'comp'; did you mean completion? (see 'a-tool --help')",
                "shou|a-tool: unknown command 'shou'; did you mean show? (see 'a-tool --help')",
                "nonsense|a-tool: unknown command 'nonsense' (see 'a-tool --help')",
                "show --topolgy f|a-tool show: unknown option '--topolgy'; did you mean --topology?"
                        + " (see 'a-tool show --help')",
                "show --topology f --kidn=whole|a-tool show: unknown option '--kidn'; did you mean --kind?"
                        + " (see 'a-tool show --help')",
                "show --topology f a b|a-tool show: unexpected argument 'b' (see 'a-tool show --help')",
                "show|a-tool show: Missing required option: '--topology=F' (see 'a-tool show --help')",
                "show --topology f --kind half|a-tool show: Invalid value for option '--kind': 'half', expected one of"
                        + " whole, in-parts (see 'a-tool show --help')",
                "show --topology unreadable|a-tool show: unreadable: no such file",
                "show --topology forbidden|a-tool show: dir/forbidden: permission denied",
                "shout|a-tool shout: not so loud",
                "man shwo|a-tool man: unknown command 'shwo'; did you mean show? (see 'a-tool man --help')"
            })
    void shouldSayInOneLineWhatCannotBeUsed(String line, String message) {
        Tool.Ran ran = Tool.run(line.isEmpty() ? new String[0] : line.split(" ", -1));

        assertThat(ran.err()).isEqualTo(message + System.lineSeparator());
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void shouldShowTheStackOfItsOwnFaultsAndEndWithACodeOfTheirOwn() {
        Tool.Ran ran = Tool.run("show", "--topology", "defect");

        assertThat(ran.err()).startsWith("a-tool show: impossible").contains("at io.dmodc.settings.cli.Tool$Show.call");
        assertThat(ran.code()).isEqualTo(70);
    }

    /** Also when a thread that works for the command has found out. */
    @ParameterizedTest
    @ValueSource(strings = {"huge", "huge-elsewhere"})
    void shouldSayInOneLineThatTheHeapIsTooSmall(String topology) {
        Tool.Ran ran = Tool.run("show", "--topology", topology);

        assertThat(ran.err())
                .matches("a-tool( show)?: out of memory: the heap may have \\d+ MiB; expected more for this, as with"
                        + " JAVA_OPTS=-Xmx\\d+g\\R");
        assertThat(ran.code()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "show --version", "man -V"})
    void shouldTellOneVersionEverywhere(String line) {
        assertThat(Tool.run(line.split(" ", -1)).out()).matches("a-tool \\d+\\.\\d+\\.\\d+ \\(commit \\w+\\)\\R");
    }

    @Test
    void shouldTakeValuesOfListsInAnyCase() {
        assertThat(Tool.run("show", "--topology", "f", "--kind", "Whole").out()).startsWith("f WHOLE");
        assertThat(Tool.run("show", "--topology", "f", "--kind", "in_parts").out())
                .startsWith("f IN_PARTS");
    }

    @Test
    void shouldTakeOldSpellingsOfThatCommandOnly() {
        assertThat(Tool.run("show", "--in", "f").out()).startsWith("f ");
        assertThat(Tool.run("show", "--in=f").out()).startsWith("f ");
        assertThat(OldSpelling.rewritten(Tool.OLD, "man", "--in")).containsExactly("man", "--in");
        assertThat(OldSpelling.rewritten(Tool.OLD, "show", "--", "--in")).containsExactly("show", "--", "--in");
        assertThat(Tool.run("show", "--help").out()).contains("--topology").doesNotContain("--in=");
    }

    @ParameterizedTest
    @CsvSource({"'', '', 0", "abc, '', 3", "abc, abc, 0", "abcd, abdc, 1", "ab, xb, 1", "kitten, sitting, 3"})
    void shouldCountTheStepsBetweenTwoWords(String a, String b, int steps) {
        assertThat(Suggestions.distance(a, b)).isEqualTo(steps);
        assertThat(Suggestions.distance(b, a)).isEqualTo(steps);
    }

    @Test
    void shouldNameAtMostThreeNeighbours() {
        assertThat(Suggestions.near("lint", List.of("link", "list", "mint", "hint", "lent")))
                .containsExactly("link", "list", "mint");
    }
}
