package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.topology.HostAddresses;
import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.LoggerFactory;

/**
 * What {@link AnnouncedCablingTest} has run in a namespace of its own, with both ends of each cable there: real interfaces, real
 * multicasts. One after the other, each with cables of its own.
 */
public final class CablingScenarios {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long LEAF = 0x10;
    private static final long SPINE = 0x20;
    private static final long OTHER = 0x30;

    /** The last line of a scenario in which all was as expected. */
    static final String HELD = "held";

    private static final String BEGINS = "scenario: ";

    private static final List<String> LOG = new CopyOnWriteArrayList<>();

    private CablingScenarios() {}

    /** Runs them in a namespace, after a command of the shell, and returns what each printed. */
    static Map<String, String> run(String first, List<String> names) throws Exception {
        String all = OwnNamespace.run(first, CablingScenarios.class, names.toArray(new String[0]));
        Map<String, String> printed = new LinkedHashMap<>();
        List<String> parts = List.of(all.split(BEGINS));
        for (String part : parts.subList(1, parts.size())) {
            String[] nameAndLines = part.split("\n", 2);
            printed.put(nameAndLines[0], nameAndLines[1].strip());
        }
        return printed;
    }

    public static void main(String[] names) throws Exception {
        hearLog();
        List<String> unmovable = interfaces();
        for (String name : names) {
            System.out.println(BEGINS + name);
            LOG.clear();
            try {
                play(name);
                System.out.println(HELD);
            } catch (Exception | AssertionError e) {
                e.printStackTrace(System.out);
            }
            unplug(unmovable);
        }
        System.exit(0); // the cablings' threads are daemons, but the log's may not be
    }

    private static void play(String name) throws Exception {
        switch (name) {
            case "both-ends" -> bothEnds();
            case "host" -> host();
            case "hellos" -> hellos();
            case "withdrawals" -> withdrawals();
            case "made-anew" -> madeAnew();
            case "renamed" -> renamed();
            case "moved" -> moved();
            case "away-and-back" -> awayAndBack();
            case "cluster" -> cluster();
            case "two" -> two();
            case "loop" -> loop();
            case "storm" -> storm();
            case "off" -> off();
            case "taken" -> taken();
            case "flaps" -> flaps();
            case "lldp" -> lldp();
            default -> throw new IllegalArgumentException(name);
        }
    }

    /** Those of this namespace, with an address or without. */
    private static List<String> interfaces() throws IOException {
        return Files.readAllLines(Path.of("/proc/net/dev")).stream()
                .filter(line -> line.contains(":"))
                .map(line -> line.substring(0, line.indexOf(':')).strip())
                .toList();
    }

    /** Takes all interfaces away but these; the other end of a cable goes with the first. */
    private static void unplug(List<String> but) throws Exception {
        for (String name : interfaces()) {
            if (!but.contains(name) && interfaces().contains(name)) {
                ip("link delete " + name);
            }
        }
    }

    private static void hearLog() {
        Logger logger = (Logger) LoggerFactory.getLogger("io.dmodc.agent.linux");
        logger.setLevel(Level.INFO);
        AppenderBase<ILoggingEvent> ears = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                LOG.add(event.getLevel() + " " + event.getFormattedMessage());
                System.out.println(event.getLevel() + " " + event.getFormattedMessage());
            }
        };
        ears.start();
        logger.addAppender(ears);
    }

    private static void ip(String command) throws Exception {
        Process process = new ProcessBuilder(("ip " + command).split(" ", -1))
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("ip " + command + ": " + out).isZero();
    }

    private static void cable(String one, String other) throws Exception {
        ip("link add name " + one + " type veth peer name " + other);
        ip("link set " + one + " up");
        ip("link set " + other + " up");
    }

    private static AnnouncedCabling ofSwitch(long guid) throws Exception {
        return AnnouncedCabling.start(Announcer.ofSwitch(1, guid), 8);
    }

    private static void await(String what, BooleanSupplier condition) throws Exception {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what + " never came; log " + LOG).isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private static void awaitFarEnd(Cabling cabling, int port, long guid, int farPort) throws Exception {
        SwitchPort expected = new SwitchPort(guid, farPort);
        await("port " + port + " leading to " + expected, () -> {
            FarEnd far = cabling.farEnd(port);
            return far != null && far.neighbour().equals(expected);
        });
    }

    private static long logged(String part) {
        return LOG.stream().filter(line -> line.contains(part)).count();
    }

    private static String mac(String name) throws Exception {
        byte[] bytes = NetworkInterface.getByName(name).getHardwareAddress();
        return HostAddresses.ofBytes(0, new byte[0], new byte[0], bytes).macText();
    }

    private static void bothEnds() throws Exception {
        cable("a1", "b1");
        BlockingQueue<Integer> changes = new LinkedBlockingQueue<>();
        try (AnnouncedCabling leaf = ofSwitch(LEAF);
                AnnouncedCabling spine = ofSwitch(SPINE)) {
            leaf.listen(changes::add);
            assertThat(leaf.farEnd(3)).isNull();
            long began = System.nanoTime();
            leaf.carrier(3, "a1");
            spine.carrier(7, "b1");

            awaitFarEnd(leaf, 3, SPINE, 7);
            awaitFarEnd(spine, 7, LEAF, 3);

            System.out.printf("found each other after %d us%n", (System.nanoTime() - began) / 1000);
            assertThat(leaf.farEnd(3)).isEqualTo(new FarEnd(new SwitchPort(SPINE, 7), mac("b1")));
            assertThat(changes.poll(30, TimeUnit.SECONDS)).isEqualTo(3);
            ip("link set b1 address 02:00:00:00:00:98");
            long changedAt = System.nanoTime();
            await(
                    "another MAC of a cable that carries",
                    () -> new FarEnd(new SwitchPort(SPINE, 7), "02:00:00:00:00:98").equals(leaf.farEnd(3)));
            System.out.printf("another MAC after %d us%n", (System.nanoTime() - changedAt) / 1000);
            assertThat(changes.poll(30, TimeUnit.SECONDS)).isEqualTo(3);
            leaf.carrier(3, null);
            assertThat(leaf.farEnd(3)).as("kept without carrier").isNotNull();

            ip("link set b1 address 02:00:00:00:00:99");
            ip("link set b1 up");
            leaf.carrier(3, "a1");
            await(
                    "another MAC",
                    () -> new FarEnd(new SwitchPort(SPINE, 7), "02:00:00:00:00:99").equals(leaf.farEnd(3)));
            assertThat(changes.poll(30, TimeUnit.SECONDS)).isEqualTo(3);
        }
    }

    private static void host() throws Exception {
        cable("a1", "b1");
        HostAddresses addresses = HostAddresses.parse(0, "10.100.0.8", "fd00::8", null);
        Announcer node = Announcer.ofHost(1, new HostPort(0x10001, 0x10000, 2, "node7", addresses));
        try (AnnouncedCabling leaf = ofSwitch(LEAF);
                AnnouncedCabling host = AnnouncedCabling.start(node, 1)) {
            leaf.carrier(5, "a1");
            host.carrier(1, "b1");

            awaitFarEnd(host, 1, LEAF, 5);
            await("the host", () -> leaf.farEnd(5) != null);

            HostAddresses all = HostAddresses.parse(0, "10.100.0.8", "fd00::8", mac("b1"));
            assertThat(leaf.farEnd(5))
                    .isEqualTo(new FarEnd(new HostPort(0x10001, 0x10000, 2, "node7", all), mac("b1")));
            assertThat(LOG)
                    .anyMatch(line -> line.startsWith(
                            "INFO switch 0x0000000000000010: port 5 (a1): leads to host node7 port 0x0000000000010001,"
                                    + " ipv4 10.100.0.8 ipv6 fd00::8 mac "));
        }
    }

    private static void hellos() throws Exception {
        cable("a1", "b1");
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (AnnouncedCabling leaf = ofSwitch(LEAF);
                AnnouncedCabling spine = ofSwitch(SPINE)) {
            leaf.hellos().listen((port, hello) -> heard.add("leaf " + port + " " + hello.get(0)));
            spine.hellos().listen((port, hello) -> heard.add("spine " + port + " " + hello.get(0)));
            // Said before the port can carry it, as after a flap: it goes with the first announcement.
            leaf.hellos().send(3, ByteBuffer.wrap(new byte[] {42}));
            spine.carrier(7, "b1");
            awaitOpen(spine, 7);
            leaf.carrier(3, "a1");

            assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("spine 7 42");

            awaitFarEnd(leaf, 3, SPINE, 7);
            spine.hellos().send(7, ByteBuffer.wrap(new byte[64]));
            assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("leaf 3 0");
            spine.hellos().send(6, ByteBuffer.wrap(new byte[64])); // no carrier there: lost
            leaf.hellos().send(3, ByteBuffer.wrap(new byte[] {1}));
            assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("spine 7 1");
            assertThat(heard).isEmpty();
        }
    }

    /** Until this process has a socket on the port's interface. */
    private static void awaitOpen(AnnouncedCabling cabling, int port) throws Exception {
        await("socket of port " + port, () -> cabling.isOpen(port));
    }

    private static void withdrawals() throws Exception {
        cable("a1", "b1");
        BlockingQueue<List<RouteAddress>> heard = new LinkedBlockingQueue<>();
        try (AnnouncedCabling leaf = ofSwitch(LEAF);
                AnnouncedCabling spine = ofSwitch(SPINE)) {
            Withdrawals withdrawn = new Withdrawals("leaf", leaf);
            leaf.withdrawals().listen((port, frame) -> {
                if (withdrawn.arrived(port, frame, System.nanoTime())) {
                    heard.add(List.copyOf(withdrawn.byPort().getOrDefault(port, Set.of())));
                }
            });
            leaf.carrier(3, "a1");
            spine.carrier(7, "b1");
            awaitFarEnd(leaf, 3, SPINE, 7);
            awaitFarEnd(spine, 7, LEAF, 3);
            WithdrawalTeller teller = new WithdrawalTeller(SPINE, 8, 1, spine);
            Set<RouteAddress> most = new LinkedHashSet<>();
            for (int i = 1; i <= WithdrawalCodec.ADDRESSES_MAX; i++) {
                most.add(RouteAddress.ipv4(i));
            }
            for (Set<RouteAddress> addresses : List.of(Set.of(RouteAddress.ipv4(7)), most)) {
                teller.withdraw(addresses, address -> RouteBook.RouteState.UNROUTED, 0);
                long began = System.nanoTime();
                teller.tick(0);

                List<RouteAddress> all = Objects.requireNonNull(heard.poll(30, TimeUnit.SECONDS));

                System.out.printf("%d addresses known after %d us%n", all.size(), (System.nanoTime() - began) / 1000);
                assertThat(all).hasSize(addresses.size()).containsAll(addresses);
            }
            assertThat(logged("drops what it cannot read")).isZero();
        }
    }

    private static void madeAnew() throws Exception {
        cable("a1", "b1");
        cable("a2", "b2");
        try (AnnouncedCabling leaf = ofSwitch(LEAF);
                AnnouncedCabling spine = ofSwitch(SPINE)) {
            leaf.carrier(1, "a1");
            spine.carrier(1, "b1");
            leaf.carrier(2, "a2");
            spine.carrier(2, "b2");
            awaitFarEnd(leaf, 1, SPINE, 1);
            awaitFarEnd(leaf, 2, SPINE, 2);

            ip("link delete a1");
            await("the end of the socket", () -> !leaf.isOpen(1) && !spine.isOpen(1));
            assertThat(leaf.isOpen(2)).as("the other port").isTrue();
            cable("a1", "b9"); // plugged in elsewhere
            spine.carrier(1, null);
            spine.carrier(8, "b9");

            awaitFarEnd(leaf, 1, SPINE, 8);
            awaitFarEnd(spine, 8, LEAF, 1);
            assertThat(leaf.farEnd(2)).isEqualTo(new FarEnd(new SwitchPort(SPINE, 2), mac("b2")));
        }
    }

    private static void renamed() throws Exception {
        cable("a1", "b1");
        try (AnnouncedCabling leaf = ofSwitch(LEAF);
                AnnouncedCabling spine = ofSwitch(SPINE)) {
            leaf.carrier(1, "a1");
            spine.carrier(1, "b1");
            awaitFarEnd(leaf, 1, SPINE, 1);

            ip("link set a1 down");
            ip("link set a1 name a6");
            ip("link set a6 up");
            await("the end of the socket", () -> !leaf.isOpen(1));
            leaf.carrier(1, null);
            leaf.carrier(6, "a6");

            awaitFarEnd(leaf, 6, SPINE, 1);
            awaitFarEnd(spine, 1, LEAF, 6);
        }
    }

    /** The far end is another after carrier came back, at once. */
    private static void moved() throws Exception {
        cable("a1", "b1");
        try (AnnouncedCabling leaf = ofSwitch(LEAF)) {
            leaf.carrier(1, "a1");
            try (AnnouncedCabling spine = ofSwitch(SPINE)) {
                spine.carrier(1, "b1");
                awaitFarEnd(leaf, 1, SPINE, 1);
            }
            leaf.carrier(1, null);
            // Whoever speaks before it has taken that in is a second far end.
            await("the end of the socket", () -> !leaf.isOpen(1));
            leaf.carrier(1, "a1");
            try (AnnouncedCabling other = ofSwitch(OTHER)) {
                other.carrier(4, "b1");
                awaitFarEnd(leaf, 1, OTHER, 4);
                awaitFarEnd(other, 4, LEAF, 1);
            }
        }
        assertThat(logged("WARN")).isZero();
    }

    private static List<String> addresses(String name) throws Exception {
        return NetworkInterface.getByName(name)
                .inetAddresses()
                .map(address -> HexFormat.of().formatHex(address.getAddress()))
                .toList();
    }

    /** An interface is in another namespace for a moment, where it leaves its groups, and back with the number it had before anybody looked. */
    private static void awayAndBack() throws Exception {
        cable("a1", "b1");
        Process elsewhere = new ProcessBuilder("unshare", "-n", "sh", "-c", "echo there; exec sleep 60").start();
        BlockingQueue<Integer> heard = new LinkedBlockingQueue<>();
        try (AnnouncedCabling leaf = ofSwitch(LEAF);
                AnnouncedCabling spine = ofSwitch(SPINE)) {
            leaf.withdrawals().listen((port, frame) -> heard.add(port));
            leaf.carrier(3, "a1");
            spine.carrier(7, "b1");
            awaitFarEnd(leaf, 3, SPINE, 7);
            awaitFarEnd(spine, 7, LEAF, 3);
            assertThat(elsewhere.getInputStream().read()).isEqualTo('t');
            int index = NetworkInterface.getByName("a1").getIndex();

            ip("link set a1 netns " + elsewhere.pid());
            assertThat(new ProcessBuilder(("nsenter -n -t " + elsewhere.pid() + " ip link set a1 netns "
                                            + ProcessHandle.current().pid())
                                    .split(" ", -1))
                            .inheritIO()
                            .start()
                            .waitFor())
                    .isZero();
            ip("link set a1 up");
            leaf.carrier(3, null);
            leaf.carrier(3, "a1");

            await("a withdrawal", () -> {
                spine.withdrawals().send(7, ByteBuffer.allocate(WithdrawalCodec.HEAD_BYTES));
                return !heard.isEmpty();
            });
            // Not before: Java finds no interface that has no address yet.
            assertThat(NetworkInterface.getByName("a1").getIndex()).isEqualTo(index);
        } finally {
            elsewhere.destroy();
        }
    }

    private static void cluster() throws Exception {
        cable("a1", "b1");
        try (AnnouncedCabling leaf = ofSwitch(LEAF);
                AnnouncedCabling stranger = AnnouncedCabling.start(Announcer.ofSwitch(2, SPINE), 8)) {
            leaf.carrier(1, "a1");
            stranger.carrier(1, "b1");
            await("a complaint of each", () -> logged("of cluster") == 2);
            awaitAnnouncements(2);

            assertThat(leaf.farEnd(1)).isNull();
            assertThat(stranger.farEnd(1)).isNull();
            assertThat(LOG.stream()
                            .filter(line -> line.contains("0000010: port 1"))
                            .toList())
                    .containsExactly(
                            "WARN switch 0x0000000000000010: port 1 (a1): ignores switch 0x0000000000000020 port 1, "
                                    + mac("b1") + " of cluster 2; expected links.cluster 1");
        }
    }

    /** So many more than there were, on every cable: they go out once a second. */
    private static void awaitAnnouncements(int count) throws Exception {
        TimeUnit.NANOSECONDS.sleep(count * FarEndTracker.INTERVAL_NANOS);
    }

    private static void two() throws Exception {
        ip("link add hub type bridge");
        ip("link set hub up");
        for (String each : List.of("pa", "pb", "pc")) {
            cable(each, each + "h");
            ip("link set " + each + "h master hub");
        }
        try (AnnouncedCabling leaf = ofSwitch(LEAF)) {
            leaf.carrier(1, "pa");
            try (AnnouncedCabling spine = ofSwitch(SPINE);
                    AnnouncedCabling other = ofSwitch(OTHER)) {
                spine.carrier(2, "pb");
                awaitFarEnd(leaf, 1, SPINE, 2);
                other.carrier(3, "pc");
                await("a complaint", () -> logged("0010: port 1 (pa): ignores switch 0x0000000000000030 port 3") == 1);
                assertThat(addresses("pb"))
                        .as("asked are those of the far end")
                        .contains(HexFormat.of()
                                .formatHex(Objects.requireNonNull(leaf.farAddress(1))
                                        .getAddress()));
                awaitAnnouncements(2);

                assertThat(leaf.farEnd(1)).isEqualTo(new FarEnd(new SwitchPort(SPINE, 2), mac("pb")));
                assertThat(logged("0010: port 1 (pa): ignores")).isEqualTo(1);

                spine.close();
                awaitFarEnd(leaf, 1, OTHER, 3);
            }
        }
    }

    private static void loop() throws Exception {
        cable("a1", "a2");
        try (AnnouncedCabling leaf = ofSwitch(LEAF)) {
            leaf.carrier(1, "a1");
            leaf.carrier(2, "a2");
            await("a complaint of each port", () -> logged("its own announcements come back") == 2);
            awaitAnnouncements(2);

            assertThat(leaf.farEnd(1)).isNull();
            assertThat(leaf.farEnd(2)).isNull();
            assertThat(logged("WARN")).isEqualTo(2);
        }
    }

    /** What pours out of one cable takes nothing from another. */
    private static void storm() throws Exception {
        cable("a1", "b1");
        cable("a2", "b2");
        BlockingQueue<Integer> heard = new LinkedBlockingQueue<>();
        try (AnnouncedCabling leaf = ofSwitch(LEAF);
                AnnouncedCabling spine = ofSwitch(SPINE);
                AnnouncedCabling mad = ofSwitch(OTHER)) {
            leaf.hellos().listen((port, hello) -> {
                if (port == 1) {
                    heard.add(hello.getInt(0));
                }
            });
            leaf.carrier(1, "a1");
            leaf.carrier(2, "a2");
            spine.carrier(1, "b1");
            mad.carrier(2, "b2");
            awaitFarEnd(leaf, 2, OTHER, 2);
            awaitFarEnd(leaf, 1, SPINE, 1);
            Thread storm = new Thread(() -> {
                ByteBuffer noise = ByteBuffer.allocate(64);
                while (!Thread.currentThread().isInterrupted()) {
                    mad.hellos().send(2, noise.clear());
                }
            });
            storm.start();

            for (int i = 0; i < 500; i++) {
                spine.hellos().send(1, ByteBuffer.allocate(40).putInt(0, i));
                assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(i);
            }

            storm.interrupt();
            storm.join();
        }
    }

    private static void off() throws Exception {
        cable("a1", "b1");
        cable("a2", "b2");
        ip("link set a1 down");
        Files.writeString(Path.of("/proc/sys/net/ipv6/conf/a1/disable_ipv6"), "1");
        ip("link set a1 up");
        try (AnnouncedCabling leaf = ofSwitch(LEAF);
                AnnouncedCabling spine = ofSwitch(SPINE)) {
            leaf.carrier(1, "a1");
            leaf.carrier(2, "a2");
            spine.carrier(2, "b2");
            awaitFarEnd(leaf, 2, SPINE, 2);
            await("a complaint", () -> logged("WARN") == 1);
            awaitAnnouncements(2);

            assertThat(LOG)
                    .filteredOn(line -> line.startsWith("WARN"))
                    .containsExactly(
                            "WARN switch 0x0000000000000010: port 1 (a1): nobody is heard or told here: IPv6 is off"
                                    + " there; expected net.ipv6.conf.a1.disable_ipv6 = 0");
            Files.writeString(Path.of("/proc/sys/net/ipv6/conf/a1/disable_ipv6"), "0");
            spine.carrier(1, "b1");
            awaitFarEnd(leaf, 1, SPINE, 1);
        }
    }

    private static void taken() throws Exception {
        cable("a1", "b1");
        try (AnnouncedCabling spine = ofSwitch(SPINE);
                AnnouncedCabling late = ofSwitch(OTHER)) {
            try (AnnouncedCabling leaf = ofSwitch(LEAF)) {
                leaf.carrier(1, "a1");
                spine.carrier(1, "b1");
                awaitFarEnd(spine, 1, LEAF, 1);

                late.carrier(1, "a1");
                await(
                        "a complaint",
                        () -> logged("nobody is heard or told here: UDP 7473: Address already in use") == 1);
            }
            awaitFarEnd(late, 1, SPINE, 1);
        }
    }

    /** A host that runs lldpd, and nothing of ours, at port 5; this machine's lldpd hears it. */
    private static void lldp() throws Exception {
        cable("swp5", "b5");
        ip("address add 10.100.0.8/32 dev lo");
        Path sockets = Path.of("/run/lldpd"); // of the mount namespace; lldpd gives up its rights elsewhere
        Process ours = lldpd(sockets.resolve("ours"), "swp5");
        Process theirs = lldpd(sockets.resolve("theirs"), "b5");
        // Where the agent's lldpcli looks is not this test's own socket.
        Path bin = Files.createDirectory(sockets.resolve("bin"));
        Files.writeString(
                bin.resolve("run"), "#!/bin/sh\nshift\nexec lldpcli -u " + sockets.resolve("ours") + " \"$@\"\n");
        assertThat(bin.resolve("run").toFile().setExecutable(true)).isTrue();
        LinuxSettings settings = new LinuxSettings(
                LEAF,
                "leaf",
                8,
                "swp",
                201,
                true,
                null,
                List.of(bin.resolve("run").toString()));
        BlockingQueue<Integer> changes = new LinkedBlockingQueue<>();
        try (LldpHosts leaf = LldpHosts.start(ofSwitch(LEAF), settings)) {
            leaf.listen(changes::add);
            leaf.carrier(5, "swp5");

            // An lldpd that is told its interval while it starts may say nothing more by itself.
            Integer changed = null;
            for (int i = 0; changed == null && i < 60; i++) {
                lldpcli(sockets.resolve("theirs"), "update");
                changed = changes.poll(1, TimeUnit.SECONDS);
            }
            assertThat(changed).as(LOG.toString()).isEqualTo(5);

            FarEnd far = Objects.requireNonNull(leaf.farEnd(5));
            assertThat(far.mac()).isEqualTo(mac("b5"));
            HostPort host = (HostPort) far.neighbour();
            assertThat(host.portGuid()).isEqualTo(LldpNeighbour.guid(mac("b5")));
            assertThat(host.addresses().ipv4Text()).isEqualTo("10.100.0.8");
            try (AnnouncedCabling node =
                    AnnouncedCabling.start(Announcer.ofHost(1, new HostPort(0x10007, 0x10007, 1, "node7")), 1)) {
                node.carrier(1, "b5");
                await("the announcement to count", () -> !far.equals(leaf.farEnd(5)));
                assertThat(((HostPort) Objects.requireNonNull(leaf.farEnd(5)).neighbour()).portGuid())
                        .isEqualTo(0x10007);
            }
        } finally {
            ours.destroy();
            theirs.destroy();
        }
    }

    private static Process lldpd(Path socket, String interfaceName) throws Exception {
        Process process = new ProcessBuilder(
                        "lldpd",
                        "-d",
                        "-u",
                        socket.toString(),
                        "-I",
                        interfaceName,
                        "-C",
                        interfaceName,
                        "-m",
                        "10.100.*")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        await("lldpd's answer", () -> lldpcli(socket, "show", "chassis"));
        return process;
    }

    /** Returns whether lldpd did as it was told. */
    private static boolean lldpcli(Path socket, String... words) {
        List<String> command = new ArrayList<>(List.of("lldpcli", "-u", socket.toString()));
        command.addAll(List.of(words));
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A port whose far end, and which itself, goes down and up, gets no more addresses with each time. */
    private static void flaps() throws Exception {
        cable("a1", "b1");
        Files.writeString(Path.of("/proc/sys/net/ipv6/conf/all/ignore_routes_with_linkdown"), "1");
        try (AnnouncedCabling leaf = ofSwitch(LEAF);
                AnnouncedCabling spine = ofSwitch(SPINE)) {
            leaf.carrier(1, "a1");
            spine.carrier(1, "b1");
            awaitFarEnd(leaf, 1, SPINE, 1);
            for (int i = 0; i < 6; i++) {
                String down = i % 2 == 0 ? "b1" : "a1";
                ip("link set " + down + " down");
                leaf.hellos().send(1, ByteBuffer.allocate(40));
                awaitAnnouncements(1); // which are refused
                leaf.carrier(1, null);
                spine.carrier(1, null);
                ip("link set " + down + " up");
                BlockingQueue<Integer> heard = new LinkedBlockingQueue<>();
                leaf.hellos().listen((port, hello) -> heard.add(port));
                leaf.carrier(1, "a1");
                awaitOpen(leaf, 1);
                spine.carrier(1, "b1");
                spine.hellos().send(1, ByteBuffer.allocate(40));
                assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(1);
            }

            assertThat(Files.readString(InterfaceTable.FILE)
                            .lines()
                            .filter(line -> line.endsWith(" a1"))
                            .count())
                    .isBetween(1L, 2L);
            assertThat(logged("WARN")).isZero();
        }
    }
}
