package io.dmodc.settings.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** Signals of this very JVM. */
class HangUpTest {
    private static final String IGNORED = "SigIgn:";
    private static final int SIGHUP = 1;

    private static void raise() throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        signal.getMethod("raise", signal)
                .invoke(null, signal.getConstructor(String.class).newInstance("HUP"));
    }

    /** The JVM leaves a signal alone that is ignored at its start. */
    private static boolean isIgnored() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith(IGNORED))
                        .map(line ->
                                new BigInteger(line.substring(IGNORED.length()).strip(), 16))
                        .anyMatch(signals -> signals.testBit(SIGHUP - 1));
    }

    @Test
    void shouldAnswerOneAtATimeAndOnceMoreAfterAStorm() throws Exception {
        Assumptions.assumeFalse(isIgnored(), "SIGHUP is ignored here, as under nohup");
        CountDownLatch first = new CountDownLatch(1);
        Semaphore goOn = new Semaphore(0);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Semaphore answered = new Semaphore(0);
        HangUp.handle(() -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            first.countDown();
            goOn.acquireUninterruptibly();
            running.decrementAndGet();
            answered.release();
        });

        raise();
        assertThat(first.await(20, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 1000; i++) {
            raise();
        }
        goOn.release(1001);

        assertThat(answered.tryAcquire(2, 20, TimeUnit.SECONDS)).isTrue();
        assertThat(most).hasValue(1);
    }
}
