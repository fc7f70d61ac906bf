package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PlaneWorkerTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private static Thread threadOf(PlaneWorker worker, long nanos) throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        worker.later(nanos, () -> thread.complete(Thread.currentThread()));
        return thread.get(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void shouldEndItsThreadWhileNothingIsToBeDone() throws Exception {
        try (PlaneWorker worker = PlaneWorker.resting("resting", Thread.NORM_PRIORITY, MILLI)) {
            Thread first = threadOf(worker, 0);
            first.join(TimeUnit.SECONDS.toMillis(PlaneRig.PATIENCE_SECONDS));
            assertThat(first.isAlive()).isFalse();

            Thread second = threadOf(worker, 20 * MILLI);

            assertThat(second).isNotSameAs(first);
            assertThat(second.getName()).isEqualTo("resting");
        }
    }
}
