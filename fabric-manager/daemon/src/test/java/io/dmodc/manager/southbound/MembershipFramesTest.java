package io.dmodc.manager.southbound;

import static io.dmodc.manager.southbound.TestRings.agent;
import static io.dmodc.manager.southbound.TestRings.agents;
import static io.dmodc.manager.southbound.TestRings.drawn;
import static io.dmodc.manager.southbound.TestRings.membership;
import static io.dmodc.manager.southbound.TestRings.ring;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.FabricStep;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.southbound.MembershipFrames.Ring;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import io.dmodc.topology.NodeTypes;
import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MembershipFramesTest {
    private static final int AGENTS = 5_120;
    private static final int BYTES_MAX = 2_000_000;
    private static final long SECOND = 1_000_000_000;

    private final MembershipFrames frames = new MembershipFrames();

    @AfterEach
    void close() {
        frames.close();
    }

    private static InetAddress address(int last) throws Exception {
        return InetAddress.getByAddress(new byte[] {10, 9, 9, (byte) last});
    }

    private SessionRing session(boolean differences, long held) throws Exception {
        Hello hello = Hello.newBuilder()
                .setMembershipDifferences(differences)
                .setMembershipEpoch(held)
                .build();
        return new SessionRing(frames, hello, address(1));
    }

    private static Membership told(SessionRing session) {
        ByteBuf frame = Objects.requireNonNull(session.next());
        try {
            return membership(frame);
        } finally {
            frame.release();
        }
    }

    @Test
    void shouldTellTheWholeOnceAndThenDifferences() throws Exception {
        SessionRing session = session(true, 0);
        List<Effect.Member> members = agents(100);
        frames.tell(ring(1, members));
        Membership first = told(session);
        assertThat(session.next()).as("it holds the newest").isNull();

        members.set(40, agent(40, 2));
        frames.tell(ring(2, members));
        Membership second = told(session);

        assertThat(first.getBaseEpoch()).isZero();
        assertThat(first.getMembersCount()).isEqualTo(100);
        assertThat(second.getBaseEpoch()).isEqualTo(1);
        assertThat(second.getEditList()).containsExactly(40, 1, 1);
        assertThat(second.getMembersCount()).isEqualTo(1);
        assertThat(second.getSuspicionNanos()).isEqualTo(first.getSuspicionNanos());
        assertThat(TestRings.after(first.getMembersList(), second)).hasSize(100);
    }

    @Test
    void shouldTellTheWholeToAnAgentThatKnowsNoDifferences() throws Exception {
        SessionRing session = session(false, 0);
        frames.tell(ring(1, agents(100)));
        told(session);

        frames.tell(ring(2, agents(101)));

        assertThat(told(session).getMembersCount()).isEqualTo(101);
    }

    @Test
    void shouldGoOnFromTheRingThatAnAgentBringsAlongIfItIsStillKept() throws Exception {
        for (int epoch = 1; epoch <= MembershipFrames.RINGS_KEPT + 1; epoch++) {
            frames.tell(ring(epoch, agents(100 + epoch)));
        }

        assertThat(told(session(true, 2)).getBaseEpoch()).isEqualTo(2);
        assertThat(told(session(true, 1)).getBaseEpoch()).as("too long ago").isZero();
        assertThat(told(session(true, 77)).getBaseEpoch())
                .as("another manager's")
                .isZero();
        assertThat(session(true, MembershipFrames.RINGS_KEPT + 1).next())
                .as("it holds the newest")
                .isNull();
    }

    @Test
    void shouldTellTheNewestAfterwardsAndNotEachInBetween() throws Exception {
        SessionRing session = session(true, 0);
        frames.tell(ring(1, agents(100)));
        told(session);
        frames.tell(ring(2, agents(101)));
        frames.tell(ring(3, agents(102)));

        Membership told = told(session);

        assertThat(told.getEpoch()).isEqualTo(3);
        assertThat(told.getBaseEpoch()).isEqualTo(1);
        assertThat(session.next()).isNull();
    }

    /** Its address is another one for who comes back over another network. */
    @Test
    void shouldTellTheManagersPlaceAgainInEachDifference() throws Exception {
        List<Effect.Member> members = agents(100);
        members.add(50, TestRings.manager());
        frames.tell(ring(1, members));
        List<Member> held = told(session(true, 0)).getMembersList();
        members.add(agent(100, 1));
        frames.tell(ring(2, members));

        SessionRing elsewhere = new SessionRing(
                frames,
                Hello.newBuilder()
                        .setMembershipDifferences(true)
                        .setMembershipEpoch(1)
                        .build(),
                address(2));
        Membership difference = told(elsewhere);

        assertThat(difference.getBaseEpoch()).isEqualTo(1);
        assertThat(TestRings.after(held, difference)
                        .get(50)
                        .getDetector()
                        .getAddress()
                        .byteAt(3))
                .isEqualTo((byte) 2);
    }

    @Test
    void shouldTellTheWholeWhereADifferenceIsNotShorter() throws Exception {
        List<Effect.Member> members = agents(100);
        frames.tell(ring(1, members));
        SessionRing session = session(true, 0);
        told(session);
        members.replaceAll(member -> new Effect.Member(member.guid(), member.incarnation() + 1, member.address()));

        frames.tell(ring(2, members));

        assertThat(told(session).getBaseEpoch()).isZero();
    }

    @Test
    void shouldGiveItsMemoryBack() throws Exception {
        frames.tell(ring(1, agents(10)));
        List<ByteBuf> held = new ArrayList<>();
        for (int last = 0; last <= MembershipFrames.FRAMES_KEPT; last++) {
            held.add(
                    Objects.requireNonNull(frames.after(0, true, address(last))).bytes());
        }
        assertThat(held.get(0).refCnt()).as("given up at the bound").isEqualTo(1);
        assertThat(held.get(1).refCnt()).isEqualTo(2);

        frames.close();

        assertThat(held).allSatisfy(bytes -> assertThat(bytes.refCnt()).isEqualTo(1));
        held.forEach(ByteBuf::release);
        assertThat(frames.after(0, true, address(1))).isNull();
    }

    @Test
    void shouldFollowRandomHistoriesHoweverSessionsLagBehind() throws Exception {
        long seed = 20_260_302;
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        List<Effect.Member> members = agents(60);
        members.add(TestRings.manager());
        List<SessionRing> sessions = new ArrayList<>();
        List<List<Member>> held = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            sessions.add(session(i > 0, 0));
            held.add(List.of());
        }
        for (int epoch = 1; epoch <= 400; epoch++) {
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                change(members, random);
            }
            Ring ring = drawn(epoch, members);
            frames.tell(ring);
            for (int i = 0; i < sessions.size(); i++) {
                if (random.nextInt(i + 1) == 0) {
                    held.set(i, TestRings.after(held.get(i), told(sessions.get(i))));
                    assertThat(held.get(i)).extracting(Member::getGuid).isEqualTo(guids(ring));
                    assertThat(held.get(i)).extracting(Member::getIncarnation).isEqualTo(incarnations(ring));
                }
            }
        }
    }

    private static void change(List<Effect.Member> members, SplittableRandom random) {
        int at = random.nextInt(members.size());
        Effect.Member member = members.get(at);
        int kind = random.nextInt(3);
        if (kind == 0 && members.size() > 20) {
            members.remove(at);
        } else if (kind == 1 && members.size() < 100) {
            members.add(agent(1000 + random.nextInt(1 << 20), 1));
        } else {
            members.set(at, new Effect.Member(member.guid(), member.incarnation() + 1, member.address()));
        }
        Set<Long> seen = new HashSet<>();
        members.removeIf(each -> !seen.add(each.guid()));
    }

    private static List<Long> guids(Ring ring) {
        return ring.membership().members().stream().map(Effect.Member::guid).toList();
    }

    private static List<Integer> incarnations(Ring ring) {
        return ring.membership().members().stream()
                .map(Effect.Member::incarnation)
                .toList();
    }

    /** All sessions of a large fabric, and the ring in the order the core draws it. */
    @Test
    void shouldCostBytesOfTheOrderOfTheRingOverAllSessions() throws Exception {
        List<Effect.Member> members = agents(AGENTS);
        members.add(TestRings.manager());
        frames.tell(drawn(1, members));
        List<SessionRing> sessions = new ArrayList<>();
        for (int i = 0; i < AGENTS; i++) {
            sessions.add(session(true, 0));
        }
        long before = toAll("first ring", sessions);
        List<Effect.Member> restarted = new ArrayList<>(members);
        restarted.set(17, agent(17, 2));
        frames.tell(drawn(2, restarted));
        sessions.set(17, session(true, 0));
        assertThat(toAll("one agent restarts, and is told the whole", sessions)).isLessThan(BYTES_MAX);
        List<Effect.Member> joined = new ArrayList<>(restarted);
        joined.add(agent(AGENTS, 1));
        frames.tell(drawn(3, joined));
        sessions.add(session(true, 0));
        assertThat(toAll("one agent joins", sessions)).isLessThan(BYTES_MAX);
        frames.tell(drawn(4, restarted));
        sessions.remove(AGENTS);
        assertThat(toAll("it leaves", sessions)).isLessThan(BYTES_MAX);

        assertThat(before).as("what each of these cost before").isGreaterThan(700_000_000L);
    }

    /** Largest ring there is, each with an address of 16 bytes and numbers of most bytes: one frame still takes it. */
    @Test
    void shouldFitTheLargestRingIntoAFrame() throws Exception {
        List<Effect.Member> members = new ArrayList<>();
        for (int i = 0; i < SouthboundProtocol.MAX_MEMBERS; i++) {
            RingAddress address = new RingAddress("2001:db8:ffff:ffff:ffff:ffff:0:" + Integer.toHexString(i), 65_535);
            members.add(new Effect.Member(-1L - i, -1, address));
        }
        frames.tell(ring(Long.MAX_VALUE, members));

        ByteBuf whole = Objects.requireNonNull(session(true, 0).next());

        System.out.println("whole ring of " + members.size() + ": " + whole.readableBytes() + " bytes");
        assertThat(whole.readableBytes()).isLessThanOrEqualTo(SouthboundProtocol.MAX_FRAME_BYTES);
        assertThat(membership(whole).getMembersCount()).isEqualTo(SouthboundProtocol.MAX_MEMBERS);
        whole.release();
    }

    /** The agent alone is told: it holds no ring any more. All others hold the newest still. */
    @Test
    void shouldTellOneOfFiveThousandWhenItRestartsAndNobodyElse() throws Exception {
        List<Long> guids = LongStream.range(0x100, 0x100 + 5_000).boxed().toList();
        FabricState state = new FabricState(
                ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE),
                0,
                0,
                StoredState.of(List.of(new LeaderEpoch(1))),
                Set.of());
        state.allow(guids);
        FabricStep step = new FabricStep(state);
        Map<Long, SessionRing> sessions = new HashMap<>();
        List<Effect> effects = new ArrayList<>();
        for (long guid : guids) {
            step.accept(joined(guid, guid, 1, 0), effects);
            sessions.put(guid, session(true, 0));
        }
        step.settle(SECOND, effects);
        step.settle(10 * SECOND, effects);
        long first = sent(effects, sessions);
        effects.clear();

        step.accept(new AgentLeft(20 * SECOND, 0x107, 0x107, "killed"), effects);
        sessions.remove(0x107L);
        step.accept(joined(9_000, 0x107, 2, 21 * SECOND), effects);
        sessions.put(9_000L, session(true, 0));
        step.settle(21 * SECOND, effects);
        step.settle(60 * SECOND, effects);
        long second = sent(effects, sessions);

        System.out.println("5,000 agents come in: " + first + " bytes of rings; one restarts: " + second);
        assertThat(effects.stream().filter(Effect.SendMembership.class::isInstance))
                .singleElement()
                .extracting(effect -> ((Effect.SendMembership) effect).sessions())
                .isEqualTo(List.of(9_000L));
        assertThat(second / 5_000).as("bytes an agent").isLessThanOrEqualTo(100);
    }

    private static AgentJoined joined(long session, long guid, int incarnation, long now) {
        RingAddress address = new RingAddress("10.0." + (guid >> 8 & 255) + "." + (guid & 255), 7472);
        return new AgentJoined(now, session, guid, "", 4, incarnation, new HeldTable(0, 0, 0, 0), address);
    }

    private long sent(List<Effect> effects, Map<Long, SessionRing> sessions) {
        long bytes = 0;
        for (Effect effect : effects) {
            if (effect instanceof Effect.SendMembership send) {
                frames.tell(new Ring(send.membership(), 7, TestRings.RULES));
                for (long session : send.sessions()) {
                    ByteBuf frame =
                            Objects.requireNonNull(sessions.get(session)).next();
                    bytes += frame == null ? 0 : frame.readableBytes();
                    ReferenceCountUtil.release(frame);
                }
            }
        }
        return bytes;
    }

    private static long toAll(String what, List<SessionRing> sessions) {
        long bytes = 0;
        Set<Long> buffers = new HashSet<>();
        for (SessionRing session : sessions) {
            ByteBuf frame = Objects.requireNonNull(session.next());
            bytes += frame.readableBytes();
            buffers.add(frame.memoryAddress());
            frame.release();
        }
        System.out.println(what + ": " + bytes + " bytes over " + sessions.size() + " sessions, in " + buffers.size()
                + " buffers");
        assertThat(buffers.size()).as("shared").isLessThanOrEqualTo(2);
        return bytes;
    }
}
