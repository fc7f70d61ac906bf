package io.dmodc.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.RandomRows.Drawn;
import io.dmodc.routing.RandomRows.Run;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LftRowBuilderTest {
    private static final PortPattern FIRST = PortPattern.constant(1);
    private static final PortPattern SECOND = PortPattern.constant(2);

    private final SplittableRandom random = new SplittableRandom(20_261_121);
    private final RandomRows rows = new RandomRows(random).withCandidates();

    @Test
    void shouldHoldWhatWasPutAndTheBaseElsewhere() {
        for (int run = 0; run < 4_000; run++) {
            Drawn base = rows.row(rows.entryCount());
            Drawn previous = previous(base);

            Drawn edited = RandomRows.edited(base, previous.row(), rows.runs(base.patterns().length));

            assertThat(edited.row().toBytes()).as("run %d", run).isEqualTo(edited.entries());
            assertThat(base.row().toBytes()).as("base of run %d", run).isEqualTo(base.entries());
            assertThat(previous.row().toBytes()).as("previous of run %d", run).isEqualTo(previous.entries());
            assertWellFormed(edited.row());
        }
    }

    /** Something else, of another length, or what comes out anyway but for a few runs. */
    private Drawn previous(Drawn base) {
        return switch (random.nextInt(4)) {
            case 0 -> rows.row(rows.entryCount());
            case 1 -> rows.row(base.patterns().length);
            default -> RandomRows.edited(base, base.row(), rows.runs(base.patterns().length));
        };
    }

    private static void assertWellFormed(LftRow row) {
        for (int k = 0; k < row.spanCount(); k++) {
            RowSpan span = row.span(k);
            assertThat(span.runCount()).isEqualTo(span.ends.length);
            assertThat(span.ends[span.ends.length - 1]).isEqualTo(RowSpan.COLUMNS);
            for (int i = 1; i < span.ends.length; i++) {
                assertThat(span.ends[i]).isGreaterThan(span.ends[i - 1]);
                assertThat(isSameRun(span, i, i - 1)).isFalse();
            }
        }
    }

    private static boolean isSameRun(RowSpan span, int i, int k) {
        return span.ports(i) == span.ports(k) && span.hasPattern(i, span, k);
    }

    @Test
    void shouldShareEverySpanThatComesOutAsItWas() {
        for (int run = 0; run < 3_000; run++) {
            Drawn base = rows.row(rows.entryCount());
            List<Run> runs = rows.runs(base.patterns().length);
            Drawn before = RandomRows.edited(
                    base, base.row(), random.nextBoolean() ? runs : rows.runs(base.patterns().length));

            LftRow row = RandomRows.edited(base, before.row(), runs).row();

            for (int k = 0; k < row.spanCount(); k++) {
                RowSpan span = row.span(k);
                if (!isTouched(k, runs)) {
                    assertThat(span)
                            .as("run %d span %d", run, k)
                            .isSameAs(base.row().span(k));
                } else if (span.sameAs(before.row().span(k))) {
                    assertThat(span)
                            .as("run %d span %d", run, k)
                            .isSameAs(before.row().span(k));
                } else if (span.sameAs(base.row().span(k))) {
                    assertThat(span)
                            .as("run %d span %d", run, k)
                            .isSameAs(base.row().span(k));
                }
            }
            if (hasSpansOf(row, before.row())) {
                assertThat(row).as("run %d", run).isSameAs(before.row());
            } else if (hasSpansOf(row, base.row())) {
                assertThat(row).as("run %d", run).isSameAs(base.row());
            }
        }
    }

    @Test
    void shouldTellTheSpansThatAreNotThoseOfTheBase() {
        LftRowBuilder builder = new LftRowBuilder();
        for (int run = 0; run < 3_000; run++) {
            LftRow base = rows.row(rows.entryCount()).row();
            List<Run> runs = rows.runs(base.entryCount());
            builder.begin(base);
            runs.forEach(some -> some.putInto(builder));

            LftRow row = builder.build();

            assertThat(builder.otherSpans()).as("run %d", run).isEqualTo(RandomRows.otherSpans(row, base));
            builder.begin(row);
            runs.forEach(some -> some.putInto(builder));
            assertThat(builder.build()).as("run %d", run).isSameAs(row);
            assertThat(builder.otherSpans()).as("run %d", run).isEqualTo(RandomRows.otherSpans(row, row));
        }
    }

    /** Stretches of other rows, of other ports' candidates, beside runs: every column has the pattern that it has there. */
    @Test
    void shouldHoldWhatOtherRowsHave() {
        int mixed = 0;
        LftRowBuilder builder = new LftRowBuilder();
        for (int run = 0; run < 1_000; run++) {
            Drawn base = rows.row(rows.entryCount());
            int count = base.patterns().length;
            PortPattern[] expected = base.patterns().clone();
            builder.begin(base.row());
            for (Run at : rows.runs(count)) {
                if (random.nextInt(4) == 0) {
                    at.putInto(builder);
                    Arrays.fill(expected, at.from(), at.to(), at.pattern());
                } else {
                    Drawn other = rows.row(count + random.nextInt(2) * random.nextInt(2_000));
                    builder.put(at.from(), at.to(), other.row());
                    System.arraycopy(other.patterns(), at.from(), expected, at.from(), at.to() - at.from());
                }
            }

            LftRow row = builder.build();

            PortPattern[] held = new PortPattern[count];
            row.forEachRun(0, count, (from, to, pattern) -> Arrays.fill(held, from, to, pattern));
            assertThat(Arrays.equals(held, expected)).as("run %d", run).isTrue();
            for (int d = 0; d < count; d++) {
                int port = row.port(d);
                long[] set = row.entrySet(d / RowSpan.COLUMNS);
                if (port != expected[d].port(d) || (set[port >> 6] >>> port & 1) == 0) {
                    throw new AssertionError("run " + run + ", column " + d + ": port " + port);
                }
            }
            mixed += (int) IntStream.range(0, row.spanCount())
                    .filter(k -> row.span(k) instanceof MixedSpan)
                    .count();
        }
        assertThat(mixed).isGreaterThan(500);
    }

    /** Two switches of the same neighbours but one: of two rows of each, the new one in every second hundred of columns. */
    @Test
    void shouldShareTheSetsOfSwitchesBesideEachOther() {
        CandidatePorts[] before = variants(8);
        CandidatePorts[] after = variants(9);
        LftRowBuilder builder = new LftRowBuilder();
        LftRow heldByAll = candidates(before[0]);
        LftRow newForAll = candidates(after[0]);
        LftRow[] given = new LftRow[before.length];
        for (int i = 0; i < given.length; i++) {
            LftRow held = Objects.requireNonNull(i == 0 ? heldByAll : heldByAll.with(before[0], before[i]));
            LftRow row = Objects.requireNonNull(i == 0 ? newForAll : newForAll.with(after[0], after[i]));

            builder.begin(row);
            for (int from = 0; from < 900; from += 200) {
                builder.put(from, from + 100, held);
            }
            given[i] = builder.build();

            for (int d = 0; d < row.entryCount(); d++) {
                boolean old = d < 900 && d % 200 < 100;
                assertThat(given[i].port(d)).isEqualTo((old ? held : row).port(d));
            }
            assertThat(given[i].sharesSpan(1, row)).isTrue();
        }
        MixedSpan first = (MixedSpan) given[0].span(0);
        for (LftRow row : given) {
            MixedSpan span = (MixedSpan) row.span(0);
            assertThat(span.ends).isSameAs(first.ends);
            assertThat(span.sources()).isSameAs(first.sources());
            assertThat(span.candidates()).isSameAs(first.candidates());
        }
    }

    /** Ports of a switch with so many neighbours, and of some that lack one of them. */
    private CandidatePorts[] variants(int count) {
        CandidatePorts[] variants = new CandidatePorts[4];
        variants[0] = new CandidatePorts(rows.bytes(count), 1, 0, true);
        for (int i = 1; i < variants.length; i++) {
            variants[i] = new CandidatePorts(rows.bytes(count - 1), 1, 0, true).at((1L << count) - 1 & ~(1L << i));
        }
        return variants;
    }

    /** Other candidates every 32 columns, two at least. */
    private LftRow candidates(CandidatePorts ports) {
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(LftRow.noRoutes(2_048));
        for (int from = 0; from < 2_048; from += 32) {
            builder.put(from, from + 32, ports, random.nextLong() | 0b1100_0000);
        }
        return builder.build();
    }

    private static boolean isTouched(int k, List<Run> runs) {
        int start = k * RowSpan.COLUMNS;
        return runs.stream()
                .anyMatch(run -> run.from() < run.to() && run.from() < start + RowSpan.COLUMNS && run.to() > start);
    }

    private static boolean hasSpansOf(LftRow row, LftRow other) {
        return IntStream.range(0, row.spanCount()).allMatch(k -> row.span(k) == other.span(k));
    }

    @Test
    void shouldReturnTheRowItselfWherePuttingChangesNothing() {
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(LftRow.noRoutes(3_000));
        builder.put(100, 2_500, FIRST);
        LftRow base = builder.build();
        builder.begin(base);
        builder.put(500, 600, SECOND);
        LftRow previous = builder.build();

        builder.begin(base, previous);
        assertThat(builder.build()).isSameAs(base);

        builder.begin(base, previous);
        builder.put(100, 200, FIRST);
        assertThat(builder.build()).isSameAs(base);

        builder.begin(base, previous);
        builder.put(500, 600, SECOND);
        assertThat(builder.build()).isSameAs(previous);
    }

    @Test
    void shouldShareTheSpanOfOnePatternBetweenRows() {
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(LftRow.noRoutes(2_100));
        builder.put(0, 2_100, FIRST);
        LftRow one = builder.build();
        builder.begin(LftRow.noRoutes(1_500));
        builder.put(0, 1_024, FIRST);
        LftRow other = builder.build();

        assertThat(one.span(0)).isSameAs(one.span(1)).isSameAs(one.span(2)).isSameAs(other.span(0));
    }

    @Test
    void shouldHoldARunForEveryColumnOfASpan() {
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(LftRow.noRoutes(1_024));
        byte[] expected = new byte[1_024];
        for (int column = 0; column < expected.length; column++) {
            builder.put(column, column + 1, column % 2 == 0 ? FIRST : SECOND);
            expected[column] = (byte) (1 + column % 2);
        }

        LftRow row = builder.build();

        assertThat(row.toBytes()).isEqualTo(expected);
        assertThat(row.span(0).ends).hasSize(1_024);
    }

    /** As many sets as the builder has room for: what a row keeps is not what the next one is written to. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepTheCandidatesOfEveryColumnOfASpan(boolean mixed) {
        CandidatePorts ports = new CandidatePorts(new byte[] {1, 2, 3}, 1, 0, true);
        CandidatePorts others = mixed ? new CandidatePorts(new byte[] {1, 2, 3}, 1, 0, true) : ports;
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(LftRow.noRoutes(1_024));
        byte[] expected = new byte[1_024];
        for (int column = 0; column < expected.length; column++) {
            int place = column % 2;
            builder.put(column, column + 1, place == 0 ? ports : others, 1L << place);
            expected[column] = (byte) (1 + place);
        }
        LftRow row = builder.build();

        builder.begin(LftRow.noRoutes(1_024));
        builder.put(0, 1_000, ports, 1L << 2);
        builder.build();

        assertThat(row.toBytes()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"-1,3", "9,20", "30,29", "40,101", "101,101"})
    void shouldRefuseRunsThatDescendOrLieOutside(int from, int to) {
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(LftRow.noRoutes(100));
        builder.put(0, 10, FIRST);

        assertThatThrownBy(() -> builder.put(from, to, SECOND))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("columns from " + from + " to before " + to + "; expected ascending numbers in 10..100");

        builder.put(10, 100, SECOND);
        byte[] expected = new byte[100];
        Arrays.fill(expected, (byte) 2);
        Arrays.fill(expected, 0, 10, (byte) 1);
        assertThat(builder.build().toBytes()).isEqualTo(expected);
    }

    @Test
    void shouldHaveNothingToPutIntoARowWithoutEntries() {
        LftRowBuilder builder = new LftRowBuilder();
        LftRow empty = LftRow.noRoutes(0);
        builder.begin(empty);
        builder.put(0, 0, FIRST);

        assertThat(builder.build()).isSameAs(empty);
        assertThatThrownBy(() -> builder.put(0, 1, FIRST)).hasMessageContaining("expected ascending numbers in 0..0");
    }
}
