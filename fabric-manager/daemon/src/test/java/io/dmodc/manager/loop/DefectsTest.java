package io.dmodc.manager.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeTypes;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Mistakes of the manager itself, through the real loop: what they cost, and what they do not. */
class DefectsTest {
    private static final int PATIENCE_SECONDS = 20;
    private static final long SECOND = 1_000_000_000L;
    private static final long LEAF = 0x10;

    private final AtomicLong clock = new AtomicLong();
    private final Queue<Effect> effects = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<Throwable> ends = new LinkedBlockingQueue<>();
    private Consumer<Effect> shell = effects::add;
    private StoredState stored = StoredState.of(List.of(new LeaderEpoch(1)));
    private FabricLoop loop = new FabricLoop(state(), effect -> {}, clock::get);

    private FabricState state() {
        return new FabricState(
                ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE), 0, 0, stored, Set.of());
    }

    private void start() {
        loop = new FabricLoop(state(), effect -> shell.accept(effect), clock::get, (thread, end) -> ends.add(end));
        loop.start();
    }

    @AfterEach
    void stop() {
        loop.close();
    }

    /** What is known once all was taken in that was put before. */
    private FabricSnapshot known() throws Exception {
        return loop.tell(new TimePassed(clock.get())).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private String alarm() throws Exception {
        return known().alarms().stream()
                .filter(alarm -> alarm.kind() == Alarm.Kind.DEFECT)
                .map(Alarm::text)
                .findAny()
                .orElse("");
    }

    private void discover() throws Exception {
        loop.put(new AgentJoined(
                1, 7, LEAF, "leaf0", 4, 1, new HeldTable(0, 0, 0, 0), new RingAddress("127.0.0.1", 4711)));
        Host host = new Host(0xa0, 0xa1, 1, "node0");
        loop.put(new PortsReported(1, 7, LEAF, true, List.of(new PortSeen(LEAF, 1, true, new ToHost(host)))));
    }

    private void pass(long nanos) throws Exception {
        // What was put before must be settled at its own time.
        assertThat(known().leaderEpoch()).isEqualTo(1);
        clock.addAndGet(nanos);
        loop.put(new TimePassed(clock.get()));
        // Answered after the batch was settled.
        assertThat(known().leaderEpoch()).isEqualTo(1);
    }

    private long count(Class<? extends Effect> kind) {
        return effects.stream().filter(kind::isInstance).count();
    }

    /** Rules without domains, which no settings make: drawing a ring fails, each time. */
    @Test
    @SuppressWarnings("NullAway")
    void shouldNeitherSpinNorStarveTheOtherPartsWhenNoRingCanBeDrawn() throws Exception {
        FabricState broken =
                new FabricState(ManagerConfig.defaults().rules(null, NodeTypes.NONE), 0, 0, stored, Set.of());
        loop = new FabricLoop(broken, effect -> shell.accept(effect), clock::get, (thread, end) -> ends.add(end));
        loop.start();
        discover();

        pass(3 * SECOND);
        for (int i = 0; i < 10; i++) {
            pass(SECOND / 1000);
        }

        assertThat(count(Effect.Defect.class)).as("tries within 10 ms").isEqualTo(1);
        assertThat(alarm()).contains("drawing the ring failed: ");
        assertThat(count(Effect.SendMembership.class)).isZero();
        assertThat(known().epoch()).as("a view was drawn").isEqualTo(1);
        for (int i = 0; i < 100; i++) {
            pass(SECOND);
        }
        assertThat(count(Effect.Defect.class))
                .as("after 3, 4, 6, 10, 18, 34, 66 s: tries within 103 s")
                .isEqualTo(7);
        assertThat(loop.turns()).as("turns for some 340 events").isLessThan(1000);
        assertThat(ends).isEmpty();
    }

    @Test
    void shouldDropAnEventThatCannotBeTakenInAndGoOnInAlarm() throws Exception {
        start();
        discover();

        loop.put(new PortsReported(1, 7, LEAF, false, List.of(new PortSeen(LEAF, 99, true, null))));
        pass(1);

        assertThat(effects)
                .anySatisfy(effect -> assertThat(effect)
                        .isInstanceOfSatisfying(
                                Effect.Defect.class,
                                defect -> assertThat(defect.note().text()).contains("event PortsReported")));
        assertThat(alarm()).contains("1 dropped since the start, the last: event PortsReported");
        assertThat(ends).isEmpty();
    }

    @Test
    void shouldTakeAComputationThatCouldNotBeStartedForOneThatFailed() throws Exception {
        shell = effect -> {
            effects.add(effect);
            if (effect instanceof Effect.Compute) {
                throw new IllegalStateException("no worker");
            }
        };
        start();
        discover();

        pass(3 * SECOND);
        pass(SECOND);
        pass(SECOND);

        boolean computing = known().computing();
        assertThat(computing).isFalse();
        boolean told = known().alarms().stream()
                .anyMatch(alarm ->
                        alarm.kind() == Alarm.Kind.EPOCH_REFUSED && alarm.text().contains("no worker"));
        assertThat(told).isTrue();
        assertThat(count(Effect.Compute.class)).as("at once, and from scratch").isEqualTo(2);
        assertThat(alarm()).contains("effect Compute");
    }

    @Test
    void shouldEndTheProcessForAnErrorOnTheLoop() throws Exception {
        Error missing = new NoClassDefFoundError("io/dmodc/Lost");
        shell = effect -> {
            throw missing;
        };
        start();

        discover();

        assertThat(ends.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isSameAs(missing);
        assertThatThrownBy(() -> known().epoch()).hasMessageContaining("closed");
    }

    private static final class FailingEngine implements RoutingEngine {
        private final Supplier<? extends Throwable> failure;

        FailingEngine(Supplier<? extends Throwable> failure) {
            this.failure = failure;
        }

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public RoutingResult route(FabricView view, Parallel parallel) {
            Throwable thrown = failure.get();
            if (thrown instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) thrown;
        }

        @Override
        public LftSet routeSwitches(FabricView view, Parallel parallel) {
            throw new AssertionError("nobody asks for routes to switches here");
        }
    }

    private RouteWorker worker(Supplier<? extends Throwable> failure) {
        return new RouteWorker(
                name -> new CheckedEngine(new FailingEngine(failure), SurplusEntryRule.FORBIDDEN),
                null,
                1,
                (thread, end) -> ends.add(end));
    }

    @Test
    void shouldEndTheProcessForAnErrorInAComputation() throws Exception {
        try (RouteWorker worker = worker(() -> new ExceptionInInitializerError("engine"))) {
            shell = effect -> {
                if (effect instanceof Effect.Compute compute) {
                    worker.start(compute, loop);
                }
            };
            start();
            discover();
            pass(3 * SECOND);

            assertThat(ends.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isInstanceOf(ExceptionInInitializerError.class);
        }
    }

    @Test
    void shouldAlwaysHearOfAComputationThatFails() throws Exception {
        try (RouteWorker worker = worker(() -> new IllegalStateException("an engine's mistake"))) {
            shell = effect -> {
                if (effect instanceof Effect.Compute compute) {
                    worker.start(compute, loop);
                }
            };
            start();
            discover();
            pass(3 * SECOND);

            Awaitility.await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> {
                pass(SECOND / 100);
                return known().alarms().stream()
                        .anyMatch(alarm -> alarm.text().contains("an engine's mistake")
                                && alarm.text().contains("from scratch in 5 s"));
            });
            boolean computing = known().computing();
            assertThat(computing).isFalse();
            assertThat(ends).isEmpty();
        }
    }
}
