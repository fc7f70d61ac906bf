package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Cable;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.southbound.proto.Port;
import io.dmodc.southbound.proto.PortReport;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.Refusal.Reason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever a peer sends, it is told why it is refused, and the switches in service do not feel it.
 *
 * <p>The fabric is served by agents on all switches but one spine; the strangers speak for that one or for nobody.
 */
class UnrulyPeersTest {
    private static final String PGFT = "2;2,3;1,3;1,1";
    private static final int PORTS = 3;
    private static final long NOBODY = 0xbadL;

    @TempDir
    Path directory;

    private RunningManager manager;
    private Site site;
    private long free;

    @BeforeEach
    void serve() throws Exception {
        SortedSet<Long> guids = Site.guidsOf(PGFT);
        free = guids.last();
        manager = RunningManager.open(directory, guids.headSet(free), Map.of("southbound.keep-alive", "1s"));
        site = Site.of(PGFT, manager.southbound());
        site.startAgentsExcept(free);
        awaitOthersServed();
    }

    /** Every test ends with a fault: a fabric in service would follow it. */
    @AfterEach
    void stop() {
        try {
            Cable cable = site.firstBundleUp(site.leaf(0)).get(0);
            site.cut(cable);
            manager.awaitCalm("cable down", state -> !state.isLive(cable.guid(), cable.port()));
            awaitOthersServed();
            manager.awaitValid(site);
            assertThat(manager.notes(Kind.AGENT_LEFT))
                    .extracting(LoggedEvent::guid)
                    .doesNotContainAnyElementsOf(others());
        } finally {
            site.close();
            manager.close();
        }
    }

    private List<Long> others() {
        return site.guids().stream().filter(guid -> guid != free).toList();
    }

    private void awaitOthersServed() {
        manager.awaitCalm(
                "the others served", state -> others().stream().allMatch(guid -> RunningManager.served(state, guid)));
    }

    private RawPeer stranger() throws IOException {
        return RawPeer.at(manager.southbound());
    }

    private static void assertRefusal(Refusal refusal, Reason reason, String text) {
        assertThat(refusal.getReason()).isEqualTo(reason);
        assertThat(refusal.getText()).contains(text).doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET / HTTP/1.1\r\nHost: fabric\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n"})
    void shouldTellOtherProtocolsThatThisIsNoPlaceForThem(String firstLine) throws Exception {
        try (RawPeer client = stranger()) {
            assertRefusal(client.says(firstLine).isRefused(), Reason.GARBAGE, "not a switch agent?");
        }
    }

    @Test
    void shouldRefuseRandomBytes() throws Exception {
        Random random = new Random(20_260_101);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[4 + random.nextInt(2000)];
            random.nextBytes(bytes);
            bytes[0] |= 0x40; // a length no frame can have; shorter ones are the next test's
            try (RawPeer client = stranger()) {
                assertThat(client.says(bytes).isRefused().getReason()).isEqualTo(Reason.GARBAGE);
            }
        }
    }

    @Test
    void shouldRefuseFramesOfRandomBytes() throws Exception {
        Random random = new Random(20_260_102);
        for (int i = 0; i < 200; i++) {
            byte[] body = new byte[random.nextInt(40)];
            random.nextBytes(body);
            try (RawPeer client = stranger()) {
                assertThat(client.says(RawPeer.framed(body)).isRefused().getReason())
                        .as(Arrays.toString(body))
                        .isIn(Reason.GARBAGE, Reason.WRONG_VERSION, Reason.INVALID_HELLO);
            }
        }
    }

    @Test
    void shouldRefuseFramesThatAreTooLong() throws Exception {
        byte[] twoMebibytes = ByteBuffer.allocate(4).putInt(2 << 20).array();

        try (RawPeer first = stranger();
                RawPeer later = stranger()) {
            assertRefusal(first.says(twoMebibytes).isRefused(), Reason.OVERSIZE, "2097152 bytes, more than 1048576");
            later.says(RawPeer.frame(RawPeer.hello(free, PORTS))).isWelcomed();
            assertRefusal(later.says(twoMebibytes).isRefused(), Reason.OVERSIZE, "frame 2 would be 2097152 bytes");
        }
    }

    @Test
    void shouldGiveUpOnHalfAFrameWhileTheOthersAreServed() throws Exception {
        byte[] hello = RawPeer.framed(RawPeer.frame(RawPeer.hello(free, PORTS)).toByteArray());
        try (RawPeer beforeHello = stranger();
                RawPeer afterHello = stranger()) {
            beforeHello.says(Arrays.copyOf(hello, hello.length / 2));
            afterHello.says(hello).isWelcomed().says(Arrays.copyOf(hello, 3));
            Cable cable = site.firstBundleUp(site.leaf(1)).get(0);

            site.cut(cable);
            manager.awaitCalm("cable down", state -> !state.isLive(cable.guid(), cable.port()));
            awaitOthersServed();

            assertRefusal(beforeHello.isRefused(), Reason.TOO_SLOW, "no Hello within 5000 ms");
            assertRefusal(afterHello.isRefused(), Reason.TOO_SLOW, "no frame for 3 keep-alive periods of 1000 ms");
        }
    }

    @Test
    void shouldRefuseVersionsItDoesNotSpeak() throws Exception {
        try (RawPeer client = stranger()) {
            client.says(
                    RawPeer.frame(RawPeer.hello(free, PORTS).setProtocolMin(1).setProtocolMax(1)));

            assertRefusal(client.isRefused(), Reason.WRONG_VERSION, "agent speaks versions 1..1, manager 2..2");
        }
    }

    @Test
    void shouldRefuseASecondAgentOfASwitchWhileTheFirstIsAlive() throws Exception {
        long taken = site.leaf(0);
        try (RawPeer impostor = stranger()) {
            impostor.says(RawPeer.frame(RawPeer.hello(taken, PORTS)));

            assertRefusal(impostor.isRefused(), Reason.DUPLICATE_GUID, "another agent speaks for switch");
        }
        boolean served = manager.ask(state -> RunningManager.served(state, taken));
        assertThat(served).isTrue();
        assertThat(manager.notes(Kind.AGENT_REFUSED)).anyMatch(note -> note.guid() == taken);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, PORTS + 1, 255, -1})
    void shouldNameAPortThatTheSwitchHasNot(int number) throws Exception {
        PortReport.Builder report = PortReport.newBuilder()
                .setSequence(1)
                .setComplete(true)
                .addPorts(Port.newBuilder().setNumber(number).setUp(true));
        try (RawPeer client = stranger()) {
            client.says(RawPeer.frame(RawPeer.hello(free, PORTS))).isWelcomed().says(RawPeer.frame(report));

            assertRefusal(
                    client.isRefused(),
                    Reason.INVALID_REPORT,
                    "port " + Integer.toUnsignedString(number) + " is outside 1.." + PORTS);
        }
    }

    @Test
    void shouldRefuseAPortReportBeforeTheWelcome() throws Exception {
        PortReport.Builder report = RawPeer.reportOf(site.plane(free));
        try (RawPeer early = stranger();
                RawPeer hasty = stranger()) {
            assertRefusal(early.says(RawPeer.frame(report)).isRefused(), Reason.GARBAGE, "PORT_REPORT, expected HELLO");

            byte[] hello =
                    RawPeer.framed(RawPeer.frame(RawPeer.hello(NOBODY, PORTS)).toByteArray());
            byte[] ports = RawPeer.framed(RawPeer.frame(report).toByteArray());
            byte[] both = ByteBuffer.allocate(hello.length + ports.length)
                    .put(hello)
                    .put(ports)
                    .array();
            assertRefusal(hasty.says(both).isRefused(), Reason.GARBAGE, "a port report before the Welcome");
        }
    }
}
