package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WithdrawalsTest {
    private static final long FAR = 0x200;
    private static final long SECOND = 1_000_000_000L;

    private final TableCabling cabling = new TableCabling();
    private final Withdrawals withdrawals = new Withdrawals("switch", cabling);
    private long now;

    @BeforeEach
    void cable() {
        for (int port = 1; port <= 20; port++) {
            cabling.set(port, new FarEnd(new SwitchPort(FAR + port, 7), null));
        }
    }

    private static Set<RouteAddress> addresses(int first, int count) {
        Set<RouteAddress> all = new LinkedHashSet<>();
        for (int i = 0; i < count; i++) {
            all.add(RouteAddress.ipv4(first + i));
        }
        return all;
    }

    private static List<ByteBuffer> list(int port, int number, Set<RouteAddress> addresses) {
        return WithdrawalCodec.write(number, FAR + port, addresses);
    }

    private boolean say(int port, int number, Set<RouteAddress> addresses) {
        return hear(port, list(port, number, addresses));
    }

    private boolean hear(int port, List<ByteBuffer> frames) {
        boolean news = false;
        for (ByteBuffer frame : frames) {
            news |= withdrawals.arrived(port, frame.duplicate(), now);
        }
        return news;
    }

    @Test
    void shouldCountWhatTheFarEndSaidLast() {
        assertThat(say(1, 1, addresses(1, 2))).isTrue();
        assertThat(say(2, 1, addresses(5, 1))).isTrue();
        assertThat(withdrawals.byPort()).isEqualTo(Map.of(1, addresses(1, 2), 2, addresses(5, 1)));
        Map<Integer, Set<RouteAddress>> before = withdrawals.byPort();

        assertThat(say(1, 1, addresses(1, 2))).as("said again").isFalse();
        assertThat(withdrawals.byPort()).isSameAs(before);
        assertThat(say(1, 2, addresses(2, 2))).isTrue();
        assertThat(withdrawals.byPort()).isEqualTo(Map.of(1, addresses(2, 2), 2, addresses(5, 1)));
        assertThat(say(1, 3, Set.of())).isTrue();
        assertThat(withdrawals.byPort()).isEqualTo(Map.of(2, addresses(5, 1)));
    }

    @Test
    void shouldPutAListTogetherInAnyOrderFromSeveralTimes() {
        List<ByteBuffer> frames = list(1, 4, addresses(1, 200));

        assertThat(hear(1, List.of(frames.get(2), frames.get(2)))).isFalse();
        assertThat(withdrawals.byPort()).isEmpty();
        assertThat(hear(1, List.of(frames.get(0)))).isFalse();
        assertThat(hear(1, List.of(frames.get(1)))).isTrue();
        assertThat(withdrawals.byPort()).isEqualTo(Map.of(1, addresses(1, 200)));
    }

    @Test
    void shouldPassOverAListThatCameLate() {
        say(1, 5, addresses(1, 1));
        say(1, 6, Set.of());

        assertThat(say(1, 5, addresses(1, 1))).isFalse();
        List<ByteBuffer> whole = list(1, 8, addresses(1, 100));
        hear(1, whole.subList(0, 1));
        hear(1, list(1, 7, addresses(1, 200)).subList(0, 1));
        assertThat(hear(1, whole.subList(1, 2)))
                .as("one that came late ends none")
                .isTrue();
        assertThat(say(1, 8 - (1 << 20), addresses(3, 1)))
                .as("the agent began anew")
                .isTrue();
    }

    @Test
    void shouldHearNobodyButTheSwitchAtTheFarEnd() {
        assertThat(hear(1, list(2, 1, addresses(1, 1)))).isFalse();
        cabling.set(3, new FarEnd(new HostPort(FAR + 3, FAR + 3, 1, "h"), null));
        assertThat(say(3, 1, addresses(1, 1))).isFalse();
        cabling.farEnds.remove(4);
        assertThat(say(4, 1, addresses(1, 1))).isFalse();
        assertThat(withdrawals.byPort()).isEmpty();

        say(1, 1, addresses(1, 1));
        cabling.set(1, new FarEnd(new SwitchPort(FAR + 1, 7), "02:00:00:00:00:01"));
        assertThat(withdrawals.farEndChanged(1)).as("the same one").isFalse();
        cabling.set(1, new FarEnd(new SwitchPort(FAR + 9, 7), null));
        assertThat(withdrawals.farEndChanged(1)).isTrue();
        assertThat(withdrawals.byPort()).isEmpty();
    }

    @Test
    void shouldForgetAPortThatDiedAndOneThatFellSilent() {
        say(1, 1, addresses(1, 1));
        say(2, 1, addresses(1, 1));

        assertThat(withdrawals.forget(1)).isTrue();
        assertThat(withdrawals.byPort()).containsOnlyKeys(2);
        now = 20 * SECOND;
        say(2, 1, addresses(1, 1));
        now = 50 * SECOND;
        assertThat(withdrawals.dropOld(now)).as("said again since").isFalse();
        now++;
        assertThat(withdrawals.dropOld(now)).isTrue();
        assertThat(withdrawals.byPort()).isEmpty();
    }

    @Test
    void shouldTakeInNoMoreThanItsBounds() {
        int most = WithdrawalCodec.ADDRESSES_MAX;
        int ports = Withdrawals.ADDRESSES_MAX / most;
        for (int port = 1; port <= ports; port++) {
            assertThat(say(port, 1, addresses(1, most))).as("port %d", port).isTrue();
        }

        assertThat(say(ports + 1, 1, addresses(1, most))).isFalse();
        assertThat(withdrawals.byPort()).doesNotContainKey(ports + 1);
        say(1, 2, Set.of());
        assertThat(say(ports + 1, 1, addresses(1, most))).as("said again").isTrue();
    }

    @Test
    void shouldHearTheNewestListWhenItMay() {
        int heard = 0;
        int number = 0;
        while (withdrawals.nextDeadline(now) == WithdrawalTeller.NEVER) {
            heard += say(1, ++number, addresses(number, 1)) ? 1 : 0;
        }
        assertThat(heard).isGreaterThan(WithdrawalTeller.LISTS_AT_ONCE);
        assertThat(say(2, 1, addresses(1, 1))).as("another port").isTrue();
        for (int i = 0; i < 1_000; i++) {
            assertThat(say(1, ++number, addresses(number, 1))).isFalse();
        }
        assertThat(say(1, number - 1, addresses(number - 1, 1))).as("late").isFalse();

        assertThat(withdrawals.hearWaiting(withdrawals.nextDeadline(now) - 1)).isFalse();
        now = withdrawals.nextDeadline(now);
        assertThat(now).isLessThanOrEqualTo(Withdrawals.CHANGE_NANOS * (Withdrawals.LIST_CHANGES + 2));
        assertThat(withdrawals.hearWaiting(now)).isTrue();
        assertThat(withdrawals.byPort()).containsEntry(1, addresses(number, 1));
        assertThat(withdrawals.nextDeadline(now)).isEqualTo(WithdrawalTeller.NEVER);
    }

    @Test
    void shouldForgetAListThatWaits() {
        int number = 0;
        while (withdrawals.nextDeadline(now) == WithdrawalTeller.NEVER) {
            say(1, ++number, addresses(number, 1));
        }

        assertThat(say(1, ++number, Objects.requireNonNull(withdrawals.byPort().get(1))))
                .as("what counts already")
                .isFalse();
        assertThat(withdrawals.nextDeadline(now)).isEqualTo(WithdrawalTeller.NEVER);
        say(1, ++number, addresses(number, 1));
        cabling.set(1, new FarEnd(new SwitchPort(FAR + 9, 7), null));
        assertThat(withdrawals.farEndChanged(1)).isTrue();
        assertThat(withdrawals.nextDeadline(now)).isEqualTo(WithdrawalTeller.NEVER);
        assertThat(withdrawals.byPort()).isEmpty();
    }

    /** A list of other addresses than the one before it, twenty times a second. */
    @Test
    void shouldHaveAHostileNeighbourChangeNoMoreThanItsBound() {
        int seconds = 60;
        long changed = 0;
        Set<RouteAddress> before = Set.of();
        for (int number = 1; number <= 20 * seconds; number++) {
            now += SECOND / 20;
            say(1, number, addresses(number % 2 * 100_000 + 1, WithdrawalCodec.ADDRESSES_MAX));
            Set<RouteAddress> after = withdrawals.byPort().getOrDefault(1, Set.of());
            int common = (int) after.stream().filter(before::contains).count();
            changed += before.size() + after.size() - 2 * common;
            before = after;
        }

        assertThat(changed).as("routes to be written").isBetween(2_000L * seconds, 2_000L * seconds + 20_000);
    }

    @Test
    void shouldLetGarbagePass() {
        assertThat(hear(1, Collections.nCopies(3, ByteBuffer.wrap(new byte[] {(byte) 0xd3, 0x7f, 9}))))
                .isFalse();
        assertThat(withdrawals.byPort()).isEmpty();
    }
}
