package io.dmodc.manager.core;

import static io.dmodc.manager.core.Leadership.Answer.IGNORE;
import static io.dmodc.manager.core.Leadership.Answer.OUTBID;
import static io.dmodc.manager.core.Leadership.Answer.REFUSE;
import static io.dmodc.manager.core.Leadership.Answer.REFUSE_OFTEN;
import static io.dmodc.manager.core.Leadership.Answer.STEP_DOWN;
import static io.dmodc.manager.core.Leadership.Answer.WAIT;
import static io.dmodc.manager.core.Leadership.Answer.WELCOME;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Leadership.Answer;
import io.dmodc.manager.state.LeaderEpochs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outbid or yield: which higher leader epoch is answered how. */
class LeadershipTest {
    private static final long SECOND = 1_000_000_000L;

    private final Leadership leadership = new Leadership(10);
    private long agents;

    /** Of an agent that began no outbid before. */
    private Answer hello(long held, long seconds) {
        return hello(leadership, held, seconds * SECOND, false);
    }

    private Answer hello(Leadership leadership, long held, long nanos, boolean discovering) {
        return leadership.hello(++agents, held, nanos, discovering);
    }

    @ParameterizedTest
    @CsvSource({
        "0, WELCOME, 0",
        "10, WELCOME, 0",
        "11, OUTBID, 12",
        "4194313, OUTBID, 4194314",
        "4194314, REFUSE, 0",
        "2147483646, REFUSE, 0",
        "2147483647, REFUSE, 0",
        "9223372036854775807, REFUSE, 0",
        "-1, REFUSE, 0",
    })
    void shouldOutbidWhatIsInReach(long held, Answer answer, long raising) {
        assertThat(hello(held, 0)).isEqualTo(answer);
        assertThat(leadership.raising()).isEqualTo(raising);
        assertThat(leadership.epoch()).as("not before it is stored").isEqualTo(10);
    }

    @Test
    void shouldCountARaisedEpochOnceItIsStored() {
        hello(11, 0);

        assertThat(hello(11, 0)).isEqualTo(WAIT);
        assertThat(leadership.stored(12)).isTrue();
        assertThat(leadership.epoch()).isEqualTo(12);
        assertThat(hello(11, 0)).isEqualTo(WELCOME);
        assertThat(leadership.stored(12)).isFalse();
    }

    @Test
    void shouldRaiseFurtherForHellosOfTheSameOutbid() {
        hello(11, 0);

        assertThat(hello(20, 1)).isEqualTo(OUTBID);
        assertThat(leadership.raising()).isEqualTo(21);
        leadership.stored(12);
        assertThat(leadership.raising())
                .as("the higher one is still to be stored")
                .isEqualTo(21);
        assertThat(hello(4_194_314, 2)).as("all of an outbid together").isEqualTo(REFUSE);
    }

    @Test
    void shouldOutbidOnceAMinute() {
        hello(11, 0);
        leadership.stored(12);

        assertThat(hello(20, 11)).isEqualTo(WAIT);
        assertThat(leadership.nextOutbidNanos()).isEqualTo(60 * SECOND);
        assertThat(hello(20, 59)).isEqualTo(WAIT);
        assertThat(hello(20, 60)).isEqualTo(OUTBID);
    }

    @Test
    void shouldYieldAfterSixteenOutbidsInARow() {
        long seconds = 0;
        for (int i = 0; i < Leadership.OUTBIDS_MAX; i++, seconds += 60) {
            assertThat(hello(leadership.epoch() + 5, seconds)).isEqualTo(OUTBID);
            leadership.stored(leadership.raising());
        }
        long rival = leadership.epoch() + 5;

        assertThat(hello(rival, seconds)).isEqualTo(STEP_DOWN);
        assertThat(leadership.deposed()).isTrue();
        assertThat(leadership.deposedBy()).isEqualTo(rival);
        assertThat(hello(rival, seconds + 1)).isEqualTo(IGNORE);
        assertThat(hello(leadership.epoch(), seconds + 1)).as("who still obeys").isEqualTo(WELCOME);
    }

    /** An agent that is mistaken, or means harm. */
    @Test
    void shouldNeitherYieldToOneAgentNorBeMovedByItWithoutEnd() {
        long liar = 7;
        long day = 24 * 3600;
        int outbids = 0;
        for (long seconds = 0; seconds < 10 * day; seconds += 70) {
            Answer answer = leadership.hello(liar, leadership.epoch() + 4_000_000, seconds * SECOND, false);
            assertThat(answer).isIn(OUTBID, REFUSE_OFTEN);
            outbids += answer == OUTBID ? 1 : 0;
            leadership.stored(leadership.raising());
        }

        assertThat(outbids).isEqualTo(Leadership.OUTBIDS_OF_ONE_MAX);
        assertThat(leadership.deposed()).isFalse();
        assertThat(leadership.hello(liar, leadership.epoch(), 11 * day * SECOND, false))
                .as("once it claims no more")
                .isEqualTo(WELCOME);
        assertThat(hello(leadership.epoch() + 1, 11 * day)).as("another one").isEqualTo(OUTBID);
    }

    @Test
    void shouldForgetOutbidsAfterACalmTime() {
        long seconds = 0;
        for (int i = 0; i < 3 * Leadership.OUTBIDS_MAX; i++, seconds += 600) {
            assertThat(hello(leadership.epoch() + 1, seconds)).isEqualTo(OUTBID);
            leadership.stored(leadership.raising());
        }
    }

    @Test
    void shouldTakeAllEpochsThatAgentsObeyBeforeItsFirstTables() {
        for (long held = 11; held < 60; held++) {
            assertThat(hello(leadership, held, held * SECOND, true)).isEqualTo(OUTBID);
        }
        leadership.stored(leadership.raising());

        assertThat(leadership.epoch()).isEqualTo(60);
        assertThat(hello(leadership, 10 + Leadership.JUMP_MAX, 99 * SECOND, true))
                .as("step by step no further than at once")
                .isEqualTo(REFUSE);
        assertThat(hello(100, 100)).as("none was counted").isEqualTo(OUTBID);
    }

    @ParameterizedTest
    @CsvSource({
        // heard, raised meanwhile to, stepped down
        "10, 0, false",
        "11, 0, true",
        "11, 12, false",
        "12, 12, false",
        "13, 12, true",
        "2147483647, 0, true",
        "2147483648, 0, false",
        "-1, 0, false",
    })
    void shouldYieldToWhomItHasNotOutbid(long heard, long raising, boolean yields) {
        if (raising != 0) {
            hello(raising - 1, 0);
        }

        assertThat(leadership.revokeHeard(heard)).isEqualTo(yields);
        assertThat(leadership.deposed()).isEqualTo(yields);
    }

    @Test
    void shouldStayDeposedWhenALowerEpochIsStoredLate() {
        hello(11, 0);
        leadership.revokeHeard(40);

        leadership.stored(12);

        assertThat(leadership.deposed()).isTrue();
        assertThat(leadership.revokeHeard(40)).as("told once").isFalse();
        assertThat(leadership.revokeHeard(41)).isTrue();
    }

    /** The round ends ten seconds after the outbid began, whenever that was. */
    @ParameterizedTest
    @CsvSource({"9, OUTBID", "10, WAIT"})
    void shouldCountHellosOfTenSecondsToOneOutbid(long after, Answer answer) {
        hello(11, 1_000_000);
        leadership.stored(12);

        assertThat(hello(20, 1_000_000 + after)).isEqualTo(answer);
    }

    @Test
    void shouldNotRaiseBeyondTheLastEpoch() {
        Leadership last = new Leadership(Leadership.EPOCH_MAX - 10);

        assertThat(hello(last, Leadership.EPOCH_MAX, 0, false)).isEqualTo(REFUSE);
        assertThat(hello(last, Leadership.EPOCH_MAX - 1, 0, false)).isEqualTo(OUTBID);
        assertThat(last.raising()).isEqualTo(Leadership.EPOCH_MAX);
        assertThat(last.revokeHeard(Leadership.EPOCH_MAX + 1)).isFalse();
    }

    private static Leadership numbered(long epoch, int number) {
        Leadership leadership = new Leadership(epoch);
        leadership.takeNumber(number);
        return leadership;
    }

    /** Neither knows the other but by what agents say: they never have the same leader epoch, and one of the two yields. */
    @Test
    void shouldNeverShareALeaderEpochWithAnotherManager() {
        Leadership first = numbered(1024 + 3, 3);
        Leadership second = numbered(1024 + 5, 5);
        long seconds = 0;
        while (!first.deposed() && !second.deposed()) {
            Leadership lower = first.epoch() < second.epoch() ? first : second;
            Leadership higher = lower == first ? second : first;
            hello(lower, higher.epoch(), seconds * SECOND, false);
            lower.stored(lower.raising());
            assertThat(first.epoch()).isNotEqualTo(second.epoch());
            assertThat(first.epoch() % 1024).isEqualTo(3);
            assertThat(second.epoch() % 1024).isEqualTo(5);
            seconds += 60;
        }

        assertThat(Math.max(first.epoch(), second.epoch())).isLessThan(40 * 1024);
    }

    /** Nobody can obey it before this manager has told it: another one has the same number, or this one's state is an old copy. */
    @Test
    void shouldOutbidItsOwnLeaderEpochThatSomebodyElseTold() {
        Leadership restored = numbered(5 * 1024 + 7, 7);

        assertThat(hello(restored, 5 * 1024 + 7, 0, false)).isEqualTo(OUTBID);
        assertThat(restored.raising()).isEqualTo(6 * 1024 + 7);
        restored.stored(restored.raising());
        assertThat(hello(restored, 6 * 1024 + 7, SECOND, false))
                .as("agents are told the raised one")
                .isEqualTo(WELCOME);

        Leadership fresh = numbered(5 * 1024 + 7, 7);
        assertThat(hello(fresh, 0, 0, false)).isEqualTo(WELCOME);
        assertThat(hello(fresh, 5 * 1024 + 7, 0, false)).as("told it").isEqualTo(WELCOME);
    }

    @ParameterizedTest
    @CsvSource({
        // above its own 1024 + 7 by 4096 terms, and by more
        "4195327, OUTBID, 4195335",
        "4195328, REFUSE, 0",
        "2147483646, REFUSE, 0",
        "9223372036854775807, REFUSE, 0",
        "-1, REFUSE, 0",
    })
    void shouldOutbidABoundedNumberOfTerms(long held, Answer answer, long raising) {
        Leadership numbered = numbered(1024 + 7, 7);

        assertThat(hello(numbered, held, 0, false)).isEqualTo(answer);
        assertThat(numbered.raising()).isEqualTo(raising);
    }

    @Test
    void shouldNotOutbidBeyondTheLastTerm() {
        Leadership last = numbered(Leadership.EPOCH_MAX - 1023 + 7, 7);

        assertThat(hello(last, Leadership.EPOCH_MAX - 3, 0, false)).isEqualTo(REFUSE);
        assertThat(hello(last, Leadership.EPOCH_MAX, 0, false)).isEqualTo(REFUSE);
    }

    /** What is kept of the last term is refused by the next start. */
    @Test
    void shouldNotOutbidIntoTheLastTerm() {
        Leadership before = numbered(LeaderEpochs.LAST_OUTBID - 2 * 1024, 7);

        assertThat(hello(before, LeaderEpochs.LAST_OUTBID - 100, 0, true)).isEqualTo(REFUSE);
        assertThat(hello(before, LeaderEpochs.LAST_OUTBID - 1024, 0, true)).isEqualTo(OUTBID);
        assertThat(before.raising()).isBetween(LeaderEpochs.LAST_OUTBID - 1023, LeaderEpochs.LAST_OUTBID);
    }
}
