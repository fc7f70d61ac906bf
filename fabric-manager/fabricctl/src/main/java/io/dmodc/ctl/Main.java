package io.dmodc.ctl;

import io.dmodc.ctl.client.AcknowledgeCommand;
import io.dmodc.ctl.client.ActPlanCommand;
import io.dmodc.ctl.client.AlarmsCommand;
import io.dmodc.ctl.client.ApplyCommand;
import io.dmodc.ctl.client.DiffCommand;
import io.dmodc.ctl.client.DrainsCommand;
import io.dmodc.ctl.client.EpochsCommand;
import io.dmodc.ctl.client.EventsCommand;
import io.dmodc.ctl.client.LftCommand;
import io.dmodc.ctl.client.LinksCommand;
import io.dmodc.ctl.client.NodesCommand;
import io.dmodc.ctl.client.PathCommand;
import io.dmodc.ctl.client.PauseCommand;
import io.dmodc.ctl.client.ResumeCommand;
import io.dmodc.ctl.client.StatusCommand;
import io.dmodc.ctl.client.SwitchCommand;
import io.dmodc.ctl.client.SwitchesCommand;
import io.dmodc.ctl.client.WaitingCommand;
import io.dmodc.settings.cli.CompletionCommand;
import io.dmodc.settings.cli.ManCommand;
import io.dmodc.settings.cli.OldSpelling;
import io.dmodc.settings.cli.Program;
import io.dmodc.settings.cli.ProgramVersion;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Entry of {@code fabricctl}: takes the command line apart, runs one command, turns what happened into an exit code. */
@Command(
        name = "fabricctl",
        description = "Looks at fat-tree fabrics, routes them and checks tables; asks a running manager.",
        versionProvider = ProgramVersion.class,
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        subcommands = {
            TopologyCommand.class,
            RouteCommand.class,
            CheckCommand.class,
            ChangeCommand.class,
            WhatIfCommand.class,
            ExplainCommand.class,
            QualityCommand.class,
            TrafficCommand.class,
            BenchCommand.class,
            ExportCommand.class,
            ReportCommand.class,
            StudyCommand.class,
            DetectorCommand.class,
            VtftrCommand.class,
            StatusCommand.class,
            AlarmsCommand.class,
            SwitchesCommand.class,
            SwitchCommand.class,
            LinksCommand.class,
            NodesCommand.class,
            EventsCommand.class,
            LftCommand.class,
            PathCommand.class,
            EpochsCommand.class,
            WaitingCommand.class,
            ActPlanCommand.class,
            ApplyCommand.class,
            DrainsCommand.class,
            PauseCommand.class,
            ResumeCommand.class,
            DiffCommand.class,
            AcknowledgeCommand.class,
            CompletionCommand.class,
            ManCommand.class,
            HelpCommand.class
        },
        footer = {"", "Exit codes: 0 yes, 1 no, 2 bad usage or input."})
public final class Main implements Runnable {
    /** The question was answered with yes, or the work is done. */
    static final int YES = 0;

    /** The question was answered with no. */
    static final int NO = 1;

    private static final List<OldSpelling> OLD_SPELLINGS = List.of(
            new OldSpelling("topology show", "--in", "--topology"),
            new OldSpelling("topology verify", "--in", "--topology"),
            new OldSpelling("topology degrade", "--in", "--topology"),
            new OldSpelling("route", "--stats", "--format"),
            new OldSpelling("switches", "--condition", "--state"));

    @Spec
    private CommandSpec spec = CommandSpec.create();

    /** Runs the command line and ends the process. */
    public static void main(String[] args) {
        System.exit(Program.run(new Main(), OLD_SPELLINGS, args));
    }

    /** Runs one command line against the given streams; returns the exit code. */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        return Program.run(new Main(), OLD_SPELLINGS, out, err, args);
    }

    /** Without a command there is nothing to do. */
    @Override
    public void run() {
        throw Program.commandMissing(spec);
    }
}
