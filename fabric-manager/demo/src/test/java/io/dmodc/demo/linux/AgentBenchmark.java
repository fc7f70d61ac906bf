package io.dmodc.demo.linux;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.demo.linux.AgentCost.ThreadCost;
import io.dmodc.demo.linux.FabricPlan.HostPlace;
import io.dmodc.demo.linux.FabricPlan.SwitchPlace;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What an agent takes of the processor and the memory beside a Linux switch of eight cables, and how fast it starts. At the other ends
 * are eight leaf switches with agents of their own, each with a list of hosts, so with 128 hosts each the spine has a table of 1,024 entries; all of them are in session
 * with a manager over TLS and in its ring.
 *
 * <p>The spine's agent is killed when all is calm and started again: its start, and what it uses in the first minutes, are not mixed with those
 * of eight others. Prints each window, its threads, and the ratio to the bound.
 */
final class AgentBenchmark {
    private static final double IDLE_PERCENT_MAX = 1.5;
    private static final double RESIDENT_MIB_MAX = 64;
    private static final double START_SECONDS_MAX = 1.5;

    private static final String READY = "in session with the manager";

    /** Seconds after the start: from, to. */
    private static final int[][] WINDOWS = {{10, 40}, {40, 70}, {120, 150}};

    private static final int THREADS_SHOWN = 8;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long FINE_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final FabricView view;
    private final FabricPlan plan;
    private final int hellos;
    private final int starts;

    private AgentBenchmark(int hellos, int starts, int hostsOfLeaf) {
        this.hellos = hellos;
        this.starts = starts;
        view = PgftGenerator.generate(PgftShape.parse("2;" + hostsOfLeaf + ",8;1,1;1,1"))
                .build(0, new NodeIndexMap(), new GuidNumbers());
        plan = FabricPlan.ofSwitches(view);
    }

    /**
     * Arguments: milliseconds between hellos, and between heartbeats; how often the agent is started for its time; hosts of a leaf. Over veth the
     * kernel of the far end receives in the time of who sends, and looks through all interfaces there: with 128 hosts, 256 of them.
     */
    public static void main(String[] arguments) throws Exception {
        new AgentBenchmark(
                        Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]))
                .run();
        System.exit(0);
    }

    private void run() throws IOException, LinuxFailure {
        try (NamespaceFabric fabric = NamespaceFabric.build(plan);
                FabricProcesses processes =
                        new FabricProcesses(plan, fabric.directory(), "certificate", null, hellos, this::listedHosts)) {
            plugInHosts();
            processes.start();
            awaitCalm(processes);
            System.out.printf(
                    Locale.ROOT,
                    "8 ports, hellos 3 x %d ms, heartbeats every %d ms, %d entries; load %s%n",
                    hellos,
                    hellos,
                    view.nodeCount(),
                    Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
            start(processes, fabric.directory());
            idle(processes);
        }
    }

    private int subject() {
        for (int s = 0; s < plan.switches().size(); s++) {
            if (plan.switches().get(s).rank() > 0) {
                return s;
            }
        }
        throw new IllegalStateException("no spine in " + view.nodeCount() + " nodes");
    }

    /** The hosts of a leaf say nothing themselves. */
    private String listedHosts(SwitchPlace place) {
        StringBuilder text = new StringBuilder();
        for (int d = 0; d < view.nodeCount(); d++) {
            if (plan.switches().get(view.nodeSwitch(d)).equals(place)) {
                HostPlace host = new HostPlace("node" + d, 0x10000 + d, FabricPlan.address(d));
                String mac = String.format(Locale.ROOT, "02:fb:00:00:%02x:%02x", d >> 8, d & 0xff);
                text.append(ListedHosts.entry(view.nodePort(d), host, mac));
            }
        }
        return ListedHosts.settings(text.toString());
    }

    /** Interfaces with carrier, at whose other ends nobody speaks. */
    private void plugInHosts() throws LinuxFailure {
        for (int s = 0; s < plan.switches().size(); s++) {
            List<String> lines = new ArrayList<>();
            for (int d = 0; d < view.nodeCount(); d++) {
                if (view.nodeSwitch(d) == s) {
                    lines.add("link add p" + view.nodePort(d) + " type veth peer name h" + view.nodePort(d));
                    lines.add("link set p" + view.nodePort(d) + " up");
                    lines.add("link set h" + view.nodePort(d) + " up");
                }
            }
            Commands.run(
                    List.of("ip", "-n", plan.switches().get(s).namespace(), "-batch", "-"),
                    NamespaceFabric.text(lines));
        }
    }

    private void awaitCalm(FabricProcesses processes) throws LinuxFailure {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!isCalm(processes)) {
            if (System.nanoTime() > end) {
                throw new LinuxFailure("not calm: " + processes.state() + "; " + processes.lastWords());
            }
            Probes.pause(POLL_NANOS);
        }
        Probes.pause(REST_NANOS);
    }

    private boolean isCalm(FabricProcesses processes) throws LinuxFailure {
        JsonNode status = processes.manager().get("status");
        return processes.isCalm()
                && status != null
                && status.at("/agents/connected").asInt() == plan.switches().size()
                && status.at("/links/live").asInt() == plan.links().size()
                && status.at("/hosts/live").asInt() == view.nodeCount();
    }

    private void start(FabricProcesses processes, Path directory) throws IOException, LinuxFailure {
        int s = subject();
        Path log = directory.resolve(plan.switches().get(s).name() + ".log");
        for (int i = 0; i < starts; i++) {
            processes.kill(s);
            Probes.pause(REST_NANOS);
            int before = readyCount(log);
            long begun = System.nanoTime();
            processes.restart(s);
            await(log, before);
            row("start to session", (System.nanoTime() - begun) / 1e9, "s", START_SECONDS_MAX);
            System.out.printf(
                    Locale.ROOT,
                    "    processor time of it %.2f s%n",
                    AgentCost.of(processes.processesOf(s).get(0)).ticks() / 100.0);
        }
    }

    private static void await(Path log, int before) throws IOException, LinuxFailure {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (readyCount(log) == before) {
            if (System.nanoTime() > end) {
                throw new LinuxFailure("no session: " + Files.readString(log));
            }
            Probes.pause(FINE_POLL_NANOS);
        }
    }

    private static int readyCount(Path log) throws IOException {
        String text = Files.readString(log, StandardCharsets.UTF_8);
        return text.split(READY, -1).length;
    }

    private void idle(FabricProcesses processes) throws IOException, LinuxFailure {
        Process process = processes.processesOf(subject()).get(0);
        long begun = System.nanoTime();
        for (int[] window : WINDOWS) {
            pauseUntil(begun + TimeUnit.SECONDS.toNanos(window[0]));
            AgentCost before = AgentCost.of(process);
            long from = System.nanoTime();
            pauseUntil(begun + TimeUnit.SECONDS.toNanos(window[1]));
            double seconds = (System.nanoTime() - from) / 1e9;
            AgentCost spent = AgentCost.of(process).since(before);
            String when = window[0] + " to " + window[1] + " s: ";
            row(when + "processor", spent.ticks() / seconds, "% of a core", IDLE_PERCENT_MAX);
            row(when + "resident", spent.residentKib() / 1024.0, "MiB", RESIDENT_MIB_MAX);
            System.out.printf(
                    Locale.ROOT,
                    "%-28s%8.1f MiB; %d threads%n",
                    when + "PSS",
                    spent.shareKib() / 1024.0,
                    spent.threads().size());
            tellThreads(spent.threads(), seconds);
        }
    }

    private static void pauseUntil(long nanos) throws LinuxFailure {
        Probes.pause(Math.max(1, nanos - System.nanoTime()));
    }

    private static void tellThreads(Map<String, ThreadCost> threads, double seconds) {
        threads.entrySet().stream()
                .sorted(Comparator.comparingLong((Map.Entry<String, ThreadCost> entry) ->
                        -entry.getValue().nanos()))
                .limit(THREADS_SHOWN)
                .forEach(entry -> System.out.printf(
                        Locale.ROOT,
                        "    %-26s %6.2f %% of a core, woke %6.1f times a second%n",
                        entry.getKey(),
                        100 * entry.getValue().nanos() / 1e9 / seconds,
                        entry.getValue().waits() / seconds));
    }

    private static void row(String what, double value, String unit, double bound) {
        System.out.printf(
                Locale.ROOT,
                "%-28s%8.2f %-12s ratio to the bound of %.1f: %.2f%n",
                what,
                value,
                unit,
                bound,
                value / bound);
    }
}
