package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.HelloChannel;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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
        int capacity = 3 * HelloInbox.PER_PORT;
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
}
