package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.Member;
import io.dmodc.manager.core.FabricEvent.ForgetAsked;
import io.dmodc.manager.core.FabricEvent.OwnIncarnationRaised;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.SwitchGuid;
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
        fabric.send(new ForgetAsked(fabric.now, new SwitchGuid(spine)));
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
}
