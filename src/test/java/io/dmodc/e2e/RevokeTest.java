package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.southbound.TableVersion;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the ring revokes no agent applies, whoever sends it and whoever dies meanwhile. */
class RevokeTest {
    private static final String PGFT = "3;2,2,3;1,2,2;1,2,1";

    @TempDir
    Path directory;

    private RunningManager manager;
    private Site site;

    @BeforeEach
    void serve() throws Exception {
        manager = RunningManager.open(directory, Site.guidsOf(PGFT), Map.of());
        site = Site.of(PGFT, manager.southbound()).startAgents();
        manager.awaitAllServed(site);
        site.awaitRevoked(site.guids(), new TableVersion(manager.ask(FabricSnapshot::leaderEpoch), 0));
    }

    @AfterEach
    void stop() {
        site.close();
        manager.close();
    }

    /** The ring tells these agents of another manager's leader epoch; this manager has not heard of it yet. */
    private long tellAgents(Collection<Long> alive) {
        long leaderEpoch = manager.ask(FabricSnapshot::leaderEpoch) + 1;
        manager.ringMember().revoke(new Effect.Revoke(leaderEpoch, 0));
        site.awaitRevoked(alive, new TableVersion(leaderEpoch, 0));
        return leaderEpoch;
    }

    /** Another manager in the same ring takes over; waits until these agents and this manager know. */
    private void takeOver(Collection<Long> alive) {
        manager.hearsOfLeader(tellAgents(alive));
        manager.awaitNote(Kind.LEADER_CONFLICT);
    }

    /** The manager computes on and tells nobody. */
    private void awaitComputed(long epoch) {
        RunningManager.await("tables computed")
                .until(() -> manager.ask(state -> state.epoch() > epoch && !state.computing()));
    }

    private void cutLeafOff(long leaf) {
        site.firstBundleUp(leaf).forEach(site::cut);
    }

    @Test
    void shouldHaveThePlaceOfTheManagerInTheRingOnce() {
        List<Long> members = manager.ask(state ->
                state.membership().members().stream().map(Effect.Member::guid).toList());

        assertThat(members)
                .hasSize(site.guids().size() + 1)
                .containsOnlyOnce(manager.ringMember().member().guid())
                .containsAll(site.guids());
    }

    @Test
    void shouldLeaveTheTablesToTheManagerThatTookOver() {
        List<InstalledTable> before = site.tables();
        long epoch = manager.ask(FabricSnapshot::epoch);

        takeOver(site.guids());
        cutLeafOff(site.leaf(0));
        awaitComputed(epoch);

        assertThat(site.tables()).isEqualTo(before);
        assertThat(manager.notes(Kind.AGENT_FLAGGED)).isEmpty();
    }

    @Test
    void shouldOutbidALeaderEpochThatOnlyAgentsHaveHeardOf() {
        long told = tellAgents(site.guids());
        Cable cable = site.firstBundleUp(site.leaf(0)).get(0);

        cutLeafOff(site.leaf(0));
        manager.awaitCalm("cut cable down", state -> !state.isLive(cable.guid(), cable.port()));

        manager.awaitAllServed(site);
        manager.awaitValid(site);
        assertThat(manager.ask(FabricSnapshot::leaderEpoch))
                .as("in the next term")
                .isEqualTo(told - 1 + LeaderEpochs.NUMBERS);
        assertThat(manager.notes(Kind.AGENT_FLAGGED)).isEmpty();
    }

    @Test
    void shouldReachTheAgentsThatLiveWhileOthersDie() {
        List<Long> dying = List.of(site.leaf(4), site.spine(0), site.spine(2));
        List<InstalledTable> before = site.tables();
        long epoch = manager.ask(FabricSnapshot::epoch);

        dying.forEach(site::hangAgent);
        takeOver(site.guids().stream().filter(guid -> !dying.contains(guid)).toList());
        cutLeafOff(site.leaf(0));
        awaitComputed(epoch);

        assertThat(site.tables()).isEqualTo(before);
    }

    @Test
    void shouldServeOnAfterItRevokedItsOwnOlderTables() {
        Cable cable = site.firstBundleUp(site.leaf(0)).get(0);
        long epoch = manager.ask(FabricSnapshot::epoch);

        manager.revokeBelow(epoch);
        site.awaitRevoked(site.guids(), new TableVersion(manager.ask(FabricSnapshot::leaderEpoch), epoch));
        cutLeafOff(site.leaf(0));
        manager.awaitCalm("cut cable down", state -> !state.isLive(cable.guid(), cable.port()));

        manager.awaitAllServed(site);
        manager.awaitValid(site);
    }
}
