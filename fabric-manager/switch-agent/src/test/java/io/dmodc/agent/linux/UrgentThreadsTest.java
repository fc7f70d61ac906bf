package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** For root: others may only give way. */
class UrgentThreadsTest {
    private static final Path TASKS = Path.of("/proc/self/task");

    /** Behind the name, which may have spaces: the state is the first field, nice the 17th. */
    private static int nice(String task) throws IOException {
        String line = Files.readString(TASKS.resolve(task).resolve("stat"));
        return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ")[16]);
    }

    private static Thread waiting(String name, CompletableFuture<String> task, CountDownLatch end) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.complete(Files.readSymbolicLink(Path.of("/proc/thread-self"))
                                .getFileName()
                                .toString());
                        end.await();
                    } catch (IOException | InterruptedException e) {
                        task.completeExceptionally(e);
                    }
                },
                name);
        thread.start();
        return thread;
    }

    @Test
    void shouldPreferThoseThatLeadPacketsAroundAndNoOthers() throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "renice below 0 is for root");
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<String> urgent = new CompletableFuture<>();
        CompletableFuture<String> other = new CompletableFuture<>();
        List<Thread> threads = List.of(waiting(UrgentThreads.WITHDRAWALS, urgent, end), waiting("session", other, end));
        String led = urgent.get();
        int before = nice(other.get());

        UrgentThreads.raise();

        assertThat(nice(led)).isEqualTo(-20);
        assertThat(nice(other.get())).isEqualTo(before);
        end.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
