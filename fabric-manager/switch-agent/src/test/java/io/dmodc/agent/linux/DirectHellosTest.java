package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hellos between two kernels, each with a process of its own ({@link CableEnd}): they go to the far end alone when that is known to work. */
@Timeout(60)
class DirectHellosTest {
    private static final long PATIENCE_SECONDS = 20;

    private Namespaces kernels;
    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void plugIn() throws IOException {
        kernels = Namespaces.open();
        kernels.make("leaf");
        kernels.make("spine");
        kernels.cable("leaf", "p1", "spine", "p1");
    }

    @AfterEach
    void endProcesses() throws IOException {
        started.forEach(Process::destroyForcibly);
        kernels.close();
    }

    /** What one end prints. */
    private BlockingQueue<String> start(String place, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(kernels.command(place));
        command.addAll(OwnNamespace.java());
        command.addAll(List.of(CableEnd.class.getName(), place.equals("leaf") ? "16" : "32", "p1"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        started.add(process);
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> {
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                out.lines().forEach(lines::add);
            } catch (IOException e) {
                lines.add(String.valueOf(e));
            }
        });
        reader.setDaemon(true);
        reader.start();
        return lines;
    }

    /** Reads on until a line that fits, and returns those before it. */
    private static List<String> until(BlockingQueue<String> lines, Predicate<String> last) throws InterruptedException {
        List<String> before = new ArrayList<>();
        while (true) {
            String line = Objects.requireNonNull(
                    lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> "nothing more after " + before);
            if (last.test(line)) {
                return before;
            }
            before.add(line);
        }
    }

    private static List<Integer> heard(BlockingQueue<String> lines, int count) throws InterruptedException {
        List<Integer> numbers = new ArrayList<>();
        while (numbers.size() < count) {
            String line =
                    Objects.requireNonNull(lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), () -> "after " + numbers);
            if (line.startsWith("heard ")) {
                numbers.add(Integer.parseInt(line.substring("heard ".length())));
            }
        }
        return numbers;
    }

    private static void assertEachOnce(List<Integer> numbers) {
        for (int i = 1; i < numbers.size(); i++) {
            assertThat(numbers.get(i)).as(numbers.toString()).isEqualTo(numbers.get(i - 1) + 1);
        }
    }

    private long multicasts(String place) throws IOException {
        return kernels.in(place, "cat", "/proc/net/snmp6")
                .lines()
                .filter(line -> line.startsWith("Ip6InMcastPkts"))
                .mapToLong(line ->
                        Long.parseLong(line.substring("Ip6InMcastPkts".length()).strip()))
                .sum();
    }

    @Test
    void shouldBecomeDirectWithoutMissingOrDoublingOne() throws Exception {
        BlockingQueue<String> leaf = start("leaf");
        BlockingQueue<String> spine = start("spine");

        heard(leaf, 20); // the first may come in another order, with the first announcement
        assertEachOnce(heard(leaf, 200));
        until(spine, "direct"::equals);
        long before = multicasts("leaf");
        leaf.clear();
        List<Integer> direct = heard(leaf, 200);

        assertEachOnce(direct);
        assertThat(multicasts("leaf") - before).as("announcements alone").isLessThan(50);
    }

    @Test
    void shouldBeHeardByAnAgentThatWasStartedAnew() throws Exception {
        start("leaf");
        BlockingQueue<String> spine = start("spine");
        until(spine, "direct"::equals);

        started.get(0).destroyForcibly().waitFor();
        until(spine, "multicast"::equals); // its kernel was told that nobody listens
        BlockingQueue<String> next = start("leaf");

        // Perhaps before a hello comes: what the spine said of the agent before still counts.
        until(next, "direct"::equals);
        until(spine, "direct"::equals); // the new one has said that it is heard
        assertEachOnce(heard(next, 200));
    }

    @Test
    void shouldBeMulticastWhereTheDirectWayIsShut() throws Exception {
        BlockingQueue<String> leaf = start("leaf", "taken");
        BlockingQueue<String> spine = start("spine");

        heard(leaf, 20);
        assertEachOnce(heard(leaf, 300));
        assertThat(spine).doesNotContain("direct");
    }

    @Test
    void shouldBeHeardWhenAnAddressChanges() throws Exception {
        BlockingQueue<String> leaf = start("leaf");
        BlockingQueue<String> spine = start("spine");
        until(leaf, "direct"::equals);
        until(spine, "direct"::equals);

        kernels.in("leaf", "ip", "link", "set", "p1", "down");
        kernels.in("leaf", "ip", "link", "set", "p1", "address", "02:00:00:00:00:99");
        kernels.in("leaf", "ip", "link", "set", "p1", "up");
        leaf.clear();
        spine.clear();

        assertThat(heard(leaf, 100)).isNotEmpty();
        assertThat(heard(spine, 100)).isNotEmpty();
    }
}
