package io.dmodc.manager.congestion;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.loop.BackgroundLooks;
import io.dmodc.manager.northbound.TestFabric;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class CongestionWorkerTest {
    private static boolean runs() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("congestion"));
    }

    @Test
    @Timeout(20)
    void shouldMeasureOnAThreadOfItsOwnUntilItIsClosed() throws IOException {
        CongestionHistory history = new CongestionHistory();
        try (TestFabric fabric = TestFabric.of("2;2,2;1,2;1,1")) {
            BackgroundLooks worker = CongestionWorker.start(fabric.loop(), history);
            while (history.latest() == null) {
                Thread.onSpinWait();
            }
            worker.close();

            assertThat(Objects.requireNonNull(history.latest()).epoch()).isEqualTo(1);
            assertThat(history.latest().summary().shifts().count()).isEqualTo(3);
            assertThat(runs()).isFalse();
        }
    }
}
