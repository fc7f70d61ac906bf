package io.dmodc.ctl;

import io.dmodc.ctl.export.CsvWriter;
import io.dmodc.ctl.export.DotWriter;
import io.dmodc.ctl.export.ExportedFabric;
import io.dmodc.ctl.export.GraphmlWriter;
import io.dmodc.ctl.export.SlurmTopology;
import io.dmodc.topology.ibnet.IbnetWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fabricctl export}: one subcommand a format. */
@Command(
        name = "export",
        description = "Writes a fabric, from a file or from the running manager, in the form another tool reads.",
        subcommands = {
            ExportCommand.Slurm.class,
            ExportCommand.Dot.class,
            ExportCommand.Graphml.class,
            ExportCommand.Csv.class,
            ExportCommand.Ibnetdiscover.class
        })
final class ExportCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "expected one of " + String.join(", ", spec.subcommands().keySet()));
    }

    /** What all formats have in common. */
    private abstract static class Format implements Callable<Integer> {
        @Spec
        private CommandSpec spec = CommandSpec.create();

        @Mixin
        private ExportSource source = new ExportSource();

        @Option(
                names = "--out",
                paramLabel = "F",
                defaultValue = OutputFile.STANDARD_OUTPUT,
                description = "file to write, whole or not at all; - is standard output (default: ${DEFAULT-VALUE})")
        private String out = OutputFile.STANDARD_OUTPUT;

        @Override
        public Integer call() throws IOException {
            PrintWriter err = spec.commandLine().getErr();
            OutputFile.Content content = content(source.load(err), err);
            OutputFile.write(out, spec.commandLine().getOut(), content);
            return Main.YES;
        }

        /** Does what can fail because of the fabric; what it gives back only writes. */
        abstract OutputFile.Content content(ExportedFabric fabric, PrintWriter err);
    }

    @Command(
            name = "slurm-topology",
            description = "Writes topology.conf for Slurm's topology/tree; remarks go to standard error and into it.")
    static final class Slurm extends Format {
        @Override
        OutputFile.Content content(ExportedFabric fabric, PrintWriter err) {
            SlurmTopology topology = SlurmTopology.of(fabric);
            topology.remarks().forEach(err::println);
            return topology::write;
        }
    }

    @Command(name = "dot", description = "Writes a graph for Graphviz, a row a rank.")
    static final class Dot extends Format {
        @Option(names = "--hosts", description = "draw each host port (default: leaves say how many they have)")
        private boolean hosts;

        @Override
        OutputFile.Content content(ExportedFabric fabric, PrintWriter err) {
            return to -> DotWriter.write(fabric, hosts, to);
        }
    }

    @Command(name = "graphml", description = "Writes GraphML, for networkx, Gephi, yEd: switches, host ports, cables.")
    static final class Graphml extends Format {
        @Override
        OutputFile.Content content(ExportedFabric fabric, PrintWriter err) {
            return to -> GraphmlWriter.write(fabric, to);
        }
    }

    @Command(name = "csv", description = "Writes a table with one line a cable.")
    static final class Csv extends Format {
        @Override
        OutputFile.Content content(ExportedFabric fabric, PrintWriter err) {
            return to -> CsvWriter.write(fabric, to);
        }
    }

    @Command(
            name = "ibnetdiscover",
            description = "Writes what ibnetdiscover would print: live switches, live links, their hosts.")
    static final class Ibnetdiscover extends Format {
        @Override
        OutputFile.Content content(ExportedFabric fabric, PrintWriter err) {
            return to -> IbnetWriter.write(fabric.view(), fabric.lids(), fabric.rates(), to);
        }
    }
}
