package io.dmodc.manager.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.settings.cli.Program;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@code fabric-manager} of the daemon's jar alone. */
class FurtherCommandsTest {
    @Test
    void shouldHaveTheDaemonsOwnCommandsAndThoseOfEveryProgram() {
        assertThat(Program.commandLine(Main.root()).getSubcommands().keySet())
                .containsExactly("run", "check-config", "state", "completion", "man", "help");
    }

    @Test
    void shouldRefuseADemonstrationThatIsNotThere() {
        StringWriter err = new StringWriter();

        int code =
                Program.run(Main.root(), List.of(), new PrintWriter(new StringWriter()), new PrintWriter(err), "demo");

        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).startsWith("fabric-manager: unknown command 'demo'");
    }
}
