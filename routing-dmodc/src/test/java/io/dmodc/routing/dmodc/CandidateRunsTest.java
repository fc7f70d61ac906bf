package io.dmodc.routing.dmodc;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.CandidatePorts;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.PortPattern;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Words of candidates against asking target by target, group by group, bit by bit. */
class CandidateRunsTest {
    private static final PgftShape SHAPE = PgftShape.parse("2;3,150;1,2;1,1");
    private static final int NOT_WRITTEN = -1;

    private final SplittableRandom random = new SplittableRandom(20_261_121);
    private TargetColumns targetColumns = view(false).targetColumns();

    private record Drawn(FabricView view, TargetColumns targetColumns) {}

    /** 150 targets of three columns each, or of scattered ones with gaps between. */
    private static Drawn view(boolean scattered) {
        FabricViewBuilder fabric = PgftGenerator.generate(SHAPE);
        NodeIndexMap nodes = new NodeIndexMap();
        FabricView view = fabric.build(1, nodes, new GuidNumbers());
        if (scattered) {
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < view.nodeCount() + 40; i++) {
                order.add(i);
            }
            Collections.shuffle(order.subList(100, 300), new Random(1));
            List<String> lines = new ArrayList<>();
            for (String line : nodes.lines()) {
                lines.add(line.split(" ")[0] + " " + order.get(lines.size() + 20));
            }
            view = fabric.build(2, NodeIndexMap.parse("scattered", lines), new GuidNumbers());
        }
        return new Drawn(view, TargetColumns.nodes(view));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAgreeWithAskingBitByBit(boolean scattered) {
        Drawn drawn = view(scattered);
        targetColumns = drawn.targetColumns();
        assertThat(targetColumns.stretches.count() == 1).isEqualTo(!scattered);
        CandidateRuns runs = new CandidateRuns(targetColumns);
        for (int groupCount = 1; groupCount <= CandidateSetTest.GROUPS_MAX; groupCount++) {
            for (int kind = 0; kind < 5; kind++) {
                RandomLayout layout = new RandomLayout(random, groupCount, kind == 0 ? 4 : 1);
                long[][] candidates = candidates(groupCount, kind);
                long[] targets = targets();

                int[] made = make(runs, layout, candidates, targets);

                assertThat(Arrays.mismatch(made, oneByOne(drawn.view(), layout, candidates, targets)))
                        .as("%d groups, kind %d: first column that differs", groupCount, kind)
                        .isEqualTo(-1);
            }
        }
    }

    /** Words by group: all agree (0), one differs (1), few are missing (2), any (3), a few are there (4). */
    private long[][] candidates(int groupCount, int kind) {
        long[][] candidates = new long[groupCount][3];
        for (int w = 0; w < 3; w++) {
            long common = random.nextBoolean() ? -1 : random.nextLong();
            for (long[] group : candidates) {
                long rare = bits(1 + random.nextInt(6));
                group[w] = switch (kind) {
                    case 2 -> common & ~rare;
                    case 3 -> random.nextLong();
                    case 4 -> rare;
                    default -> common;
                };
            }
            if (kind == 1) {
                candidates[random.nextInt(groupCount)][w] ^= 1L << random.nextInt(64);
            }
        }
        return candidates;
    }

    private long bits(int count) {
        long bits = 0;
        for (int i = 0; i < count; i++) {
            bits |= 1L << random.nextInt(64);
        }
        return bits;
    }

    /** All, or what an update would look at. */
    private long[] targets() {
        long[] targets = new long[3];
        boolean all = random.nextBoolean();
        for (int w = 0; w < 3; w++) {
            targets[w] = targetColumns.targetsOfWord(w) & (all ? -1 : random.nextLong());
        }
        return targets;
    }

    private int[] make(CandidateRuns runs, RandomLayout layout, long[][] candidates, long[] targets) {
        int[] made = new int[targetColumns.columnCount];
        Arrays.fill(made, NOT_WRITTEN);
        runs.begin(layout.layout);
        for (int w = 0; w < 3; w++) {
            long routed = 0;
            for (int i = 0; i < candidates.length; i++) {
                runs.candidates()[i] = candidates[i][w];
                routed |= candidates[i][w];
            }
            assertThat(runs.routed()).isEqualTo(routed);
            runs.add(w, targets[w]);
        }
        int[] written = {0};
        runs.end((from, to, pattern) -> {
            assertThat(from).as("ascending").isGreaterThanOrEqualTo(written[0]);
            assertThat(to).isGreaterThan(from);
            write(pattern, from, to, made);
            written[0] = to;
        });
        return made;
    }

    private int[] oneByOne(FabricView view, RandomLayout layout, long[][] candidates, long[] targets) {
        int[] ports = new int[view.nodeCount()];
        Arrays.fill(ports, NOT_WRITTEN);
        for (int node = 0; node < ports.length; node++) {
            if (view.nodeSwitch(node) >= 0) {
                int target = view.targetOfSwitch(view.nodeSwitch(node));
                if ((targets[target / 64] >>> target % 64 & 1) != 0) {
                    BitSet set = new BitSet();
                    for (int i = 0; i < candidates.length; i++) {
                        set.set(i, (candidates[i][target / 64] >>> target % 64 & 1) != 0);
                    }
                    ports[node] = layout.port(set, node);
                }
            }
        }
        return ports;
    }

    @Test
    void shouldMakeOneRunWhereAllAgree() {
        RandomLayout layout = new RandomLayout(random, 32, 1);
        CandidateRuns runs = new CandidateRuns(targetColumns);
        List<String> made = new ArrayList<>();

        runs.begin(layout.layout);
        for (int w = 0; w < 3; w++) {
            Arrays.fill(runs.candidates(), 0, 32, -1);
            runs.add(w, targetColumns.targetsOfWord(w));
        }
        runs.end((from, to, pattern) -> {
            assertThat(pattern).isSameAs(layout.layout.allGroups());
            made.add(from + ".." + to);
        });

        assertThat(made).containsExactly("0..450");
    }

    /** What is left of sets when groups are taken away is what the words say without these groups. */
    @Test
    void shouldMakeTheSameOfSetsAndGapsAsOfWords() {
        FabricView view = view(false).view();
        CandidateRuns runs = new CandidateRuns(targetColumns);
        int read = 0;
        for (int run = 0; run < 500; run++) {
            int groupCount = random.nextInt(2, 65);
            RandomLayout whole = new RandomLayout(random, groupCount, 1);
            long[][] candidates = candidates(groupCount, random.nextInt(5));
            runs.begin(whole.layout);
            for (int w = 0; w < 3; w++) {
                fill(runs.candidates(), candidates, w);
                runs.add(w, targetColumns.targetsOfWord(w));
            }
            long places = (random.nextLong() & CandidateSet.firstOf(groupCount).a) | 1;
            RandomLayout some = whole.only(places);
            LftRowBuilder builder = new LftRowBuilder();
            builder.begin(LftRow.noRoutes(targetColumns.columnCount));

            CandidatePorts ports = Objects.requireNonNull(whole.layout.candidatePorts());
            runs.end(builder, ports);
            LftRow made = builder.build()
                    .with(
                            ports,
                            Objects.requireNonNull(some.layout.candidatePorts()).at(places));

            long[][] left = IntStream.range(0, groupCount)
                    .filter(i -> (places >>> i & 1) != 0)
                    .mapToObj(i -> candidates[i])
                    .toArray(long[][]::new);
            int[] expected = oneByOne(view, some, left, new long[] {-1, -1, -1});
            if (made == null) {
                int[] before = oneByOne(view, whole, candidates, new long[] {-1, -1, -1});
                assertThat(IntStream.range(0, before.length))
                        .as("run %d: a target that loses its candidates", run)
                        .anyMatch(d -> before[d] != LftSet.NO_ROUTE && expected[d] == LftSet.NO_ROUTE);
            } else {
                read++;
                assertThat(IntStream.range(0, expected.length).map(made::port).toArray())
                        .as("run %d", run)
                        .isEqualTo(expected);
            }
        }
        assertThat(read).isGreaterThan(100);
    }

    private static void fill(long[] word, long[][] candidates, int w) {
        for (int i = 0; i < candidates.length; i++) {
            word[i] = candidates[i][w];
        }
    }

    private static void write(PortPattern pattern, int from, int to, int[] into) {
        for (int column = from; column < to; column++) {
            into[column] = pattern.port(column);
        }
    }
}
