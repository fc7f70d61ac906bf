package io.dmodc.demo.ibsim;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.settings.HostPort;
import io.dmodc.southbound.tls.Authentication;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

/** The demonstration with OpenSM: a simulated InfiniBand subnet breaks and heals, by tables that OpenSM loads. */
public final class IbsimDemo {
    /** What is built unless somebody says otherwise: 8 leaves below 4 switches, 32 hosts. */
    public static final String DEFAULT_PGFT = "2;4,8;1,4;1,1";

    private final FabricView view;
    private final String name;
    private final Path directory;
    private final boolean keep;
    private final PrintStream out;

    /**
     * Plans it.
     *
     * @param name of the fabric, for people
     * @param directory for all files, empty; stays
     * @param keep whether it runs on afterwards
     */
    public IbsimDemo(FabricView view, String name, Path directory, boolean keep, PrintStream out) {
        this.view = view;
        this.name = name;
        this.directory = directory;
        this.keep = keep;
        this.out = out;
    }

    /**
     * Runs it to the end.
     *
     * @throws IbsimFailure in one line when it cannot run here, or when something did not hold
     * @throws IllegalArgumentException in one line for a fabric in which nothing can heal
     */
    public void run() throws IOException, InterruptedException, IbsimFailure {
        IbsimTargets targets = IbsimTargets.of(view);
        long started = System.nanoTime();
        try (SimulatedSubnet subnet = SimulatedSubnet.start(view, directory);
                FabricManager manager = new FabricManager(config(subnet), Set.of())) {
            out.printf(
                    Locale.ROOT,
                    "%s: %,d nodes, %,d switches, %,d cables between them, in ibsim; opensm -R file,updn on %s%n",
                    name,
                    view.nodeCount(),
                    view.switchCount(),
                    view.linkCount(),
                    "its first host");
            out.println("look at it: http://127.0.0.1:"
                    + manager.northboundAddress().getPort() + "; times are counted from the fault");
            new IbsimScenario(subnet, manager, guid2lid(), out).play(targets);
            out.printf(Locale.ROOT, "%nAll checks held. %.1f s in all.%n", (System.nanoTime() - started) / 1e9);
            if (keep) {
                out.println("Still running, with its files in " + directory + "; interrupt to end.");
                new CountDownLatch(1).await();
            }
        }
    }

    private Path guid2lid() {
        return directory.resolve("dealt-lids");
    }

    private ManagerConfig config(SimulatedSubnet subnet) throws IOException {
        ManagerConfig defaults = ManagerConfig.defaults();
        HostPort any = new HostPort("127.0.0.1", 0);
        OpenSmSettings opensm = new OpenSmSettings(
                subnet.dump(),
                subnet.command("ibnetdiscover", ""),
                null,
                subnet.command("iblinkinfo", "-D " + OpenSmSettings.PATH + " -n 0 -l"),
                Duration.ofSeconds(1),
                Duration.ofSeconds(60),
                subnet.log(),
                true,
                subnet.pidFile(),
                "",
                subnet.command("dump_fts", "-n"),
                subnet.command("ibroute", "-n -D " + OpenSmSettings.PATH),
                null,
                1,
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                guid2lid(),
                null,
                null);
        ManagerConfig.Detector ring = defaults.detector();
        return new ManagerConfig(
                Files.createDirectory(directory.resolve("state")),
                new ManagerConfig.Southbound(
                        any,
                        Duration.ofSeconds(2),
                        64,
                        Authentication.OFF,
                        defaults.southbound().keys(),
                        opensm),
                new ManagerConfig.Northbound(any),
                defaults.routing(),
                new ManagerConfig.Detector(
                        ring.cluster(),
                        ring.heartbeat(),
                        ring.suspicion(),
                        ring.askingWidth(),
                        ring.opinions(),
                        ring.overlay(),
                        ring.ringSeed(),
                        null,
                        ring.membershipQuiet(),
                        false,
                        any,
                        ManagerConfig.RingAuthentication.OFF,
                        ring.keyFile(),
                        List.of()),
                new ManagerConfig.Discovery(Duration.ofMillis(500), Duration.ofSeconds(10)),
                defaults.push(),
                new ManagerConfig.Links(Duration.ZERO, Duration.ZERO, Duration.ofMinutes(10)));
    }
}
