package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.linux.RouteBook.RouteState;
import io.dmodc.agent.linux.WithdrawalCodec.Frame;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WithdrawalTellerTest {
    private static final long MILLI = 1_000_000L;
    private static final RouteAddress A = RouteAddress.ipv4(0x0a640001);
    private static final RouteAddress B = RouteAddress.ipv4(0x0a640002);

    /** What was said at a port. */
    private record Said(long millis, int port, Set<RouteAddress> addresses) {}

    private final TableCabling cabling = new TableCabling();
    private final List<Said> said = new ArrayList<>();
    private final Set<RouteAddress> unrouted = new HashSet<>();
    private final Set<RouteAddress> due = new HashSet<>();
    private final WithdrawalTeller teller = new WithdrawalTeller(0x100, 3, Integer.MAX_VALUE, cabling);
    private long now;

    @BeforeEach
    void cable() {
        cabling.set(1, new FarEnd(new HostPort(7, 7, 1, "h"), null));
        cabling.set(2, new FarEnd(new SwitchPort(0x200, 1), null));
        cabling.frames = new CableFrames() {
            @Override
            public void send(int port, ByteBuffer frame) {
                Frame read = Objects.requireNonNull(WithdrawalCodec.read(frame));
                said.add(new Said(now / MILLI, port, Set.copyOf(read.addresses())));
            }

            @Override
            public void listen(Ear ear) {}
        };
    }

    private RouteState routeState(RouteAddress address) {
        return unrouted.contains(address)
                ? RouteState.UNROUTED
                : due.contains(address) ? RouteState.DUE : RouteState.WRITTEN;
    }

    private void withdraw(RouteAddress... addresses) {
        teller.withdraw(Set.of(addresses), this::routeState, now);
        teller.tick(now);
    }

    private void pass(long millis) {
        long end = now + millis * MILLI;
        for (long due = teller.nextDeadline(now); due <= end; due = teller.nextDeadline(now)) {
            now = Math.max(now, due);
            teller.tick(now);
        }
        now = end;
    }

    private List<Said> said() {
        List<Said> all = List.copyOf(said);
        said.clear();
        return all;
    }

    private static List<Said> at(Set<RouteAddress> addresses, long... millis) {
        List<Said> all = new ArrayList<>();
        for (long each : millis) {
            all.add(new Said(each, 2, addresses));
        }
        return all;
    }

    @Test
    void shouldSayAtOnceAndAgainToSwitches() {
        pass(500);
        assertThat(said()).as("not before it knows anything").isEmpty();

        withdraw();
        pass(10_000);
        assertThat(said()).isEqualTo(at(Set.of(), 500, 510, 600, 1_600));
        withdraw(A);
        pass(4_000);

        assertThat(said()).isEqualTo(at(Set.of(A), 10_500, 10_510, 10_600, 11_600, 12_600, 13_600));
    }

    @Test
    void shouldTakeBackLaterThanItWithdraws() {
        withdraw(A);
        pass(2_000);
        said();

        withdraw();
        pass(49);
        assertThat(said()).isEmpty();
        withdraw(B);
        assertThat(said()).as("what is new is said at once").isEqualTo(at(Set.of(A, B), 2_049));
        pass(1);
        assertThat(said()).isEqualTo(at(Set.of(B), 2_050));
        withdraw();
        pass(30);
        withdraw(B);
        pass(60);
        assertThat(said()).as("lost again meanwhile").isEqualTo(at(Set.of(B), 2_060));
    }

    /** Of a table of 20,000 routes some are written seconds after the table came. */
    @Test
    void shouldTakeBackNothingBeforeItsNewRouteIsWritten() {
        withdraw(A);
        pass(2_000);
        said();

        due.add(A);
        withdraw();
        pass(600);
        assertThat(said()).as("packets go nowhere still").isEqualTo(at(Set.of(A), 2_100));
        due.clear();
        withdraw();
        pass(50);

        assertThat(said()).isEqualTo(at(Set.of(), 2_650));
    }

    @Test
    void shouldWithdrawOnWhatLostItsRoute() {
        withdraw(A);
        pass(2_000);
        said();

        unrouted.add(A);
        withdraw();
        pass(600);
        assertThat(said()).as("a neighbour may lead here still").isEqualTo(at(Set.of(A), 2_100));
        unrouted.clear();
        due.add(A);
        withdraw();
        pass(100);
        assertThat(said()).as("its new route is not written yet").isEmpty();
        due.clear();
        withdraw();

        assertThat(said()).isEqualTo(at(Set.of(), 2_700));
    }

    @Test
    void shouldSayItToWhoeverIsNew() {
        withdraw(A);
        pass(1_500);
        said();
        cabling.set(3, new FarEnd(new SwitchPort(0x300, 1), null));

        teller.tell(3, now);
        pass(10);

        assertThat(said())
                .containsExactly(
                        new Said(1_500, 3, Set.of(A)), new Said(1_510, 2, Set.of(A)), new Said(1_510, 3, Set.of(A)));
    }

    @Test
    void shouldSayNoMoreListsThanItsPaceAndThenTheLast() {
        for (int i = 0; i < 10 * WithdrawalTeller.LISTS_AT_ONCE; i++) {
            withdraw(RouteAddress.ipv4(i + 1));
        }
        assertThat(said()).hasSize(WithdrawalTeller.LISTS_AT_ONCE);

        pass(WithdrawalTeller.LIST_NANOS / MILLI);

        assertThat(said().stream().filter(each -> each.addresses().contains(RouteAddress.ipv4(10 * 32))))
                .isNotEmpty();
    }

    @Test
    void shouldSayNoMoreThanAList() {
        Set<RouteAddress> many = new HashSet<>();
        for (int i = 0; i < 2 * WithdrawalCodec.ADDRESSES_MAX; i++) {
            many.add(RouteAddress.ipv4(i + 1));
        }

        teller.withdraw(many, this::routeState, now);
        teller.tick(now);

        assertThat(said()).hasSize(WithdrawalCodec.FRAMES_MAX);
    }
}
