package io.dmodc.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.app.Main;
import io.dmodc.settings.cli.Program;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code fabric-manager} with this jar on the class path has the demonstrations and the keys command, where help lists them. */
class AddedCommandsTest {
    private final Map<String, CommandLine> commands =
            Program.commandLine(Main.class).getSubcommands();

    @Test
    void shouldListThemBehindTheDaemonsCommands() {
        assertThat(commands.keySet())
                .containsExactly("run", "check-config", "state", "demo", "trial", "keys", "completion", "man", "help");
    }

    @Test
    void shouldGiveThemTheOptionsOfEveryCommand() {
        assertThat(commands.values())
                .allSatisfy(command -> assertThat(command.getCommandSpec().findOption("--help"))
                        .as(command.getCommandName())
                        .isNotNull());
    }

    @Test
    void shouldRunThemAndRefuseWhatTheyCannotUse() {
        assertThat(Main.run("demo", "--faults", "-1")).isEqualTo(2);
        assertThat(Main.run("trial", "--cuts", "0")).isEqualTo(2);
        assertThat(Main.run("trail")).isEqualTo(2);
    }
}
