package io.dmodc.manager.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.detector.Membership;
import io.dmodc.detector.RingRules;
import io.dmodc.detector.net.RingEndpoint;
import io.dmodc.detector.net.RingKey;
import io.dmodc.detector.net.RingLoop;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.NodeTypes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A real loop with its place in the ring, and agents that are nothing but places in the ring: nobody has a session. */
class ManagerRingMemberTest {
    private static final long MANAGER = 0xff4d_4752_0000_0000L;
    private static final int AGENTS = 5;
    private static final RingRules RULES =
            RingRules.standard(TimeUnit.MILLISECONDS.toNanos(50), TimeUnit.MILLISECONDS.toNanos(1000), AGENTS + 1);

    private final RingLoop ringLoop = RingLoop.start("agents");
    private final RingKey key = RingKey.random();
    private final Map<Long, RingEndpoint> agents = new TreeMap<>();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<LoggedEvent> notes = new CopyOnWriteArrayList<>();
    private final FabricState state = new FabricState(
            ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE),
            System.nanoTime(),
            0,
            StoredState.of(List.of(new LeaderEpoch(1))),
            Set.of());
    private final FabricLoop loop = new FabricLoop(state, this::perform, System::nanoTime);
    private ManagerRingMember ringMember;

    @BeforeEach
    void drawTheRing() throws IOException {
        ringMember = ManagerRingMember.open(loopback(), MANAGER, 7, key);
        ringMember.connect(loop);
        state.takeRingPlace(ringMember.member());
        loop.start();
        for (long guid = 1; guid <= AGENTS; guid++) {
            RingEndpoint agent = RingEndpoint.bind(ringLoop, loopback(), guid, 1, key, new Ear(guid));
            agents.put(guid, agent);
            RingAddress address =
                    new RingAddress("127.0.0.1", agent.localAddress().getPort());
            loop.offer(
                    new AgentJoined(loop.nowNanos(), guid, guid, "s" + guid, 4, 1, new HeldTable(0, 0, 0, 0), address));
        }
        Awaitility.await("a first revoke, heard by all agents")
                .atMost(Duration.ofSeconds(60))
                .until(() -> heard.size() >= AGENTS);
    }

    @AfterEach
    void stop() {
        loop.close();
        ringMember.close();
        agents.values().forEach(RingEndpoint::close);
        ringLoop.close();
    }

    private RingEndpoint agent(long guid) {
        return Objects.requireNonNull(agents.get(guid));
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private record Told(long guid) {}

    /** What an agent hears that concerns tables. */
    private final class Ear implements RingEndpoint.Listener {
        private final Told by;

        Ear(long guid) {
            by = new Told(guid);
        }

        @Override
        public void onSilent(long subjectGuid, int incarnation, long observerGuid, long silenceNanos, int hops) {}

        @Override
        public void onAlive(long subjectGuid, int incarnation, int hops) {}

        @Override
        public void onOwnIncarnation(int incarnation) {}

        @Override
        public void onRevoked(long leaderEpoch, long fabricEpoch, int hops) {
            heard.add(by.guid() + ": " + leaderEpoch + "/" + fabricEpoch);
        }

        @Override
        public void onDeaf(boolean deaf) {}

        @Override
        public void onForeignSource(long guid, InetSocketAddress expected, InetSocketAddress actual) {}
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.SendMembership send) {
            ringMember.join(send.membership(), 1, RULES);
            agents.forEach((guid, agent) -> install(send.membership(), guid, agent));
        } else if (effect instanceof Effect.Revoke revoke) {
            ringMember.revoke(revoke);
        } else if (effect instanceof Effect.Tell tell) {
            notes.add(tell.note());
        }
    }

    private static void install(Effect.Membership membership, long guid, RingEndpoint agent) {
        List<Effect.Member> members = membership.members();
        Membership slots = new Membership(
                membership.epoch(),
                1,
                members.stream().mapToLong(Effect.Member::guid).toArray(),
                members.stream().mapToInt(Effect.Member::incarnation).toArray());
        List<InetSocketAddress> addresses = members.stream()
                .map(member -> new InetSocketAddress(
                        member.address().host(), member.address().port()))
                .toList();
        if (slots.slotOf(guid) >= 0) {
            agent.install(slots, slots.slotOf(guid), addresses, RULES);
        }
    }

    @Test
    void shouldRevokeOlderLeadersAndTellAllAgentsWithoutASession() {
        assertThat(heard).containsExactlyInAnyOrder("1: 1/0", "2: 1/0", "3: 1/0", "4: 1/0", "5: 1/0");
    }

    @Test
    void shouldHearOfADeathWithoutASession() {
        agent(3L).close();

        Awaitility.await("the death of agent 3")
                .atMost(Duration.ofSeconds(60))
                .until(() -> notes.stream()
                        .anyMatch(note -> note.kind() == LoggedEvent.Kind.AGENT_SILENT && note.guid() == 3));
        assertThat(notes)
                .filteredOn(note -> note.kind() == LoggedEvent.Kind.AGENT_SILENT)
                .extracting(LoggedEvent::guid)
                .containsOnly(3L);
        MeterRegistry meters = new SimpleMeterRegistry();
        ringMember.meters().bindTo(meters);
        assertThat(meters.get("dmodc.ring.news.dropped").functionCounter().count())
                .isZero();
    }

    @Test
    void shouldReachAllWhoLiveWhileOthersDie() {
        heard.clear();
        agent(2L).pause();
        agent(4L).pause();

        ringMember.revoke(new Effect.Revoke(6, 40));

        Awaitility.await("the revoke at the three alive")
                .atMost(Duration.ofSeconds(60))
                .until(() -> heard.containsAll(List.of("1: 6/40", "3: 6/40", "5: 6/40")));
        assertThat(heard).doesNotHaveDuplicates();
    }

    @Test
    void shouldNameTheKeyWhenTheAddressIsTaken() {
        InetSocketAddress taken = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), ringMember.member().address().port());

        assertThatThrownBy(() -> ManagerRingMember.open(taken, MANAGER, 7, key))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("detector.listen: detector socket ")
                .hasMessageContaining("cannot bind UDP")
                .hasMessageNotContaining("\n");
    }

    @Test
    void shouldTellTheLoopWhatItDoesNotHear() {
        ringMember.onDeaf(true);
        ringMember.onForeignSource(
                MANAGER,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 7471),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 7472));

        Awaitility.await("an alarm")
                .atMost(Duration.ofSeconds(60))
                .until(() -> notes.stream()
                                .map(LoggedEvent::kind)
                                .filter(kind -> kind == LoggedEvent.Kind.MANAGER_HEARS_NOBODY
                                        || kind == LoggedEvent.Kind.FOREIGN_SOURCE)
                                .count()
                        == 2);
        ringMember.onDeaf(false);
        Awaitility.await("it is over")
                .atMost(Duration.ofSeconds(60))
                .until(() -> notes.stream().anyMatch(note -> note.text().equals("the manager hears heartbeats again")));
    }
}
