package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dmodc.agent.Main;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.topology.HostAddresses;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What {@link NodeModeTest} has run in a namespace of its own: a host's process at one end of a cable, a switch at the other. */
public final class NodeScenarios {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** What the Java launcher answers to SIGTERM: 128 + 15. */
    private static final int EXIT_AFTER_SIGTERM = 143;

    private static final ObjectMapper JSON = new ObjectMapper();

    private NodeScenarios() {}

    public static void main(String[] name) throws Exception {
        ip("link add name a1 type veth peer name b1");
        ip("link set a1 up");
        ip("link set b1 up");
        try (AnnouncedCabling leaf = AnnouncedCabling.start(Announcer.ofSwitch(1, 0x10), 8)) {
            switch (name[0]) {
                case "way" -> way(leaf);
                case "foreign" -> foreign(leaf);
                case "missing" -> missing();
                default -> throw new IllegalArgumentException(name[0]);
            }
        }
        System.exit(0);
    }

    private static String ip(String command) throws Exception {
        Process process = new ProcessBuilder(("ip " + command).split(" ", -1))
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("ip " + command + ": " + out).isZero();
        return out;
    }

    private static Process node(Path log, String... options) throws Exception {
        List<String> command = new ArrayList<>(OwnNamespace.java());
        command.addAll(List.of(Main.class.getName(), "node"));
        command.addAll(List.of(options));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(String what, Path log, Condition condition) throws Exception {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.holds()) {
            assertThat(System.nanoTime())
                    .as(what + " never came: " + Files.readString(log) + ip("route") + ip("neigh"))
                    .isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static String mac(String name) throws Exception {
        byte[] bytes = NetworkInterface.getByName(name).getHardwareAddress();
        return HostAddresses.ofBytes(0, new byte[0], new byte[0], bytes).macText();
    }

    private static JsonNode routes(String family) throws Exception {
        String out = ip(family + " -json route show proto 201");
        return out.isBlank() ? JSON.createArrayNode() : JSON.readTree(out);
    }

    /** Of the next hop at the host's interface; empty: none. */
    private static String neighbour(String address) throws Exception {
        String out = ip("-json neigh show " + address + " dev b1 nud permanent");
        JsonNode found = out.isBlank() ? JSON.createArrayNode() : JSON.readTree(out);
        return found.isEmpty() ? "" : found.get(0).path("lladdr").asText();
    }

    private static void way(AnnouncedCabling leaf) throws Exception {
        ip("address add 10.100.0.8/32 dev lo");
        ip("-6 route add unreachable fd00::/48 metric 4294967295"); // not in the way
        Path log = Files.createTempFile("node", ".log");
        Process node = node(
                log,
                "--guid=0x10007",
                "--name=node7",
                "--interface=b1",
                "--address=10.100.0.8",
                "--address=fd00::8",
                "--network=10.100.0.0/16",
                "--network=fd00::/48");
        try {
            leaf.carrier(5, "a1");
            await("the host", log, () -> leaf.farEnd(5) != null);
            HostAddresses addresses = HostAddresses.parse(0, "10.100.0.8", "fd00::8", mac("b1"));
            assertThat(leaf.farEnd(5))
                    .isEqualTo(new FarEnd(new HostPort(0x10007, 0x10007, 1, "node7", addresses), mac("b1")));

            await(
                    "the routes",
                    log,
                    () -> routes("-4").size() == 1 && routes("-6").size() == 1);
            JsonNode four = routes("-4").get(0);
            assertThat(four.path("dst").asText()).isEqualTo("10.100.0.0/16");
            assertThat(four.path("gateway").asText()).isEqualTo("169.254.0.1");
            assertThat(four.path("dev").asText()).isEqualTo("b1");
            assertThat(four.path("prefsrc").asText()).isEqualTo("10.100.0.8");
            assertThat(four.path("flags").toString()).contains("onlink");
            assertThat(routes("-6").get(0).path("dst").asText()).isEqualTo("fd00::/48");
            assertThat(routes("-6").get(0).path("gateway").asText()).isEqualTo("fe80::1");
            assertThat(neighbour("169.254.0.1")).isEqualTo(mac("a1"));
            assertThat(neighbour("fe80::1")).isEqualTo(mac("a1"));

            ip("link set b1 down");
            assertThat(routes("-4")).as("the kernel takes them away").isEmpty();
            ip("link set b1 up");
            await(
                    "the routes again",
                    log,
                    () -> routes("-4").size() == 1 && routes("-6").size() == 1);
            ip("route flush proto 201");
            await("the flushed route", log, () -> routes("-4").size() == 1);

            ip("link set a1 address 02:00:00:00:00:99");
            await("the new MAC", log, () -> neighbour("169.254.0.1").equals("02:00:00:00:00:99"));

            node.destroy();
            assertThat(node.waitFor()).isEqualTo(EXIT_AFTER_SIGTERM);
            assertThat(routes("-4")).as("routes after the end").hasSize(1);
            assertThat(Files.readString(log)).contains("ends; its routes stay").doesNotContain("WARN", "ERROR");
        } finally {
            System.out.println(Files.readString(log));
            node.destroyForcibly();
            Files.delete(log);
        }
    }

    /** One interface is not there, the other is but has neither carrier nor address. */
    private static void missing() throws Exception {
        ip("link set b1 down");
        for (String said : List.of("there is no interface nope1 yet", "b1 has no carrier yet")) {
            Path log = Files.createTempFile("node", ".log");
            String name = said.contains("nope1") ? "nope1" : "b1";
            Process node = node(log, "--guid=0x10007", "--interface=" + name);
            try {
                await(said, log, () -> Files.readString(log).contains(": " + said));
            } finally {
                node.destroyForcibly();
                Files.delete(log);
            }
        }
    }

    /** A host that has its address with the whole network's prefix. */
    private static void foreign(AnnouncedCabling leaf) throws Exception {
        ip("address add 10.100.0.8/16 dev b1");
        String before = ip("route");
        Path log = Files.createTempFile("node", ".log");
        Process node = node(log, "--guid=0x10007", "--interface=b1", "--network=10.100.0.0/16");
        try {
            leaf.carrier(5, "a1");
            await("the complaint", log, () -> Files.readString(log).contains("there is a route already"));

            assertThat(ip("route")).isEqualTo(before);
            assertThat(Files.readString(log))
                    .contains(
                            "b1: no way to the fabric: there is a route already, '10.100.0.0/16 dev b1 proto 2 scope 253"
                                    + " src 10.100.0.8'; expected none, it stays (addresses of the fabric have a prefix of 32 bits)");

            ip("address del 10.100.0.8/16 dev b1");
            await("the route", log, () -> routes("-4").size() == 1);
        } finally {
            System.out.println(Files.readString(log));
            node.destroyForcibly();
            Files.delete(log);
        }
    }
}
