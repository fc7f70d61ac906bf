package io.dmodc.demo.linux;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The demonstration on a plane through which packets flow: the kernel's. It needs to be root, or in a user namespace in which it is.
 *
 * <p>All it makes goes with it, also when it is interrupted.
 */
public final class LinuxDemo {
    /** What is built unless somebody says otherwise: 4 leaves below 2 spines, 16 hosts. */
    public static final String DEFAULT_PGFT = "2;4,4;1,2;1,1";

    /** Milliseconds between hellos unless somebody says otherwise. */
    public static final int DEFAULT_HELLO_MILLIS = 50;

    private static final int HELLO_MILLIS_MIN = 10;
    private static final int HELLO_MILLIS_MAX = 1000;

    private final FabricPlan plan;
    private final LinuxTargets targets;
    private final @Nullable PgftShape design;
    private final String authentication;
    private final int helloMillis;
    private final Set<Scene> scenes;
    private final boolean keep;
    private final PrintStream out;

    /**
     * Plans it.
     *
     * @param view of the fabric to build
     * @param design null where it is no generated one
     * @param authentication of agents: certificate or off
     * @param helloMillis between hellos over the cables, {@value #HELLO_MILLIS_MIN}..{@value #HELLO_MILLIS_MAX}
     * @param played what happens
     * @param keep whether it runs on afterwards
     * @throws IllegalArgumentException in one line, for a number out of range, a fabric that is too large, or one in which nothing can heal
     */
    public LinuxDemo(
            FabricView view,
            @Nullable PgftShape design,
            String authentication,
            int helloMillis,
            Set<Scene> played,
            boolean keep,
            PrintStream out) {
        if (helloMillis < HELLO_MILLIS_MIN || helloMillis > HELLO_MILLIS_MAX) {
            throw new IllegalArgumentException(
                    "--hello " + helloMillis + ": expected " + HELLO_MILLIS_MIN + ".." + HELLO_MILLIS_MAX);
        }
        this.plan = FabricPlan.of(view);
        this.targets = LinuxTargets.of(plan);
        this.design = design;
        this.authentication = authentication;
        this.helloMillis = helloMillis;
        this.scenes = EnumSet.copyOf(played);
        this.keep = keep;
        this.out = out;
    }

    /**
     * Runs it to the end.
     *
     * @throws LinuxFailure in one line when it cannot run here, or when something did not hold
     */
    public void run() throws IOException, LinuxFailure, InterruptedException {
        long started = System.nanoTime();
        try (NamespaceFabric fabric = NamespaceFabric.build(plan)) {
            tellPlan((System.nanoTime() - started) / 1e6);
            try {
                play(fabric, started);
            } catch (IOException | LinuxFailure e) {
                if (fabric.isEnding()) {
                    new CountDownLatch(1).await(); // a signal ends the process, and took from us what failed
                }
                throw e;
            }
        }
    }

    private void play(NamespaceFabric fabric, long started) throws IOException, LinuxFailure, InterruptedException {
        String shape = design == null ? null : design.toString();
        try (FabricProcesses processes =
                new FabricProcesses(plan, fabric.directory(), authentication, shape, helloMillis)) {
            processes.start();
            double known = LinuxScenario.awaitKnown(processes, out);
            try (FaultInjector faults = new FaultInjector(fabric);
                    Probes probes = Probes.start(plan)) {
                new LinuxScenario(plan, processes, faults, probes, targets, scenes, helloMillis, out).play(known);
            }
            out.printf(Locale.ROOT, "All checks held. %.1f s in all.%n", (System.nanoTime() - started) / 1e9);
            if (keep) {
                tellHowToLook(fabric.directory());
                new CountDownLatch(1).await();
            }
        }
    }

    private void tellPlan(double millis) {
        out.printf(
                Locale.ROOT,
                "%s: %d switches and %d hosts, each a network namespace, with %d cables between them, made in %.0f ms%n",
                design == null ? "the fabric" : "PGFT(" + design + ")",
                plan.switches().size(),
                plan.hosts().size(),
                plan.cables().size(),
                millis);
        out.printf(
                Locale.ROOT,
                "one agent process per switch, %sa manager, a probe every %d ms between all pairs of %s; hellos over the cables every %d ms%n",
                plan.announcesHosts() ? "one per host, " : "hosts listed in its settings, ",
                Probes.PERIOD_NANOS / 1_000_000,
                plan.hosts().size() <= ProbedHosts.MAX ? "hosts" : ProbedHosts.MAX + " of them",
                helloMillis);
        out.println("look at it: " + ManagerProcess.ADMINISTRATORS_DOOR);
    }

    private void tellHowToLook(Path directory) {
        String leaf = plan.switches().get(0).namespace();
        String host = plan.hosts().get(0).namespace();
        out.println("Still running; interrupt to end and remove it. In another shell:");
        out.println("    ip netns exec " + host + " ping -c 3 "
                + plan.hosts().get(plan.hosts().size() - 1).address());
        out.println("    ip -n " + leaf + " route show proto " + FabricProcesses.ROUTE_PROTOCOL);
        out.println("    ip -n " + targets.cables().get(0).second().namespace() + " link set "
                + targets.cables().get(0).second().device() + " down        # cuts "
                + targets.cables().get(0).text());
        out.println("    FABRIC_MANAGER=" + ManagerProcess.ADMINISTRATORS_DOOR + " fabricctl events --follow");
        out.println("Settings and logs are in " + directory);
    }

    /**
     * Removes what a demonstration left that was killed.
     *
     * @return names of the namespaces that were removed
     */
    public static List<String> clean() throws LinuxFailure, IOException {
        return NamespaceFabric.clean();
    }
}
