package io.dmodc.ctl.study;

import io.dmodc.routing.cycles.LoadResult;
import io.dmodc.routing.cycles.RunResult;
import io.dmodc.topology.grid.GridShape;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * One figure of the paper at one size.
 *
 * @param number 6 to 9
 * @param curves a scenario each
 */
record StudyFigure(int number, GridShape grid, int warmUp, int measured, List<Curve> curves) {
    /** @param loads ascending; the last one is saturation */
    record Curve(GridScenario scenario, List<LoadResult> loads) {
        LoadResult last() {
            return loads.get(loads.size() - 1);
        }

        /** Mean of the seeds of what arrives at the highest load. */
        double saturation() {
            return last().of(RunResult::accepted).mean();
        }
    }

    /** Scenarios of the paper's figures. */
    static List<GridScenario> scenarios(int number) {
        return switch (number) {
            case 6 ->
                List.of(GridScenario.SHARED, GridScenario.WHOLE, GridScenario.ONE_FAULT, GridScenario.ONE_FAULT_FIXED);
            case 7 -> placements(5);
            case 8 -> placements(10);
            case 9 ->
                List.of(
                        GridScenario.WHOLE,
                        GridScenario.placed(5, FaultPlacement.DIAGONAL, 0),
                        GridScenario.placed(10, FaultPlacement.DIAGONAL, 0));
            default -> throw new IllegalArgumentException("figure " + number + "; expected 6..9");
        };
    }

    private static List<GridScenario> placements(int faults) {
        return List.of(
                GridScenario.placed(faults, FaultPlacement.COLUMN, 0),
                GridScenario.placed(faults, FaultPlacement.ROW, 0),
                GridScenario.placed(faults, FaultPlacement.DIAGONAL, 0),
                GridScenario.placed(faults, FaultPlacement.RANDOM, 1),
                GridScenario.placed(faults, FaultPlacement.RANDOM, 2));
    }

    /** What the figure shows. */
    String title() {
        String what = switch (number) {
            case 6 -> "one dead leaf";
            case 7 -> "where 5 dead leaves stand";
            case 8 -> "where 10 dead leaves stand";
            default -> "how many leaves are dead";
        };
        return String.format(
                Locale.ROOT,
                "Figure %d: %s, %dx%d leaves, %,d nodes",
                number,
                what,
                grid.rows(),
                grid.columns(),
                grid.nodeCount());
    }

    /** Name of its files, without ending. */
    String fileName() {
        return "figure-" + number + "-" + grid.rows() + "x" + grid.columns() + "x" + grid.hosts();
    }

    Curve curve(GridScenario scenario) {
        return curves.stream()
                .filter(curve -> curve.scenario.equals(scenario))
                .findFirst()
                .orElseThrow();
    }

    /** Half of what the seeds of any curve differ by at the highest load. */
    double spread(ToDoubleFunction<RunResult> figure) {
        return curves.stream()
                .map(curve -> curve.last().of(figure))
                .mapToDouble(spread -> (spread.max() - spread.min()) / 2)
                .max()
                .orElse(0);
    }
}
