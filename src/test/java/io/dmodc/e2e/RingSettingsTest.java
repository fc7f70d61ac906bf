package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.detector.RingOrder;
import io.dmodc.manager.app.Main;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricSnapshot;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator can do wrong with the ring, and what comes of what is right. */
class RingSettingsTest {
    private static final String PGFT = "3;2,2,3;1,2,2;1,2,1";

    @TempDir
    Path directory;

    private RunningManager open(Map<String, String> overrides) throws IOException {
        return RunningManager.open(directory, Set.of(), overrides);
    }

    @Test
    void shouldNotStartWithoutAKeyAndSayHowToMakeOne() {
        Path none = directory.resolve("none.key");

        assertThatThrownBy(() -> open(Map.of("detector.key-file", none.toString())))
                .isInstanceOf(IOException.class)
                .hasMessage("detector.key-file: " + none + ": no such file, expected the ring's key, the same for the"
                        + " manager and all agents; fabric-manager keys makes it");
    }

    @Test
    void shouldEndWithTwoWithoutAKey() throws IOException {
        Path file = Files.writeString(
                directory.resolve("fm.yaml"),
                "{state-dir: " + directory.resolve("s") + ", detector: {key-file: " + directory.resolve("none") + "}}");

        assertThat(Main.run("run", "--config", file.toString())).isEqualTo(2);
    }

    @Test
    void shouldNotStartWithAKeyThatIsTooShortOrThatOthersMayRead() throws IOException {
        Path shortKey = key("rw-------", "c2hvcnQ=");
        assertThatThrownBy(() -> open(Map.of("detector.key-file", shortKey.toString())))
                .hasMessage("detector.key-file: " + shortKey + ":1: 5 bytes, expected 16..64");

        Path open = key("rw-r--r--", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");
        assertThatThrownBy(() -> open(Map.of("detector.key-file", open.toString())))
                .hasMessageStartingWith(
                        "detector.key-file: " + open + ": permissions rw-r--r--, expected none for others");
    }

    private Path key(String permissions, String text) throws IOException {
        Path file = directory.resolve("key-" + permissions);
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void shouldStartWithoutAKeyWhenAuthenticationIsOffOrItTakesNoPart() throws IOException {
        String none = directory.resolve("none.key").toString();

        open(Map.of("detector.key-file", none, "detector.authentication", "off"))
                .close();
        open(Map.of("detector.key-file", none, "detector.enabled", "false")).close();
    }

    @Test
    void shouldNotStartWhenItsPlaceInTheRingIsTaken() throws IOException {
        try (DatagramSocket taken = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            String address = "127.0.0.1:" + taken.getLocalPort();

            assertThatThrownBy(() -> open(Map.of("detector.listen", address)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("detector.listen: detector socket /" + address + ": cannot bind UDP");
        }
    }

    @Test
    void shouldNameTheLineOfADamagedListOfDomains() throws IOException {
        Path file = Files.write(directory.resolve("domains"), List.of("0x10 rack r1", "leaf0 rack r1"));

        assertThatThrownBy(() -> open(Map.of("detector.domains", file.toString())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + ":2: 'leaf0' is neither a GUID nor 'manager'; expected 'guid kind domain'");
        assertThatThrownBy(() -> open(Map.of("detector.domains", file + ".none")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("detector.domains: " + file + ".none: cannot be read")
                .hasMessageNotContaining("\n");
    }

    /** The wildcard is not an address to send to: agents are told the one their session leads to. */
    @Test
    void shouldTakeItsPlaceInARingWithoutNeighboursOfARackWhenItListensEverywhere() throws Exception {
        Path file = directory.resolve("domains");
        List<String> lines = new ArrayList<>(List.of("manager rack r0"));
        for (long guid : Site.guidsOf(PGFT)) {
            lines.add(Long.toHexString(guid) + " rack r" + guid % 3);
        }
        Files.write(file, lines);
        Map<String, String> settings = Map.of("detector.listen", "0.0.0.0:0", "detector.domains", file.toString());
        try (RunningManager manager = RunningManager.open(directory, Site.guidsOf(PGFT), settings);
                Site site = Site.of(PGFT, manager.southbound()).startAgents()) {
            manager.awaitAllServed(site);

            Set<Long> all = new TreeSet<>(site.guids());
            all.add(manager.ringMember().member().guid());
            manager.awaitCalm(
                    "a ring of all",
                    state -> new TreeSet<>(state.membership().members().stream()
                                    .map(Effect.Member::guid)
                                    .toList())
                            .equals(all));
            List<RingOrder.Violation> sharing = manager.ask(FabricSnapshot::ringViolations);
            assertThat(sharing).isEmpty();
            MeterRegistry meters = new SimpleMeterRegistry();
            manager.ringMember().meters().bindTo(meters);
            RunningManager.await("heartbeats of an agent at the manager")
                    .until(() ->
                            meters.get("dmodc.ring.received").functionCounter().count() > 3);
        }
    }
}
