package io.dmodc.settings.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manual pages and completions, as installed. */
class ManPageTest {
    @TempDir
    private Path share = Path.of("");

    @Test
    void shouldWriteOneCommandAsRoff() {
        assertThat(Tool.run("man", "show").out().replaceFirst("a\\\\-tool \\d+\\.\\d+\\.\\d+", "a\\\\-tool 1"))
                .isEqualTo("""
                .TH "A\\-TOOL\\-SHOW" 1 "" "a\\-tool 1" "Fabric manager"
                .nh
                .ad l
                .SH NAME
                a\\-tool\\-show \\- Shows what\\(aqs there: .dots, back\\eslashes, 100\\-% of it
                .SH SYNOPSIS
                \\fBa\\-tool show\\fR [\\fB\\-hV\\fR] \\fB\\-\\-topology\\fR=\\fIF\\fR [\\fB\\-\\-kind\\fR=\\fI<kind>\\fR] [\\fIWORD\\fR]
                .SH DESCRIPTION
                Shows what\\(aqs there: .dots, back\\eslashes, 100\\-% of it.
                .PP
                \\&.Second line, with \\[u00FC].
                .SH ARGUMENTS
                .TP
                [\\fIWORD\\fR]
                one of them
                .SH OPTIONS
                .TP
                \\fB\\-\\-topology\\fR=\\fIF\\fR
                the file
                .TP
                \\fB\\-\\-kind\\fR=\\fI<kind>\\fR
                (default: whole)
                .TP
                \\fB\\-h\\fR, \\fB\\-\\-help\\fR
                Show this help message and exit.
                .TP
                \\fB\\-V\\fR, \\fB\\-\\-version\\fR
                Print version information and exit.
                .SH NOTES
                .nf
                Kinds:
                  whole  all
                .fi
                .SH EXIT STATUS
                0: yes, or done. 1: the answer is no. 2: bad usage or input, told in one line on standard error.
                .SH SEE ALSO
                \\fBa\\-tool\\fR(1)
                """);
    }

    @Test
    void shouldWriteWhatAnInstallationKeeps() throws Exception {
        ShareFiles.main(new String[] {share.toString(), Tool.class.getName()});

        assertThat(files())
                .containsExactly(
                        "bash-completion/completions/a-tool",
                        "man/man1/a-tool-completion.1",
                        "man/man1/a-tool-man.1",
                        "man/man1/a-tool-show.1",
                        "man/man1/a-tool.1",
                        "zsh/site-functions/_a-tool");
        assertThat(share.resolve("bash-completion/completions/a-tool"))
                .content()
                .contains("complete -F _complete_a-tool -o default a-tool");
        assertThat(share.resolve("zsh/site-functions/_a-tool"))
                .content()
                .startsWith("#compdef a-tool\n")
                .doesNotContain("alias compopt");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> tree = Files.walk(share)) {
            return tree.filter(Files::isRegularFile)
                    .map(file -> share.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void shouldPrintTheSameCompletionAsItInstalls() throws Exception {
        ShareFiles.main(new String[] {share.toString(), Tool.class.getName()});

        assertThat(Tool.run("completion", "BASH").out())
                .isEqualTo(Files.readString(share.resolve("bash-completion/completions/a-tool")));
    }

    @Test
    void shouldNameTheDirectoryThatCannotBeWritten() throws IOException {
        Path file = Files.createFile(share.resolve("file"));

        assertThat(Tool.run("man", "--out", file.toString()).err())
                .startsWith("a-tool man: " + file + "/a-tool.1: cannot be written (");
        assertThatThrownBy(() -> ShareFiles.main(new String[] {"here"})).hasMessage("expected DIRECTORY CLASS...");
    }
}
