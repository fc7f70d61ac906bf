package io.dmodc.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricRules;
import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.NodeIndexMap;
import org.junit.jupiter.api.Test;

/** Bounds that two parts must agree on though neither knows the other. */
class SharedBoundsTest {
    @Test
    void shouldDealNoNodeIndexThatNoTableTakes() {
        assertThat(NodeIndexMap.TABLE_INDEX_MAX + 1).isEqualTo(SouthboundProtocol.MAX_ENTRIES);
    }

    @Test
    void shouldOutbidNoFurtherThanAgentsFollow() {
        assertThat(FabricRules.LEADER_JUMP_MAX).isEqualTo(SouthboundProtocol.LEADER_STEP_MAX);
        assertThat(LeaderEpochs.MAX).isEqualTo(SouthboundProtocol.MAX_LEADER_EPOCH);
        assertThat(FabricRules.LEADER_JUMP_MAX / LeaderEpochs.NUMBERS).isEqualTo(4096);
    }

    @Test
    void shouldDrawNoRingThatNoAgentTakes() {
        assertThat(FabricRules.RING_MEMBERS_MAX).isEqualTo(SouthboundProtocol.MAX_MEMBERS);
    }

    @Test
    void shouldSayWhatAddressesAreInOneWay() {
        assertThat(HostAddresses.LID_MAX).isEqualTo(SouthboundProtocol.MAX_LID);
        assertThat(HostAddresses.IPV4_BYTES).isEqualTo(SouthboundProtocol.IPV4_BYTES);
        assertThat(HostAddresses.IPV6_BYTES).isEqualTo(SouthboundProtocol.IPV6_BYTES);
        assertThat(HostAddresses.MAC_BYTES).isEqualTo(SouthboundProtocol.MAC_BYTES);
    }
}
