package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.TinyManager.Peer;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PanelText;
import io.dmodc.agent.plane.PortState;
import io.dmodc.settings.Settings;
import io.dmodc.settings.SettingsException;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.proto.Port;
import io.dmodc.topology.LinkRate;
import io.netty.channel.EventLoopGroup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cables that are lines of a file which the agents of several switches share. */
class CableListTest {
    @TempDir
    Path dir;

    private Path file = Path.of("set by the next method");

    @BeforeEach
    void write() throws Exception {
        file = dir.resolve("fabric.txt");
        write(PanelText.WHOLE);
    }

    private void write(String text) throws Exception {
        Path fresh = Files.writeString(dir.resolve("fresh"), text);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private CableList open(long guid, String more) {
        String yaml = "{plane: {topology: '" + file + "'}" + more + "}";
        AgentSettings settings = Settings.parse(yaml, "agent.yaml", AgentSettings.class, Map.of());
        return CableList.open(guid, settings, Path.of("agent.yaml"), Map.of());
    }

    @Test
    void shouldTakeTheSwitchFromTheFile() {
        MemoryPlane spine = open(0x20, "").plane();

        assertThat(spine.name()).isEqualTo("spine");
        assertThat(spine.portCount()).isEqualTo(5);
        assertThat(spine.portState(2))
                .isEqualTo(new PortState(2, true, new SwitchPort(0x10, 2), new LinkRate(4, LinkRate.Speed.EDR)));
        assertThat(spine.portState(5)).isEqualTo(PortState.unplugged(5));
        assertThat(open(0x20, ", name: mine").plane().name()).isEqualTo("mine");
    }

    @Test
    void shouldRefuseAGuidThatIsNotInTheFile() {
        assertThatThrownBy(() -> open(0x30, ""))
                .isInstanceOf(SettingsException.class)
                .hasMessage(file + ": no switch 0x0000000000000030; expected a block for the guid of agent.yaml");
    }

    @Test
    void shouldKeepWhatItHasWhileTheFileCannotBeUsed() throws Exception {
        CableList cables = open(0x10, "");
        List<Integer> told = new ArrayList<>();
        cables.plane().listen(told::add);
        List<String> unusable = List.of(
                "",
                "no topology",
                PanelText.WHOLE.substring(0, PanelText.WHOLE.length() / 2),
                PanelText.WHOLE.replace("Switch\t4", "Switch\t8"));

        for (String text : unusable) {
            write(text);
            cables.look();
        }
        Files.delete(file);
        cables.look();

        assertThat(told).isEmpty();
        assertThat(cables.plane().portState(1).up()).isTrue();
        write(PanelText.WHOLE.replace(PanelText.LEAF_TO_SPINE_1, ""));
        cables.look();
        assertThat(told).containsExactly(1);
    }

    /** The timer that looks ends with the first exception that gets through to it. */
    @Test
    void shouldGoOnLookingAfterADefect() throws Exception {
        CableList cables = open(0x10, "");
        List<Integer> told = new ArrayList<>();
        cables.plane().listen(number -> {
            told.add(number);
            throw new IllegalStateException("a listener that fails");
        });

        write(PanelText.WHOLE.replace(PanelText.LEAF_TO_SPINE_1, ""));
        cables.look();
        write(PanelText.WHOLE);
        cables.look();

        assertThat(told).containsExactly(1, 1);
        assertThat(cables.plane().portState(1).up()).isTrue();
    }

    @Test
    void shouldHaveNoCablesWhileTheSwitchIsNotInTheFile() throws Exception {
        CableList leaf = open(0x10, "");
        CableList spine = open(0x20, "");

        write(PanelText.WHOLE.replace(PanelText.SPINE, ""));
        leaf.look();
        spine.look();
        assertThat(ups(leaf) + ups(spine)).isEqualTo("--u- -----");
        assertThat(spine.plane().portState(1).neighbour()).as("last seen").isEqualTo(new SwitchPort(0x10, 1));

        write(PanelText.WHOLE);
        leaf.look();
        spine.look();
        assertThat(ups(leaf) + ups(spine)).isEqualTo("uuu- uu---");
    }

    private static String ups(CableList cables) {
        StringBuilder ups = new StringBuilder(cables.plane().guid() == 0x20 ? " " : "");
        cables.plane().ports().forEach(port -> ups.append(port.up() ? 'u' : '-'));
        return ups.toString();
    }

    @Test
    void shouldLetBothAgentsReportACableWhoseLineIsDeletedAndPutBack() throws Exception {
        EventLoopGroup group = Transport.best().group(2, "test");
        CableList leaf = open(0x10, "");
        CableList spine = open(0x20, "");
        try (TinyManager manager = new TinyManager(group);
                Agent first = Agent.start(AgentConfig.of(manager.address(), null, 7, 1), leaf.plane(), group)) {
            Peer leafPeer = manager.accept();
            leafPeer.welcome(2000);
            try (Agent second = Agent.start(AgentConfig.of(manager.address(), null, 7, 2), spine.plane(), group)) {
                Peer spinePeer = manager.accept();
                spinePeer.welcome(2000);
                assertThat(List.of(first.guid(), second.guid())).containsExactly(0x10L, 0x20L);

                write(PanelText.WHOLE.replace(PanelText.SPINE_TO_LEAF_1, ""));
                leaf.look();
                spine.look();
                assertThat(onlyPort(leafPeer)).isEqualTo("1 down, 0x20 port 1");
                assertThat(onlyPort(spinePeer)).isEqualTo("1 down, 0x10 port 1");

                write(PanelText.WHOLE);
                leaf.look();
                spine.look();
                assertThat(onlyPort(leafPeer)).isEqualTo("1 up, 0x20 port 1");
                assertThat(onlyPort(spinePeer)).isEqualTo("1 up, 0x10 port 1");
            }
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    static String onlyPort(Peer peer) throws InterruptedException {
        List<Port> ports = peer.next().getPortReport().getPortsList();
        assertThat(ports).hasSize(1);
        Port port = ports.get(0);
        return String.format(
                "%d %s, 0x%x port %d",
                port.getNumber(),
                port.getUp() ? "up" : "down",
                port.getSwitchNeighbour().getGuid(),
                port.getSwitchNeighbour().getPort());
    }
}
