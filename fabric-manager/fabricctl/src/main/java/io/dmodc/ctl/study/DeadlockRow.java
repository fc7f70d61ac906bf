package io.dmodc.ctl.study;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.cycles.LoadResult;
import io.dmodc.routing.cycles.RunResult;
import io.dmodc.routing.cycles.SimulationSettings;
import io.dmodc.routing.vtftr.TurnDumpWriter;
import io.dmodc.routing.vtftr.check.TurnCheck;
import io.dmodc.routing.vtftr.check.TurnCheck.Bursts;
import io.dmodc.routing.vtftr.check.TurnCheckReport;
import io.dmodc.routing.vtftr.check.TurnDumpReader;
import io.dmodc.routing.vtftr.check.TurnProperty;
import io.dmodc.topology.grid.GridShape;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.function.LongConsumer;

/** Packets never stand still for ever, and would without the change of virtual channel: row S8. */
final class DeadlockRow {
    private static final String CHANGE = "vc Y 0 X 1\n";
    private static final String NO_CHANGE = "vc Y 0 X 0\n";

    private DeadlockRow() {}

    /** Ten dead leaves on the diagonal, every node sending at full rate. */
    static StudyRow of(StudyEffort effort, LongConsumer cyclesDone) {
        StudyGrid grid = new StudyGrid(effort.deadlockGrid());
        GridScenario scenario = GridScenario.placed(10, FaultPlacement.DIAGONAL, 0);
        SimulationSettings settings = new SimulationSettings(GridScenario.VCS, 16, 0, effort.deadlockCycles());
        LoadResult found = grid.simulate(
                        scenario,
                        "uniform",
                        settings,
                        new double[] {1},
                        new long[] {1},
                        Parallel.sequential(),
                        cyclesDone)
                .get(0);
        RunResult run = found.runs().get(0);
        StudyGrid.Damaged small = new StudyGrid(GridShape.parse("8x8;hosts=1;roots=1,1"))
                .under(GridScenario.placed(3, FaultPlacement.DIAGONAL, 0));
        boolean acyclic = acyclic(small, CHANGE);
        boolean mutant = acyclic(small, NO_CHANGE);
        return new StudyRow(
                "S8",
                "no deadlock: " + effort.deadlockGrid() + " with 10 dead leaves at load 1; the checker's mutant",
                String.format(
                        Locale.ROOT,
                        "%s in %,d cycles, %,d packets past a switch; 8x8 with 3 dead leaves: channel dependencies %s,"
                                + " without the change of channel %s",
                        found.deadlock() == null ? "no deadlock" : "deadlock",
                        run.cycles(),
                        run.moves(),
                        acyclic ? "acyclic" : "cyclic",
                        mutant ? "acyclic" : "cyclic"),
                "none in " + effort.deadlockCycles() + " cycles; a cycle without the change only",
                found.deadlock() == null && run.cycles() == effort.deadlockCycles() && acyclic && !mutant);
    }

    private static boolean acyclic(StudyGrid.Damaged damaged, String rule) {
        StringBuilder text = new StringBuilder();
        try {
            TurnDumpWriter.write(damaged.tables(), List.of(), text);
            String tables = text.toString().replace(CHANGE, rule);
            TurnCheckReport report = TurnCheck.check(
                    TurnDumpReader.read("tables", new StringReader(tables)), List.of(), Bursts.NONE, false);
            return !report.failed().contains(TurnProperty.DEADLOCK_FREE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
