package io.dmodc.settings.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** A small program with everything that ours have. */
@Command(
        name = "a-tool",
        description = "Does little. Does it well.",
        versionProvider = ProgramVersion.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        subcommands = {Tool.Show.class, Tool.Secret.class, CompletionCommand.class, ManCommand.class})
final class Tool implements Runnable {
    static final List<OldSpelling> OLD = List.of(new OldSpelling("show", "--in", "--topology"));

    enum Kind {
        WHOLE,
        IN_PARTS
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** One run and what came of it. */
    record Ran(int code, String out, String err) {}

    static Ran run(String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Program.run(new Tool(), OLD, new PrintWriter(out), new PrintWriter(err), words);
        return new Ran(code, out.toString(), err.toString());
    }

    @Override
    public void run() {
        throw Program.commandMissing(spec);
    }

    @Command(
            name = "show",
            description = {"Shows what's there: .dots, back\\slashes, 100-%% of it.", ".Second line, with ü."},
            footer = {"", "Kinds:", "  whole  all"})
    static final class Show implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Option(names = "--topology", required = true, paramLabel = "F", description = "the file")
        private String topology = "";

        @Option(names = "--kind", defaultValue = "whole", description = "(default: ${DEFAULT-VALUE})")
        private Kind kind = Kind.WHOLE;

        @Parameters(arity = "0..1", paramLabel = "WORD", description = "one of them")
        private String word = "";

        @Override
        public Integer call() throws IOException {
            switch (topology) {
                case "unreadable" -> throw new IOException("unreadable:\n  no such file");
                case "forbidden" -> throw new AccessDeniedException("dir/forbidden");
                case "huge" -> throw new OutOfMemoryError("Java heap space");
                case "huge-elsewhere" -> throw new IllegalStateException(new OutOfMemoryError("Java heap space"));
                case "defect" -> throw new IllegalStateException("impossible");
                default -> spec.commandLine().getOut().println(topology + " " + kind + " " + word);
            }
            return 0;
        }
    }

    @Command(name = "shout", hidden = true)
    static final class Secret implements Runnable {
        @Override
        public void run() {
            throw new IllegalArgumentException("not so loud");
        }
    }
}
