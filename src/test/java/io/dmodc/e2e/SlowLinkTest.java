package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.PortState;
import io.dmodc.manager.core.Alarm.Kind;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.topology.LinkRate;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manager and agents over TCP, and a link that trained to less than the others. */
class SlowLinkTest {
    /** Each leaf has two cables to each spine. */
    private static final String PGFT = "2;2,4;1,2;1,2";

    private static final LinkRate FAST = new LinkRate(4, LinkRate.Speed.EDR);
    private static final LinkRate SLOW = new LinkRate(1, LinkRate.Speed.EDR);

    @TempDir
    Path directory;

    private static void trainAll(Site site) {
        for (long guid : site.guids()) {
            MemoryPlane plane = site.plane(guid).memory();
            for (int port = 1; port <= plane.portCount(); port++) {
                train(plane, port, FAST);
            }
        }
    }

    private static void train(MemoryPlane plane, int port, LinkRate rate) {
        PortState now = plane.portState(port);
        plane.set(new PortState(port, now.up(), now.neighbour(), rate));
        plane.tell(port);
    }

    private static boolean uses(Site site, long guid, int port) {
        for (byte entry : site.plane(guid).installed().entries()) {
            if (Byte.toUnsignedInt(entry) == port) {
                return true;
            }
        }
        return false;
    }

    private static boolean isNamed(FabricSnapshot state) {
        return state.alarms().stream()
                .anyMatch(alarm -> alarm.kind() == Kind.LINK_SLOW
                        && alarm.text().endsWith("is slow: 1xEDR, most between rank 0 and 1 have 4xEDR"));
    }

    @Test
    void shouldNameASlowLinkAndLeadAroundItOnlyIfToldToAlsoOverARestart() throws Exception {
        Map<String, String> avoid = Map.of("routing.slow-links", "avoid");
        RunningManager ignoring = RunningManager.open(directory, Site.guidsOf(PGFT), Map.of());
        try (Site site = Site.of(PGFT, ignoring.southbound())) {
            trainAll(site);
            Cable cable = site.firstBundleUp(site.leaf(0)).get(0);
            train(site.plane(cable.guid()).memory(), cable.port(), SLOW);
            site.startAgents();
            ignoring.awaitAllServed(site);
            ignoring.awaitCalm("alarm", SlowLinkTest::isNamed);
            assertThat(uses(site, cable.guid(), cable.port())).isTrue();
            ignoring.close();
            Map<String, String> again = Map.of(
                    "southbound.listen", "127.0.0.1:" + ignoring.southbound().getPort());

            Map<String, String> settings = new HashMap<>(again);
            settings.putAll(avoid);
            try (RunningManager avoiding = RunningManager.open(directory, Site.guidsOf(PGFT), settings)) {
                avoiding.awaitAllServed(site);
                avoiding.awaitCalm("alarm", SlowLinkTest::isNamed);
                assertThat(uses(site, cable.guid(), cable.port())).isFalse();
                avoiding.awaitValid(site);
            }
            try (RunningManager restarted = RunningManager.open(directory, Site.guidsOf(PGFT), settings)) {
                restarted.awaitAllServed(site);
                assertThat(restarted.blocksPushed()).as("nothing changed").isZero();
                assertThat(uses(site, cable.guid(), cable.port())).isFalse();

                train(site.plane(cable.guid()).memory(), cable.port(), FAST);

                restarted.awaitCalm("no alarm", state -> !isNamed(state));
                restarted.awaitAllServed(site);
                assertThat(uses(site, cable.guid(), cable.port())).isTrue();
            }
        } finally {
            ignoring.close();
        }
    }
}
