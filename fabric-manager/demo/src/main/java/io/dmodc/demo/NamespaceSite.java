package io.dmodc.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A manager and two switch agents as processes of their own. The manager is in this network namespace, which must be an
 * empty one; each agent has another, with one pair of interfaces as management network and others as cables between the
 * two switches. A process that sleeps holds each namespace; when it ends, all in there is gone.
 *
 * <pre>
 *   namespace 0, switch 0x10 (a leaf with two hosts)      namespace 1, switch 0x11
 *      10.77.0.2 ── mgmt ──┐   swp1 ═══════════════ swp1   ┌── mgmt ── 10.77.0.3
 *                          │   ...                   ...   │
 *                          └─ br0 10.77.0.1, the manager ──┘
 * </pre>
 *
 * <p>Used by one thread.
 */
final class NamespaceSite implements AutoCloseable {
    static final int CABLES = 4;

    private static final int SWITCHES = 2;
    private static final int FIRST_GUID = 0x10;
    private static final int FIRST_HOST_PORT = 7;
    private static final int PORT_COUNT = 8;
    private static final int KEY_BYTES = 32;
    private static final String ADMINISTRATORS = "127.0.0.1:7480";
    private static final String LIFE_SECONDS = "1800";
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String SETTINGS = """
            state-dir: %s
            southbound: {listen: '10.77.0.1:7470', authentication: off}
            northbound: {listen: '%s'}
            detector: {listen: '10.77.0.1:7471', key-file: %s}
            links: {hold-down: 20ms, hold-down-max: 100ms}
            discovery: {quiet: 500ms, timeout: 5s}
            """;

    private final Path directory;
    private final List<Process> processes = new ArrayList<>();
    private final List<Process> holders = new ArrayList<>();
    private final List<PrintStream> shells = new ArrayList<>();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Thread hook = new Thread(this::kill, "namespace-site");

    /** @param directory empty; for settings, key, state and logs */
    NamespaceSite(Path directory) {
        this.directory = directory;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Builds the network, starts all processes, and waits until the manager has all cables. */
    void start() throws IOException, DemoFailure {
        Path key = writeKey();
        Path plane = directory.resolve("interface-plane.py");
        try (InputStream program = NamespaceSite.class.getResourceAsStream("interface-plane.py")) {
            Files.copy(Objects.requireNonNull(program), plane);
        }
        Path settings = directory.resolve("fabric-manager.yaml");
        Files.writeString(settings, SETTINGS.formatted(directory.resolve("state"), ADMINISTRATORS, key));
        Files.createFile(directory.resolve("agent.yaml"));
        network();
        java(List.of(), "manager", "io.dmodc.manager.app.Main", List.of("run", "--config", settings.toString()));
        for (int s = 0; s < SWITCHES; s++) {
            agent(s, key, plane);
        }
        awaitWhole();
    }

    private Path writeKey() throws IOException {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        Path file = Files.createFile(
                directory.resolve("detector.key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        return Files.writeString(file, Base64.getEncoder().encodeToString(key) + "\n");
    }

    private void network() throws IOException, DemoFailure {
        run("ip link set lo up");
        run("ip link add br0 type bridge");
        run("ip address add 10.77.0.1/24 dev br0");
        run("ip link set br0 up");
        for (int s = 0; s < SWITCHES; s++) {
            Process holder = start(List.of("unshare", "--net", "sleep", LIFE_SECONDS), "holder" + s);
            holders.add(holder);
            Path own = link(Path.of("/proc/self/ns/net"));
            Path theirs = Path.of("/proc/" + holder.pid() + "/ns/net");
            await("a namespace", () -> !own.equals(link(theirs)));
            shells.add(new PrintStream(
                    start(inside(s, "ip -force -batch -"), "ip" + s).getOutputStream(), true, StandardCharsets.UTF_8));
            run("ip link add mgmt" + s + " type veth peer name mgmt netns " + holder.pid());
            run("ip link set mgmt" + s + " master br0 up");
            run(inside(s, "ip link set lo up"));
            run(inside(s, "ip address add " + address(s) + "/24 dev mgmt"));
            run(inside(s, "ip link set mgmt up"));
        }
        for (int cable = 1; cable <= CABLES; cable++) {
            plug(cable);
        }
    }

    private static Path link(Path path) {
        try {
            return Files.readSymbolicLink(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String address(int s) {
        return "10.77.0." + (2 + s);
    }

    private List<String> inside(int s, String command) {
        List<String> all = new ArrayList<>(
                List.of("nsenter", "--target", Long.toString(holders.get(s).pid()), "--net"));
        all.addAll(Arrays.asList(command.split(" ")));
        return all;
    }

    private void agent(int s, Path key, Path plane) throws IOException {
        StringBuilder program = new StringBuilder("[python3, '" + plane + "'");
        for (int cable = 1; cable <= CABLES; cable++) {
            program.append(", '%d=swp%d,%s,%d'".formatted(cable, cable, guid(1 - s), cable));
        }
        for (int port = FIRST_HOST_PORT; s == 0 && port <= PORT_COUNT; port++) {
            program.append(", '%d=0x%x'".formatted(port, 0xa0 + port));
        }
        List<String> arguments = new ArrayList<>(
                List.of("run", "--config", directory.resolve("agent.yaml").toString()));
        for (String setting : List.of(
                "guid=" + guid(s),
                "manager=10.77.0.1:7470",
                "authentication=off",
                "detector.key-file=" + key,
                "detector.listen=" + address(s) + ":0",
                "plane.kind=exec",
                "plane.command=" + program + "]",
                "plane.ports-from=program",
                "plane.port-count=" + PORT_COUNT)) {
            arguments.addAll(List.of("--set", setting));
        }
        java(inside(s, "env"), "agent" + s, "io.dmodc.agent.Main", arguments);
    }

    private static String guid(int s) {
        return "0x%016x".formatted(FIRST_GUID + s);
    }

    private void java(List<String> before, String name, String main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main));
        command.addAll(arguments);
        start(command, name);
    }

    private Process start(List<String> command, String name) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile())
                .start();
        processes.add(process);
        return process;
    }

    private static void run(String command) throws IOException, DemoFailure {
        run(Arrays.asList(command.split(" ")));
    }

    private static void run(List<String> command) throws IOException, DemoFailure {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (process.waitFor() != 0) {
                throw new DemoFailure(String.join(" ", command) + ": " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DemoFailure("interrupted");
        }
    }

    /** Sets one end of a cable down; the kernel has been told when this returns, and does it at once. */
    void setDown(int cable, int end) {
        shells.get(end).println("link set swp" + cable + " down");
    }

    void setUp(int cable, int end) {
        shells.get(end).println("link set swp" + cable + " up");
    }

    /** Takes a cable away, from this end: then the other is gone, too. */
    void pull(int cable, int end) {
        shells.get(end).println("link delete swp" + cable);
    }

    /** Plugs in a cable that is not there. Indices differ, as they do between machines. */
    void plug(int cable) throws IOException, DemoFailure {
        run("ip link add swp%d index %d netns %d type veth peer name swp%d index %d netns %d"
                .formatted(
                        cable,
                        10 + cable,
                        holders.get(0).pid(),
                        cable,
                        20 + cable,
                        holders.get(1).pid()));
        setUp(cable, 0);
        setUp(cable, 1);
    }

    URI api(String path) {
        return URI.create("http://" + ADMINISTRATORS + "/api/v1/" + path);
    }

    HttpClient client() {
        return client;
    }

    /** Waits until all cables are up and nothing is left to do. */
    void awaitWhole() throws DemoFailure {
        await("a manager with " + CABLES + " cables", () -> {
            JsonNode status = status();
            return status != null
                    && status.at("/links/live").asInt() == CABLES
                    && status.at("/outstanding").asInt() == 0
                    && !status.at("/computing").asBoolean()
                    && !status.at("/discovering").asBoolean();
        });
    }

    private @Nullable JsonNode status() {
        try {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(api("status")).timeout(ANSWER_MAX).build(),
                    HttpResponse.BodyHandlers.ofString());
            return new ObjectMapper().readTree(answer.body());
        } catch (IOException e) {
            return null; // it does not listen yet
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private void await(String what, BooleanSupplier reached) throws DemoFailure {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!reached.getAsBoolean()) {
            if (System.nanoTime() - end > 0 || Thread.currentThread().isInterrupted()) {
                throw new DemoFailure(
                        what + ": not there after " + PATIENCE_NANOS / 1_000_000_000 + " s; logs say: " + lastWords());
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private String lastWords() {
        StringBuilder words = new StringBuilder();
        for (String name : List.of("manager", "agent0", "agent1", "ip0", "ip1")) {
            try {
                List<String> lines = Files.readAllLines(directory.resolve(name + ".log"));
                words.append(name)
                        .append(": ")
                        .append(lines.isEmpty() ? "nothing" : lines.get(lines.size() - 1))
                        .append("; ");
            } catch (IOException e) {
                words.append(name).append(": no log; ");
            }
        }
        return words.toString();
    }

    private void kill() {
        for (int i = processes.size() - 1; i >= 0; i--) {
            Process process = processes.get(i);
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    @Override
    public void close() {
        kill();
        processes.forEach(process -> process.onExit().join());
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
