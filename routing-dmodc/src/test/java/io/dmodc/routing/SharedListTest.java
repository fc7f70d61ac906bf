package io.dmodc.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.RandomRows.Drawn;
import io.dmodc.routing.RandomRows.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows of one base that differ from it in few spans, as the leaves of a pod do: what they share, and what each has of its own. */
class SharedListTest {
    private static final int RUNS = 60 * Integer.getInteger("more", 1);
    private static final int COUNT_MAX = 12_000;

    private final SplittableRandom random = new SplittableRandom(20_261_126);
    private final RandomRows rows = new RandomRows(random).withCandidates();
    private final LftRowBuilder builder = new LftRowBuilder();

    private int entryCount() {
        return random.nextInt(4_000, COUNT_MAX);
    }

    /** The bases of a leaf's row in two epochs. */
    private record Bases(Drawn before, Drawn after) {}

    /** Of leaves that share them; in half of the pods most read the candidates of one switch by their own ports. */
    private List<Bases> pod(int entryCount, int leaves) {
        if (random.nextBoolean()) {
            Drawn before = rows.row(entryCount);
            return Collections.nCopies(leaves, new Bases(before, flat(before, someRuns(entryCount))));
        }
        RandomWhole before = new RandomWhole(random, entryCount);
        RandomWhole after = before.edited();
        List<Bases> pod = new ArrayList<>();
        for (int leaf = 0; leaf < leaves; leaf++) {
            RandomPorts others = before.lacking();
            if (before.serves(others) && after.serves(others)) {
                Drawn read = before.readBy(others);
                pod.add(new Bases(read, after.readBy(others, before, read)));
            } else {
                pod.add(new Bases(before.drawn(), after.drawn()));
            }
        }
        return pod;
    }

    /** In one span mostly, sometimes in a few or in all. */
    private List<Run> someRuns(int entryCount) {
        int spans = (entryCount + RowSpan.COLUMNS - 1) / RowSpan.COLUMNS;
        int first = random.nextInt(spans);
        int end = random.nextInt(4) == 0 ? spans : first + 1;
        List<Run> runs = new ArrayList<>();
        for (int k = first; k < end; k++) {
            int base = k * RowSpan.COLUMNS;
            for (Run run : rows.runs(Math.min(entryCount - base, RowSpan.COLUMNS))) {
                runs.add(new Run(base + run.from(), base + run.to(), run.pattern(), run.ports(), run.candidates()));
            }
        }
        return runs;
    }

    private LftRow onBase(Drawn base, List<Run> runs) {
        builder.begin(base.row());
        runs.forEach(run -> run.putInto(builder));
        return builder.buildOnBase();
    }

    private static Drawn flat(Drawn base, List<Run> runs) {
        return RandomRows.edited(base, base.row(), runs);
    }

    @Test
    void shouldReadARowThatSharesItsList() {
        int shared = 0;
        int readByOthers = 0;
        for (int run = 0; run < 400; run++) {
            Drawn base = pod(entryCount(), 1).get(0).after;
            List<Run> runs = someRuns(base.patterns().length);
            Drawn expected = flat(base, runs);

            LftRow row = onBase(base, runs);

            boolean shares = row != base.row() && row.sharesList(base.row());
            shared += shares ? 1 : 0;
            readByOthers += shares && row.isReadByOthers() ? 1 : 0;
            String what = "run " + run;
            byte[] entries = expected.entries();
            assertThat(row.toBytes()).as(what).isEqualTo(entries);
            int column = random.nextInt(entries.length);
            assertThat(row.port(column)).as(what).isEqualTo(entries[column] & 0xff);
            assertPorts(row, column, expected.patterns());
            assertThat(row.partsHash()).as(what).isEqualTo(expected.row().partsHash());
            assertThat(row.sameParts(expected.row())).as(what).isTrue();
            assertThat(row.fittedTo(COUNT_MAX).toBytes())
                    .as(what)
                    .isEqualTo(expected.row().fittedTo(COUNT_MAX).toBytes());
            for (int k = 0; k < row.spanCount(); k++) {
                assertThat(RandomRows.samePatterns(row.span(k), expected.row().span(k)))
                        .as(what)
                        .isTrue();
                assertThat(row.entrySet(k)).as(what).isEqualTo(expected.row().entrySet(k));
                assertThat(hasAll(row.entrySet(k), entries, k)).as(what).isTrue();
                assertThat(row.sharesSpan(k, base.row()))
                        .isEqualTo((RandomRows.otherSpans(row, base.row())[0] >>> k & 1) == 0);
            }
        }
        assertThat(shared).isBetween(200, 360);
        assertThat(readByOthers).isGreaterThan(60);
    }

    /** From a column on the ports of each run, without its pattern. */
    private static void assertPorts(LftRow row, int first, PortPattern[] patterns) {
        int[] next = {first};
        row.forEachPorts(first, patterns.length, (from, to, ports, count) -> {
            assertThat(from).isEqualTo(next[0]);
            for (int column = from; column < to; column++) {
                assertThat(Arrays.compare(ports, 0, count, patterns[column].ports(), 0, patterns[column].portCount()))
                        .as("column %d", column)
                        .isZero();
            }
            next[0] = to;
        });
        assertThat(next[0]).isEqualTo(patterns.length);
    }

    private static boolean hasAll(long[] set, byte[] entries, int k) {
        int base = k * RowSpan.COLUMNS;
        return IntStream.range(base, Math.min(entries.length, base + RowSpan.COLUMNS))
                .allMatch(column -> (set[(entries[column] & 0xff) >> 6] >>> entries[column] & 1) != 0);
    }

    /** The same runs put into another base: where what is under them is shared, they need not be put again. */
    @Test
    void shouldPutARowOnTheNextBase() {
        int rebased = 0;
        int readByOthers = 0;
        int refused = 0;
        for (int run = 0; run < 1_000; run++) {
            Bases bases = pod(entryCount(), 1).get(0);
            Drawn base = bases.before;
            Drawn next = bases.after;
            List<Run> runs = someRuns(base.patterns().length);
            LftRow before = onBase(base, runs);

            LftRow row = before.rebased(base.row(), next.row());

            if (row == null) {
                refused++;
            } else {
                rebased++;
                readByOthers += row.isReadByOthers() ? 1 : 0;
                assertThat(row.toBytes())
                        .as("run %d", run)
                        .isEqualTo(flat(next, runs).entries());
            }
        }
        assertThat(rebased).isGreaterThan(250);
        assertThat(readByOthers).isGreaterThan(50);
        assertThat(refused).isGreaterThan(150);
    }

    /** A row that was made of an older base, and came out again of another one, says nothing of what is under its own spans. */
    @Test
    void shouldNotPutARowOnTheNextBaseThatIsNoneOfTheLast() {
        Drawn old = RandomRows.empty(8_000);
        List<Run> runs = List.of(new Run(0, 100, PortPattern.constant(1)));
        LftRow row = onBase(old, runs);
        Drawn last = flat(old, List.of(new Run(0, 50, PortPattern.constant(2))));
        builder.begin(last.row(), row);
        runs.forEach(run -> run.putInto(builder));

        LftRow again = builder.buildOnBase();

        assertThat(again).isSameAs(row);
        assertThat(again.rebased(last.row(), old.row())).isNull();
    }

    /** Leaves of three pods, those of one beside each other or not; some changed in their own columns, too. */
    @Test
    void shouldFindWhatChangedInRowsThatShareTheirLists() {
        int shared = 0;
        int readByOthers = 0;
        for (int run = 0; run < RUNS; run++) {
            int count = entryCount();
            List<LftRow> from = new ArrayList<>();
            List<LftRow> to = new ArrayList<>();
            for (int pod = 0; pod < 3; pod++) {
                for (Bases bases : pod(count, 6)) {
                    List<Run> runs = random.nextInt(3) == 0 ? List.of() : someRuns(count);
                    LftRow row = onBase(bases.before, runs);
                    LftRow rebased = random.nextInt(4) == 0 ? null : row.rebased(bases.before.row(), bases.after.row());
                    LftRow other = onBase(bases.after, random.nextBoolean() ? runs : someRuns(count));
                    from.add(row);
                    to.add(rebased != null ? rebased : other);
                    readByOthers += rebased != null && rebased.isReadByOthers() ? 1 : 0;
                }
            }
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, from.size()).boxed().toList());
            if (random.nextBoolean()) {
                Collections.shuffle(order, new Random(run));
            }
            LftDelta delta = new LftDelta();
            for (int i : order) {
                int[] blocks = delta.blocks(from.get(i), to.get(i));

                shared += blocks.length > 0 && blocks == delta.blocks(from.get(i), to.get(i)) ? 1 : 0;
                assertThat(blocks)
                        .as("run %d row %d", run, i)
                        .isEqualTo(LftDelta.changedBlocks(
                                LftRow.of(from.get(i).toBytes()),
                                LftRow.of(to.get(i).toBytes())));
            }
        }
        assertThat(shared).isGreaterThan(RUNS * 2);
        assertThat(readByOthers).isGreaterThan(RUNS / 2);
    }

    @Test
    void shouldWriteRowsThatShareTheirLists() {
        for (int run = 0; run < 50; run++) {
            int count = entryCount();
            List<Bases> bases = new ArrayList<>(pod(count, 2));
            bases.addAll(pod(count, 2));
            LftRow[] all = new LftRow[80];
            for (int s = 0; s < all.length; s++) {
                Drawn base = bases.get(random.nextInt(bases.size())).after;
                all[s] = random.nextInt(8) == 0 ? base.row() : onBase(base, someRuns(count));
            }
            LftSet tables = new LftSet(1, count, all);
            assertEntriesOfSpans(tables);
            byte[][] into = new byte[all.length][count + 1];
            int[] some = IntStream.range(0, all.length)
                    .filter(s -> random.nextInt(5) > 0)
                    .toArray();

            tables.copyRows(some, into, Parallel.sequential());

            for (int s = 0; s < all.length; s++) {
                byte[] expected = new byte[count + 1];
                if (contains(some, s)) {
                    System.arraycopy(all[s].toBytes(), 0, expected, 0, count);
                }
                assertThat(into[s]).as("run %d switch %d", run, s).isEqualTo(expected);
            }
        }
    }

    /** Switches that read one span by the same ports share the array. */
    private void assertEntriesOfSpans(LftSet tables) {
        SpanEntries entries = new SpanEntries(tables);
        int k = random.nextInt(SpanEntries.spanCount(tables));
        int from = k * RowSpan.COLUMNS;
        int to = Math.min(tables.entryCount(), from + RowSpan.COLUMNS);
        entries.begin(k);
        for (int s = 0; s < tables.switchCount(); s++) {
            byte[] expected = new byte[RowSpan.COLUMNS];
            tables.row(s).copyTo(from, to, expected, 0);
            assertThat(entries.of(s)).isEqualTo(expected);
            assertThat(entries.of(s) == entries.of(0))
                    .as("span %d, switches 0 and %d", k, s)
                    .isEqualTo(tables.row(s).sharesSpan(k, tables.row(0)));
        }
    }

    private static boolean contains(int[] some, int s) {
        return IntStream.of(some).anyMatch(each -> each == s);
    }
}
