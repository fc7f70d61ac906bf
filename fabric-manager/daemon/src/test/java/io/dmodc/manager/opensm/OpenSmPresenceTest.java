package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.subnet.DiscoveredSubnet;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.ibnet.IbnetFabric;
import io.dmodc.topology.ibnet.IbnetReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** OpenSM as a file: it answers while that is there. */
class OpenSmPresenceTest {
    @TempDir
    private Path directory = Path.of("");

    private Path opensm = Path.of("");

    @BeforeEach
    void start() throws IOException {
        opensm = Files.createFile(directory.resolve("opensm"));
    }

    private LocalPorts local() {
        return new LocalPorts(directory.resolve("infiniband"));
    }

    /** A port of this machine, as the kernel lists it. */
    private void list(String adapter, int port, long guid) throws IOException {
        String digits = Guid.digits(guid);
        Path gids = Files.createDirectories(
                directory.resolve("infiniband").resolve(adapter).resolve("ports/" + port + "/gids"));
        Files.writeString(gids.resolve("0"), "fe80:0000:0000:0000:" + digits.replaceAll("(.{4})(?!$)", "$1:") + "\n");
    }

    @Test
    void shouldTellOfAnOpenSmThatDoesNotAnswerTwiceInARow() throws Exception {
        Troubles troubles = new Troubles(FakeSubnet.restingLoop(() -> 0));
        try (OpenSmPresence presence =
                new OpenSmPresence("ls " + opensm, OpenSmSettings.defaults(), () -> null, local(), troubles)) {
            Files.delete(opensm);
            presence.ask();
            assertThat(troubles.has(Troubles.Kind.PRESENCE)).isFalse();
            Files.createFile(opensm);
            presence.ask();
            Files.delete(opensm);
            presence.ask();
            assertThat(troubles.has(Troubles.Kind.PRESENCE)).isFalse();

            presence.ask();
            assertThat(troubles.has(Troubles.Kind.PRESENCE)).isTrue();

            Files.createFile(opensm);
            presence.ask();
            assertThat(troubles.has(Troubles.Kind.PRESENCE)).isFalse();
        }
    }

    /** OpenSM may be well: it is not to be started again, nor are its switches without tables. */
    @ParameterizedTest
    @ValueSource(strings = {"/no/such/sminfo", "env /no/such/sminfo", "sh -c sminfo-that-is-not-there"})
    void shouldTellOfAProgramThatIsNotThere(String query) throws Exception {
        Troubles troubles = new Troubles(FakeSubnet.restingLoop(() -> 0));
        try (OpenSmPresence presence =
                new OpenSmPresence(query, OpenSmSettings.defaults(), () -> null, local(), troubles)) {
            presence.ask();
            assertThat(troubles.has(Troubles.Kind.QUERY)).isFalse();
            presence.ask();
            assertThat(troubles.has(Troubles.Kind.QUERY)).isTrue();
            assertThat(troubles.has(Troubles.Kind.PRESENCE)).isFalse();
            assertThat(troubles.areStopped()).isFalse();
        }
    }

    @Test
    void shouldNameTheProgramThatIsNotThere() throws Exception {
        try (FakeSubnet subnet = new FakeSubnet(directory)) {
            subnet.start(FakeSubnet.askingBy(subnet.settings(), "/no/such/sminfo"));
            subnet.awaitServed();

            subnet.await("alarm", () -> !subnet.opensmAlarm().isEmpty());

            assertThat(subnet.opensmAlarm())
                    .startsWith("sm-query cannot be run, so nobody sees whether OpenSM answers ('/no/such/sminfo': ");
        }
    }

    /** As infiniband-diags 44 prints it, of two OpenSMs in one subnet. */
    private static String answer(long port, int priority, int state, String name) {
        return "sminfo: sm lid 8 sm guid 0x" + Long.toHexString(port) + ", activity count 295 priority " + priority
                + " state " + state + " SMINFO_" + name + "\n";
    }

    /** As every adapter is called whose machine has given it no name. */
    private static final String UNNAMED = "MT4119 ConnectX5   Mellanox Technologies";

    /** The fabric is looked at from one adapter of a machine, of which the kernel lists another; of a third machine there is one, too, and nobody has named any. */
    @Test
    void shouldTellWhenTheMasterIsOnAnotherMachineOrThereIsNone() throws Exception {
        DrawnSubnet drawn = new DrawnSubnet(FakeSubnet.PGFT);
        FabricView view = drawn.view();
        long last = view.switchGuid(view.switchCount() - 1);
        long here = drawn.addHost(last, UNNAMED, Host.Kind.HOST);
        long alsoHere = drawn.addHost(last, UNNAMED, Host.Kind.HOST);
        long standby = drawn.addHost(last, UNNAMED, Host.Kind.HOST);
        list("mlx5_0", 1, 0xabcL);
        Files.createDirectories(directory.resolve("infiniband/hfi1_0/ports/1")); // of no GID
        Files.createDirectories(directory.resolve("infiniband/rocep0"));
        list("mlx5_1", 1, 0xabdL);
        list("mlx5_1", 2, alsoHere);
        byte[] text = drawn.text().getBytes(StandardCharsets.UTF_8);
        IbnetFabric read = IbnetReader.read("drawn", new ByteArrayInputStream(text));
        Discovery fabric = new Discovery(new DiscoveredSubnet(read, here, 0), 0);
        Discovery fromAnywhere =
                new Discovery(new DiscoveredSubnet(IbnetReader.read("drawn", new ByteArrayInputStream(text)), 0, 0), 0);

        assertThat(isTold(answer(here, 3, 3, "MASTER"), fabric)).isFalse();
        assertThat(isTold(answer(alsoHere, 3, 3, "MASTER"), fabric)).isFalse();
        assertThat(isTold(answer(standby, 1, 3, "MASTER"), fabric)).isTrue();
        assertThat(isTold(answer(0xabcdL, 1, 3, "MASTER"), fabric)).isTrue();
        assertThat(isTold(answer(last, 1, 3, "MASTER"), fabric)).isTrue();
        assertThat(isTold(answer(standby, 1, 3, "MASTER"), fromAnywhere)).isFalse();
        assertThat(isTold(answer(standby, 1, 3, "MASTER"), null)).isFalse();
        assertThat(isTold(answer(here, 3, 2, "STANDBY"), fabric)).isTrue();
        assertThat(isTold(answer(standby, 1, 2, "STANDBY"), null)).isTrue();
        assertThat(isTold("it runs\n", fabric)).isFalse();
    }

    private boolean isTold(String answer, @Nullable Discovery fabric) throws Exception {
        Files.writeString(opensm, answer);
        Troubles troubles = new Troubles(FakeSubnet.restingLoop(() -> 0));
        try (OpenSmPresence presence =
                new OpenSmPresence("cat " + opensm, OpenSmSettings.defaults(), () -> fabric, local(), troubles)) {
            presence.ask();
            assertThat(troubles.has(Troubles.Kind.PRESENCE)).isFalse();
            presence.ask();
            return troubles.has(Troubles.Kind.PRESENCE);
        }
    }

    /** By the tables of that one packets may not get there any more, while the OpenSM here is well. */
    @Test
    void shouldNameTheMasterOfAnotherHostThatDoesNotAnswerAnyMore() throws Exception {
        FabricView planned = new DrawnSubnet(FakeSubnet.PGFT).view();
        byte[] text = new DrawnSubnet(FakeSubnet.PGFT).text().getBytes(StandardCharsets.UTF_8);
        IbnetFabric read = IbnetReader.read("drawn", new ByteArrayInputStream(text));
        Discovery fabric = new Discovery(new DiscoveredSubnet(read, planned.nodeGuid(0), 0), 0);
        int last = planned.nodeCount() - 1;
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        FabricLoop loop = FakeSubnet.restingLoop(() -> 0, effect -> {
            if (effect instanceof Effect.Tell tell && tell.note().kind() == LoggedEvent.Kind.SUBNET_MANAGER) {
                told.add(tell.note().text());
            }
        });
        loop.start();
        try (loop;
                OpenSmPresence presence = new OpenSmPresence(
                        "cat " + opensm, OpenSmSettings.defaults(), () -> fabric, local(), new Troubles(loop))) {
            Files.writeString(opensm, answer(planned.nodeGuid(last), 1, 3, "MASTER"));
            presence.ask();
            Files.delete(opensm);

            presence.ask();

            assertThat(told.poll(20, TimeUnit.SECONDS))
                    .startsWith(
                            "no subnet manager answers, and none that loads a dump of this machine did before: that of "
                                    + Objects.requireNonNull(planned.host(last)).name())
                    .contains(", priority 1, which was the master");
        }
    }

    /** Its own OpenSM has ended, that of another host has taken over, and the first one comes back. */
    @Test
    void shouldNameTheMasterOfAnotherHostUntilItIsTheOneHereAgain() throws Exception {
        try (FakeSubnet subnet = new FakeSubnet(directory)) {
            FabricView planned = subnet.planned();
            long here = planned.nodeGuid(0);
            long other = planned.nodeGuid(planned.nodeCount() - 1);
            String name = Objects.requireNonNull(planned.host(planned.nodeCount() - 1))
                    .name();
            subnet.script(
                    "discover",
                    "echo '# Initiated from node " + Guid.digits(here) + " port " + Guid.digits(here) + "'; exec cat "
                            + directory + "/net");
            Files.writeString(opensm, answer(here, 3, 3, "MASTER"));
            subnet.start(FakeSubnet.askingBy(subnet.settings(), "cat " + opensm));
            subnet.awaitServed();
            assertThat(subnet.opensmAlarm()).isEmpty();

            Files.writeString(opensm, answer(other, 1, 3, "MASTER"));
            subnet.await("alarm", () -> !subnet.opensmAlarm().isEmpty());
            assertThat(subnet.opensmAlarm())
                    .startsWith("another subnet manager is the master, that of " + name + " (port " + Guid.format(other)
                            + "), priority 1");

            Files.writeString(opensm, answer(here, 3, 3, "MASTER"));
            subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        }
    }

    @Test
    void shouldRaiseAnAlarmThoughNothingHasToBeSentAndEndItWhenOpenSmIsBack() throws Exception {
        try (FakeSubnet subnet = new FakeSubnet(directory)) {
            subnet.start(FakeSubnet.askingBy(subnet.settings(), "ls " + opensm));
            subnet.awaitServed();
            assertThat(subnet.opensmAlarm()).isEmpty();

            Files.delete(opensm);
            subnet.await("alarm", () -> subnet.opensmAlarm().startsWith("OpenSM does not answer"));
            assertThat(subnet.opensmAlarm()).contains("'ls " + opensm + "': exit code 2");

            Files.createFile(opensm);
            subnet.await("end of alarm", () -> subnet.opensmAlarm().isEmpty());
        }
    }
}
