package io.dmodc.detector.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code java -cp … io.dmodc.detector.cli.Main simulate}: the simulator without the operator's other tools. */
@Command(name = "detector", subcommands = Main.Simulate.class, mixinStandardHelpOptions = true)
public final class Main {
    /** {@code simulate}. */
    @Command(name = "simulate", mixinStandardHelpOptions = true)
    static final class Simulate implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Mixin
        private SimulationOptions simulation = new SimulationOptions();

        @Override
        public Integer call() {
            PrintWriter out = spec.commandLine().getOut();
            boolean holds =
                    simulation.run(out, (periods, expected) -> {}, System::nanoTime, Runtime.getRuntime()::totalMemory);
            return holds ? 0 : 1;
        }
    }

    private Main() {}

    /** Runs and ends the process: 0 if everything held, 1 if not, 2 for bad usage. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(run(out, err, args));
    }

    static int run(PrintWriter out, PrintWriter err, String... args) {
        return new CommandLine(new Main())
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((e, given) -> refuse(e.getCommandLine(), e))
                .setExecutionExceptionHandler((e, line, parsed) -> refuse(line, e))
                .execute(args);
    }

    /** In one line; a fault of the program itself shows its stack. */
    private static int refuse(CommandLine line, Exception e) {
        line.getErr().println(line.getCommandSpec().qualifiedName() + ": " + e.getMessage());
        if (!(e instanceof IllegalArgumentException || e instanceof ParameterException)) {
            e.printStackTrace(line.getErr());
        }
        return CommandLine.ExitCode.USAGE;
    }
}
