package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.Member;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.OwnIncarnationRaised;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is in the ring, and how it is numbered. */
class RingMembersTest {
    private static final long MANAGER = 0xff;

    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1");
    private final long spine = fabric.guid("l2s0");

    /** Higher than all rings of the managers before it, whatever they numbered theirs. */
    @Test
    void shouldNumberRingsByTheLeaderEpoch() {
        fabric.start();
        assertThat(fabric.state.membership().epoch()).isEqualTo((1L << 32) + 1);

        SimulatedFabric next = fabric.restarted().start();

        assertThat(next.state.membership().epoch()).isEqualTo((2L << 32) + 1);
        assertThat(next.state.ringViolations()).isEmpty();
    }

    @Test
    void shouldSayTheIncarnationThatTheManagerHadToRaise() {
        fabric.state.takeRingPlace(new Member(MANAGER, 5, new RingAddress("", 7471)));
        fabric.start();

        fabric.send(new OwnIncarnationRaised(fabric.now, 8));
        fabric.leave(spine);
        fabric.pass(20_000 * MILLI);

        assertThat(fabric.state.membership().members())
                .filteredOn(member -> member.guid() == MANAGER)
                .extracting(Member::incarnation)
                .containsExactly(8);
        assertThat(fabric.state.nameOf(MANAGER)).isEqualTo("the manager");
    }

    /** One that is gone may only be restarting, for ten seconds; nobody waits for one that was forgotten. */
    @Test
    void shouldLeaveOutAForgottenSwitchSoon() {
        fabric.start();
        fabric.leave(spine);
        fabric.setLinks(spine, false, true);
        fabric.work();
        fabric.send(new ActAsked(fabric.now, Act.forget(List.of(new SwitchGuid(spine))), 0, "ada", ""));
        fabric.pass(1_000 * MILLI);

        assertThat(fabric.state.membership().members())
                .hasSize(5)
                .extracting(Member::guid)
                .doesNotContain(spine);
    }

    @Test
    void shouldTellHowManyAreInTheRing() {
        fabric.start();
        assertThat(fabric.notes(LoggedEvent.Kind.RING_CHANGED))
                .extracting(LoggedEvent::text)
                .containsExactly("ring of 6 agents");

        SimulatedFabric next = fabric.restarted();
        next.state.takeRingPlace(new Member(MANAGER, 1, new RingAddress("", 7471)));
        next.start();
        assertThat(next.notes(LoggedEvent.Kind.RING_CHANGED))
                .extracting(LoggedEvent::text)
                .containsExactly("ring of 6 agents and the manager");
    }

    /** As when the management network is down for longer than an agent takes to restart. */
    @Test
    void shouldTellNobodyOfARingThatNobodyIsLeftIn() {
        fabric.state.takeRingPlace(new Member(MANAGER, 1, new RingAddress("", 7471)));
        fabric.start();
        List<Long> all = List.copyOf(fabric.ringAddresses.keySet());
        int before = fabric.log.size();

        all.forEach(fabric::leave);
        fabric.pass(60_000 * MILLI);

        assertThat(fabric.log.subList(before, fabric.log.size())).noneMatch(Effect.SendMembership.class::isInstance);
        assertThat(fabric.state.membership().members()).isEmpty();
        assertThat(fabric.notes(LoggedEvent.Kind.RING_CHANGED))
                .last()
                .extracting(LoggedEvent::text)
                .isEqualTo("no agent is left in the ring");

        all.forEach(fabric::join);
        fabric.pass(1_000 * MILLI);

        assertThat(fabric.state.membership().members()).hasSize(7);
        assertThat(fabric.notes(LoggedEvent.Kind.RING_CHANGED))
                .last()
                .extracting(LoggedEvent::text)
                .isEqualTo("ring of 6 agents and the manager");
    }

    /**
     * An agent comes back at another port each 400 ms for 1,200 s; each minute another agent is new. That one has its
     * place within 5 s, and no more rings are drawn than one each 5 s.
     */
    @Test
    void shouldDrawTheRingInTimeWhileAnAgentComesBackAgainAndAgain() {
        fabric.start();
        long restless = fabric.guid("leaf0");
        long newcomer = fabric.guid("leaf1");
        long begin = fabric.now;
        long rings = fabric.state.membership().epoch();
        long joined = -1;
        long slowest = 0;
        int placed = 0;
        for (int tick = 1; tick <= 3000; tick++) {
            fabric.leave(restless);
            fabric.ringAddresses.put(restless, new RingAddress("127.0.0.1", 20_000 + tick));
            fabric.join(restless);
            if (tick % 150 == 40) {
                fabric.leave(newcomer);
            } else if (tick % 150 == 100) {
                assertThat(hasPlace(newcomer)).as("away for 24 s").isFalse();
                fabric.join(newcomer);
                joined = fabric.now;
            }
            fabric.pass(400 * MILLI);
            if (joined >= 0 && hasPlace(newcomer)) {
                slowest = Math.max(slowest, fabric.now - joined);
                joined = -1;
                placed++;
            }
        }

        assertThat(fabric.now - begin).isEqualTo(1_200_000 * MILLI);
        assertThat(placed).isEqualTo(20);
        assertThat(slowest).isLessThanOrEqualTo(FabricRules.RING_WAIT_MAX_NANOS + 400 * MILLI);
        assertThat(fabric.state.membership().epoch() - rings).isBetween(200L, 1_200L / 5 + 20);
        System.out.println("slowest place after " + slowest / MILLI + " ms, rings drawn "
                + (fabric.state.membership().epoch() - rings));
    }

    /** The ring tells a higher incarnation itself; who restarts is told where its place is, and nobody else anything. */
    @Test
    void shouldTellNobodyElseOfARestart() {
        fabric.start();
        long epoch = fabric.state.membership().epoch();
        int before = fabric.log.size();

        fabric.leave(spine);
        fabric.pass(3_000 * MILLI);
        fabric.join(spine);
        fabric.pass(60_000 * MILLI);

        assertThat(fabric.state.membership().epoch()).isEqualTo(epoch);
        assertThat(fabric.log.subList(before, fabric.log.size()).stream()
                        .filter(Effect.SendMembership.class::isInstance)
                        .map(Effect.SendMembership.class::cast))
                .extracting(Effect.SendMembership::sessions)
                .containsExactly(List.of(fabric.session(spine)));
    }

    private boolean hasPlace(long guid) {
        return fabric.state.membership().members().stream().anyMatch(member -> member.guid() == guid);
    }
}
