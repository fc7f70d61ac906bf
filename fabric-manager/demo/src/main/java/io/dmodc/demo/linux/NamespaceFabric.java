package io.dmodc.demo.linux;

import io.dmodc.demo.linux.FabricPlan.Cable;
import io.dmodc.demo.linux.FabricPlan.End;
import io.dmodc.demo.linux.FabricPlan.HostPlace;
import io.dmodc.demo.linux.FabricPlan.SwitchPlace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The namespaces, cables and addresses of a plan, and a management network that joins the switches:
 *
 * <pre>
 *   fm-node0 p1 ═══ p1 fm-leaf0 p5 ═══ p1 fm-l2s0      cables: pairs of interfaces
 *                      eth0 │         eth0 │           172.30.x.y
 *                           └── fm-mgmt ───┘           a bridge with 172.30.0.1: the manager runs in there
 *                                  │
 *                               fm-mgmt                172.30.255.254, the one interface outside, to look at the manager
 * </pre>
 *
 * <p>Switches forward, and have no route but that of their management network: what is a route is up to who runs on them. All is made by a
 * few batches of {@code ip}, as each process costs milliseconds. Used by one thread.
 */
final class NamespaceFabric implements AutoCloseable {
    /** Where the manager runs. */
    static final String MANAGEMENT = FabricPlan.PREFIX + "mgmt";

    /** The manager's address. */
    static final String MANAGER_ADDRESS = "172.30.0.1";

    private static final String DIRECTORY = "fm-fabric-";
    private static final String OUTSIDE_ADDRESS = "172.30.255.254";
    private static final int MANAGEMENT_INDEX_FIRST = 100_000;

    /**
     * For a shell in each namespace. Addresses count at once, without asking whether they are taken; packets are not refused for where
     * they come from; nobody is told of a shorter way.
     */
    private static final String SETTINGS = """
            cd /proc/sys/net
            for f in ipv6/conf/all/accept_dad ipv6/conf/default/accept_dad ipv6/conf/default/accept_ra \
              ipv4/conf/all/rp_filter ipv4/conf/default/rp_filter ipv4/conf/all/send_redirects \
              ipv4/conf/default/send_redirects ipv4/conf/default/accept_redirects; do
              [ ! -e $f ] || echo 0 >$f
            done
            """;

    /** And in each switch: it forwards, and passes over routes whose port has no carrier. */
    private static final String SWITCH_SETTINGS = """
            for f in ipv4/ip_forward ipv6/conf/all/forwarding ipv4/conf/all/ignore_routes_with_linkdown \
              ipv4/conf/default/ignore_routes_with_linkdown ipv6/conf/all/ignore_routes_with_linkdown \
              ipv6/conf/default/ignore_routes_with_linkdown ipv4/fib_multipath_hash_policy; do
              [ ! -e $f ] || echo 1 >$f
            done
            """;

    private final FabricPlan plan;
    private final Path directory;
    private final Thread hook = new Thread(this::remove, "remove-namespaces");
    private volatile boolean ending;

    private NamespaceFabric(FabricPlan plan, Path directory) {
        this.plan = plan;
        this.directory = directory;
    }

    /**
     * Builds it. It goes with {@link #close}, or with this process however that ends, but by SIGKILL.
     *
     * @throws LinuxFailure in one line, and nothing is there, when it cannot be built here
     */
    static NamespaceFabric build(FabricPlan plan) throws LinuxFailure, IOException {
        Surroundings.check();
        NamespaceFabric fabric = new NamespaceFabric(plan, Files.createTempDirectory(DIRECTORY));
        Runtime.getRuntime().addShutdownHook(fabric.hook);
        boolean made = false;
        try {
            fabric.make();
            made = true;
            return fabric;
        } finally {
            if (!made) {
                fabric.close();
            }
        }
    }

    FabricPlan plan() {
        return plan;
    }

    /** For settings, state and logs of what runs in it; it goes with the fabric. */
    Path directory() {
        return directory;
    }

    /** Returns whether all of it is being removed, so that nothing that fails now is worth a word. */
    boolean isEnding() {
        return ending;
    }

    private void make() throws LinuxFailure, IOException {
        Path scripts = Files.createDirectory(directory.resolve("namespaces"));
        Path host = Files.writeString(scripts.resolve("host.sh"), SETTINGS);
        Path forwards = Files.writeString(scripts.resolve("switch.sh"), SETTINGS + SWITCH_SETTINGS);
        List<String> lines = new ArrayList<>();
        addNamespace(lines, MANAGEMENT, host);
        plan.switches().forEach(place -> addNamespace(lines, place.namespace(), forwards));
        plan.hosts().forEach(place -> addNamespace(lines, place.namespace(), host));
        plan.cables()
                .forEach(cable -> lines.add("link add " + end(cable, true) + " type veth peer " + end(cable, false)));
        addManagement(lines);
        for (SwitchPlace place : plan.switches()) {
            addStart(lines, scripts, place.namespace(), List.of("address add " + place.address() + "/16 dev eth0"));
        }
        for (HostPlace place : plan.hosts()) {
            addStart(lines, scripts, place.namespace(), List.of("address add " + place.address() + "/32 dev p1"));
        }
        addStart(lines, scripts, MANAGEMENT, managementStart());
        lines.add("address add " + OUTSIDE_ADDRESS + "/16 dev " + MANAGEMENT);
        lines.add("link set " + MANAGEMENT + " up");
        Commands.run(List.of("ip", "-batch", "-"), text(lines));
    }

    private static void addNamespace(List<String> lines, String name, Path settings) {
        lines.add("netns add " + name);
        lines.add("netns exec " + name + " sh " + settings);
    }

    private static String end(Cable cable, boolean ofFirst) {
        End end = ofFirst ? cable.first() : cable.second();
        return "name " + end.device() + " index " + cable.index(ofFirst) + " address " + cable.mac(ofFirst) + " netns "
                + end.namespace();
    }

    private void addManagement(List<String> lines) {
        for (int s = 0; s < plan.switches().size(); s++) {
            lines.add("link add name eth0 index " + (MANAGEMENT_INDEX_FIRST + s) + " netns "
                    + plan.switches().get(s).namespace() + " type veth peer name eth" + s + " netns " + MANAGEMENT);
        }
        lines.add("link add name " + MANAGEMENT + " type veth peer name outside netns " + MANAGEMENT);
    }

    private List<String> managementStart() {
        List<String> lines = new ArrayList<>(List.of(
                "link add br0 type bridge",
                "link set br0 up",
                "address add " + MANAGER_ADDRESS + "/16 dev br0",
                "link set outside master br0 up"));
        for (int s = 0; s < plan.switches().size(); s++) {
            lines.add("link set eth" + s + " master br0 up");
        }
        return lines;
    }

    private void addStart(List<String> lines, Path scripts, String namespace, List<String> first) throws IOException {
        List<String> start = new ArrayList<>(List.of("link set lo up"));
        start.addAll(first);
        if (!namespace.equals(MANAGEMENT)) {
            start.addAll(upLines(namespace));
        }
        Path file = Files.writeString(scripts.resolve(namespace), text(start));
        lines.add("netns exec " + namespace + " ip -batch " + file);
    }

    /** What sets all ports of a namespace up, and that of the management network. */
    List<String> upLines(String namespace) {
        return devices(namespace).map(device -> "link set " + device + " up").toList();
    }

    /** What sets them down. */
    List<String> downLines(String namespace) {
        return devices(namespace).map(device -> "link set " + device + " down").toList();
    }

    private Stream<String> devices(String namespace) {
        Stream<String> ports = plan.cables().stream()
                .flatMap(cable -> Stream.of(cable.first(), cable.second()))
                .filter(end -> end.namespace().equals(namespace))
                .map(End::device);
        boolean managed =
                plan.switches().stream().anyMatch(place -> place.namespace().equals(namespace));
        return managed ? Stream.concat(ports, Stream.of("eth0")) : ports;
    }

    static String text(List<String> lines) {
        return String.join("\n", lines) + "\n";
    }

    /**
     * Removes what a fabric left behind that was killed: all namespaces with our prefix, what runs in them, and its files.
     *
     * @return their names
     */
    static List<String> clean() throws LinuxFailure, IOException {
        List<String> names = Surroundings.namespaces();
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            remove(
                    names,
                    files.filter(file -> file.getFileName().toString().startsWith(DIRECTORY))
                            .toList());
        }
        List<String> left = Surroundings.namespaces();
        if (!left.isEmpty()) {
            throw new LinuxFailure(
                    "namespaces " + String.join(" ", left) + " could not be removed; expected to be root");
        }
        return names;
    }

    private void remove() {
        ending = true;
        List<String> names = new ArrayList<>(plan.namespaces());
        names.add(MANAGEMENT);
        remove(names, List.of(directory));
    }

    private static void remove(List<String> names, List<Path> directories) {
        Set<Object> inodes = new HashSet<>();
        List<String> lines = new ArrayList<>(List.of("link delete " + MANAGEMENT));
        for (String name : names) {
            Object inode = inode(name);
            if (inode != null) {
                inodes.add("net:[" + inode + "]");
                lines.add("netns delete " + name);
            }
        }
        List<ProcessHandle> inside = ProcessHandle.allProcesses()
                .filter(process -> isIn(process, inodes))
                .toList();
        inside.forEach(ProcessHandle::destroyForcibly);
        inside.forEach(process -> process.onExit().join());
        Commands.tryRun(List.of("ip", "-force", "-batch", "-"), text(lines));
        directories.forEach(NamespaceFabric::deleteAll);
    }

    private static @Nullable Object inode(String namespace) {
        try {
            return Files.getAttribute(Path.of("/run/netns", namespace), "unix:ino");
        } catch (IOException e) {
            return null; // it was not made
        }
    }

    private static void deleteAll(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException | UncheckedIOException e) {
            System.err.println("fabric-manager: " + directory + " is left behind: " + e.getMessage());
        }
    }

    private static boolean isIn(ProcessHandle process, Set<Object> inodes) {
        try {
            return inodes.contains(Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "ns/net"))
                    .toString());
        } catch (IOException e) {
            return false; // it ended, or is not ours to look at
        }
    }

    @Override
    public void close() {
        remove();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the process ends already, and the hook is under way
        }
    }
}
