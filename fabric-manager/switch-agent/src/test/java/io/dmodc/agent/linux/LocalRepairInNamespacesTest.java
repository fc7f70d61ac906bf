package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Neighbour;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two leaf switches under two spines, a host at each leaf, all of them namespaces with a plane each: packets go up by s1 and come back by s2.
 *
 * <pre>
 *        s1    s2
 *       /  \  /  \       l1 and l2: port 1 to the host, 2 to s1, 3 to s2
 *      l1   \/   l2      s1 and s2: port 1 to l1, 2 to l2
 *      |          |
 *      h0        h1
 * </pre>
 */
class LocalRepairInNamespacesTest {
    private static final int SPINE_1 = 2;
    private static final int SPINE_2 = 3;

    private static final List<String> SWITCHES = List.of("l1", "l2", "s1", "s2");

    private static @Nullable Namespaces plugged;
    private static @Nullable UdpProber probing;

    /** Of each port as it was made, by namespace and interface. */
    private static final Map<String, String> MACS = new HashMap<>();

    @TempDir
    private Path state;

    private final Namespaces net = Objects.requireNonNull(plugged);
    private final UdpProber prober = Objects.requireNonNull(probing);
    private final ExecutorService cables = Executors.newSingleThreadExecutor();
    private final Map<String, PlaneRig> switches = new LinkedHashMap<>();

    /** Namespaces, cables, hosts and who probes are there for all tests: to make them takes longer than most of these. */
    @BeforeAll
    static void plugIn() throws IOException {
        Namespaces net = Namespaces.open();
        plugged = net;
        for (String name : List.of("h0", "h1", "l1", "l2", "s1", "s2")) {
            net.make(name);
        }
        net.cable("h0", "p1", "l1", "p1");
        net.cable("h1", "p1", "l2", "p1");
        net.cable("l1", "p2", "s1", "p1");
        net.cable("l1", "p3", "s2", "p1");
        net.cable("l2", "p2", "s1", "p2");
        net.cable("l2", "p3", "s2", "p2");
        for (String port : List.of(
                "h0 p1", "h1 p1", "l1 p1", "l1 p2", "l1 p3", "l2 p1", "l2 p2", "l2 p3", "s1 p1", "s1 p2", "s2 p1",
                "s2 p2")) {
            MACS.put(port, net.mac(port.substring(0, 2), port.substring(3)));
        }
        host(net, "h0", 0, "l1");
        host(net, "h1", 1, "l2");
        probing = new UdpProber(net.command("h0"), net.command("h1"), PlaneRig.ipv4(1));
    }

    @AfterAll
    static void unplug() throws IOException {
        if (probing != null) {
            probing.close();
        }
        if (plugged != null) {
            plugged.close();
        }
    }

    @BeforeEach
    void startPlanes() throws Exception {
        start("l1", 3, far("h0", 1, 0x100), far("s1", 1, 0), far("s2", 1, 0));
        start("l2", 3, far("h1", 1, 0x101), far("s1", 2, 0), far("s2", 2, 0));
        start("s1", 2, far("l1", 2, 0), far("l2", 2, 0));
        start("s2", 2, far("l1", 3, 0), far("l2", 3, 0));
        wire("l1", SPINE_1, "s1", 1);
        wire("l1", SPINE_2, "s2", 1);
        wire("l2", SPINE_1, "s1", 2);
        wire("l2", SPINE_2, "s2", 2);
        install("l1", 1, SPINE_1);
        install("l2", SPINE_2, 1);
        install("s1", 1, 2);
        install("s2", 1, 2);
        PlaneRig leaf = rig("l1");
        leaf.tell(leaf.alternatives(SPINE_1, SPINE_2));
    }

    /** The kernels are as they were made. */
    @AfterEach
    void endPlanes() throws IOException {
        switches.values().forEach(PlaneRig::close);
        cables.shutdownNow();
        for (String name : SWITCHES) {
            Path lines = state.resolve("as-made-" + name);
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(lines))) {
                out.println("route flush proto 201");
                MACS.forEach((port, mac) -> {
                    String[] words = port.split(" ", -1);
                    if (words[0].equals(name)) {
                        out.printf("neigh flush dev %s nud permanent%n", words[1]);
                        out.printf("link set dev %s address %s%n", words[1], mac);
                        out.printf("link set dev %s up%n", words[1]);
                    }
                });
            }
            net.in(name, "ip", "-force", "-batch", lines.toString());
        }
    }

    private record Far(String name, int port, long host) {}

    private static Far far(String name, int port, long host) {
        return new Far(name, port, host);
    }

    /** @param fars null: nobody is heard there */
    private void start(String name, int portCount, @Nullable Far... fars) throws Exception {
        PlaneRig rig = new PlaneRig(guid(name), net.command(name), portCount, state.resolve(name), true);
        switches.put(name, rig);
        for (int port = 1; port <= portCount; port++) {
            Far far = fars[port - 1];
            if (far == null) {
                continue;
            }
            Neighbour neighbour = far.host() == 0
                    ? new SwitchPort(guid(far.name()), far.port())
                    : new HostPort(far.host(), far.host(), 1, far.name());
            rig.cabling.set(
                    port, new FarEnd(neighbour, Objects.requireNonNull(MACS.get(far.name() + " p" + far.port()))));
        }
        rig.readBack();
        rig.destinations(2, false);
    }

    private static long guid(String name) {
        return 0x1000L + name.hashCode();
    }

    /** Withdrawals go by threads here; by real cables in AnnouncedCablingTest. */
    private void wire(String leaf, int leafPort, String spine, int spinePort) {
        rig(leaf).cabling.wire(leafPort, rig(spine).cabling, spinePort, cables);
        rig(spine).cabling.wire(spinePort, rig(leaf).cabling, leafPort, cables);
    }

    private PlaneRig rig(String name) {
        return Objects.requireNonNull(switches.get(name), name);
    }

    private void install(String name, int... ports) throws Exception {
        rig(name).install(ports);
    }

    private static void host(Namespaces net, String name, int index, String leaf) throws IOException {
        net.in(name, "ip", "addr", "add", PlaneRig.ipv4(index) + "/32", "dev", "p1");
        net.in(
                name,
                "ip",
                "neigh",
                "add",
                "169.254.0.1",
                "lladdr",
                net.mac(leaf, "p1"),
                "dev",
                "p1",
                "nud",
                "permanent");
        net.in(name, "ip", "route", "add", "10.100.0.0/16", "via", "169.254.0.1", "dev", "p1", "onlink");
    }

    private int lost(int count) throws IOException {
        return prober.lost(count);
    }

    /** A port is taken down meanwhile, when some packets are sent. */
    private int lostWhileCut(String namespace, String port, int count) throws IOException {
        return prober.lost(count, 60, () -> net.in(namespace, "ip", "link", "set", port, "down"));
    }

    private PlaneRig.Repaired repaired() throws InterruptedException {
        return repaired("l1");
    }

    private PlaneRig.Repaired repaired(String name) throws InterruptedException {
        return rig(name).repairs.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private String route() throws IOException {
        return route("l1", "10.100.0.2");
    }

    private String route(String name, String address) throws IOException {
        return net.in(name, "ip", "route", "show", address)
                .lines()
                .collect(Collectors.joining())
                .strip();
    }

    @Test
    void shouldForwardBetweenHosts() throws Exception {
        assertThat(lost(20)).isZero();
        install("l1", 1, 255);
        assertThat(lost(20)).isEqualTo(20);
    }

    /** No agent is there: the kernel alone goes on by what stands behind. */
    @Test
    void shouldGoOnByTheOtherPortWhenNobodyActs() throws Exception {
        PlaneRig leaf = rig("l1");
        assertThat(leaf.standing()).isPositive();
        leaf.close();

        int lost = lostWhileCut("s1", "p1", 200);

        System.out.printf("carrier loss, no agent: %d of 200 packets at 5 ms lost%n", lost);
        assertThat(lost).as("of the 140 or so behind the cut").isLessThan(20);
        assertThat(route()).contains("dev p2", "dev p3 proto 201 metric 20001");
    }

    @Test
    void shouldMoveTheEntriesOfAPortThatLosesItsCarrierAndBack() throws Exception {
        assertThat(rig("l1").standing()).isPositive();

        int lost = lostWhileCut("s1", "p1", 200);

        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));
        System.out.printf("carrier loss: %d of 200 packets at 5 ms lost%n", lost);
        assertThat(lost).isLessThan(20);
        assertThat(route()).contains("dev p3 proto 201 onlink");
        assertThat(lost(20)).isZero();
        assertThat(rig("l1").readBack().entries())
                .as("the table is the manager's")
                .containsExactly(1, SPINE_1);

        net.in("s1", "ip", "link", "set", "p1", "up");

        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 0));
        assertThat(route()).contains("dev p2");
        assertThat(lost(20)).isZero();
    }

    @Test
    void shouldMoveTheEntriesOfAPortWhoseHellosAreLost() throws Exception {
        PlaneRig leaf = rig("l1");
        // The cable stays up and carries nothing: what comes is for nobody.
        net.in("s1", "ip", "link", "set", "p1", "address", "02:00:00:00:99:99");
        assertThat(lost(20)).isEqualTo(20);

        leaf.plane.portUsable(SPINE_1, false);

        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));
        assertThat(lost(20)).isZero();

        leaf.plane.portUsable(SPINE_2, false);

        assertThat(repaired())
                .as("nothing lives that it could move to")
                .isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 1));
        assertThat(route()).as("it stays").contains("dev p3");
        leaf.plane.portUsable(SPINE_2, true);
        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));

        install("l1", 1, SPINE_2);

        assertThat(repaired()).as("the manager's answer").isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 0));
        assertThat(route()).contains("dev p3");
        assertThat(lost(20)).isZero();
    }

    /** Nobody but the spine knows that what comes down the cut cable gets lost; the other leaf sends it over the other spine. */
    @Test
    void shouldMoveWhatComesDownACutCableAtTheOtherLeaf() throws Exception {
        install("l2", SPINE_1, 1);
        PlaneRig other = rig("l2");
        other.tell(other.alternatives(SPINE_1, SPINE_2));
        assertThat(lost(20)).isZero();
        int lost = lostWhileCut("l1", "p2", 200);

        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));
        assertThat(repaired("s1")).isEqualTo(new PlaneRig.Repaired(1, 0, 1));
        assertThat(repaired("l2")).as("its port is up").isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));
        System.out.printf("carrier loss, both directions by that cable: %d of 200 packets at 5 ms lost%n", lost);
        assertThat(route()).contains("dev p3");
        assertThat(route("l2", "10.100.0.1")).contains("dev p3");
        assertThat(lost(20)).isZero();

        install("l2", SPINE_2, 1);

        assertThat(repaired("l2")).as("the manager's answer").isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 0));
        install("l2", SPINE_1, 1);
        assertThat(repaired("l2"))
                .as("the spine still withdraws, and nothing is known of alternatives")
                .isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 1));
        other.tell(other.alternatives(SPINE_1, SPINE_2));
        assertThat(repaired("l2")).isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));

        net.in("l1", "ip", "link", "set", "p2", "up");

        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 0));
        assertThat(repaired("s1")).isEqualTo(new PlaneRig.Repaired(1, 0, 0));
        assertThat(repaired("l2")).isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 0));
        assertThat(route("l2", "10.100.0.1")).contains("dev p2");
        assertThat(lost(20)).isZero();
    }

    /** Whoever is restarted knows nothing of the dead cable's far end, of alternatives, and at first of what is withdrawn. */
    @Test
    void shouldLeadAroundACutCableWhileAgentsAreRestarted() throws Exception {
        install("l2", SPINE_1, 1);
        PlaneRig other = rig("l2");
        other.tell(other.alternatives(SPINE_1, SPINE_2));
        net.in("l1", "ip", "link", "set", "p2", "down");
        assertThat(repaired("l2")).isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));

        rig("s1").close();
        start("s1", 2, null, far("l2", 2, 0));
        wire("l2", SPINE_1, "s1", 2);
        assertThat(lost(1_000)).isZero();
        assertThat(route("l2", "10.100.0.1")).contains("dev p3");

        rig("l2").close();
        start("l2", 3, far("h1", 1, 0x101), far("s1", 2, 0), far("s2", 2, 0));
        wire("l2", SPINE_1, "s1", 2);
        wire("l2", SPINE_2, "s2", 2);
        assertThat(lost(1_000)).isZero();
        assertThat(route("l2", "10.100.0.1")).contains("dev p3");

        net.in("l1", "ip", "link", "set", "p2", "up");
        rig("s1").cabling.set(1, new FarEnd(new SwitchPort(guid("l1"), SPINE_1), net.mac("l1", "p2")));

        assertThat(repaired("l2")).isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));
        assertThat(repaired("l2")).isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 0));
        assertThat(lost(20)).isZero();
    }

    /** The agent that moved them knew that the cable carries nothing; the next one hears nobody there, which alone says nothing. */
    @Test
    void shouldNotGoBackToASilentCableBecauseItsAgentIsRestarted() throws Exception {
        net.in("s1", "ip", "link", "set", "p1", "address", "02:00:00:00:99:99");
        rig("l1").plane.portUsable(SPINE_1, false);
        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));

        rig("l1").close();
        start("l1", 3, far("h0", 1, 0x100), null, far("s2", 1, 0));
        rig("l1").plane.portUsable(SPINE_1, true);

        assertThat(lost(600)).isZero();
        net.in("s1", "ip", "link", "set", "p1", "address", net.mac("l1", "p2"));
        rig("l1").cabling.set(SPINE_1, new FarEnd(new SwitchPort(guid("s1"), 1), net.mac("s1", "p1")));
        assertThat(repaired()).as("as before").isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));
        assertThat(repaired())
                .as("somebody was heard there for a while")
                .isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 0));
        assertThat(route()).contains("dev p2");
        assertThat(lost(20)).isZero();
    }

    /** Likewise at a spine, which has no other port and withdraws. */
    @Test
    void shouldWithdrawWhatASilentCableLosesWhenItsAgentIsRestarted() throws Exception {
        install("l2", SPINE_1, 1);
        PlaneRig other = rig("l2");
        other.tell(other.alternatives(SPINE_1, SPINE_2));
        // What goes down the cable is for nobody.
        net.in(
                "s1",
                "ip",
                "neigh",
                "replace",
                "169.254.0.1",
                "lladdr",
                "02:00:00:00:99:98",
                "dev",
                "p1",
                "nud",
                "permanent");
        rig("s1").plane.portUsable(1, false);
        assertThat(repaired("l2")).isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));

        rig("s1").close();
        start("s1", 2, null, far("l2", 2, 0));
        wire("l2", SPINE_1, "s1", 2);
        rig("s1").plane.portUsable(1, true);

        assertThat(lost(1_000)).isZero();
        rig("s1").cabling.set(1, new FarEnd(new SwitchPort(guid("l1"), SPINE_1), net.mac("l1", "p2")));
        assertThat(repaired("l2")).as("trusted again").isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 0));
        assertThat(lost(20)).isZero();
    }

    @Test
    void shouldMoveNothingByAlternativesOfOtherRoutes() throws Exception {
        PlaneRig leaf = rig("l1");
        leaf.install(leaf.alternatives(SPINE_1, SPINE_2), new java.util.BitSet(), 1, SPINE_1, 1);

        leaf.plane.portUsable(SPINE_1, false);

        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 1));
        assertThat(route()).contains("dev p2");
        leaf.tell(leaf.alternatives(SPINE_1, SPINE_2));
        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));
        assertThat(route()).contains("dev p3");
    }

    @Test
    void shouldMoveTheEntriesOfAPortThatIsTakenDownHere() throws Exception {
        net.in("l1", "ip", "link", "set", "p2", "down");

        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));
        assertThat(lost(20)).isZero();

        net.in("l1", "ip", "link", "set", "p2", "up");

        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 0));
        assertThat(lost(20)).isZero();
    }

    @Test
    void shouldSayEarlyThatADoubtedPortIsSilent() throws Exception {
        PlaneRig leaf = rig("l1");

        leaf.plane.portDoubted(SPINE_1);

        assertThat(leaf.silences.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isEqualTo(SPINE_1);
        assertThat(leaf.repairs).as("the hellos are not lost yet").isEmpty();
        leaf.plane.portUsable(SPINE_1, false);
        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));
    }

    /** An agent died, and its switch forwards on. */
    @Test
    void shouldMoveNothingWhileTheFarKernelAnswers() throws Exception {
        PlaneRig leaf = rig("l1");
        leaf.cabling.answering = true;

        leaf.plane.portUsable(SPINE_1, false);

        assertThat(leaf.cabling.asked.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                .isEqualTo(SPINE_1);
        assertThat(leaf.cabling.asked.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                .as("again, while no hellos come")
                .isEqualTo(SPINE_1);
        assertThat(leaf.repairs).isEmpty();
        assertThat(route()).contains("dev p2");

        leaf.cabling.answering = false;

        assertThat(repaired()).as("the switch died, too").isEqualTo(new PlaneRig.Repaired(SPINE_1, 1, 0));
        leaf.plane.portUsable(SPINE_1, true);
        assertThat(repaired()).isEqualTo(new PlaneRig.Repaired(SPINE_1, 0, 0));
    }
}
