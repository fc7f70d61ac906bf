package io.dmodc.manager.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.northbound.TestFabric;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.quality.CongestionSummary;
import io.dmodc.routing.quality.CongestionSummary.Samples;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real fabric, and a meter whose clock moves 100 ms with each part of its work. */
class CongestionMeterTest {
    private static final Samples SAMPLES = new Samples(40, 7, 1);
    private static final long PART_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final CongestionHistory history = new CongestionHistory();
    private TestFabric fabric;
    private CongestionMeter meter;
    private long clock;

    /** How often the meter asked for a snapshot, and what happens when it asks for this one. */
    private int asked;

    private int fatal = -1;
    private Runnable then = () -> {};

    @BeforeEach
    void start() throws IOException {
        fabric = TestFabric.of("3;2,2,3;1,2,2;1,2,1");
        meter = new CongestionMeter(this::snapshot, history, SAMPLES, () -> clock);
    }

    @AfterEach
    void stop() {
        Thread.interrupted();
        fabric.close();
    }

    private FabricSnapshot snapshot() {
        clock += PART_NANOS;
        if (++asked == fatal) {
            then.run();
        }
        return fabric.snapshot();
    }

    /** The meter's n-th question from now on. */
    private void atQuestion(int n, Runnable what) {
        fatal = asked + n;
        then = what;
    }

    private CongestionSummary computed() {
        FabricSnapshot now = fabric.snapshot();
        return CongestionSummary.of(
                Objects.requireNonNull(now.view()),
                Objects.requireNonNull(now.tables()).lfts(),
                SAMPLES,
                Parallel.sequential());
    }

    private MeasuredCongestion latest() {
        return Objects.requireNonNull(history.latest());
    }

    @Test
    void shouldMeasureWhatTheStudyOfTheSameTablesSays() {
        meter.look();

        assertThat(latest().epoch()).isEqualTo(1);
        assertThat(latest().summary()).isEqualTo(computed());
        assertThat(latest().summary().allToAll()).isPositive();
        assertThat(latest().hottest())
                .hasSize(5)
                .allSatisfy(hot -> assertThat(fabric.guid(hot.name())).isEqualTo(hot.guid()));
        assertThat(latest().hottest().get(0).flows())
                .isEqualTo(latest().summary().allToAll());
    }

    @Test
    void shouldMeasureEachEpochOnceAndKeepTheEarlierOnes() {
        meter.look();
        MeasuredCongestion first = latest();

        long idle = meter.look();
        fabric.cut("leaf0", 3);
        meter.look();

        assertThat(idle).isEqualTo(CongestionMeter.LOOK_NANOS);
        assertThat(latest().epoch()).isEqualTo(2);
        assertThat(latest().summary()).isEqualTo(computed()).isNotEqualTo(first.summary());
        assertThat(history.of(1)).isSameAs(first);
    }

    @Test
    void shouldRestNineTimesAsLongAsItMeasured() {
        long rest = meter.look();

        assertThat(latest().nanos()).isEqualTo((asked - 1) * PART_NANOS).isGreaterThan(5 * PART_NANOS);
        assertThat(rest).isEqualTo(9 * latest().nanos());
    }

    @Test
    void shouldGiveUpBetweenTwoPartsWhenTheTablesAreOthersAndRestForThatToo() {
        atQuestion(5, () -> fabric.cut("leaf0", 3));

        long rest = meter.look();

        assertThat(history.latest()).isNull();
        assertThat(asked).as("no further part").isEqualTo(5);
        assertThat(rest).isEqualTo(9 * 4 * PART_NANOS);

        meter.look();

        assertThat(latest().epoch()).isEqualTo(2);
        assertThat(latest().summary()).isEqualTo(computed());
    }

    @Test
    void shouldGiveUpWhenItsThreadIsInterrupted() {
        atQuestion(3, Thread.currentThread()::interrupt);

        meter.look();

        assertThat(history.latest()).isNull();
        assertThat(asked).isEqualTo(3);
    }

    @Test
    void shouldGoOnWithTheNextEpochAfterAMistake() {
        atQuestion(5, () -> {
            throw new IllegalStateException("made for this test");
        });

        long rest = meter.look();
        meter.look();

        assertThat(rest).isEqualTo(9 * 4 * PART_NANOS);
        assertThat(history.latest()).isNull();
        assertThat(asked).as("not tried again").isEqualTo(6);

        fabric.cut("leaf0", 3);
        meter.look();

        assertThat(latest().epoch()).isEqualTo(2);
    }

    @Test
    void shouldWaitUntilTheFabricIsCalmOrHasHadTheTablesForLong() {
        fabric.mute("l2s0");
        fabric.cut("leaf0", 3);
        assertThat(fabric.snapshot().calm()).isFalse();

        long wait = meter.look();

        assertThat(wait).isEqualTo(CongestionMeter.LOOK_NANOS);
        assertThat(history.latest()).isNull();

        clock += TimeUnit.SECONDS.toNanos(CongestionMeter.QUIET_SECONDS);
        meter.look();

        assertThat(latest().epoch()).isEqualTo(2);
    }

    @Test
    void shouldHaveNothingToMeasureBeforeTheFirstTables() throws IOException {
        try (TestFabric empty = TestFabric.empty("2;2,2;1,2;1,1")) {
            CongestionMeter idle = new CongestionMeter(empty::snapshot, history, SAMPLES, () -> clock);

            assertThat(idle.look()).isEqualTo(CongestionMeter.LOOK_NANOS);
            assertThat(history.latest()).isNull();
        }
    }
}
