package io.dmodc.ctl;

import io.dmodc.detector.cli.SimulationOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code fabricctl detector simulate}: the options and answers are the detector's own. */
@Command(name = "simulate")
final class SimulateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private SimulationOptions simulation = new SimulationOptions();

    @Override
    public Integer call() {
        ProgressLine line = new ProgressLine(
                "simulation", spec.commandLine().getErr(), ProgressLine.onTerminal(), System::nanoTime);
        try {
            boolean holds = simulation.run(
                    spec.commandLine().getOut(), line::reached, System::nanoTime, Runtime.getRuntime()::totalMemory);
            return holds ? Main.YES : Main.NO;
        } finally {
            line.end();
        }
    }
}
