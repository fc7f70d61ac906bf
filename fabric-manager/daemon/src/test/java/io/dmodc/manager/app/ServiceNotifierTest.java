package io.dmodc.manager.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.FabricEvent.SettingsRead;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.NodeTypes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceNotifierTest {
    @TempDir
    Path directory;

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(20));
    }

    private static ServiceNotifier notifier(String socket) {
        return Objects.requireNonNull(ServiceNotifier.open(Map.of("NOTIFY_SOCKET", socket)));
    }

    @Test
    void shouldDoNothingWithoutASocket() {
        assertThat(ServiceNotifier.open(Map.of())).isNull();
        assertThat(ServiceNotifier.open(Map.of("NOTIFY_SOCKET", ""))).isNull();
    }

    @Test
    void shouldStartWithoutASocketThatCannotBeReached() {
        assertThat(ServiceNotifier.open(
                        Map.of("NOTIFY_SOCKET", directory.resolve("gone").toString())))
                .isNull();
    }

    @Test
    void shouldTellThatItIsUpAndThatItEnds() {
        String path = directory.resolve("notify").toString();
        try (NotifySocket systemd = new NotifySocket(path);
                ServiceNotifier notifier = notifier(path)) {
            notifier.ready("agents at 127.0.0.1:7470");
            notifier.stopping();

            await().untilAsserted(() -> assertThat(systemd.heard())
                    .containsExactly("READY=1\nSTATUS=agents at 127.0.0.1:7470", "STOPPING=1"));
        }
    }

    @Test
    void shouldReachASocketInTheAbstractNamespace() {
        String name = "fabric-manager-test-" + ProcessHandle.current().pid();
        try (NotifySocket systemd = new NotifySocket("\0" + name);
                ServiceNotifier notifier = notifier("@" + name)) {
            notifier.stopping();

            await().untilAsserted(() -> assertThat(systemd.heard()).containsExactly("STOPPING=1"));
        }
    }

    @Test
    void shouldFeedTheWatchdogOnlyWhileTheLoopMakesTurns() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        FabricState state = new FabricState(
                ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE),
                0,
                0,
                StoredState.of(List.of(new LeaderEpoch(1))),
                Set.of());
        String path = directory.resolve("notify").toString();
        try (NotifySocket systemd = new NotifySocket(path);
                ServiceNotifier notifier = notifier(path);
                FabricLoop loop = new FabricLoop(state, effect -> hang(hangs, goesOn), System::nanoTime)) {
            loop.start();
            // A quarter of that is looked at the loop, which the events of this test wake.
            notifier.watch(loop, Map.of("WATCHDOG_USEC", "40000"));
            await().until(() -> loop.offer(new TimePassed(loop.nowNanos()))
                    && systemd.heard().stream().filter("WATCHDOG=1"::equals).count() >= 3);

            var hanging = loop.tell(new SettingsRead(loop.nowNanos(), null, "as before"));
            assertThat(hangs.await(20, TimeUnit.SECONDS)).isTrue();
            // The last turn may still be told; then come twenty looks that find none.
            notifier.look(loop);
            notifier.ready("it hangs");
            for (int i = 0; i < 20; i++) {
                notifier.look(loop);
            }
            notifier.ready("it hangs still");
            await().until(() -> systemd.heard().contains("READY=1\nSTATUS=it hangs still"));
            assertThat(systemd.heard().indexOf("READY=1\nSTATUS=it hangs still"))
                    .as("%s", systemd.heard())
                    .isEqualTo(systemd.heard().indexOf("READY=1\nSTATUS=it hangs") + 1);
            goesOn.countDown();
            assertThat(hanging.get(20, TimeUnit.SECONDS).epoch()).isZero();
        }
    }

    /** The event log is told that settings were read: it takes its time. */
    private static void hang(CountDownLatch hangs, CountDownLatch goesOn) {
        hangs.countDown();
        try {
            assertThat(goesOn.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldHeedAWatchdogOfThisProcessOnly() {
        assertThat(ServiceNotifier.watchdogMicros(Map.of("WATCHDOG_USEC", "30000000"), 7))
                .isEqualTo(30_000_000);
        assertThat(ServiceNotifier.watchdogMicros(Map.of("WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "7"), 7))
                .isEqualTo(30_000_000);
        assertThat(ServiceNotifier.watchdogMicros(Map.of("WATCHDOG_USEC", "30000000", "WATCHDOG_PID", "8"), 7))
                .isZero();
        assertThat(ServiceNotifier.watchdogMicros(Map.of("WATCHDOG_USEC", "soon"), 7))
                .isZero();
        assertThat(ServiceNotifier.watchdogMicros(Map.of(), 7)).isZero();
    }
}
