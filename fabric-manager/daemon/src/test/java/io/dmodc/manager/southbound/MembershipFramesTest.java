package io.dmodc.manager.southbound;

import static io.dmodc.manager.southbound.TestRings.agent;
import static io.dmodc.manager.southbound.TestRings.agents;
import static io.dmodc.manager.southbound.TestRings.drawn;
import static io.dmodc.manager.southbound.TestRings.membership;
import static io.dmodc.manager.southbound.TestRings.ring;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.southbound.MembershipFrames.Ring;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MembershipFramesTest {
    private static final int AGENTS = 5_120;
    private static final int BYTES_MAX = 2_000_000;

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
