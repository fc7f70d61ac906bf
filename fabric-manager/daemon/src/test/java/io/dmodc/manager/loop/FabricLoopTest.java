package io.dmodc.manager.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.NodeTypes;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FabricLoopTest {
    private static final int PATIENCE_SECONDS = 20;

    private final AtomicLong clock = new AtomicLong();
    private final BlockingQueue<Effect> effects = new LinkedBlockingQueue<>();
    private final FabricState state = new FabricState(
            ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE),
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

    private FabricSnapshot tell(FabricEvent event) throws Exception {
        return loop.tell(event).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void shouldSayWhenAnEventWasTakenInAndShowWhatCameOfIt() throws Exception {
        loop.start();
        FabricSnapshot before = loop.snapshot();
        loop.offer(join(7));

        assertThat(tell(new TimePassed(1)).switches()).hasSize(1);
        assertThat(loop.snapshot().switches()).hasSize(1);
        assertThat(before.switches()).isEmpty();
        assertThat(tell(new AgentLeft(2, 7, 0x10, "gone")).counts().agents()).isZero();
    }

    @Test
    void shouldShowWhatCameOfABatchBeforeItsEffectsArePerformed() throws Exception {
        BlockingQueue<Integer> known = new LinkedBlockingQueue<>();
        AtomicReference<FabricLoop> own = new AtomicReference<>();
        FabricLoop looking = new FabricLoop(
                state,
                effect -> known.add(
                        Objects.requireNonNull(own.get()).snapshot().switches().size()),
                clock::incrementAndGet);
        own.set(looking);
        try (looking) {
            looking.start();

            looking.offer(join(7));

            assertThat(known.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
        }
    }

    /** Whoever waits for an event finds all that came of it handed over. */
    @Test
    void shouldSayThatAStepIsPerformedBeforeWhoWaitsIsTold() throws Exception {
        CountDownLatch performed = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        EffectShell shell = new EffectShell() {
            @Override
            public void accept(Effect effect) {}

            @Override
            public void performed() {
                performed.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        try (FabricLoop heardOf = new FabricLoop(state, shell, clock::incrementAndGet)) {
            heardOf.start();

            CompletableFuture<FabricSnapshot> told = heardOf.tell(join(7));

            assertThat(performed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(told).isNotDone();
            goOn.countDown();
            told.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void shouldSayWhyACommandChangedNothing() throws Exception {
        loop.start();
        tell(join(7));
        ActAsked asked = new ActAsked(1, Act.forget(List.of(new SwitchGuid(0x10))), 0, "ada", "");

        assertThatThrownBy(() -> tell(asked))
                .hasCauseInstanceOf(DeclinedException.class)
                .hasMessageContaining("leaf0: its agent is connected");
        assertThatThrownBy(() -> tell(new ActAsked(1, Act.forget(List.of(new SwitchGuid(0x99))), 0, "ada", "")))
                .hasCauseInstanceOf(DeclinedException.class)
                .hasMessageContaining("it is not known any more");
        assertThat(tell(new TimePassed(1)).switches()).as("it goes on").hasSize(1);
    }

    @Test
    void shouldTellTimesByTheClockAsItWasSetLast() throws Exception {
        AtomicLong millis = new AtomicLong();
        loop.follow(millis::get);
        loop.start();
        tell(new TimePassed(1));
        millis.set(3_600_000);

        CompletableFuture<FabricSnapshot> asked = loop.tell(new ActAsked(1, Act.pause(0, false), 0, "ada", ""));
        assertThat(tell(new TimePassed(1)).intent().pause()).as("not kept").isNull();
        assertThat(asked).isNotDone();
        tell(new Persisted(1, Long.MAX_VALUE));

        assertThat(asked.get(PATIENCE_SECONDS, TimeUnit.SECONDS).intent().pause())
                .extracting(StateRecord.Intent::atMillis)
                .isEqualTo(3_600_000L);
    }

    @Test
    void shouldSayNoWhenItsQueueIsFull() {
        for (int i = 0; i < FabricLoop.QUEUE_MAX; i++) {
            assertThat(loop.offer(new TimePassed(1))).isTrue();
        }

        assertThat(loop.offer(new TimePassed(1))).isFalse();
        assertThatThrownBy(() -> tell(new TimePassed(1)))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("overloaded");
    }

    @Test
    void shouldFailWhoWaitsWhenItEnds() {
        CompletableFuture<FabricSnapshot> waiting = loop.tell(new TimePassed(1));
        loop.close();
        loop.start();

        assertThatThrownBy(() -> waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .hasMessageContaining("closed");
        assertThat(loop.isClosed()).isTrue();
        assertThatThrownBy(() -> tell(new TimePassed(1))).hasMessageContaining("closed");
    }
}
