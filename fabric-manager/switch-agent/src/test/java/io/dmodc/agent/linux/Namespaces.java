package io.dmodc.agent.linux;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
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

    private final String prefix = "lpt" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet() + "-";
    private final Map<String, String> names = new LinkedHashMap<>();

    private Namespaces() {}

    /** Skips the test where namespaces are refused, and says so. */
    static Namespaces open() {
        Namespaces all = new Namespaces();
        try {
            all.make("probe");
        } catch (AssertionError | IOException e) {
            assumeTrue(false, "network namespaces are refused here: " + e.getMessage());
        }
        return all;
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

    /** Returns what a program is to be started with to run in one. */
    List<String> command(String name) {
        return List.of("ip", "netns", "exec", full(name));
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
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
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
        for (String name : names.values()) {
            run("ip", "netns", "del", name);
        }
    }
}
