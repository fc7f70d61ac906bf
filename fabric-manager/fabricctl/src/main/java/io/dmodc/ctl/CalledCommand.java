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
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Puts the commands below {@code fabricctl}, in the order in which help lists them: only the one that is called, if one is. To
 * read the options of all of them takes longer than most of them run.
 */
final class CalledCommand implements IModelTransformer {
    private static final List<Class<?>> COMMANDS = List.of(
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
            HelpCommand.class);

    /** They tell of all others. */
    private static final Set<Class<?>> ABOUT_ALL = Set.of(CompletionCommand.class, ManCommand.class, HelpCommand.class);

    @Override
    public CommandSpec transform(CommandSpec root) {
        if (root.parent() != null) {
            return root; // commands inherit the transformer with all else from the root
        }
        String called = ((Main) root.userObject()).called();
        List<Class<?>> needed = COMMANDS.stream()
                .filter(command -> name(command).equals(called) && !ABOUT_ALL.contains(command))
                .toList();
        for (Class<?> command : needed.isEmpty() ? COMMANDS : needed) {
            root.addSubcommand(null, new CommandLine(command));
        }
        return root;
    }

    private static String name(Class<?> command) {
        return command.getAnnotation(Command.class).name();
    }
}
