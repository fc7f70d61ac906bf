package io.dmodc.agent.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.TopologyPanel.ListedSwitch;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyPanelTest {
    private static final LinkRate EDR = new LinkRate(4, LinkRate.Speed.EDR);

    @TempDir
    Path dir;

    private Path file = Path.of("set by the next method");

    @BeforeEach
    void name() {
        file = dir.resolve("fabric.txt");
    }

    private ListedSwitch read(String text, long guid) throws IOException {
        return TopologyPanel.read(Files.writeString(file, text), guid).orElseThrow();
    }

    /** The numbers of the plugged ports of leaf and spine. */
    private String plugged(String text) throws IOException {
        return ports(read(text, 0x10)) + " " + ports(read(text, 0x20));
    }

    private static List<Integer> ports(ListedSwitch listed) {
        return listed.plugged().stream().map(PortState::number).toList();
    }

    private static String without(String part) {
        assertThat(PanelText.WHOLE).contains(part);
        return PanelText.WHOLE.replace(part, "");
    }

    @Test
    void shouldSayWhatEachPortLeadsTo() throws Exception {
        ListedSwitch leaf = read(PanelText.WHOLE, 0x10);

        assertThat(leaf.name()).isEqualTo("leaf");
        assertThat(leaf.portCount()).isEqualTo(4);
        assertThat(leaf.plugged())
                .containsExactly(
                        new PortState(1, true, new SwitchPort(0x20, 1), EDR),
                        new PortState(2, true, new SwitchPort(0x20, 2), EDR),
                        new PortState(3, true, new HostPort(0x99, 0x98, 1, "node0", HostAddresses.ofLid(3)), EDR));
        assertThat(ports(read(PanelText.WHOLE, 0x20))).containsExactly(1, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {PanelText.LEAF_TO_SPINE_1, PanelText.SPINE_TO_LEAF_1})
    void shouldCutACableAtBothEndsWhenEitherLineIsDeleted(String line) throws Exception {
        assertThat(plugged(without(line))).isEqualTo("[2, 3] [2]");
    }

    @Test
    void shouldCutACableWhoseLinesDisagree() throws Exception {
        String moved =
                PanelText.WHOLE.replace(PanelText.SPINE_TO_LEAF_1, PanelText.SPINE_TO_LEAF_1.replace("[1]\t", "[5]\t"));

        assertThat(plugged(moved)).isEqualTo("[2, 3] [2]");
    }

    @ParameterizedTest
    @ValueSource(strings = {PanelText.LEAF_TO_HOST, PanelText.HOST_TO_LEAF})
    void shouldUnplugAHostWhenEitherLineIsDeleted(String line) throws Exception {
        assertThat(plugged(without(line))).isEqualTo("[1, 2] [1, 2]");
    }

    @Test
    void shouldTakeAHostWithoutABlockFromItsSwitch() throws Exception {
        String another = "[4]\t\"H-00000000000000a8\"[1](a9)\t\t# \"node1\"\n";
        String text = PanelText.WHOLE.replace(PanelText.LEAF_TO_HOST, PanelText.LEAF_TO_HOST + another);

        assertThat(plugged(text)).isEqualTo("[1, 2, 3, 4] [1, 2]");
    }

    @Test
    void shouldSayTheLidOfAHostAsFarAsThereIsOne() throws Exception {
        String unknown = PanelText.WHOLE.replace("lid 3 ", "lid 0 ");
        String multicast = PanelText.WHOLE.replace("lid 3 ", "lid 49152 ");
        String ofSwitchOnly = PanelText.WHOLE.replace("# lid 3 lmc 0 ", "# ");

        assertThat(lidOfHost(PanelText.WHOLE)).isEqualTo(3);
        assertThat(lidOfHost(ofSwitchOnly)).isEqualTo(3);
        assertThat(lidOfHost(unknown)).isZero();
        assertThat(lidOfHost(multicast)).isZero();
    }

    private int lidOfHost(String text) throws IOException {
        Neighbour far = read(text, 0x10).plugged().get(2).neighbour();
        return ((HostPort) Objects.requireNonNull(far)).addresses().lid();
    }

    @Test
    void shouldCutAllCablesOfASwitchWithoutABlock() throws Exception {
        String text = without(PanelText.SPINE);

        assertThat(ports(read(text, 0x10))).containsExactly(3);
        assertThat(TopologyPanel.read(file, 0x20)).isEmpty();
    }

    @Test
    void shouldReadNamesAsTheyAreAndCutLongOnes() throws Exception {
        String text = PanelText.WHOLE
                .replace("# \"leaf\" base", "# \"Blatt-Å\" base")
                .replace("\"node0\"", "\"" + "ä".repeat(40) + "\"");

        ListedSwitch leaf = read(text, 0x10);

        assertThat(leaf.name()).isEqualTo("Blatt-Å");
        assertThat(plugged(text.replace(PanelText.LEAF_TO_SPINE_1, "")))
                .as("a name in UTF-8 hides no line")
                .isEqualTo("[2, 3] [2]");
        assertThat(leaf.plugged().get(2).neighbour())
                .isEqualTo(new HostPort(0x99, 0x98, 1, "ä".repeat(32), HostAddresses.ofLid(3)));
    }

    @Test
    void shouldTakeAFileThatWasCutOffForNone() throws Exception {
        for (int length = 0; length < PanelText.WHOLE.indexOf("Ca\t"); length++) {
            Files.writeString(file, PanelText.WHOLE.substring(0, length));
            assertThatThrownBy(() -> TopologyPanel.read(file, 0x10))
                    .as("cut at " + length)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file + ":")
                    .hasMessageContaining("expected");
        }
    }

    @Test
    void shouldSayInOneLineWhatIsNoPanel() throws Exception {
        assertThatThrownBy(() -> TopologyPanel.read(file, 1))
                .hasMessage(file + ": cannot be read (no such file); expected a file of ibnetdiscover text");
        assertThatThrownBy(() -> TopologyPanel.read(dir, 1)).hasMessageStartingWith(dir + ": cannot be read (");
        Files.write(file, new byte[] {'S', 0, 1});
        assertThatThrownBy(() -> TopologyPanel.read(file, 1)).hasMessageContaining(":1: a zero byte");
        assertThatThrownBy(
                        () -> read(PanelText.WHOLE.replace("[1](99)", "[1](0)").replace("0000098", "0000000"), 0x10))
                .hasMessageContaining("switch 0x0000000000000010: port 3 leads to")
                .hasMessageContaining("expected a GUID above 0");
    }

    @Test
    void shouldKeepLineNumbers() {
        String text = without(PanelText.SPINE_TO_LEAF_1);

        String whole =
                new String(OneEndedCableFilter.only(text.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);

        assertThat(whole.lines()).hasSameSizeAs(text.lines().toList());
        assertThat(whole.lines().filter(line -> line.startsWith("[")).toList()).hasSize(4);
    }
}
