package io.dmodc.routing.opensm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.check.Fabrics;
import io.dmodc.topology.FabricView;
import org.junit.jupiter.api.Test;

class LidsTest {
    private final FabricView view = Fabrics.pgft("2;2,3;1,2;1,1");

    @Test
    void shouldDealSwitchesFirstFrom1() {
        Lids lids = Lids.sequential(view);

        for (int s = 0; s < 5; s++) {
            assertThat(lids.ofSwitch(s)).isEqualTo(1 + s);
            assertThat(lids.switchAt(1 + s)).isEqualTo(s);
            assertThat(lids.nodeAt(1 + s)).isEqualTo(-1);
        }
        for (int node = 0; node < 6; node++) {
            assertThat(lids.ofNode(node)).isEqualTo(6 + node);
            assertThat(lids.nodeAt(6 + node)).isEqualTo(node);
            assertThat(lids.switchAt(6 + node)).isEqualTo(-1);
        }
        assertThat(lids.max()).isEqualTo(11);
    }

    @Test
    void shouldKeepKnownLidsAndDealAroundThem() {
        Lids lids =
                Lids.of(view, guid -> guid == view.nodeGuid(0) ? 2 : guid == view.switchGuid(4) ? 900 : 0, guid -> 0);

        assertThat(lids.ofNode(0)).isEqualTo(2);
        assertThat(lids.ofSwitch(4)).isEqualTo(900);
        assertThat(lids.ofSwitch(0)).isEqualTo(1);
        assertThat(lids.ofSwitch(1)).isEqualTo(3);
        assertThat(lids.ofNode(1)).isEqualTo(6);
        assertThat(lids.max()).isEqualTo(900);
    }

    @Test
    void shouldAnswerForLidsNobodyHolds() {
        Lids lids = Lids.sequential(view);

        for (int lid : new int[] {-1, 0, 12, Lids.LID_MAX, Lids.LID_MAX + 1}) {
            assertThat(lids.switchAt(lid)).isEqualTo(-1);
            assertThat(lids.nodeAt(lid)).isEqualTo(-1);
        }
    }

    @Test
    void shouldDealNoLidInsideTheRangeOfAnother() {
        Lids lids = Lids.of(view, guid -> guid == view.nodeGuid(2) ? 8 : 0, guid -> guid == view.nodeGuid(2) ? 2 : 0);

        assertThat(lids.ofSwitch(4)).isEqualTo(5);
        assertThat(lids.ofNode(2)).isEqualTo(8);
        assertThat(lids.nodeAt(11)).isEqualTo(2);
        assertThat(lids.offsetAtNode(2, 11)).isEqualTo(3);
        assertThat(lids.ofNode(0))
                .as("a range of its own, as the LMC is the subnet's")
                .isEqualTo(12);
        assertThat(lids.ofNode(1)).isEqualTo(16);
        assertThat(lids.max()).isEqualTo(31);
        for (int node = 0; node < 6; node++) {
            for (int k = 0; k < 4; k++) {
                assertThat(lids.nodeAt(lids.ofNode(node) + k)).isEqualTo(node);
            }
        }
    }

    @Test
    void shouldNameARangeThatIsNone() {
        assertThatThrownBy(() -> Lids.of(view, guid -> 9, guid -> 1))
                .hasMessage("0x02f0000000000000: LID 9 with LMC 1; expected LMC 0..7 and a multiple of 2^LMC");
        assertThatThrownBy(() -> Lids.of(
                        view,
                        guid -> guid == view.nodeGuid(0) ? 8 : guid == view.nodeGuid(1) ? 9 : 0,
                        guid -> guid == view.nodeGuid(0) ? 1 : 0))
                .hasMessage("LID 9 of 0x02c0000000000003 is also that of 0x02c0000000000001; expected each LID once");
    }

    @Test
    void shouldNameTwoHoldersOfOneLid() {
        assertThatThrownBy(() -> Lids.of(view, guid -> 7, guid -> 0))
                .hasMessage("LID 7 of 0x02f0000000000001 is also that of 0x02f0000000000000; expected each LID once");
    }

    @Test
    void shouldNameALidOutOfRange() {
        assertThatThrownBy(() -> Lids.of(view, guid -> 49152, guid -> 0))
                .hasMessage("0x02f0000000000000: LID 49152; expected 1..49151, or 0 for none");
    }

    @Test
    void shouldSayWhenLidsRunOut() {
        FabricView big = Fabrics.pgft("2;200,250;1,20;1,1");

        assertThatThrownBy(() -> Lids.sequential(big))
                .hasMessage("270 switches and 50000 nodes need more unicast LIDs than there are;"
                        + " expected at most 49151 together");
    }
}
