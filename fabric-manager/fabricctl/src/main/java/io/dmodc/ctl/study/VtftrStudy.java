package io.dmodc.ctl.study;

import io.dmodc.ctl.study.StudyEffort.Sized;
import io.dmodc.ctl.study.StudyFigure.Curve;
import io.dmodc.routing.Parallel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * The evaluation of the VTFTR paper (Liu et al., section 3), run again: figures 6 to 9 at two sizes, and rows S1 to S8.
 *
 * <p>The same effort gives the same answer, on any number of threads.
 */
public final class VtftrStudy {
    private final StudyEffort effort;
    private final Set<Integer> numbers;

    /**
     * Prepares a study.
     *
     * @param quick smaller grids and shorter runs
     * @param seedCount runs of each load
     * @param numbers which figures, of 6 to 9
     */
    public VtftrStudy(boolean quick, int seedCount, Set<Integer> numbers) {
        this(quick ? StudyEffort.quick(seedCount) : StudyEffort.full(seedCount), numbers);
    }

    /** The same with an effort of one's own. */
    VtftrStudy(StudyEffort effort, Set<Integer> numbers) {
        this.effort = effort;
        this.numbers = new LinkedHashSet<>(numbers);
    }

    /** What came of it. */
    public record Answer(List<StudyFigure> figures, List<StudyRow> rows) {
        /** No row is missed. */
        public boolean holds() {
            return rows.stream().allMatch(StudyRow::holds);
        }
    }

    /** How much there is to do, in the units of progress: cycles of each node. */
    public long work() {
        long work = deadlockWork() + referenceWork();
        for (Sized sized : effort.grids()) {
            work += scenarios().size() * scenarioWork(sized);
        }
        return work;
    }

    private long deadlockWork() {
        return (long) effort.deadlockGrid().nodeCount() * effort.deadlockCycles();
    }

    private long referenceWork() {
        return ReferenceRows.runs(effort) * referenceRun();
    }

    /** Most of these trees have 256 nodes. */
    private long referenceRun() {
        return 256L * effort.reference().cycles();
    }

    private long scenarioWork(Sized sized) {
        return (long) sized.shape().nodeCount()
                * sized.settings().cycles()
                * effort.loads().length
                * effort.seedCount();
    }

    /** Those of all figures, each once. */
    private Set<GridScenario> scenarios() {
        Set<GridScenario> scenarios = new LinkedHashSet<>();
        numbers.forEach(number -> scenarios.addAll(StudyFigure.scenarios(number)));
        return scenarios;
    }

    /**
     * Runs everything.
     *
     * @param parallel where runs are worked on; no answer depends on it
     * @param workDone hears how much of {@link #work} is done, never twice at a time
     */
    public Answer run(Parallel parallel, LongConsumer workDone) {
        List<StudyRow> rows = new ArrayList<>(rowsWithoutFigures(parallel, workDone));
        long done = referenceWork() + deadlockWork();
        List<StudyFigure> figures = new ArrayList<>();
        for (Sized sized : effort.grids()) {
            figures.addAll(figures(sized, parallel, done, workDone));
            done += scenarios().size() * scenarioWork(sized);
        }
        Sized large = effort.grids().get(effort.grids().size() - 1);
        figures.forEach(
                figure -> rows.addAll(FigureRows.of(figure, figure.grid().equals(large.shape()))));
        rows.sort(Comparator.comparing(StudyRow::row));
        return new Answer(figures, rows);
    }

    /** Long runs that cannot be divided, side by side. */
    private List<StudyRow> rowsWithoutFigures(Parallel parallel, LongConsumer workDone) {
        long referenceRun = referenceRun();
        long nodes = effort.deadlockGrid().nodeCount();
        long[] done = new long[2];
        List<StudyRow> references = new ArrayList<>();
        List<StudyRow> deadlock = new ArrayList<>();
        parallel.forEach(2, i -> {
            if (i == 0) {
                deadlock.add(DeadlockRow.of(effort, cycles -> tell(done, 0, nodes * cycles, workDone)));
            } else {
                references.addAll(
                        new ReferenceRows(effort, runs -> tell(done, 1, runs * referenceRun, workDone)).rows());
            }
        });
        references.addAll(deadlock);
        return references;
    }

    private static void tell(long[] done, int part, long work, LongConsumer workDone) {
        synchronized (done) {
            done[part] = work;
            workDone.accept(done[0] + done[1]);
        }
    }

    private List<StudyFigure> figures(Sized sized, Parallel parallel, long before, LongConsumer workDone) {
        StudyGrid grid = new StudyGrid(sized.shape());
        Map<GridScenario, Curve> curves = new LinkedHashMap<>();
        long nodes = sized.shape().nodeCount();
        for (GridScenario scenario : scenarios()) {
            long start = before + curves.size() * scenarioWork(sized);
            curves.put(
                    scenario,
                    new Curve(
                            scenario,
                            grid.simulate(
                                    scenario,
                                    "uniform",
                                    sized.settings(),
                                    effort.loads(),
                                    effort.seeds(),
                                    parallel,
                                    cycles -> workDone.accept(start + nodes * cycles))));
        }
        return numbers.stream()
                .map(number -> new StudyFigure(
                        number,
                        sized.shape(),
                        sized.settings().warmUp(),
                        sized.settings().measured(),
                        StudyFigure.scenarios(number).stream()
                                .map(scenario -> curves.getOrDefault(scenario, new Curve(scenario, List.of())))
                                .toList()))
                .toList();
    }
}
