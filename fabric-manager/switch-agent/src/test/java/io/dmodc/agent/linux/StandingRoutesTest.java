package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.southbound.Alternatives;
import io.dmodc.topology.HostAddresses;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What stands behind the entries of a plane over a real kernel: a namespace with three ports. By all three each destination can be reached: entry d
 * over port n has the (d mod 2)-th of the two others behind it.
 */
class StandingRoutesTest {
    private static final BitSet NOTHING = new BitSet();

    private ThreePorts ports;
    private Namespaces net;

    @TempDir
    private Path state;

    @BeforeEach
    void build() throws IOException {
        ports = ThreePorts.open();
        net = ports.net;
    }

    @AfterEach
    void tearDown() throws IOException {
        if (ports != null) {
            ports.close();
        }
    }

    private PlaneRig rig(@Nullable Path stateDir, boolean standing) throws Exception {
        PlaneRig rig = ports.rig(stateDir, standing);
        // A port that is new has its carrier a moment later, and choices go by which ports are alive.
        while (!allUp(rig)) {
            assertThat(rig.portNews.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("news of a port")
                    .isNotNull();
        }
        rig.readBack();
        return rig;
    }

    private static boolean allUp(PlaneRig rig) {
        return rig.plane.ports().stream().allMatch(port -> port.number() > 3 || port.up());
    }

    private PlaneRig rig() throws Exception {
        return rig(null, true);
    }

    /** Lets a plane have entries, by the three ports in turn, and alternatives, and waits for what stands behind. */
    private static void filled(PlaneRig rig, int count, boolean ipv6) throws PlaneException {
        rig.destinations(count, ipv6);
        int[] ports = new int[count];
        Arrays.setAll(ports, d -> 1 + d % 3);
        rig.install(ports);
        rig.tell(rig.alternatives(1, 2, 3));
    }

    private List<String> routes(String... which) throws IOException {
        List<String> command = Stream.concat(
                        Stream.concat(Stream.of("ip"), Arrays.stream(which)),
                        Stream.of("route", "show", "proto", "201"))
                .toList();
        return net.in("s", command.toArray(new String[0]))
                .lines()
                .map(line -> line.replaceAll(" +", " ").strip())
                .toList();
    }

    /** Address and port of those that stand behind. */
    private List<String> standing() throws IOException {
        return Stream.concat(routes().stream(), routes("-6").stream())
                .filter(line -> line.contains("metric 20001"))
                .map(line -> line.replaceFirst(" via \\S+ dev (\\S+) .*", " $1"))
                .toList();
    }

    @Test
    void shouldStandBehindEntriesOfBothFamilies() throws Exception {
        try (PlaneRig rig = rig()) {
            rig.destinations(3, true);
            rig.install(1, 2, 255);
            assertThat(rig.standing()).as("no alternatives were told").isZero();

            rig.tell(rig.alternatives(1, 2, 3));

            assertThat(rig.standing()).isEqualTo(4);
            assertThat(routes())
                    .containsExactlyInAnyOrder(
                            "10.100.0.1 via 169.254.0.1 dev p1 onlink",
                            "10.100.0.2 via 169.254.0.1 dev p2 onlink",
                            "10.100.0.1 via 169.254.0.1 dev p2 metric 20001 onlink",
                            "10.100.0.2 via 169.254.0.1 dev p3 metric 20001 onlink");
            assertThat(routes("-6"))
                    .containsExactlyInAnyOrder(
                            "fd00::1 via fe80::1 dev p1 metric 1024 onlink pref medium",
                            "fd00::2 via fe80::1 dev p2 metric 1024 onlink pref medium",
                            "fd00::1 via fe80::1 dev p2 metric 20001 onlink pref medium",
                            "fd00::2 via fe80::1 dev p3 metric 20001 onlink pref medium");
            assertThat(rig.readBack().entries())
                    .as("the table is the manager's")
                    .containsExactly(1, 2, 255);
        }
    }

    @Test
    void shouldHaveNoneWithoutAnAlternative() throws Exception {
        try (PlaneRig rig = rig()) {
            rig.destinations(3, false);
            rig.install(1, 2, 3);

            rig.tell(new Alternatives.Builder(rig.alternatives(1, 2).routesDigest())
                    .run(1, new byte[] {1, 2})
                    .run(3, new byte[0])
                    .build());

            assertThat(rig.standing()).isEqualTo(1);
            assertThat(standing()).containsExactly("10.100.0.1 p2");
        }
    }

    @Test
    void shouldLeaveWhatStandsBehindUnchangedEntriesAlone() throws Exception {
        try (PlaneRig rig = rig()) {
            filled(rig, 100, false);
            assertThat(rig.standing()).isEqualTo(100);
            Alternatives old = rig.alternatives(1, 2, 3);
            int[] ports = new int[100];
            Arrays.setAll(ports, d -> 1 + d % 3);
            ports[0] = 3;
            ports[99] = 255;
            long before = rig.plane.linesWritten();

            rig.install(old, NOTHING, ports);
            assertThat(standing())
                    .as("what is to have no route has none at all")
                    .noneMatch(line -> line.startsWith("10.100.0.100 "));
            assertThat(rig.standing()).as("none any more behind the moved one").isEqualTo(98);
            assertThat(rig.plane.linesWritten() - before)
                    .as("a route moved and one gone, each with what stood behind it")
                    .isEqualTo(4);
            rig.tell(rig.alternatives(1, 2, 3));

            assertThat(rig.standing()).isEqualTo(99);
            assertThat(rig.plane.linesWritten() - before).isEqualTo(5);
            assertThat(standing()).contains("10.100.0.1 p1");
        }
    }

    @Test
    void shouldWriteNothingAfterARestartWhenNothingDiffers() throws Exception {
        try (PlaneRig rig = rig(state, true)) {
            filled(rig, 200, true);
            assertThat(rig.standing()).isEqualTo(400);
        }

        try (PlaneRig rig = ports.rig(state, true)) {
            long atStart = rig.plane.linesWritten();
            rig.readBack();
            assertThat(rig.standing()).isEqualTo(400);
            rig.destinations(200, true);
            rig.tell(Alternatives.NONE);
            assertThat(rig.standing()).isEqualTo(400);
            rig.tell(rig.alternatives(1, 2, 3));

            assertThat(rig.standing()).isEqualTo(400);
            assertThat(rig.plane.linesWritten()).isEqualTo(atStart);
        }
    }

    @Test
    void shouldTakeThemAwayWhenNoneAreWanted() throws Exception {
        try (PlaneRig rig = rig(state, true)) {
            filled(rig, 50, true);
            assertThat(rig.standing()).isEqualTo(100);
        }

        try (PlaneRig rig = rig(state, false)) {
            assertThat(rig.standing()).isZero();
            filled(rig, 50, true);
            assertThat(rig.standing()).isZero();

            assertThat(standing()).isEmpty();
            assertThat(routes()).hasSize(50);
        }
    }

    @Test
    void shouldTakeThemAwayWithTheRest() throws Exception {
        LinuxSettings settings = new LinuxSettings(7, "s7", 4, "p", 201, true, state, net.command("s"));
        net.in("s", "ip", "route", "add", "10.100.0.9/32", "dev", "p2", "proto", "186", "metric", "20001");
        try (PlaneRig rig = rig(state, true)) {
            filled(rig, 5, true);
            assertThat(rig.standing()).isEqualTo(10);
        }

        assertThat(RouteFlush.run(settings).routes()).isEqualTo(20);

        assertThat(routes()).isEmpty();
        assertThat(routes("-6")).isEmpty();
        assertThat(net.in("s", "ip", "route", "show", "10.100.0.9")).contains("metric 20001");
    }

    @Test
    void shouldNeverTouchARouteOfSomebodyElse() throws Exception {
        try (PlaneRig rig = rig()) {
            rig.destinations(2, false);
            rig.install(1, 2);
            // Of the very metric, and nobody has looked since.
            net.in("s", "ip", "route", "add", "10.100.0.1/32", "dev", "p3", "proto", "186", "metric", "20001");
            rig.tell(rig.alternatives(1, 2, 3));
            assertThat(rig.standing()).isEqualTo(1);
            assertThat(standing()).containsExactly("10.100.0.2 p3");
            net.in("s", "ip", "route", "add", "10.100.0.2/32", "dev", "p1", "proto", "186", "metric", "7");

            rig.readBack();

            assertThat(rig.standing())
                    .as("nothing stands where somebody else has a route")
                    .isZero();
            assertThat(net.in("s", "ip", "route", "show", "proto", "186"))
                    .contains("10.100.0.1 dev p3", "10.100.0.2 dev p1");
            assertThatThrownBy(() -> rig.install(2, 2)).hasMessageContaining("protocol 186 and metric 20001");
        }
    }

    @Test
    void shouldWriteThemAgainWhereAPortLostThem() throws Exception {
        try (PlaneRig rig = rig()) {
            filled(rig, 6, true);
            assertThat(rig.standing()).isEqualTo(12);
            List<String> before = standing();

            net.in("s", "ip", "link", "set", "p2", "down");
            assertThat(rig.repairs.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(new PlaneRig.Repaired(2, 2, 0));
            assertThat(rig.standing()).as("by the third port").isEqualTo(12);
            assertThat(standing()).noneMatch(line -> line.endsWith("p2"));
            net.in("s", "ip", "link", "set", "p2", "up");

            assertThat(rig.repairs.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(new PlaneRig.Repaired(2, 0, 0));
            assertThat(rig.standing()).isEqualTo(12);
            assertThat(standing()).containsExactlyInAnyOrderElementsOf(before);
        }
    }

    /** The kernel renames one that is up, and all that leads over it stays. */
    @Test
    void shouldNotWaitForAnAuditWhereAnInterfaceIsRenamed() throws Exception {
        long audit = System.nanoTime() + KernelAudit.PERIOD_NANOS;
        try (PlaneRig rig = rig()) {
            filled(rig, 6, true);
            assertThat(rig.standing()).isEqualTo(12);
            List<String> before = standing();

            net.in("s", "ip", "link", "set", "p2", "name", "old2");
            assertThat(rig.repairs.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(new PlaneRig.Repaired(2, 2, 0));
            PlaneRig.eventually(
                    "all stand again", () -> assertThat(rig.standing()).isEqualTo(12));
            assertThat(System.nanoTime()).as("before an audit").isLessThan(audit);
            assertThat(standing()).noneMatch(line -> line.endsWith("old2"));
            net.in("s", "ip", "link", "set", "old2", "name", "p2");

            assertThat(rig.repairs.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(new PlaneRig.Repaired(2, 0, 0));
            assertThat(rig.standing()).isEqualTo(12);
            assertThat(standing()).containsExactlyInAnyOrderElementsOf(before);
        }
    }

    @Test
    void shouldNotLeadOverAnInterfaceThatIsNoPortAnyMore() throws Exception {
        try (PlaneRig rig = rig()) {
            filled(rig, 6, false);
            assertThat(rig.standing()).isEqualTo(6);

            net.in("s", "ip", "link", "del", "p2");
            assertThat(rig.repairs.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(new PlaneRig.Repaired(2, 2, 0));
            assertThat(rig.standing()).isEqualTo(6);
            assertThat(standing()).noneMatch(line -> line.endsWith("p2"));
            net.cable("s", "p2", "far", "q2");
            rig.cabling.set(2, new FarEnd(new SwitchPort(0x22, 1), net.mac("far", "q2")));

            assertThat(rig.repairs.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isEqualTo(new PlaneRig.Repaired(2, 0, 0));
            assertThat(rig.standing()).isEqualTo(6);
            assertThat(standing()).contains("10.100.0.1 p2");
        }
    }

    @Test
    void shouldWriteAgainWhatSomebodyTookAway() throws Exception {
        try (PlaneRig rig = rig()) {
            filled(rig, 3, false);
            assertThat(rig.standing()).isEqualTo(3);
            net.in("s", "ip", "route", "del", "10.100.0.2/32", "metric", "20001");
            net.in("s", "ip", "route", "del", "10.100.0.3/32", "metric", "20001");
            net.in(
                    "s",
                    "ip",
                    "route",
                    "add",
                    "10.100.0.3/32",
                    "via",
                    "169.254.0.1",
                    "dev",
                    "p2",
                    "onlink",
                    "metric",
                    "20001",
                    "proto",
                    "201");

            rig.readBack();

            assertThat(rig.standing()).isEqualTo(3);
            assertThat(standing()).containsExactly("10.100.0.1 p2", "10.100.0.2 p3", "10.100.0.3 p1");
        }
    }

    @Test
    void shouldFollowAnAddressThatChanges() throws Exception {
        try (PlaneRig rig = rig()) {
            filled(rig, 2, false);
            assertThat(rig.standing()).isEqualTo(2);
            Destination moved = new Destination(0x100, "node0", HostAddresses.parse(0, "10.100.7.7", null, null));
            rig.destinations(Destinations.of(2, d -> d == 0 ? moved : PlaneRig.destination(1, false)));

            rig.tell(rig.alternatives(1, 2, 3));

            assertThat(routes()).noneMatch(line -> line.startsWith("10.100.0.1 "));
            assertThat(rig.standing()).isEqualTo(2);
            assertThat(standing()).containsExactlyInAnyOrder("10.100.7.7 p2", "10.100.0.2 p3");
        }
    }

    /** The rate of the entries' own routes is that of LinuxPlaneTest; what stands behind takes its time, and none of theirs. */
    @Test
    void shouldStandBehindTwentyThousandRoutes() throws Exception {
        int count = 20_000;
        try (PlaneRig rig = rig(state, true)) {
            rig.destinations(count, false);
            byte[] entries = new byte[count];
            for (int round = 0; round < PlaneRig.LARGE_ROUNDS; round++) {
                for (int d = 0; d < count; d++) {
                    entries[d] = (byte) (1 + (d + round) % 3);
                }
                long start = System.nanoTime();
                rig.install(Alternatives.NONE, NOTHING, entries.clone(), (done, total) -> {});
                long installed = System.nanoTime();
                rig.tell(rig.alternatives(1, 2, 3));
                long told = System.nanoTime();
                assertThat(rig.standing()).isEqualTo(count);
                long stood = System.nanoTime() - told - StandingWriter.BEGIN_NANOS;
                System.out.printf(
                        "%d routes in %d ms: %,d routes/s; alternatives told in %d ms; behind them in %d ms: %,d routes/s%n",
                        count,
                        (installed - start) / 1_000_000,
                        count * 1_000_000_000L / (installed - start),
                        (told - installed) / 1_000_000,
                        stood / 1_000_000,
                        count * 1_000_000_000L / stood);
            }
            assertThat(rig.readBack().entries()).isEqualTo(entries);
            assertThat(rig.standing()).isEqualTo(count);
        }
    }
}
