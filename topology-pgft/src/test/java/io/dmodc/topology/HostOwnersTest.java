package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchHeard;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.SwitchClaims.PortClaim;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several ports name one host: leaves 1, 2 and 3 with four ports each. */
class HostOwnersTest {
    private static final ToHost HOST = new ToHost(new Host(100, 100, 1, "node"));

    private final FabricViewBuilder fabric = new FabricViewBuilder();

    HostOwnersTest() {
        for (long guid = 1; guid <= 3; guid++) {
            fabric.apply(new SwitchSeen(guid, "leaf" + guid, 4));
        }
    }

    private void says(long guid, boolean up) {
        fabric.apply(new PortSeen(guid, 1, up, HOST));
    }

    /** Up, and taken as down for a while. */
    private boolean holds(long guid) {
        return fabric.apply(new PortSeen(guid, 1, false, HOST, true));
    }

    private FabricView view() {
        return fabric.build(1, new NodeIndexMap(), new GuidNumbers());
    }

    /** GUID of the leaf that has the host, 0 for none. */
    private long owner() {
        FabricView view = view();
        return view.nodeCount() == 0 || view.nodeSwitch(0) < 0 ? 0 : view.switchGuid(view.nodeSwitch(0));
    }

    @Test
    void shouldLetTheUpClaimWinWhicheverComesLast() {
        says(1, true);
        says(1, false);
        says(2, true);

        assertThat(owner()).isEqualTo(2);
        says(1, false);
        assertThat(owner()).isEqualTo(2);
        assertThat(fabric.neighbour(1, 1)).isNull();
        assertThat(fabric.claim(1, 1)).isEqualTo(HOST);
    }

    @Test
    void shouldGiveTheHostBackToAPortThatNeverSaidAnythingElse() {
        says(1, true);
        view();
        says(1, false);
        says(2, true);
        view();
        fabric.apply(new PortSeen(2, 1, true, null));

        assertThat(owner()).isEqualTo(1);
        assertThat(fabric.saysUp(1, 1)).isFalse();
    }

    @Test
    void shouldLeaveTheHostWithThePortThatHadItWhileTwoSayUp() {
        says(2, true);
        view();
        says(1, true);

        assertThat(owner()).isEqualTo(2);
        says(2, false);
        assertThat(owner()).isEqualTo(1);
        says(2, true);
        assertThat(owner()).isEqualTo(1);
    }

    @Test
    void shouldGiveTheHostToNoneOfTwoThatNobodySawWorkAlone() {
        says(2, true);
        says(1, true);

        assertThat(owner()).isZero();
        says(2, false);
        assertThat(owner()).isEqualTo(1);
    }

    @Test
    void shouldKeepAHostThatIsOffWhereItWasUpLast() {
        says(1, true);
        view();
        says(1, false);
        says(2, true);
        view();
        says(2, false);
        says(3, false);

        assertThat(owner()).isEqualTo(2);
    }

    @Test
    void shouldBelieveASwitchThatIsHeardMoreThanOneThatIsNot() {
        says(1, true);
        view();
        fabric.apply(new SwitchHeard(1, false));
        says(2, true);

        assertThat(owner()).isEqualTo(2);
        boolean moves = fabric.apply(new SwitchHeard(1, true));
        assertThat(moves).isFalse();
        assertThat(owner()).isEqualTo(2);
        assertThat(fabric.claimants(100)).containsExactly(new PortPlace(1, 1), new PortPlace(2, 1));
    }

    @Test
    void shouldMoveAHostToAPortThatIsHeldWhenItIsUpNowhereElse() {
        says(1, true);
        view();
        says(1, false);

        assertThat(holds(2)).isTrue();
        assertThat(owner()).isEqualTo(2);
        assertThat(fabric.saysUp(2, 1)).isFalse();
        says(1, true);
        assertThat(owner()).isEqualTo(1);
    }

    @Test
    void shouldNotMoveAHostBecauseItsOwnPortFlaps() {
        says(1, true);
        view();
        says(1, false);
        holds(2);
        view();

        for (int flap = 0; flap < 3; flap++) {
            assertThat(fabric.apply(new PortSeen(2, 1, false, HOST))).isFalse();
            assertThat(owner()).isEqualTo(2);
            assertThat(holds(2)).isFalse();
            assertThat(owner()).isEqualTo(2);
        }
    }

    @Test
    void shouldLeaveAHostWhereItIsUpWhateverIsHeldElsewhere() {
        says(1, true);
        view();
        holds(2);

        assertThat(owner()).isEqualTo(1);
    }

    @Test
    void shouldNotBelieveAHeldPortOfASwitchThatIsNotHeard() {
        says(1, true);
        view();
        says(1, false);
        holds(2);
        fabric.apply(new SwitchHeard(2, false));

        assertThat(owner()).isEqualTo(1);
    }

    /** Two that both flap and both name the host: some moves, then one of them has to stay up. */
    @Test
    void shouldFollowTwoFlappingPortsABoundedNumberOfTimes() {
        says(1, true);
        long at = owner();
        says(1, false);
        int moves = 0;
        for (int flap = 0; flap < 20; flap++) {
            long port = flap % 2 == 0 ? 2 : 1;
            holds(port);
            moves += owner() == at ? 0 : 1;
            at = owner();
            says(port, false);
        }

        assertThat(moves).isEqualTo(HostOwners.HELD_MOVES_MAX);
        says(2, true);
        assertThat(owner()).isEqualTo(2);
        says(2, false);
        holds(1);
        assertThat(owner()).isEqualTo(1);
    }

    @Test
    void shouldRefuseAPortThatIsUpAndHeld() {
        assertThatThrownBy(() -> new PortSeen(1, 1, true, HOST, true)).hasMessageContaining("port 1 is taken as up");
    }

    @Test
    void shouldTellWhoseClaimsChanged() {
        says(1, true);
        says(1, false);
        view();
        fabric.takeChanged();

        says(1, false);
        assertThat(fabric.takeChanged()).isEmpty();
        says(2, true);
        assertThat(fabric.takeChanged()).containsExactly(2L);
        view();
        assertThat(fabric.takeChanged()).containsExactly(2L);
        assertThat(fabric.claims(2).ports()).containsExactly(new PortClaim(1, true, HOST, true));
        assertThat(fabric.claims(1).ports()).containsExactly(new PortClaim(1, false, HOST, false));
    }

    @Test
    void shouldRefuseARecordWithAPortTheSwitchHasNot() {
        SwitchClaims wrong = new SwitchClaims(1, "leaf1", 4, List.of(new PortClaim(5, true, null, false)));

        assertThatThrownBy(() -> fabric.restore(wrong)).hasMessageContaining("port 5 outside 1..4");
    }
}
