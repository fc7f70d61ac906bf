package io.dmodc.demo.ibsim;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code ibsim} with a fabric, and {@code opensm} on its first host, which loads tables from a file and routes by
 * {@code updn} while there is none. Both end with it.
 */
final class SimulatedSubnet implements AutoCloseable {
    private static final Map<String, String> PACKAGES = Map.of(
            "opensm", "opensm",
            "ibsim", "ibsim-utils",
            "ibsim-run", "ibsim-utils",
            "ibnetdiscover", "infiniband-diags",
            "dump_fts", "infiniband-diags",
            "ibtracert", "infiniband-diags");

    private static final List<Path> ALSO = List.of(Path.of("/usr/sbin"), Path.of("/usr/local/sbin"), Path.of("/sbin"));
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Path directory;
    private final Map<String, String> environment;
    private final Process simulator;
    private @Nullable Process manager;

    private SimulatedSubnet(Path directory, Map<String, String> environment, Process simulator) {
        this.directory = directory;
        this.environment = environment;
        this.simulator = simulator;
    }

    /**
     * Starts it.
     *
     * @param directory for its files, empty, without a blank in its name
     * @throws IbsimFailure if a program is missing, or does not come up
     */
    static SimulatedSubnet start(FabricView view, Path directory)
            throws IOException, InterruptedException, IbsimFailure {
        requirePrograms();
        Path net = directory.resolve("fabric.net");
        try (BufferedWriter out = Files.newBufferedWriter(net)) {
            IbnetWriter.write(view, new LidMap(), out);
        }
        int ports = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            ports += view.portCount(s) + 1;
        }
        int nodes = view.switchCount() + view.nodeCount();
        Map<String, String> environment = Map.of(
                "IBSIM_SOCKNAME",
                "dmodc-" + ProcessHandle.current().pid(),
                "SIM_HOST",
                "H-"
                        + Guid.digits(Objects.requireNonNull(view.host(firstHost(view)))
                                .hostGuid()),
                "OSM_TMP_DIR",
                directory.toString(),
                "OSM_CACHE_DIR",
                directory.toString());
        List<String> words = List.of(
                "ibsim",
                "-s",
                "-I",
                "-N",
                Integer.toString(nodes + 10),
                "-S",
                Integer.toString(view.switchCount() + 10),
                "-P",
                Integer.toString(ports + 2 * view.nodeCount() + 10),
                "-L",
                "49152",
                net.toString());
        SimulatedSubnet subnet =
                new SimulatedSubnet(directory, environment, process(words, directory, environment, "ibsim.log"));
        try {
            subnet.awaitSimulator();
            subnet.startOpenSm();
            return subnet;
        } catch (IOException | InterruptedException | IbsimFailure e) {
            subnet.close();
            throw e;
        }
    }

    private static int firstHost(FabricView view) {
        int node = 0;
        while (!view.isHost(node)) {
            node++;
        }
        return node;
    }

    private static void requirePrograms() throws IbsimFailure {
        List<String> missing = PACKAGES.keySet().stream()
                .filter(name -> find(name) == null)
                .sorted()
                .toList();
        if (!missing.isEmpty()) {
            throw new IbsimFailure("the program " + missing.get(0) + " is missing; expected the packages "
                    + "opensm, ibsim-utils and infiniband-diags (Debian, Ubuntu: apt-get install them)");
        }
    }

    private static @Nullable Path find(String name) {
        List<Path> places = new ArrayList<>();
        for (String place :
                Objects.requireNonNullElse(System.getenv("PATH"), "").split(File.pathSeparator)) {
            places.add(Path.of(place));
        }
        places.addAll(ALSO);
        return places.stream()
                .map(place -> place.resolve(name))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    private static Process process(List<String> words, Path directory, Map<String, String> environment, String log)
            throws IOException {
        List<String> found = new ArrayList<>();
        for (String word : words) {
            Path program = PACKAGES.containsKey(word) ? find(word) : null;
            found.add(program == null ? word : program.toString());
        }
        ProcessBuilder builder = new ProcessBuilder(found).directory(directory.toFile());
        builder.environment().putAll(environment);
        return builder.redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(directory.resolve(log).toFile()))
                .start();
    }

    private void awaitSimulator() throws IOException, InterruptedException, IbsimFailure {
        long end = System.nanoTime() + START_NANOS;
        while (run(List.of("ibsim-run", find("ibnetdiscover") + ""), "discover.log") != 0) {
            if (!simulator.isAlive() || System.nanoTime() > end) {
                throw new IbsimFailure("ibsim does not come up: " + lastLine(directory.resolve("ibsim.log")));
            }
            Thread.sleep(100);
        }
    }

    private int run(List<String> words, String log) throws IOException, InterruptedException {
        Process process = process(words, directory, environment, log);
        process.getOutputStream().close();
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            return -1;
        }
        return process.exitValue();
    }

    /** Starts OpenSM and waits until it has brought the subnet up. */
    void startOpenSm() throws IOException, InterruptedException, IbsimFailure {
        Files.writeString(
                directory.resolve("opensm.conf"), "force_log_flush TRUE\nmax_wire_smps 32\nsweep_on_trap FALSE\n");
        Files.deleteIfExists(log());
        manager = process(
                List.of(
                        "ibsim-run",
                        find("opensm") + "",
                        "-F",
                        directory.resolve("opensm.conf").toString(),
                        "-R",
                        "file,updn",
                        "-U",
                        dump().toString(),
                        "-f",
                        log().toString(),
                        "-s",
                        "10"),
                directory,
                environment,
                "opensm.out");
        Files.writeString(pidFile(), Long.toString(manager.pid()));
        long end = System.nanoTime() + START_NANOS;
        while (!Files.exists(log())
                || !Files.readString(log(), StandardCharsets.ISO_8859_1).contains("SUBNET UP")) {
            if (!manager.isAlive() || System.nanoTime() > end) {
                throw new IbsimFailure(
                        "opensm does not bring the subnet up: " + lastLine(directory.resolve("opensm.out")));
            }
            Thread.sleep(50);
        }
    }

    /** As if it had crashed. */
    void killOpenSm() throws InterruptedException {
        Process running = Objects.requireNonNull(manager);
        running.destroyForcibly();
        running.waitFor();
    }

    private static String lastLine(Path file) throws IOException {
        List<String> lines = Files.exists(file) ? Files.readAllLines(file, StandardCharsets.ISO_8859_1) : List.of();
        return lines.isEmpty() ? "it said nothing" : lines.get(lines.size() - 1);
    }

    Path dump() {
        return directory.resolve("lfts.dump");
    }

    Path log() {
        return directory.resolve("opensm.log");
    }

    Path pidFile() {
        return directory.resolve("opensm.pid");
    }

    /** A command as the manager is to run it. */
    String command(String program, String arguments) {
        return ("env -C " + directory + " IBSIM_SOCKNAME=" + environment.get("IBSIM_SOCKNAME") + " SIM_HOST="
                        + environment.get("SIM_HOST") + " " + find("ibsim-run") + " " + find(program) + " " + arguments)
                .strip();
    }

    /** Cuts the cable at a port of a switch. */
    void cut(long guid, int port) throws IOException {
        console("Unlink \"S-" + Guid.digits(guid) + "\"[" + port + "]");
    }

    /** Plugs it in again. */
    void mend(long guid, int port) throws IOException {
        console("ReLink \"S-" + Guid.digits(guid) + "\"[" + port + "]");
    }

    /** Cuts all cables of a switch. */
    void kill(long guid) throws IOException {
        console("Unlink \"S-" + Guid.digits(guid) + "\"");
    }

    /** Plugs all in again. */
    void revive(long guid) throws IOException {
        console("ReLink \"S-" + Guid.digits(guid) + "\"");
    }

    private void console(String command) throws IOException {
        OutputStream console = simulator.getOutputStream();
        console.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
        console.flush();
    }

    /**
     * Follows the switches' tables from one LID to another with {@code ibtracert}.
     *
     * @return true if the way ends at the port of the host with this GUID
     */
    boolean reaches(int from, int to, long hostGuid) throws IOException, InterruptedException {
        Path trace = directory.resolve("trace.out");
        Files.deleteIfExists(trace);
        int status = run(
                List.of("ibsim-run", find("ibtracert") + "", "-n", Integer.toString(from), Integer.toString(to)),
                trace.getFileName().toString());
        return status == 0
                && Files.readString(trace, StandardCharsets.ISO_8859_1).contains("To {" + Guid.format(hostGuid) + "}");
    }

    /** Last words of OpenSM are not waited for: it takes seconds to find them. */
    @Override
    public void close() {
        if (manager != null) {
            manager.destroyForcibly();
        }
        simulator.destroyForcibly();
    }
}
