package io.dmodc.detector.link;

import static io.dmodc.detector.link.VirtualCable.MILLI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Claims of RFC 5880 that hold as printed. */
class LinkLivenessPaperTest {
    private static final LinkRules RULES = LinkRules.of(100 * MILLI, 3);

    /** Section 6.2, the state machine; section 6.8.6 in words. */
    @ParameterizedTest
    @CsvSource({
        "DOWN, DOWN, INIT", "DOWN, INIT, UP", "DOWN, UP, DOWN",
        "INIT, DOWN, INIT", "INIT, INIT, UP", "INIT, UP, UP",
        "UP, DOWN, DOWN", "UP, INIT, UP", "UP, UP, UP"
    })
    void shouldFollowTheStateMachineOfTheRfc(LinkState own, LinkState heard, LinkState next) {
        assertThat(LinkLiveness.next(own, heard)).isEqualTo(next);
    }

    /** "Three-way handshake": an end is UP only after it heard that it is heard. */
    @Test
    void shouldComeUpByAThreeWayHandshake() {
        VirtualCable cable = new VirtualCable(1, RULES);
        cable.start(0);
        cable.run(5000 * MILLI);
        assertThat(cable.ends[0].state()).as("nobody there").isEqualTo(LinkState.DOWN);

        cable.start(1);
        cable.run(10 * MILLI);

        assertThat(cable.bothUp()).isTrue();
        assertThat(cable.sent.stream().filter(hello -> hello.end() == 1).map(VirtualCable.Sent::state))
                .startsWith(LinkState.DOWN, LinkState.UP);
        assertThat(cable.sent.stream().filter(hello -> hello.end() == 0).map(VirtualCable.Sent::state))
                .containsSubsequence(LinkState.DOWN, LinkState.INIT, LinkState.UP);
    }

    /**
     * Section 6.8.4: detect multiplier of the remote times the greater of own required and the remote's desired
     * interval.
     */
    @ParameterizedTest
    @CsvSource({
        "100, 100, 3, 100, 100, 5, 500, 300",
        "10, 10, 3, 1000, 1000, 3, 3000, 3000",
        "50, 200, 4, 20, 10, 10, 2000, 200"
    })
    void shouldWaitAsLongAsTheOtherEndsRulesAskFor(
            long transmitA,
            long receiveA,
            int multiplierA,
            long transmitB,
            long receiveB,
            int multiplierB,
            long a,
            long b) {
        LinkRules near = new LinkRules(transmitA * MILLI, receiveA * MILLI, multiplierA, 1000 * MILLI);
        LinkRules far = new LinkRules(transmitB * MILLI, receiveB * MILLI, multiplierB, 1000 * MILLI);
        VirtualCable cable = new VirtualCable(2, near, far);
        cable.start(0);
        cable.start(1);

        cable.run(5000 * MILLI);

        assertThat(cable.bothUp()).isTrue();
        assertThat(cable.ends[0].detectionNanos()).isEqualTo(a * MILLI);
        assertThat(cable.ends[1].detectionNanos()).isEqualTo(b * MILLI);
    }

    /**
     * Section 6.8.7: each interval is reduced by 0 to 25 % by chance, and is the greater of own desired, remote's
     * required.
     */
    @ParameterizedTest
    @CsvSource({"10, 10, 10", "100, 100, 100", "50, 300, 300", "1000, 10, 1000"})
    void shouldSpreadHellosOverTheLastQuarterOfTheInterval(long transmit, long remoteReceive, long interval) {
        LinkRules near = new LinkRules(transmit * MILLI, 100 * MILLI, 3, 1000 * MILLI);
        LinkRules far = new LinkRules(100 * MILLI, remoteReceive * MILLI, 3, 1000 * MILLI);
        VirtualCable cable = new VirtualCable(3, near, far);
        cable.start(0);
        cable.start(1);
        cable.run(2000 * MILLI);
        cable.sent.clear();

        cable.run(200 * interval * MILLI);

        List<Long> gaps = gaps(cable, 0);
        assertThat(gaps)
                .hasSizeGreaterThan(200)
                .allMatch(gap -> gap >= interval * MILLI * 3 / 4 && gap <= interval * MILLI);
        assertThat(gaps.stream().mapToLong(gap -> gap).max().orElseThrow()
                        - gaps.stream().mapToLong(gap -> gap).min().orElseThrow())
                .as("the chance is used")
                .isGreaterThan(interval * MILLI / 5);
    }

    private static List<Long> gaps(VirtualCable cable, int end) {
        List<Long> times = cable.sent.stream()
                .filter(hello -> hello.end() == end)
                .map(VirtualCable.Sent::at)
                .toList();
        return java.util.stream.IntStream.range(1, times.size())
                .mapToObj(i -> times.get(i) - times.get(i - 1))
                .toList();
    }

    /** Section 6.8.3: not less than one second between hellos while the session is not UP. */
    @Test
    void shouldSendSlowlyUntilUp() {
        VirtualCable cable = new VirtualCable(4, LinkRules.of(10 * MILLI, 3));
        cable.start(0);

        cable.run(100_000 * MILLI);

        assertThat(gaps(cable, 0)).hasSizeBetween(99, 134).allMatch(gap -> gap >= 750 * MILLI && gap <= 1000 * MILLI);
    }

    /** Section 6.8.4 and 6.8.6: an end that hears nothing goes DOWN and says so; the other then goes DOWN, too. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldTakeBothEndsDownWhenTheCableCarriesOneWayOnly(int deadDirection) {
        VirtualCable cable = new VirtualCable(5, RULES);
        cable.start(0);
        cable.start(1);
        cable.run(1000 * MILLI);
        long cut = cable.now;

        cable.blocked[deadDirection] = true;
        cable.run(400 * MILLI);

        assertThat(cable.toldAt(cut, 1 - deadDirection, HandshakeStatus.LOST) - cut)
                .isBetween(0L, 301 * MILLI);
        assertThat(cable.toldAt(cut, deadDirection, HandshakeStatus.LOST) - cut).isBetween(0L, 302 * MILLI);
        assertThat(cable.ends[1 - deadDirection].diagnosis()).isEqualTo(LinkDiagnosis.EXPIRED);
        assertThat(cable.ends[deadDirection].state()).isNotEqualTo(LinkState.UP);
    }

    @ParameterizedTest
    @CsvSource({
        "9, 100, 3, 1000, transmit", "1001, 100, 3, 1000, transmit", "100, 9, 3, 1000, receive",
        "100, 100, 2, 1000, multiplier", "100, 100, 51, 1000, multiplier", "1000, 100, 3, 999, slow",
        "10, 10, 3, 99, slow", "10, 10, 3, 10001, slow"
    })
    void shouldRefuseRulesOutOfRange(long transmit, long receive, int multiplier, long slow, String named) {
        assertThatThrownBy(() -> new LinkRules(transmit * MILLI, receive * MILLI, multiplier, slow * MILLI))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(named)
                .hasMessageContaining("expected");
    }
}
