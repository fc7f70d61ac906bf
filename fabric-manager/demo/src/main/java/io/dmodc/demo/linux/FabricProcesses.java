package io.dmodc.demo.linux;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.demo.linux.FabricPlan.HostPlace;
import io.dmodc.demo.linux.FabricPlan.SwitchPlace;
import io.dmodc.keys.KeysCommand;
import io.dmodc.settings.cli.Program;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A manager, an agent for each switch, and who announces each host: all of them processes of their own, in their namespaces. */
final class FabricProcesses implements ControlPlane {
    /** What the agent's routes are marked with in the kernel. */
    static final String ROUTE_PROTOCOL = "201";

    /** As the agent's own launcher has it, where there is none. */
    private static final List<String> AGENT_JVM = List.of(
            "-XX:+UseSerialGC",
            "-Xms4m",
            "-Xmn512k",
            "-Xmx48m",
            "-XX:MinHeapDeltaBytes=512k",
            "-Xss512k",
            "-XX:MinHeapFreeRatio=2",
            "-XX:MaxHeapFreeRatio=5",
            "-XX:-ShrinkHeapInSteps",
            "-XX:TieredStopAtLevel=1",
            "-XX:CompileThresholdScaling=30",
            "-XX:+ExitOnOutOfMemoryError",
            "-Dio.netty.allocator.type=unpooled",
            "-Dio.netty.jfr.enabled=false",
            "-Djavax.net.ssl.trustStore=NONE");

    private static final List<String> NODE_JVM = List.of(
            "-XX:+UseSerialGC",
            "-Xms4m",
            "-Xmx16m",
            "-Xss256k",
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError");

    private static final String AGENT = "io.dmodc.agent.Main";

    private final FabricPlan plan;
    private final Path directory;
    private final String authentication;
    private final @Nullable String design;
    private final int helloMillis;
    private final Function<SwitchPlace, String> furtherSettings;
    private final List<JavaProcess> agents = new ArrayList<>();
    private final List<JavaProcess> nodes = new ArrayList<>();
    private @Nullable ManagerProcess manager;

    /**
     * @param directory empty; for keys, settings, state and logs
     * @param authentication of agents: certificate or off
     * @param design of the fabric or null
     * @param helloMillis between hellos over the cables; three missed ones mean a dead cable
     */
    FabricProcesses(FabricPlan plan, Path directory, String authentication, @Nullable String design, int helloMillis) {
        this(plan, directory, authentication, design, helloMillis, place -> "");
    }

    /** @param furtherSettings what is in an agent's file besides what each agent here is told; YAML */
    FabricProcesses(
            FabricPlan plan,
            Path directory,
            String authentication,
            @Nullable String design,
            int helloMillis,
            Function<SwitchPlace, String> furtherSettings) {
        this.plan = plan;
        this.directory = directory;
        this.authentication = authentication;
        this.design = design;
        this.helloMillis = helloMillis;
        this.furtherSettings = furtherSettings;
    }

    @Override
    public String name() {
        return "manager and agents, hellos 3 x " + helloMillis + " ms";
    }

    @Override
    public String routeProtocol() {
        return ROUTE_PROTOCOL;
    }

    @Override
    public void start() throws IOException, LinuxFailure {
        Path keys = makeKeys();
        Path launcher = JavaProcess.launcher("switch-agent");
        if (launcher != null) {
            Commands.run(launcher.toString(), "archive"); // once, instead of once by each of them
        }
        manager = new ManagerProcess(directory, keys.resolve("manager"), authentication, design, helloMillis);
        for (SwitchPlace place : plan.switches()) {
            agents.add(agent(place, keys.resolve(FabricPlan.guid(place.guid()))));
        }
        if (!plan.announcesHosts()) {
            ListedHosts.addRoutes(plan, FabricPlan.HOST_NETWORK);
            return;
        }
        for (HostPlace place : plan.hosts()) {
            nodes.add(node(place));
        }
    }

    /** An authority, and what it gives to the manager and to each switch. */
    private Path makeKeys() throws IOException, LinuxFailure {
        Path authority = directory.resolve("authority");
        Path keys = directory.resolve("keys");
        List<String> guids = plan.switches().stream()
                .map(place -> FabricPlan.guid(place.guid()))
                .toList();
        Path list = Files.writeString(directory.resolve("switches"), NamespaceFabric.text(guids));
        keys("init", "--authority", authority.toString());
        keys(
                "bundle",
                "--authority",
                authority.toString(),
                "--switches",
                list.toString(),
                "--manager",
                NamespaceFabric.MANAGER_ADDRESS,
                keys.toString());
        return keys;
    }

    /** Runs {@code fabric-manager keys}; what it says is only told if it fails. */
    private static void keys(String... arguments) throws LinuxFailure {
        StringWriter said = new StringWriter();
        PrintWriter writer = new PrintWriter(said);
        if (Program.run(new KeysCommand(), List.of(), writer, writer, arguments) != 0) {
            throw new LinuxFailure(said.toString().strip());
        }
    }

    private JavaProcess agent(SwitchPlace place, Path keys) throws IOException {
        Path file = Files.writeString(directory.resolve(place.name() + ".yaml"), settings(place));
        List<String> arguments = new ArrayList<>(List.of("run", "--config", file.toString()));
        for (String setting : List.of(
                "guid=" + FabricPlan.guid(place.guid()),
                "name=" + place.name(),
                "manager=" + ManagerProcess.AGENTS_DOOR,
                "authentication=" + authentication,
                "keys.certificate=" + keys.resolve("certificate.pem"),
                "keys.private-key=" + keys.resolve("private-key.pem"),
                "keys.authority=" + keys.resolve("authority.pem"),
                "state-dir=" + directory.resolve("state-of-" + place.name()),
                "detector.key-file=" + keys.resolve("detector.key"),
                "detector.listen=" + place.address() + ":0",
                "links.interval=" + helloMillis + "ms",
                "plane.kind=linux",
                "plane.interface-prefix=p",
                "plane.route-protocol=" + ROUTE_PROTOCOL,
                "plane.port-count=" + place.portCount())) {
            arguments.addAll(List.of("--set", setting));
        }
        Path log = directory.resolve(place.name() + ".log");
        Path launcher = JavaProcess.launcher("switch-agent");
        return launcher == null
                ? new JavaProcess(place.namespace(), 0, AGENT_JVM, AGENT, arguments, log)
                : new JavaProcess(place.namespace(), 0, List.of(), launcher, arguments, log);
    }

    private String settings(SwitchPlace place) {
        return furtherSettings.apply(place) + (plan.announcesHosts() ? "" : ListedHosts.settings(plan, place));
    }

    private JavaProcess node(HostPlace place) throws IOException {
        return new JavaProcess(
                place.namespace(),
                0,
                NODE_JVM,
                AGENT,
                List.of(
                        "node",
                        "--guid",
                        FabricPlan.guid(place.guid()),
                        "--name",
                        place.name(),
                        "--interface",
                        "p1",
                        "--address",
                        place.address(),
                        "--network",
                        FabricPlan.HOST_NETWORK),
                directory.resolve(place.name() + ".log"));
    }

    ManagerProcess manager() {
        return Objects.requireNonNull(manager);
    }

    /** Whether the manager knows all switches, cables and hosts as live, and nothing is left to do. */
    @Override
    public boolean isReady() throws LinuxFailure {
        checkAlive();
        JsonNode status = status();
        return status != null
                && isCalm(status)
                && status.at("/agents/connected").asInt() == plan.switches().size()
                && status.at("/agents/silent").asInt() == 0
                && status.at("/links/live").asInt() == plan.links().size()
                && status.at("/hosts/live").asInt() == plan.hosts().size();
    }

    /** Whether the manager has nothing left to do. */
    boolean isCalm() throws LinuxFailure {
        JsonNode status = status();
        return status != null && isCalm(status);
    }

    /** Cables between switches that the manager knows as live; −1 while it does not answer. */
    int liveLinks() throws LinuxFailure {
        JsonNode status = status();
        return status == null ? -1 : status.at("/links/live").asInt();
    }

    /** What the manager knows, for a message. */
    String state() throws LinuxFailure {
        JsonNode status = status();
        return status == null
                ? "the manager does not answer"
                : "the manager knows " + status.at("/agents/connected") + " of "
                        + plan.switches().size() + " agents, " + status.at("/links/live") + " of "
                        + plan.links().size() + " cables, " + status.at("/hosts/live") + " of "
                        + plan.hosts().size() + " hosts, " + status.at("/outstanding")
                        + " switches without their table";
    }

    private @Nullable JsonNode status() throws LinuxFailure {
        return manager().get("status");
    }

    private static boolean isCalm(JsonNode status) {
        return status.at("/outstanding").asInt() == 0
                && !status.at("/computing").asBoolean()
                && !status.at("/discovering").asBoolean()
                && status.at("/links/heldDownPorts").asInt() == 0;
    }

    @Override
    public void kill(int s) {
        agents.get(s).kill();
    }

    @Override
    public void restart(int s) throws IOException {
        agents.get(s).restart();
    }

    @Override
    public List<Process> processesOf(int s) {
        return List.of(agents.get(s).process());
    }

    @Override
    public String lastWords() {
        return "the manager's log says: " + manager().process().lastWords();
    }

    /** @throws LinuxFailure with the last line of its log when one of them ended that should run */
    private void checkAlive() throws LinuxFailure {
        Stream<JavaProcess> all = Stream.of(Stream.of(manager().process()), agents.stream(), nodes.stream())
                .flatMap(stream -> stream);
        JavaProcess ended = all.filter(JavaProcess::hasEnded).findFirst().orElse(null);
        if (ended != null) {
            throw new LinuxFailure("a process ended: " + ended.lastWords());
        }
    }

    @Override
    public void close() {
        nodes.forEach(JavaProcess::kill);
        agents.forEach(JavaProcess::kill);
        if (manager != null) {
            manager.close();
        }
    }
}
