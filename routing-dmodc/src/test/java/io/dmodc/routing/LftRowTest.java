package io.dmodc.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.RandomRows.Drawn;
import io.dmodc.routing.RandomRows.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@SuppressWarnings("ReferenceEquality") // runs are joined, and parts are the same, by the pattern object
class LftRowTest {
    private final SplittableRandom random = new SplittableRandom(20_261_121);
    private final RandomRows rows = new RandomRows(random);

    @Test
    void shouldReadAnyPartOfARow() {
        for (int run = 0; run < 3_000; run++) {
            Drawn drawn = rows.row(rows.entryCount());
            byte[] entries = drawn.entries();
            int from = random.nextInt(entries.length + 1);
            int to = random.nextInt(from, entries.length + 1);
            byte[] into = new byte[to - from + 2];

            drawn.row().copyTo(from, to, into, 1);

            byte[] expected = new byte[into.length];
            System.arraycopy(entries, from, expected, 1, to - from);
            assertThat(into).as("run %d: %d..%d", run, from, to).isEqualTo(expected);
            assertThat(drawn.row().toBytes()).as("run %d", run).isEqualTo(entries);
            assertThat(drawn.row().entryCount()).isEqualTo(entries.length);
            if (from < to) {
                assertThat(drawn.row().port(from)).isEqualTo(entries[from] & 0xff);
                assertThat(drawn.row().port(to - 1)).isEqualTo(entries[to - 1] & 0xff);
            }
        }
    }

    @Test
    void shouldReadEveryEntryByItself() {
        for (int run = 0; run < 100; run++) {
            Drawn drawn = rows.row(rows.entryCount());
            byte[] entries = drawn.entries();

            int[] read =
                    IntStream.range(0, entries.length).map(drawn.row()::port).toArray();

            assertThat(read)
                    .as("run %d", run)
                    .isEqualTo(IntStream.range(0, entries.length)
                            .map(d -> entries[d] & 0xff)
                            .toArray());
        }
    }

    @Test
    void shouldKeepBytesOfAnyLength() {
        for (int count : new int[] {0, 1, 63, 64, 65, 1_023, 1_024, 1_025, 2_048, 5_000}) {
            byte[] entries = rows.bytes(count);
            byte[] kept = entries.clone();

            LftRow row = LftRow.of(entries);
            Arrays.fill(entries, (byte) 9);

            assertThat(row.toBytes()).isEqualTo(kept);
            assertThat(LftRow.noRoutes(count).toBytes()).hasSize(count).containsOnly(noRoutes(count));
        }
    }

    private static byte[] noRoutes(int count) {
        byte[] entries = new byte[count];
        Arrays.fill(entries, (byte) LftSet.NO_ROUTE);
        return entries;
    }

    @Test
    void shouldVisitRunsJoinedAndCut() {
        for (int run = 0; run < 3_000; run++) {
            Drawn drawn = rows.row(rows.entryCount());
            int from = random.nextInt(drawn.patterns().length + 1);
            int to = random.nextInt(from, drawn.patterns().length + 1);

            List<Run> visited = new ArrayList<>();
            drawn.row().forEachRun(from, to, (start, end, pattern) -> visited.add(new Run(start, end, pattern)));

            List<Run> expected = longestRuns(drawn.patterns(), from, to);
            assertThat(visited).as("run %d: %d..%d", run, from, to).isEqualTo(expected);
        }
    }

    /** Each as long as the pattern is the same object. */
    private static List<Run> longestRuns(PortPattern[] patterns, int from, int to) {
        List<Run> runs = new ArrayList<>();
        int start = from;
        for (int column = from; column < to; column++) {
            if (column + 1 == to || patterns[column + 1] != patterns[start]) {
                runs.add(new Run(start, column + 1, patterns[start]));
                start = column + 1;
            }
        }
        return runs;
    }

    @Test
    void shouldFitAnotherLength() {
        for (int run = 0; run < 2_000; run++) {
            Drawn drawn = rows.row(rows.entryCount());
            int newCount = rows.entryCount();
            byte[] expected = noRoutes(newCount);
            System.arraycopy(drawn.entries(), 0, expected, 0, Math.min(newCount, drawn.patterns().length));

            LftRow fitted = drawn.row().fittedTo(newCount);

            assertThat(fitted.entryCount()).isEqualTo(newCount);
            assertThat(fitted.toBytes()).as("run %d", run).isEqualTo(expected);
            assertThat(fitted.fittedTo(newCount)).isSameAs(fitted);
        }
    }

    @Test
    void shouldTellRowsOfTheSameParts() {
        int alike = 0;
        for (int run = 0; run < 3_000; run++) {
            int count = rows.entryCount();
            Drawn one = rows.row(count);
            Drawn other = changedInTwoSteps(one);
            boolean same = IntStream.range(0, count).allMatch(d -> one.patterns()[d] == other.patterns()[d]);
            alike += same ? 1 : 0;

            assertThat(one.row().sameParts(other.row())).as("run %d", run).isEqualTo(same);
            assertThat(other.row().sameParts(one.row())).as("run %d", run).isEqualTo(same);
            if (same) {
                assertThat(one.row().partsHash()).isEqualTo(other.row().partsHash());
            }
            assertThat(one.row().sameEntries(other.row()))
                    .as("run %d", run)
                    .isEqualTo(Arrays.equals(one.entries(), other.entries()));
        }
        assertThat(alike).as("rows of the same parts").isBetween(1_000, 2_500);
    }

    /** Of candidates the patterns are made anew, so rows of other parts may have the same. */
    @Test
    void shouldTakeNoRowsOfOtherCandidatesForTheSame() {
        RandomRows mixed = new RandomRows(random).withCandidates();
        int alike = 0;
        for (int run = 0; run < 3_000; run++) {
            Drawn one = mixed.row(mixed.entryCount());
            Drawn other = RandomRows.edited(one, one.row(), mixed.runs(one.patterns().length));
            Drawn back = RandomRows.edited(one, LftRow.noRoutes(one.patterns().length), List.of());

            for (Drawn another : List.of(other, back)) {
                if (one.row().sameParts(another.row())) {
                    alike++;
                    assertThat(another.patterns()).as("run %d", run).isEqualTo(one.patterns());
                    assertThat(another.row().partsHash()).isEqualTo(one.row().partsHash());
                }
            }
            assertThat(one.row().sameEntries(other.row()))
                    .as("run %d", run)
                    .isEqualTo(Arrays.equals(one.entries(), other.entries()));
        }
        assertThat(alike).as("rows of the same parts").isGreaterThan(3_000);
    }

    /** The hash found of another row's is the hash of the same row made of nothing. */
    @Test
    void shouldHashARowByItsPartsHoweverItWasMade() {
        RandomRows mixed = new RandomRows(random).withCandidates();
        for (int run = 0; run < 2_000; run++) {
            Drawn base = mixed.row(mixed.entryCount());
            base.row().partsHash();
            LftRow row = RandomRows.edited(base, base.row(), mixed.runs(base.patterns().length))
                    .row();

            assertThat(row.partsHash(base.row(), RandomRows.otherSpans(row, base.row())))
                    .as("run %d", run)
                    .isEqualTo(new LftRow(row.entryCount(), row.copyOfSpans()).partsHash());
        }
    }

    /** The same candidates by the ports of a switch that lacks some neighbours. */
    @Test
    void shouldReadTheCandidatesOfAnotherRow() {
        int read = 0;
        for (int run = 0; run < 3_000; run++) {
            int ports = random.nextInt(2, 65);
            long all = -1L >>> -ports;
            long some = all & ~(1L << random.nextInt(ports));
            CandidatePorts whole = new CandidatePorts(rows.bytes(ports), random.nextInt(1, 40), 0, true);
            CandidatePorts others =
                    new CandidatePorts(rows.bytes(ports - 1), random.nextInt(1, 40), random.nextInt(9), true).at(some);
            LftRowBuilder builder = new LftRowBuilder();
            LftRowBuilder expected = new LftRowBuilder();
            LftRow empty = LftRow.noRoutes(random.nextInt(1, 4_000));
            builder.begin(empty);
            expected.begin(empty);
            boolean lost = false;
            for (int from = 0; from < empty.entryCount(); ) {
                int to = Math.min(empty.entryCount(), from + random.nextInt(1, 900));
                long candidates = random.nextInt(3) == 0 ? all : random.nextLong() & all;
                builder.put(from, to, whole, candidates);
                expected.put(from, to, others, candidates);
                lost |= candidates != 0 && (candidates & some) == 0;
                from = to;
            }

            LftRow row = builder.build().with(whole, others);

            assertThat(row == null).as("run %d", run).isEqualTo(lost);
            if (row != null) {
                read++;
                assertThat(row.toBytes())
                        .as("run %d", run)
                        .isEqualTo(expected.build().toBytes());
            }
        }
        assertThat(read).isGreaterThan(2_000);
    }

    /** Brought up to date with the row it reads, it is that row with other ports; where nothing differs, itself. */
    @Test
    void shouldFollowTheRowWhoseCandidatesItReads() {
        int followed = 0;
        for (int run = 0; run < 3_000; run++) {
            int ports = random.nextInt(2, 65);
            CandidatePorts whole = new CandidatePorts(rows.bytes(ports), random.nextInt(1, 40), 0, true);
            long lost = 1L << random.nextInt(ports);
            CandidatePorts others = new CandidatePorts(rows.bytes(ports - 1), random.nextInt(1, 40), 0, true)
                    .at(whole.places() & ~lost);
            LftRowBuilder builder = new LftRowBuilder();
            int count = random.nextInt(1, 4_000);
            builder.begin(LftRow.noRoutes(count));
            putRandomly(builder, count, 1, whole, whole.places() & ~lost);
            LftRow before = builder.build();
            LftRow last = before.with(whole, others);
            boolean unseen = random.nextInt(4) == 0;
            builder.begin(before);
            putRandomly(builder, count, random.nextInt(1, 5), whole, unseen ? lost : whole.places());
            LftRow after = builder.build();

            CandidateChanges changes = CandidateChanges.between(before, after, whole);
            LftRow row = last == null || changes == null ? null : changes.read(last, others);

            LftRow expected = last == null ? null : after.with(whole, others);
            assertThat(row == null).as("run %d", run).isEqualTo(expected == null);
            if (row != null && expected != null && last != null) {
                followed += row == last ? 0 : 1;
                assertThat(row.toBytes()).as("run %d", run).isEqualTo(expected.toBytes());
                assertThat(row == last)
                        .isEqualTo(IntStream.range(0, row.spanCount())
                                .allMatch(k -> RandomRows.samePatterns(expected.span(k), last.span(k))));
                for (int k = 0; k < row.spanCount(); k++) {
                    assertThat(row.sharesSpan(k, last)).isEqualTo(row == last || after.sharesSpan(k, before));
                }
            }
        }
        assertThat(followed).isGreaterThan(500);
    }

    private void putRandomly(LftRowBuilder builder, int count, int oneIn, CandidatePorts ports, long among) {
        for (int from = 0; from < count; ) {
            int to = Math.min(count, from + random.nextInt(1, 900));
            if (random.nextInt(oneIn) == 0) {
                builder.put(from, to, ports, random.nextInt(3) == 0 ? among : random.nextLong() & among);
            }
            from = to;
        }
    }

    /** There and, often, back again: what comes back is made of new spans. */
    private Drawn changedInTwoSteps(Drawn drawn) {
        List<Run> there = rows.runs(drawn.patterns().length);
        Drawn changed = RandomRows.edited(
                drawn, RandomRows.empty(drawn.patterns().length).row(), there);
        if (random.nextInt(3) == 0) {
            return changed;
        }
        List<Run> back = new ArrayList<>();
        for (Run run : there) {
            back.addAll(longestRuns(drawn.patterns(), run.from(), run.to()));
        }
        return RandomRows.edited(changed, changed.row(), back);
    }

    @Test
    void shouldNotTakeRowsOfAnotherLengthForTheSame() {
        assertThat(LftRow.noRoutes(64).sameParts(LftRow.noRoutes(65))).isFalse();
        assertThat(LftRow.noRoutes(64).sameEntries(LftRow.noRoutes(65))).isFalse();
    }
}
