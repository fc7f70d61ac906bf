package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Columns of runs of targets, against asking column by column. */
class ColumnStretchesTest {
    private final SplittableRandom random = new SplittableRandom(7);

    @Test
    void shouldGiveEachColumnWhatItsTargetHas() {
        for (int run = 0; run < 4_000; run++) {
            int targetCount = random.nextInt(1, 200);
            int[] columnTarget = draw(targetCount);
            ColumnStretches stretches = new ColumnStretches(columnTarget, targetCount);
            CandidateSetRuns runs = new CandidateSetRuns();
            runs.clear(64);
            int[] portOf = IntStream.generate(() -> -1).limit(targetCount).toArray();
            int skip = random.nextInt(1, 60);
            for (int target = 0; target < targetCount; target++) {
                if (random.nextInt(skip) == 0) {
                    CandidateSet set = CandidateSet.firstOf(1 + random.nextInt(3));
                    runs.add(target, target + 1, set);
                    portOf[target] = set.size();
                }
            }
            int[] made = new int[columnTarget.length];
            Arrays.fill(made, -1);
            int[] written = {0};

            stretches.forEachRun(runs, (set, from, to) -> {
                assertThat(from).isGreaterThanOrEqualTo(written[0]);
                assertThat(to).isGreaterThan(from);
                written[0] = to;
                Arrays.fill(made, from, to, Long.bitCount(runs.groups(set)));
            });

            int[] expected = Arrays.stream(columnTarget)
                    .map(target -> target < 0 ? -1 : portOf[target])
                    .toArray();
            assertThat(made).as("run %d", run).isEqualTo(expected);
            shouldKnowTheColumnsOfATarget(stretches, columnTarget, random.nextInt(targetCount));
        }
    }

    private static void shouldKnowTheColumnsOfATarget(ColumnStretches stretches, int[] columnTarget, int target) {
        boolean[] seen = new boolean[columnTarget.length];
        stretches.forEachRun(target, (from, to) -> Arrays.fill(seen, from, to, true));
        for (int column = 0; column < seen.length; column++) {
            assertThat(seen[column]).isEqualTo(columnTarget[column] == target);
        }
    }

    /** Leaf by leaf, by type with leaves that lack one, or anyhow; with gaps. */
    private int[] draw(int targetCount) {
        int kind = random.nextInt(3);
        int types = kind == 0 ? 1 : random.nextInt(1, 5);
        IntStream.Builder columns = IntStream.builder();
        for (int type = 0; type < types; type++) {
            for (int target = 0; target < targetCount; target++) {
                for (int n = random.nextInt(4) * (type > 0 && random.nextInt(30) > 0 ? 0 : 1); n > 0; n--) {
                    columns.add(kind == 2 ? random.nextInt(targetCount) : target);
                    if (random.nextInt(40) == 0) {
                        columns.add(-1);
                    }
                }
            }
        }
        return columns.build().toArray();
    }

    @Test
    void shouldBeOneForEachType() {
        int[] leafByLeaf = IntStream.range(0, 600).map(c -> c / 3).toArray();
        int[] byType =
                IntStream.range(0, 800).map(c -> c < 600 ? c / 3 : c - 600).toArray();
        int[] someLeaves = IntStream.range(0, 625)
                .map(c -> c < 600 ? c / 3 : 8 * (c - 600))
                .toArray();

        assertThat(new ColumnStretches(leafByLeaf, 200).count()).isEqualTo(1);
        assertThat(new ColumnStretches(byType, 200).count()).isEqualTo(2);
        assertThat(new ColumnStretches(someLeaves, 200).count()).isEqualTo(2);
    }
}
