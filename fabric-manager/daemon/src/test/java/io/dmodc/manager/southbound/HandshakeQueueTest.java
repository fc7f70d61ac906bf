package io.dmodc.manager.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HandshakeQueueTest {
    /** Its event loop has a time of its own. */
    private final EmbeddedChannel channel = new EmbeddedChannel();

    private final HandshakeQueue queue = new HandshakeQueue(channel.eventLoop());
    private final List<Integer> begun = new ArrayList<>();

    private List<Runnable> add(int count) {
        List<Runnable> added = IntStream.range(0, count)
                .<Runnable>mapToObj(i -> () -> begun.add(i))
                .toList();
        channel.freezeTime();
        added.forEach(queue::add);
        return added;
    }

    private void pass(long nanos) {
        channel.advanceTimeBy(nanos, TimeUnit.NANOSECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    void shouldBeginTheFirstAtOnceAndTheOthersOneByOne() {
        add(3);
        assertThat(begun).containsExactly(0);

        pass(HandshakeQueue.PACE_NANOS - 1);
        assertThat(begun).containsExactly(0);
        pass(1);
        assertThat(begun).containsExactly(0, 1);
        pass(HandshakeQueue.PACE_NANOS);
        assertThat(begun).containsExactly(0, 1, 2);
    }

    /** A loop that is late begins one and reads, and does not make up for what it missed. */
    @Test
    void shouldBeginOneHoweverLateItIs() {
        add(9);

        pass(20 * HandshakeQueue.PACE_NANOS);

        assertThat(begun).containsExactly(0, 1);
    }

    @Test
    void shouldBeginAtOnceAgainWhenAWhileHasPassed() {
        add(1);
        pass(HandshakeQueue.PACE_NANOS);

        add(1);

        assertThat(begun).containsExactly(0, 0);
        add(1);
        assertThat(begun).as("a moment later").hasSize(2);
    }

    @Test
    void shouldLeaveOutWhoLeft() {
        List<Runnable> added = add(4);
        queue.left(added.get(0));
        queue.left(added.get(1));
        queue.left(added.get(2));

        pass(HandshakeQueue.PACE_NANOS);

        assertThat(begun).containsExactly(0, 3);
    }
}
