package io.dmodc.routing.engines;

import io.dmodc.routing.opensm.OpenSmDump;
import io.dmodc.routing.opensm.OpenSmTables;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One run of Debian's {@code opensm} on a fabric simulated by {@code ibsim}, and what it dumped. Both processes are ended
 * before {@link #route} returns, whatever happens.
 *
 * @param tables what it would write to the switches
 * @param hops by GUIDs of switch and target switch: hops by port number, port 0 the fewest, 255 for none
 * @param roots GUIDs that {@code updn} took for roots, ascending; empty for other engines
 */
record RealOpenSm(OpenSmTables tables, Map<Long, Map<Long, int[]>> hops, List<Long> roots) {
    private static final int TIMEOUT_SECONDS = 120;
    private static final List<Path> BINARIES = Stream.of("/usr/sbin/opensm", "/usr/bin/ibsim", "/usr/bin/ibsim-run")
            .map(Path::of)
            .toList();

    static boolean isInstalled() {
        return BINARIES.stream().allMatch(Files::isExecutable);
    }

    /**
     * Routes a fabric.
     *
     * @param directory empty; gets the fabric, logs and dumps
     * @param options for {@code opensm}, beside those for one sweep with dumps
     */
    static RealOpenSm route(FabricView view, Path directory, String... options) throws IOException {
        Path net = directory.resolve("fabric.net");
        try (Writer out = Files.newBufferedWriter(net)) {
            IbnetWriter.write(view, new LidMap(), out);
        }
        Process ibsim = start(directory, sizes(view, net));
        try {
            CompletableFuture<Void> watchdog = end(ibsim);
            awaitReady(ibsim);
            List<String> command = new ArrayList<>(List.of("/usr/bin/ibsim-run", "/usr/sbin/opensm", "-o"));
            command.addAll(
                    List.of("-D", "0x43", "-f", directory.resolve("osm.log").toString()));
            command.addAll(List.of(options));
            run(directory, view, command);
            watchdog.cancel(true);
        } finally {
            ibsim.destroyForcibly();
        }
        return read(view, directory);
    }

    private static List<String> sizes(FabricView view, Path net) {
        int ports = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            ports += view.portCount(s) + 1;
        }
        return List.of(
                "/usr/bin/ibsim",
                "-s",
                "-I",
                "-N",
                Integer.toString(view.nodeCount() + view.switchCount() + 8),
                "-S",
                Integer.toString(view.switchCount() + 8),
                "-P",
                Integer.toString(ports + 2 * view.nodeCount() + 64),
                "-L",
                "4096",
                net.toString());
    }

    private static Process start(Path directory, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.directory(directory.toFile()).environment().put("IBSIM_SOCKNAME", socketName(directory));
        return builder.start();
    }

    /** One per temporary directory, so that several runs do not meet. */
    private static String socketName(Path directory) {
        return "dmodc-" + ProcessHandle.current().pid() + "-"
                + Integer.toHexString(directory.toString().hashCode());
    }

    private static CompletableFuture<Void> end(Process process) {
        return CompletableFuture.runAsync(
                process::destroyForcibly, CompletableFuture.delayedExecutor(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }

    private static void awaitReady(Process ibsim) throws IOException {
        BufferedReader output = ibsim.inputReader();
        StringBuilder seen = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            seen.append(line).append('\n');
            if (line.contains("Network simulator ready")) {
                CompletableFuture.runAsync(() -> output.lines().forEach(rest -> {}));
                return;
            }
        }
        throw new IOException("ibsim ended before it was ready:\n" + seen);
    }

    private static void run(Path directory, FabricView view, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("opensm.out").toFile());
        Map<String, String> environment = builder.environment();
        environment.put("IBSIM_SOCKNAME", socketName(directory));
        environment.put("SIM_HOST", "H-" + Guid.digits(smHost(view)));
        environment.put("OSM_TMP_DIR", directory.toString());
        environment.put("OSM_CACHE_DIR", directory.toString());
        Process opensm = builder.start();
        try {
            if (!opensm.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("opensm did not end in " + TIMEOUT_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            throw new IOException("interrupted while opensm ran", e);
        } finally {
            opensm.destroyForcibly();
        }
    }

    /** OpenSM runs on the first host that is cabled to a live switch. */
    private static long smHost(FabricView view) {
        int node = 0;
        while (view.nodeSwitch(node) < 0 || !view.alive(view.nodeSwitch(node))) {
            node++;
        }
        return Objects.requireNonNull(view.host(node)).hostGuid();
    }

    private static RealOpenSm read(FabricView view, Path directory) throws IOException {
        OpenSmTables tables;
        try (BufferedReader in = Files.newBufferedReader(directory.resolve("opensm-lfts.dump"))) {
            tables = OpenSmDump.read("opensm-lfts.dump", in, view);
        }
        Path roots = directory.resolve("opensm-updn-roots.dump");
        return new RealOpenSm(
                tables,
                hops(Files.readAllLines(directory.resolve("opensm-lid-matrix.dump"))),
                Files.exists(roots)
                        ? Files.readAllLines(roots).stream()
                                .map(Guid::parse)
                                .sorted(Long::compareUnsigned)
                                .toList()
                        : List.of());
    }

    /** Lines {@code Switch: guid 0x…} and {@code 0x0003: 01 ff 02 # portguid 0x…}. */
    private static Map<Long, Map<Long, int[]>> hops(List<String> lines) {
        Map<Long, Map<Long, int[]>> hops = new HashMap<>();
        Map<Long, int[]> current = Map.of();
        for (String line : lines) {
            if (line.startsWith("Switch: guid ")) {
                current = new HashMap<>();
                hops.put(Guid.parse(line.substring(13).strip()), current);
            } else if (line.startsWith("0x")) {
                String[] halves = line.split(" # portguid ");
                int[] ports = Arrays.stream(halves[0]
                                .substring(halves[0].indexOf(':') + 1)
                                .strip()
                                .split(" "))
                        .mapToInt(word -> Integer.parseInt(word, 16))
                        .toArray();
                current.put(Guid.parse(halves[1].strip()), ports);
            }
        }
        return hops;
    }
}
