package io.dmodc.agent.linux;

import io.dmodc.southbound.Alternatives;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How many routes a second an agent writes into the kernel, beside what {@code ip -batch FILE} does with the same lines: the floor, alone and as
 * two at once. All take turns, in namespaces of their own, and each round adds all routes to none and then replaces all of them. Prints each round, medians, and their ratio
 * to the floor and to the bound of {@value #BOUND} a second. For root, by hand: {@code RoutesBenchmark ROUTES ROUNDS}.
 */
final class RoutesBenchmark {
    private static final int BOUND = 50_000;
    private static final int PORTS = 3;
    private static final String LINE = "%s %s: %,d/s (%.1f us each)%n";

    private final int hosts;
    private final boolean ipv6;
    private final Map<String, List<Double>> micros = new LinkedHashMap<>();

    private RoutesBenchmark(int hosts, boolean ipv6) {
        this.hosts = hosts;
        this.ipv6 = ipv6;
    }

    public static void main(String[] arguments) throws Exception {
        int routes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 20_000;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 5;
        System.out.printf(
                "%s, Java %s, %d processors, load %.1f; %,d routes%n",
                System.getProperty("os.arch"),
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                routes);
        new RoutesBenchmark(routes, false).run(rounds);
        new RoutesBenchmark(routes / 2, true).run(rounds);
        System.exit(0);
    }

    private void run(int rounds) throws Exception {
        System.out.println(ipv6 ? "both families" : "IPv4");
        try (ThreePorts floor = ThreePorts.open();
                ThreePorts mine = ThreePorts.open();
                PlaneRig rig = mine.rig(null, true)) {
            rig.readBack();
            rig.destinations(hosts, ipv6);
            for (int round = 0; round < rounds; round++) {
                floor(floor.net, "ip", 1);
                floor(floor.net, "two ip", 2);
                agent(rig);
            }
        }
        report();
    }

    private int routes() {
        return ipv6 ? 2 * hosts : hosts;
    }

    private void took(String who, String what, long nanos) {
        double each = nanos / 1_000.0 / routes();
        micros.computeIfAbsent(who + " " + what, any -> new ArrayList<>()).add(each);
        System.out.printf(Locale.ROOT, "  " + LINE, who, what, (long) (1e6 / each), each);
    }

    private static int port(int host, int shift) {
        return 1 + (host + shift) % PORTS;
    }

    private void floor(Namespaces net, String who, int children) throws IOException, InterruptedException {
        for (String family : List.of("-4", "-6")) {
            net.in("s", "ip", family, "route", "flush", "proto", "201");
        }
        took(who, "added", floor(net, RouteOp.Kind.ADD, 0, children));
        took(who, "replaced", floor(net, RouteOp.Kind.REPLACE, 1, children));
    }

    private long floor(Namespaces net, RouteOp.Kind kind, int shift, int children)
            throws IOException, InterruptedException {
        LinuxSettings settings = new LinuxSettings(7, "s7", PORTS, "p", 201, true, null, List.of());
        List<StringBuilder> texts = new ArrayList<>();
        for (int child = 0; child < children; child++) {
            texts.add(new StringBuilder());
        }
        for (int host = 0; host < hosts; host++) {
            for (RouteAddress address :
                    RouteAddress.of(PlaneRig.destination(host, ipv6).addresses())) {
                RouteOp.own(kind, address, port(host, shift)).appendTo(texts.get(host % children), settings);
            }
        }
        List<Path> files = new ArrayList<>();
        for (StringBuilder text : texts) {
            Path file = Files.createTempFile("routes", ".batch");
            Files.writeString(file, text);
            files.add(file);
        }
        long start = System.nanoTime();
        List<Process> all = new ArrayList<>();
        for (Path file : files) {
            List<String> command = new ArrayList<>(net.command("s"));
            command.addAll(List.of("ip", "-force", "-batch", file.toString()));
            all.add(new ProcessBuilder(command).inheritIO().start());
        }
        for (Process each : all) {
            if (each.waitFor() != 0) {
                throw new IOException("ip failed");
            }
        }
        long nanos = System.nanoTime() - start;
        for (Path file : files) {
            Files.delete(file);
        }
        return nanos;
    }

    private void agent(PlaneRig rig) throws Exception {
        install(rig, "removed", 255);
        install(rig, "added", 0);
        install(rig, "replaced", 1);
    }

    private void install(PlaneRig rig, String what, int shift) throws Exception {
        byte[] entries = new byte[hosts];
        for (int host = 0; host < hosts; host++) {
            entries[host] = (byte) (shift == 255 ? shift : port(host, shift));
        }
        long plane = threadNanos(UrgentThreads.PLANE);
        long start = System.nanoTime();
        rig.install(Alternatives.NONE, new BitSet(), entries, (done, total) -> {});
        long nanos = System.nanoTime() - start;
        if (shift != 255) {
            took("agent", what, nanos);
            System.out.printf(
                    Locale.ROOT,
                    "    of which its thread on a processor: %.1f us each%n",
                    (threadNanos(UrgentThreads.PLANE) - plane) / 1_000.0 / routes());
        }
    }

    private static long threadNanos(String name) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long nanos = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().equals(name)) {
                nanos += threads.getThreadCpuTime(thread.getThreadId());
            }
        }
        return nanos;
    }

    private double median(String what) {
        List<Double> sorted = new ArrayList<>(micros.getOrDefault(what, List.of()));
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private void report() {
        for (String what : List.of("added", "replaced")) {
            double agent = median("agent " + what);
            System.out.printf(
                    Locale.ROOT,
                    "%s, medians: agent %,d/s, %.2f of one ip, %.2f of two, %.2f of the bound%n",
                    what,
                    (long) (1e6 / agent),
                    median("ip " + what) / agent,
                    median("two ip " + what) / agent,
                    1e6 / agent / BOUND);
        }
    }
}
