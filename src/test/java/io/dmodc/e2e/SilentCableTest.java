package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.HelloConfig;
import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.detector.link.LinkRules;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hellos over the cables find what no port tells of, and a dead agent is still not a dead link. */
class SilentCableTest {
    private static final String PGFT = "3;2,2,3;1,2,2;1,2,1";
    private static final HelloConfig HELLO = new HelloConfig(1, LinkRules.of(50_000_000L, 10));

    @TempDir
    Path directory;

    private RunningManager manager;
    private Site site;
    private int links;

    @BeforeEach
    void serve() throws Exception {
        Map<String, String> quickRing = Map.of("detector.heartbeat", "100ms", "detector.suspicion", "1s");
        manager = RunningManager.open(directory, Site.guidsOf(PGFT), quickRing);
        site = Site.of(PGFT, manager.southbound()).withHello(HELLO).startAgents();
        links = site.design().linkCount();
        awaitWhole();
    }

    private void awaitWhole() {
        manager.awaitCalm(
                "all links", state -> state.view() != null && state.view().linkCount() == links);
        manager.awaitAllServed(site);
    }

    @AfterEach
    void stop() {
        site.close();
        manager.close();
    }

    private byte[][] rows() {
        return site.tables().stream().map(InstalledTable::entries).toArray(byte[][]::new);
    }

    private static boolean live(FabricSnapshot state, Cable cable) {
        return state.isLive(cable.guid(), cable.port());
    }

    @Test
    void shouldRerouteAroundACableThatCarriesNothingAndBackWhenItDoes() {
        byte[][] first = rows();
        List<Cable> bundle = site.firstBundleUp(site.leaf(0));

        bundle.forEach(site::mute);
        manager.awaitCalm("silent", state -> bundle.stream().noneMatch(cable -> live(state, cable)));
        manager.awaitValid(site);
        assertThat(Arrays.deepEquals(rows(), first)).isFalse();
        bundle.forEach(site::unmute);
        awaitWhole();

        assertThat(rows()).isDeepEqualTo(first);
        assertThat(manager.notes(Kind.LINK_DOWN)).hasSize(bundle.size());
    }

    @Test
    void shouldTakeACableThatCarriesOneWayOnlyForDead() {
        Cable cable = site.firstBundleUp(site.leaf(1)).get(0);

        site.mute(cable.guid(), cable.port());
        manager.awaitCalm("one way", state -> !live(state, cable));

        manager.awaitValid(site);
        assertThat(manager.ask(FabricSnapshot::linkFlaps)).isEqualTo(1);
    }

    @Test
    void shouldChangeNoTableWhenAnAgentHangsAndAllNeighboursMissItsHellos() {
        long hung = site.spine(1);
        List<InstalledTable> first = site.tables();

        site.hangAgent(hung);
        manager.awaitCalm(
                "headless and unheard",
                state -> RunningManager.condition(state, hung) == Condition.HEADLESS && unheardFrom(state, hung));

        assertThat(site.tables()).isEqualTo(first);
        assertThat(manager.notes(Kind.LINK_DOWN)).isEmpty();
        site.restartAgent(hung);
        awaitWhole();
        assertThat(manager.notes(Kind.LINK_DOWN))
                .as("a restart is no flap either")
                .isEmpty();
    }

    private boolean unheardFrom(FabricSnapshot state, long hung) {
        return site.linksOf(hung).stream().allMatch(end -> state.unheard(end.guid(), end.port()));
    }
}
