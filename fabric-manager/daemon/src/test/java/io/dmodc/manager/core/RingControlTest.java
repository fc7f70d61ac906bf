package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.Member;
import io.dmodc.manager.core.FabricEvent.RevokeAsked;
import io.dmodc.manager.core.FabricEvent.RevokeHeard;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.RingReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the manager tells the ring, and what it makes of what the ring tells about managers. */
class RingControlTest {
    private static final long MANAGER = 0xff;

    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");

    @BeforeEach
    void takePlace() {
        fabric.state.takeRingPlace(new Member(MANAGER, 5, new RingAddress("", 7471)));
    }

    private List<Effect> revokes() {
        return fabric.log.stream().filter(Effect.Revoke.class::isInstance).toList();
    }

    @Test
    void shouldRevokeTheTablesOfEarlierLeadersOnceThereIsARing() {
        fabric.start();

        assertThat(revokes()).containsExactly(new Effect.Revoke(1, 0));
        int membership = indexOf(Effect.SendMembership.class);
        assertThat(indexOf(Effect.Revoke.class))
                .as("told to a ring that knows it")
                .isGreaterThan(membership);

        fabric.leave(fabric.guid("leaf0"));
        fabric.calm();
        fabric.join(fabric.guid("leaf0"));
        fabric.calm();
        assertThat(revokes()).as("later rings hear it from each other").hasSize(1);
    }

    private int indexOf(Class<? extends Effect> kind) {
        for (int i = 0; i < fabric.log.size(); i++) {
            if (kind.isInstance(fabric.log.get(i))) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void shouldGiveARestartedAgentTheRingThereIs() {
        fabric.start();
        long leaf = fabric.guid("leaf0");
        Effect.Membership ring = fabric.state.membership();

        fabric.leave(leaf);
        fabric.work();
        long session = fabric.join(leaf);
        fabric.calm();

        assertThat(fabric.log).contains(new Effect.SendMembership(List.of(session), ring));
        assertThat(fabric.state.membership()).isSameAs(ring);
    }

    @Test
    void shouldDrawANewRingForAnAgentThatMoved() {
        fabric.start();
        long leaf = fabric.guid("leaf0");
        long epoch = fabric.state.membership().epoch();

        fabric.leave(leaf);
        fabric.ringAddresses.remove(leaf);
        fabric.join(leaf);
        fabric.calm();

        assertThat(fabric.state.membership().epoch()).isEqualTo(epoch + 1);
    }

    @Test
    void shouldTakeANewAgentInThoughOthersComeAndGoWithoutEnd() {
        fabric.start();
        long leaf = fabric.guid("leaf0");
        long spine = fabric.guid("l2s0");
        fabric.leave(spine);
        fabric.pass(60_000 * MILLI);
        assertThat(fabric.state.membership().members()).extracting(Member::guid).doesNotContain(spine);

        fabric.join(spine);
        long joined = fabric.now;
        while (fabric.now < joined + FabricRules.RING_WAIT_MAX_NANOS) {
            fabric.leave(leaf);
            fabric.work();
            fabric.join(leaf);
            fabric.pass(400 * MILLI);
        }

        assertThat(fabric.state.membership().members()).extracting(Member::guid).contains(spine);
    }

    @Test
    void shouldRevokeNothingWithoutAPlaceInTheRing() {
        SimulatedFabric outside = new SimulatedFabric("2;2,3;1,3;1,1").start();

        outside.send(new RevokeAsked(outside.now, 0));
        outside.work();

        assertThat(outside.count(Effect.Revoke.class)).isZero();
        assertThat(outside.notes(Kind.TABLES_REVOKED))
                .singleElement()
                .satisfies(note -> assertThat(note.text()).endsWith("not revoked: no place in the ring"));
    }

    @Test
    void shouldRevokeWhatAnOperatorAsksForButNotTheNewestTables() {
        fabric.start();
        long newest = fabric.state.epoch();

        fabric.send(new RevokeAsked(fabric.now, newest));
        fabric.send(new RevokeAsked(fabric.now, newest + 1));
        fabric.work();

        assertThat(revokes()).last().isEqualTo(new Effect.Revoke(1, newest));
        assertThat(fabric.notes(Kind.TABLES_REVOKED))
                .extracting(LoggedEvent::text)
                .startsWith(
                        "tables below leader epoch 1 are revoked",
                        "tables below leader epoch 1, fabric epoch " + newest + " are revoked");
        assertThat(fabric.notes(Kind.TABLES_REVOKED))
                .last()
                .satisfies(note -> assertThat(note.text())
                        .isEqualTo("tables below epoch " + (newest + 1)
                                + " not revoked: the newest tables are of epoch " + newest));
    }

    @Test
    void shouldRaiseAnAlarmOnceWhenAnotherManagerTookOver() {
        fabric.start();

        fabric.send(new RevokeHeard(fabric.now, 1, 0));
        fabric.send(new RevokeHeard(fabric.now, 4, 0));
        fabric.send(new RevokeHeard(fabric.now, 4, 7));
        fabric.work();

        assertThat(fabric.notes(Kind.LEADER_CONFLICT)).singleElement().satisfies(note -> {
            assertThat(note.severity()).isEqualTo(Severity.ALARM);
            assertThat(note.text())
                    .contains("another manager took over with leader epoch 4, this one has 1 and steps down");
        });
    }

    @Test
    void shouldWarnOnceWhenItsOwnHeartbeatsAreNotHeard() {
        fabric.start();
        long leaf = fabric.guid("leaf0");

        for (long session = 1; session <= 3; session++) {
            fabric.send(new RingReported(fabric.now, session, true, MANAGER, 5, leaf, 1000 * MILLI, 1));
        }
        fabric.work();

        assertThat(fabric.notes(Kind.MANAGER_UNHEARD))
                .singleElement()
                .satisfies(
                        note -> assertThat(note.text())
                                .isEqualTo(
                                        "leaf0 did not hear the manager's heartbeats for 1000 ms: is the way of its datagrams open?"));
        assertThat(fabric.notes(Kind.AGENT_SILENT)).isEmpty();
    }

    @Test
    void shouldHearOfASilentAgentInItsOwnPlace() {
        fabric.start();
        long leaf = fabric.guid("leaf0");

        fabric.send(new RingReported(
                fabric.now, 0, true, leaf, fabric.incarnations.getOrDefault(leaf, 0), MANAGER, 1000 * MILLI, 0));
        fabric.mute.add(leaf);
        fabric.work();

        assertThat(fabric.notes(Kind.AGENT_SILENT))
                .singleElement()
                .satisfies(note -> assertThat(note.text())
                        .startsWith("leaf0: silent for 1000 ms, seen by its ring observer the manager;"));
    }

    @Test
    void shouldNameRingNeighboursThatShareADomainOnce() {
        List<String> lines = new ArrayList<>();
        FabricView whole = fabric.whole();
        for (int s = 0; s < whole.switchCount(); s++) {
            lines.add(Guid.format(whole.switchGuid(s)) + " power feed-a");
        }
        SwitchDomains feeds = SwitchDomains.parse("d.txt", lines);
        SimulatedFabric onOneFeed = new SimulatedFabric(fabric.metal, feeds);

        onOneFeed.start();
        onOneFeed.leave(onOneFeed.guid("leaf0"));
        onOneFeed.work();
        onOneFeed.join(onOneFeed.guid("leaf0"));
        onOneFeed.calm();

        assertThat(onOneFeed.notes(Kind.RING_SHARES_DOMAIN)).singleElement().satisfies(note -> {
            assertThat(note.severity()).isEqualTo(Severity.WARNING);
            assertThat(note.text())
                    .startsWith("ring neighbours that may fail as one: ")
                    .matches(".*one: ((leaf|l2s|l3s)\\d and (leaf|l2s|l3s)\\d in power feed-a; ){4}and 12 more pairs");
        });
        assertThat(onOneFeed.state.ringWorstRuns())
                .anySatisfy(run -> assertThat(run.length()).isEqualTo(16));
    }

    @Test
    void shouldTellNobodyOfARingThatIsDrawnAnewAndStaysTheSame() {
        fabric.start();
        long told = fabric.count(Effect.SendMembership.class);
        Effect.Membership ring = fabric.state.membership();

        fabric.send(new FabricEvent.SettingsRead(fabric.now, SimulatedFabric.RULES, "read again"));
        fabric.pass(10_000 * SimulatedFabric.MILLI);

        assertThat(fabric.count(Effect.SendMembership.class)).isEqualTo(told);
        assertThat(fabric.state.membership()).isSameAs(ring);
        assertThat(fabric.notes(LoggedEvent.Kind.RING_CHANGED)).hasSize(1);
    }

    @Test
    void shouldTellANewRingToWhoeverIsConnected() {
        fabric.start();
        long away = fabric.guid("leaf1");
        fabric.leave(away);
        fabric.work();
        long leaf = fabric.guid("leaf0");
        fabric.ringAddresses.put(leaf, new FabricEvent.RingAddress("127.0.0.1", 7));
        fabric.leave(leaf);
        fabric.join(leaf);
        int before = fabric.log.size();
        fabric.pass(1_000 * SimulatedFabric.MILLI);

        List<Long> connected = fabric.state.switches().stream()
                .map(record -> fabric.session(record.guid()))
                .filter(session -> session != 0)
                .toList();
        assertThat(connected).hasSize(15);
        assertThat(fabric.log.subList(before, fabric.log.size()))
                .contains(new Effect.SendMembership(connected, fabric.state.membership()));
        assertThat(fabric.state.membership().members())
                .extracting(Effect.Member::guid)
                .as("it may only be restarting")
                .contains(away);
    }
}
