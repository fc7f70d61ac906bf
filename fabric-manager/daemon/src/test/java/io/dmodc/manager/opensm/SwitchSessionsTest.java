package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.subnet.DiscoveredSubnet;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.ibnet.IbnetReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is said in place of agents. */
class SwitchSessionsTest {
    private static final LinkRate EDR = new LinkRate(4, LinkRate.Speed.EDR);
    private static final LinkRate ONE_LANE = new LinkRate(1, LinkRate.Speed.EDR);

    private final SwitchSessions sessions = new SwitchSessions(1);

    private List<PortsReported> found(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        DiscoveredSubnet look = new DiscoveredSubnet(IbnetReader.read("looked", new ByteArrayInputStream(bytes)), 0, 0);
        List<FabricEvent> events = sessions.found(new Discovery(look, 0), 0);
        return events.stream()
                .filter(PortsReported.class::isInstance)
                .map(PortsReported.class::cast)
                .toList();
    }

    @Test
    void shouldTellTheRatesOfLinksAndWhenTheyChange() throws IOException {
        String whole = new DrawnSubnet("2;2,2;1,2;1,1").text();
        List<PortsReported> greeted = found(whole);
        assertThat(greeted).hasSize(4).allSatisfy(report -> {
            assertThat(report.complete()).isTrue();
            assertThat(report.ports())
                    .allSatisfy(port -> assertThat(report.rates()).containsEntry(port.port(), EDR));
        });
        assertThat(found(whole)).isEmpty();
        int line = whole.indexOf("\n[3]\t\"S-") + 1;
        int rate = whole.indexOf("4xEDR", line);

        List<PortsReported> changed = found(whole.substring(0, rate) + "1" + whole.substring(rate + 1));

        assertThat(changed).hasSize(1);
        assertThat(changed.get(0).complete()).isFalse();
        assertThat(changed.get(0).ports()).extracting(PortSeen::port).containsExactly(3);
        assertThat(changed.get(0).rates()).containsEntry(3, ONE_LANE).containsEntry(1, EDR);
        List<FabricEvent> asked = sessions.asked(changed.get(0).session(), List.of(3), 0);
        assertThat(((PortsReported) asked.get(0)).rates()).isEqualTo(Map.of(1, EDR, 2, EDR, 3, ONE_LANE, 4, EDR));
    }
}
