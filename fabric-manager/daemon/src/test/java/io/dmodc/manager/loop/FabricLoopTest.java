package io.dmodc.manager.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FabricLoopTest {
    private static final int PATIENCE_SECONDS = 20;

    private final AtomicLong clock = new AtomicLong();
    private final BlockingQueue<Effect> effects = new LinkedBlockingQueue<>();
    private final FabricState state = new FabricState(
            ManagerConfig.defaults().rules(SwitchDomains.none()),
            0,
            0,
            StoredState.of(List.of(new LeaderEpoch(1))),
            Set.of());
    private final FabricLoop loop = new FabricLoop(state, effects::add, clock::incrementAndGet);

    @AfterEach
    void stop() {
        loop.close();
    }

    private static AgentJoined join(long session) {
        return new AgentJoined(
                1, session, 0x10, "leaf0", 4, 1, new HeldTable(0, 0, 0, 0), new RingAddress("127.0.0.1", 0));
    }

    @Test
    void shouldHandEffectsToTheShell() throws Exception {
        loop.start();

        loop.offer(join(7));

        assertThat(effects.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(new Effect.Accept(7, 1));
    }

    @Test
    void shouldAnswerQuestionsAfterTheEventsBeforeThem() throws Exception {
        loop.start();
        loop.offer(join(7));

        assertThat(loop.ask(s -> s.switches().size()).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isEqualTo(1);
    }

    @Test
    void shouldSayNoWhenItsQueueIsFull() {
        for (int i = 0; i < FabricLoop.QUEUE_MAX; i++) {
            assertThat(loop.offer(new TimePassed(1))).isTrue();
        }

        assertThat(loop.offer(new TimePassed(1))).isFalse();
        assertThatThrownBy(() -> loop.ask(FabricState::epoch).get())
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("overloaded");
    }

    @Test
    void shouldGoOnAfterAQuestionThatFails() throws Exception {
        loop.start();

        CompletableFuture<Long> failed = loop.ask(s -> {
            throw new IllegalStateException("bad question");
        });

        assertThatThrownBy(() -> failed.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).hasMessageContaining("bad question");
        assertThat(loop.ask(FabricState::epoch).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isZero();
    }

    @Test
    void shouldFailQuestionsThatWaitWhenItEnds() {
        CompletableFuture<Long> waiting = loop.ask(FabricState::epoch);
        loop.close();
        loop.start();

        assertThatThrownBy(() -> waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .hasMessageContaining("closed");
    }
}
