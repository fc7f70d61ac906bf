package io.dmodc.demo;

import io.dmodc.demo.ibsim.IbsimDemo;
import io.dmodc.demo.ibsim.IbsimFailure;
import io.dmodc.demo.linux.LinuxDemo;
import io.dmodc.demo.linux.LinuxFailure;
import io.dmodc.demo.linux.Scene;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.manager.southbound.AgentServer;
import io.dmodc.settings.HostPort;
import io.dmodc.settings.cli.AddedCommand;
import io.dmodc.southbound.tls.Authentication;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.grid.GridGenerator;
import io.dmodc.topology.grid.GridShape;
import io.dmodc.topology.ibnet.IbnetReader;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fabric-manager demo}: a whole fabric on this machine, faults, and how it heals. */
@Command(
        name = "demo",
        description = {
            "Starts the daemon and one agent per switch on loopback, breaks things, shows how the fabric heals.",
            "With --plane linux packets really flow: switches are network namespaces, agents are processes.",
            "With --plane ibsim a real opensm loads the tables into a simulated InfiniBand subnet.",
            "Exit code 0 only if every check held and the final tables equal the first."
        })
public final class DemoCommand implements AddedCommand {
    private static final String DEFAULT_PGFT = "3;8,8,16;1,4,8;1,2,1";

    /** Heartbeats of all agents together stay at this rate, so that they take a small part of one core. */
    private static final int HEARTBEATS_PER_SECOND = 2_000;

    private static final Duration HEARTBEAT_MIN = Duration.ofMillis(200);

    @ArgGroup
    private Source source = new Source();

    /** What to build. */
    static final class Source {
        @Option(
                names = "--pgft",
                paramLabel = "SPEC",
                description = "Shape, h;m1,..;w1,..;p1,.. (default: " + DEFAULT_PGFT + "; with --plane linux "
                        + LinuxDemo.DEFAULT_PGFT + "; with --plane ibsim " + IbsimDemo.DEFAULT_PGFT + ").")
        private @Nullable String pgft;

        @Option(
                names = "--grid",
                paramLabel = "SPEC",
                description =
                        "A grid routed by VTFTR instead, for example 16x16;hosts=4;roots=4,4: rows x columns of leaves.")
        private @Nullable String grid;

        @Option(names = "--topology", paramLabel = "FILE", description = "A real fabric's ibnetdiscover text instead.")
        private @Nullable Path topology;
    }

    /** What forwards packets. */
    enum Plane {
        MEMORY,
        LINUX,
        IBSIM
    }

    @Option(
            names = "--plane",
            paramLabel = "PLANE",
            description = {
                "memory: switches are tables in this process.",
                "linux: switches and hosts are network namespaces, and the kernel forwards. Needs to be root, or inside",
                "unshare -Urnm with a tmpfs on /run.",
                "ibsim: no agents; ibsim's switches, opensm, and the bridge to it (default: ${DEFAULT-VALUE})."
            })
    private Plane plane = Plane.MEMORY;

    @Option(
            names = "--hello",
            paramLabel = "MILLIS",
            description = {
                "Milliseconds between hellos over the cables with --plane linux; three missed ones mean a dead cable, and the",
                "agents' heartbeats go at that pace, too. More for a busy machine (default: ${DEFAULT-VALUE})."
            })
    private int hello = LinuxDemo.DEFAULT_HELLO_MILLIS;

    @Option(
            names = "--scenes",
            split = ",",
            paramLabel = "SCENE",
            description = {
                "What happens with --plane linux, of ${COMPLETION-CANDIDATES}: a cable is cut, carries nothing, carries one way only;",
                "a switch loses power; an agent, the manager is killed. All is undone again (default: all of them)."
            })
    private Set<Scene> scenes = EnumSet.allOf(Scene.class);

    @Option(
            names = "--clean",
            description =
                    "Removes what a demonstration with --plane linux left that was killed, and does nothing else.")
    private boolean clean;

    @Option(
            names = "--faults",
            paramLabel = "N",
            description = "Cables the burst cuts at once (default: ${DEFAULT-VALUE}; 0: no burst).")
    private int faults = 20;

    @Option(
            names = "--authentication",
            paramLabel = "WHO",
            description = {
                "certificate: manager and agents show each other certificates of an authority made for this.",
                "off: they speak in clear text (default: ${DEFAULT-VALUE})."
            })
    private Authentication authentication = Authentication.CERTIFICATE;

    @Option(names = "--keep", description = "Keeps the fabric running afterwards, until interrupted.")
    private boolean keep;

    @Override
    public Integer call() throws Exception {
        PrintStream out = System.out;
        if (faults < 0) {
            throw new IllegalArgumentException("--faults " + faults + ": expected 0 or more");
        }
        if (clean) {
            return clean(out);
        }
        FabricViewBuilder cabling = cabling();
        FabricView view = cabling.build(0, new NodeIndexMap(), new GuidNumbers());
        if (plane == Plane.LINUX && source.grid != null) {
            throw new IllegalArgumentException(
                    "--grid with --plane linux: a kernel does not forward by where a packet came in; expected --plane memory");
        }
        if (plane == Plane.IBSIM && source.grid != null) {
            throw new IllegalArgumentException(
                    "--grid with --plane ibsim: OpenSM takes no tables by where a packet came in; expected --plane memory");
        }
        if (plane != Plane.LINUX && scenes.size() < Scene.values().length) {
            throw new IllegalArgumentException(
                    "--scenes with --plane " + plane.name().toLowerCase(Locale.ROOT) + ": expected --plane linux");
        }
        if (plane == Plane.LINUX) {
            return runOnLinux(view, out);
        }
        if (plane == Plane.IBSIM) {
            return runOnIbsim(view, out);
        }
        boolean grid = source.grid != null;
        DemoTargets targets = grid ? null : DemoTargets.of(view);
        if (grid) {
            GridScenario.grid(view);
        }
        Path state = Files.createTempDirectory("fabric-demo");
        ManagerConfig config = config(
                state,
                view.switchCount(),
                grid ? routingOfGrids() : ManagerConfig.defaults().routing());
        tellPlan(out, view, config);
        long started = System.nanoTime();
        DemoKeys keys = DemoKeys.make(authentication == Authentication.CERTIFICATE);
        try (DemoManager manager = new DemoManager(config, guids(view), keys.ofManager())) {
            tellDoors(out, manager.running());
            InetSocketAddress agents = manager.running().southboundAddress();
            try (DemoFabric fabric = new DemoFabric(cabling, view, agents, keys, grid)) {
                if (targets == null) {
                    new GridScenario(fabric, manager, view, out).play();
                } else {
                    new DemoScenario(fabric, new DemoObserver(manager.running()), targets, faults, out).play();
                }
                new DemoRestart(manager, fabric, view, out).play();
                out.printf(Locale.ROOT, "All checks held. %.1f s in all.%n", (System.nanoTime() - started) / 1e9);
                if (keep) {
                    tellDoors(out, manager.running());
                    out.println("Still running; interrupt to end.");
                    new CountDownLatch(1).await();
                }
                return 0;
            }
        } catch (DemoFailure e) {
            System.err.println("fabric-manager: " + e.getMessage());
            return 1;
        } finally {
            delete(state);
        }
    }

    private static int clean(PrintStream out) throws IOException {
        try {
            List<String> removed = LinuxDemo.clean();
            out.println(removed.isEmpty() ? "nothing was left" : "removed " + String.join(" ", removed));
            return 0;
        } catch (LinuxFailure e) {
            System.err.println("fabric-manager: " + e.getMessage());
            return 1;
        }
    }

    private int runOnLinux(FabricView view, PrintStream out) throws IOException, InterruptedException {
        String who = authentication.name().toLowerCase(Locale.ROOT);
        PgftShape design = source.topology == null ? PgftShape.parse(pgft()) : null;
        try {
            new LinuxDemo(view, design, who, hello, scenes, keep, out).run();
            return 0;
        } catch (LinuxFailure e) {
            System.err.println("fabric-manager: " + e.getMessage());
            return 1;
        }
    }

    private int runOnIbsim(FabricView view, PrintStream out) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("fabric-demo");
        try {
            new IbsimDemo(view, name(), directory, keep, out).run();
            return 0;
        } catch (IbsimFailure e) {
            System.err.println("fabric-manager: " + e.getMessage());
            return 1;
        } finally {
            delete(directory);
        }
    }

    private String name() {
        return source.grid != null
                ? "grid " + source.grid
                : source.topology == null ? "PGFT(" + pgft() + ")" : source.topology.toString();
    }

    private String pgft() {
        String pgft = source.pgft;
        if (pgft != null) {
            return pgft;
        }
        return switch (plane) {
            case MEMORY -> DEFAULT_PGFT;
            case LINUX -> LinuxDemo.DEFAULT_PGFT;
            case IBSIM -> IbsimDemo.DEFAULT_PGFT;
        };
    }

    private FabricViewBuilder cabling() throws IOException {
        Path topology = source.topology;
        if (source.grid != null) {
            return GridGenerator.generate(GridShape.parse(source.grid));
        }
        return topology == null
                ? PgftGenerator.generate(PgftShape.parse(pgft()))
                : withoutAggregation(IbnetReader.read(topology).fabric());
    }

    /** Agents tell of switches and hosts alone. */
    private static FabricViewBuilder withoutAggregation(FabricViewBuilder fabric) {
        FabricView view = fabric.build(0, new NodeIndexMap(), new GuidNumbers());
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.nodeSwitch(node) >= 0 && !view.isHost(node)) {
                fabric.apply(new PortSeen(view.switchGuid(view.nodeSwitch(node)), view.nodePort(node), false, null));
            }
        }
        return fabric;
    }

    static ManagerConfig config(Path state, int switches) {
        return config(state, switches, ManagerConfig.defaults().routing());
    }

    private static ManagerConfig config(Path state, int switches, ManagerConfig.Routing routing) {
        Duration heartbeat =
                Duration.ofMillis(Math.max(HEARTBEAT_MIN.toMillis(), 1000L * switches / HEARTBEATS_PER_SECOND));
        ManagerConfig defaults = ManagerConfig.defaults();
        return new ManagerConfig(
                state,
                new ManagerConfig.Southbound(
                        new HostPort("127.0.0.1", 0),
                        Duration.ofSeconds(10),
                        AgentServer.SESSIONS_MAX,
                        defaults.southbound().authentication(),
                        defaults.southbound().keys()),
                new ManagerConfig.Northbound(new HostPort("127.0.0.1", 0)),
                routing,
                detector(heartbeat, defaults.detector()),
                new ManagerConfig.Discovery(Duration.ofSeconds(2), Duration.ofSeconds(60)),
                new ManagerConfig.Push(Duration.ofSeconds(5), 5, defaults.push().drain(), 50),
                new ManagerConfig.Links(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofMinutes(10)));
    }

    private static ManagerConfig.Routing routingOfGrids() {
        ManagerConfig.Routing defaults = ManagerConfig.defaults().routing();
        return new ManagerConfig.Routing(
                ManagerConfig.Engine.VTFTR,
                null,
                null,
                defaults.threads(),
                defaults.settle(),
                defaults.groupOrder(),
                defaults.nodeTypes(),
                null,
                defaults.rebalance(),
                defaults.rebalanceBlocks(),
                defaults.slowLinks());
    }

    private static ManagerConfig.Detector detector(Duration heartbeat, ManagerConfig.Detector defaults) {
        return new ManagerConfig.Detector(
                defaults.cluster(),
                heartbeat,
                heartbeat.multipliedBy(10),
                defaults.askingWidth(),
                defaults.opinions(),
                defaults.overlay(),
                defaults.ringSeed(),
                defaults.domains(),
                defaults.membershipQuiet(),
                true,
                new HostPort("127.0.0.1", 0),
                defaults.authentication(),
                defaults.keyFile(),
                defaults.networks());
    }

    private void tellPlan(PrintStream out, FabricView view, ManagerConfig config) {
        out.printf(
                Locale.ROOT,
                "%s: %,d nodes, %,d switches on %d levels, %,d cables between them%n",
                name(),
                view.nodeCount(),
                view.switchCount(),
                view.rankMax() + 1,
                view.linkCount());
        out.printf(
                Locale.ROOT,
                "one agent per switch in this process, each with its own TCP session and UDP heartbeat socket%n"
                        + "heartbeat every %d ms, silence is suspected after %d ms%n",
                config.detector().heartbeat().toMillis(),
                config.detector().suspicion().toMillis());
    }

    private static void tellDoors(PrintStream out, FabricManager manager) {
        InetSocketAddress northbound = manager.northboundAddress();
        out.println("look at it: http://" + northbound.getAddress().getHostAddress() + ":" + northbound.getPort());
    }

    static Set<Long> guids(FabricView view) {
        Set<Long> guids = new HashSet<>();
        for (int s = 0; s < view.switchCount(); s++) {
            guids.add(view.switchGuid(s));
        }
        return guids;
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory, new FileVisitOption[0])) {
            List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : all) {
                Files.deleteIfExists(file);
            }
        }
    }
}
