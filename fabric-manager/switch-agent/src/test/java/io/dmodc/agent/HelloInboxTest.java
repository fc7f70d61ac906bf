package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.HelloChannel;
import io.dmodc.detector.link.HandshakeStatus;
import io.dmodc.detector.link.LinkHello;
import io.dmodc.detector.link.LinkLiveness;
import io.dmodc.detector.link.LinkRules;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HelloInboxTest {
    private final Deque<Runnable> loop = new ArrayDeque<>();
    private final List<String> read = new ArrayList<>();
    private final HelloInbox inbox = new HelloInbox(
            loop::add, 3, (port, hello) -> read.add(port + ":" + hello.get() + "/" + (hello.remaining() + 1)));

    private void arrive(int port, int content, int length) {
        byte[] bytes = new byte[length];
        bytes[0] = (byte) content;
        ByteBuffer hello = ByteBuffer.wrap(bytes);
        inbox.arrived(port, hello);
        assertThat(hello.remaining()).as("the sender's buffer is left alone").isEqualTo(length);
        bytes[0] = 99;
    }

    private void runLoop() {
        while (!loop.isEmpty()) {
            loop.remove().run();
        }
    }

    @Test
    void shouldHandOverWhatArrivedInOrderWithOneWakeUp() {
        arrive(1, 10, 40);
        arrive(3, 11, 1);
        arrive(1, 12, 64);

        assertThat(loop).hasSize(1);
        runLoop();

        assertThat(read).containsExactly("1:10/40", "3:11/1", "1:12/64");
    }

    @Test
    void shouldLoseWhatDoesNotFitAndGoOn() {
        int capacity = HelloInbox.PER_PORT;
        for (int i = 0; i < capacity + 5; i++) {
            arrive(2, i, 40);
        }
        arrive(2, 1, HelloChannel.MAX_BYTES + 1);
        runLoop();
        assertThat(read).hasSize(capacity).first().isEqualTo("2:0/40");
        assertThat(inbox.lost()).isEqualTo(6);

        for (int round = 0; round < 20; round++) {
            read.clear();
            arrive(1, round, 40);
            arrive(2, round + 1, 40);
            runLoop();
            assertThat(read).containsExactly("1:" + round + "/40", "2:" + (round + 1) + "/40");
        }
    }

    @Test
    void shouldLoseHellosOfThePortThatStormsAndOfNoOther() {
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < 1000; i++) {
                arrive(2, i, 40);
            }
            arrive(1, round, 40);
            arrive(3, round, 40);
            runLoop();

            assertThat(read)
                    .contains("1:" + round + "/40", "3:" + round + "/40")
                    .hasSize(HelloInbox.PER_PORT + 2);
            read.clear();
        }
        assertThat(inbox.lost()).isEqualTo(10 * (1000 - HelloInbox.PER_PORT));
    }

    /** Ten seconds of a link with 100 ms hellos beside a port that storms, in time of the test's own. */
    @Test
    void shouldKeepALinkUpBesideAPortThatStorms() {
        List<HandshakeStatus> told = new ArrayList<>();
        long[] now = {0};
        LinkHello heard = new LinkHello();
        LinkLiveness[] ends = new LinkLiveness[2];
        HelloInbox shared = new HelloInbox(loop::add, 2, (port, hello) -> {
            if (heard.read(hello) == null) {
                ends[0].receive(now[0], heard);
            }
        });
        LinkHello answered = new LinkHello();
        SplittableRandom random = new SplittableRandom(1);
        LinkRules rules = LinkRules.of(100_000_000L, 3);
        ends[0] = new LinkLiveness(
                rules, 1, 0x10, 1, random, (port, hello) -> answered.read(bytes(hello)), (port, is) -> told.add(is));
        ends[1] = new LinkLiveness(
                rules, 1, 0x20, 1, random, (port, hello) -> shared.arrived(1, bytes(hello)), (port, is) -> {});
        ends[0].start(0);
        ends[1].start(0);

        for (; now[0] < 10_000_000_000L; now[0] += 10_000_000L) {
            for (int i = 0; i < 100; i++) {
                shared.arrived(2, ByteBuffer.allocate(40));
            }
            ends[1].tick(now[0]);
            runLoop();
            ends[0].tick(now[0]);
            ends[1].receive(now[0], answered);
        }

        assertThat(told).containsExactly(HandshakeStatus.HEARD);
        assertThat(shared.lost()).isPositive();
    }

    private static ByteBuffer bytes(LinkHello hello) {
        ByteBuffer out = ByteBuffer.allocate(LinkHello.LENGTH);
        hello.write(out);
        return out.flip();
    }

    /** Whoever storms while the loop reads must not keep it from everything else. */
    @Test
    void shouldLeaveTheLoopToOthersWhileAPortStorms() {
        Deque<Runnable> others = new ArrayDeque<>();
        HelloInbox[] stormed = new HelloInbox[1];
        stormed[0] = new HelloInbox(others::add, 1, (port, hello) -> {
            read.add("read");
            stormed[0].arrived(1, ByteBuffer.allocate(40));
            stormed[0].arrived(1, ByteBuffer.allocate(40));
        });
        stormed[0].arrived(1, ByteBuffer.allocate(40));

        for (int turn = 0; turn < 5; turn++) {
            assertThat(others).as("turn " + turn).hasSize(1);
            others.remove().run();
        }

        assertThat(read).hasSizeBetween(5, 5 * HelloInbox.PER_PORT);
    }

    @Test
    void shouldLoseWhatComesFromNoPort() {
        arrive(0, 1, 40);
        arrive(4, 1, 40);
        arrive(-1, 1, 40);

        assertThat(loop).isEmpty();
        assertThat(inbox.lost()).isEqualTo(3);
    }
}
