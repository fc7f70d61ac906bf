package io.dmodc.ctl.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.ctl.study.StudyEffort.Sized;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.cycles.SimulationSettings;
import io.dmodc.topology.grid.GridShape;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The study at its smallest: too short to judge by, long enough to see that each part is there and says what it saw. */
class VtftrStudyTest {
    private static final SimulationSettings SHORT = new SimulationSettings(4, 16, 50, 100);

    private static final StudyEffort SMALLEST = new StudyEffort(
            List.of(
                    new Sized(GridShape.parse("8x8;hosts=1;roots=1,1"), SHORT),
                    new Sized(GridShape.parse("9x9;hosts=1;roots=1,1"), SHORT)),
            new double[] {0.2, 0.5, 0.9},
            3,
            SHORT,
            1,
            GridShape.parse("8x8;hosts=1;roots=1,1"),
            500);

    /** Longest of what was heard to be done. */
    private static final long[] DONE = new long[1];

    private static final VtftrStudy STUDY = new VtftrStudy(SMALLEST, new TreeSet<>(List.of(6, 7, 8, 9)));
    private static VtftrStudy.Answer answer;

    /** Not while the class is initialised: its workers would wait for that, and that for them. */
    @BeforeAll
    static void run() {
        ForkJoinPool pool = new ForkJoinPool(3);
        try {
            answer = STUDY.run(Parallel.on(pool), done -> DONE[0] = Math.max(DONE[0], done));
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void shouldJudgeEachRow() {
        assertThat(answer.rows().stream().map(StudyRow::row))
                .containsExactly("S1", "S2", "S3", "S4", "S4", "S4", "S4", "S5", "S6", "S7", "S8");
        assertThat(row("S1").holds()).isTrue();
        assertThat(row("S8").holds()).isTrue();
        assertThat(row("S8").figure())
                .startsWith("no deadlock in 500 cycles, ")
                .endsWith("channel dependencies acyclic, without the change of channel cyclic");
        assertThat(answer.holds()).isEqualTo(answer.rows().stream().allMatch(StudyRow::holds));
        assertThat(DONE[0]).isEqualTo(STUDY.work());
    }

    private static StudyRow row(String name) {
        return answer.rows().stream()
                .filter(row -> row.row().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldWriteALineForEachRunAndAPlotOfEachFigure() {
        Map<String, String> files = StudyFiles.of(answer);

        assertThat(files)
                .hasSize(2 * 2 * 4 + 2)
                .containsKeys("figure-6-8x8x1.csv", "figure-9-9x9x1.svg", "coverage-16x16.csv", "coverage-16x16.svg");
        assertThat(files.get("figure-9-8x8x1.csv")).hasLineCount(1 + 3 * 3 * 3);
        assertThat(files.get("figure-9-8x8x1.svg"))
                .contains(
                        "Figure 9: how many leaves are dead, 8x8 leaves, 64 nodes",
                        ">offered load<",
                        ">10 faults, diagonal<");
        assertThat(files.get("coverage-16x16.csv"))
                .startsWith("dead_leaves,exact,paper\n16,")
                .contains("\n20,2.877236388e-07,4.807142979e-22")
                .contains("\n60,");
    }
}
