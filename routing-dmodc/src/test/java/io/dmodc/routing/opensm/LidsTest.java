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
        Lids lids = Lids.of(view, guid -> guid == view.nodeGuid(0) ? 2 : guid == view.switchGuid(4) ? 900 : 0);

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
    void shouldNameTwoHoldersOfOneLid() {
        assertThatThrownBy(() -> Lids.of(view, guid -> 7))
                .hasMessage("LID 7 of 0x02f0000000000001 is also that of 0x02f0000000000000; expected each LID once");
    }

    @Test
    void shouldNameALidOutOfRange() {
        assertThatThrownBy(() -> Lids.of(view, guid -> 49152))
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
