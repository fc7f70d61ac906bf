package io.dmodc.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.RandomRows.Drawn;
import io.dmodc.routing.RandomRows.Run;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Rows of one base that differ from it in few spans, as the leaves of a pod do: what they share, and what each has of its own. */
class SharedListTest {
    private static final int COUNT_MAX = 12_000;

    private final SplittableRandom random = new SplittableRandom(20_261_126);
    private final RandomRows rows = new RandomRows(random).withCandidates();
    private final LftRowBuilder builder = new LftRowBuilder();

    private int entryCount() {
        return random.nextInt(4_000, COUNT_MAX);
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
        for (int run = 0; run < 300; run++) {
            Drawn base = rows.row(entryCount());
            List<Run> runs = someRuns(base.patterns().length);
            Drawn expected = flat(base, runs);

            LftRow row = onBase(base, runs);

            shared += row != base.row() && row.sharesList(base.row()) ? 1 : 0;
            String what = "run " + run;
            assertThat(row.toBytes()).as(what).isEqualTo(expected.entries());
            assertThat(row.partsHash()).as(what).isEqualTo(expected.row().partsHash());
            assertThat(row.sameParts(expected.row())).as(what).isTrue();
            assertThat(row.fittedTo(COUNT_MAX).toBytes())
                    .as(what)
                    .isEqualTo(expected.row().fittedTo(COUNT_MAX).toBytes());
            for (int k = 0; k < row.spanCount(); k++) {
                assertThat(row.span(k).readsAs(expected.row().span(k))).as(what).isTrue();
                assertThat(row.sharesSpan(k, base.row())).isEqualTo((row.otherSpans(base.row())[0] >>> k & 1) == 0);
            }
        }
        assertThat(shared).isBetween(150, 270);
    }

    /** The same runs put into another base: where what is under them is shared, they need not be put again. */
    @Test
    void shouldPutARowOnTheNextBase() {
        int rebased = 0;
        int refused = 0;
        for (int run = 0; run < 1_000; run++) {
            Drawn base = rows.row(entryCount());
            List<Run> runs = someRuns(base.patterns().length);
            LftRow before = onBase(base, runs);
            Drawn next = flat(base, someRuns(base.patterns().length));

            LftRow row = before.rebased(base.row(), next.row());

            if (row == null) {
                refused++;
            } else {
                rebased++;
                assertThat(row.toBytes())
                        .as("run %d", run)
                        .isEqualTo(flat(next, runs).entries());
            }
        }
        assertThat(rebased).isGreaterThan(250);
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
        for (int run = 0; run < 100; run++) {
            int count = entryCount();
            List<LftRow> from = new ArrayList<>();
            List<LftRow> to = new ArrayList<>();
            for (int pod = 0; pod < 3; pod++) {
                Drawn before = rows.row(count);
                Drawn after = flat(before, someRuns(count));
                for (int leaf = 0; leaf < 6; leaf++) {
                    List<Run> runs = leaf < 2 ? List.of() : someRuns(count);
                    LftRow row = onBase(before, runs);
                    LftRow rebased = random.nextInt(4) == 0 ? null : row.rebased(before.row(), after.row());
                    from.add(row);
                    to.add(rebased != null ? rebased : onBase(after, random.nextBoolean() ? runs : someRuns(count)));
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
        assertThat(shared).isGreaterThan(500);
    }

    @Test
    void shouldWriteRowsThatShareTheirLists() {
        for (int run = 0; run < 50; run++) {
            int count = entryCount();
            List<Drawn> bases = List.of(rows.row(count), rows.row(count), rows.row(count));
            LftRow[] all = new LftRow[80];
            for (int s = 0; s < all.length; s++) {
                Drawn base = bases.get(random.nextInt(bases.size()));
                all[s] = random.nextInt(8) == 0 ? base.row() : onBase(base, someRuns(count));
            }
            LftSet tables = new LftSet(1, count, all);
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

    private static boolean contains(int[] some, int s) {
        return IntStream.of(some).anyMatch(each -> each == s);
    }
}
