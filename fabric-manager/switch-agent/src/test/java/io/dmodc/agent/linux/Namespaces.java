package io.dmodc.agent.linux;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Network namespaces of one test, with cables between them; all are removed at its end. */
final class Namespaces implements AutoCloseable {
    /** It ends a program that hangs, on a machine however busy. */
    private static final long PATIENCE_SECONDS = 120;

    private static final AtomicInteger COUNT = new AtomicInteger();

    /** One was made in this process. */
    private static volatile boolean permitted;

    private final String prefix = "lpt" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet() + "-";
    private final Map<String, String> names = new LinkedHashMap<>();

    private Namespaces() {}

    /** Skips the test where namespaces are refused, and says so. */
    static Namespaces open() {
        if (!permitted) {
            try (Namespaces one = new Namespaces()) {
                one.make("probe");
                permitted = true;
            } catch (AssertionError | IOException e) {
                assumeTrue(false, "network namespaces are refused here: " + e.getMessage());
            }
        }
        return new Namespaces();
    }

    private String full(String name) {
        return Objects.requireNonNull(names.get(name), name);
    }

    /** Makes one whose loopback is up. */
    void make(String name) throws IOException {
        run("ip", "netns", "add", prefix + name);
        names.put(name, prefix + name);
        in(name, "ip", "link", "set", "lo", "up");
    }

    /** Plugs so many cables in, port by port, and has all ends up: by three programs, as each takes longer than what it does. */
    void cables(int count, String one, String ports, String other, String otherPorts) throws IOException {
        StringBuilder add = new StringBuilder();
        StringBuilder up = new StringBuilder();
        StringBuilder otherUp = new StringBuilder();
        for (int port = 1; port <= count; port++) {
            add.append("link add %s%d netns %s type veth peer name %s%d netns %s%n"
                    .formatted(ports, port, full(one), otherPorts, port, full(other)));
            up.append("link set %s%d up%n".formatted(ports, port));
            otherUp.append("link set %s%d up%n".formatted(otherPorts, port));
        }
        run(List.of("ip", "-batch", "-"), add.toString());
        run(List.of("ip", "-n", full(one), "-batch", "-"), up.toString());
        run(List.of("ip", "-n", full(other), "-batch", "-"), otherUp.toString());
    }

    /** Plugs a cable in and has both ends up. */
    void cable(String one, String port, String other, String otherPort) throws IOException {
        run(
                "ip",
                "link",
                "add",
                port,
                "netns",
                full(one),
                "type",
                "veth",
                "peer",
                "name",
                otherPort,
                "netns",
                full(other));
        in(one, "ip", "link", "set", port, "up");
        in(other, "ip", "link", "set", otherPort, "up");
    }

    /** Returns what a program is to be started with to run in one; {@code ip netns exec} would also mount what nobody here looks at. */
    List<String> command(String name) {
        return List.of("nsenter", "--net=/run/netns/" + full(name));
    }

    String mac(String name, String port) throws IOException {
        String[] words =
                in(name, "ip", "-br", "link", "show", "dev", port).strip().split(" +", -1);
        return words[2];
    }

    /** Runs a program in one and returns what it said; fails with that when it fails. */
    String in(String name, String... command) throws IOException {
        List<String> all = new ArrayList<>();
        if (command[0].equals("ip")) {
            // It goes there by itself, in one process.
            all.addAll(List.of("ip", "-n", full(name)));
            all.addAll(List.of(command).subList(1, command.length));
        } else {
            all.addAll(command(name));
            all.addAll(List.of(command));
        }
        return run(all.toArray(new String[0]));
    }

    static String run(String... command) throws IOException {
        return run(List.of(command), "");
    }

    private static String run(List<String> command, String input) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.US_ASCII));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError(String.join(" ", command) + ": " + said);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return said;
    }

    @Override
    public void close() throws IOException {
        StringBuilder delete = new StringBuilder();
        names.values().forEach(name -> delete.append("netns del ").append(name).append('\n'));
        run(List.of("ip", "-batch", "-"), delete.toString());
    }
}
