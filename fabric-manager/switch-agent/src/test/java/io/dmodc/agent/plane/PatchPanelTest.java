package io.dmodc.agent.plane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.southbound.TableVersion;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Two switches with two cables between them and a host at the first: {@code host - 3[leaf]1 = 1[spine], 2 = 2}. */
class PatchPanelTest {
    private static final Cable FIRST = new Cable(0x10, 1, new SwitchPort(0x20, 1));
    private static final Cable SECOND = new Cable(0x10, 2, new SwitchPort(0x20, 2));
    private static final Cable HOST = new Cable(0x10, 3, new HostPort(0x99, 0x98, 1, "node0"));

    private final MemoryPlane leaf = new MemoryPlane(0x10, "leaf", 4);
    private final MemoryPlane spine = new MemoryPlane(0x20, "spine", 4);
    private final List<String> told = new ArrayList<>();

    private PatchPanel connect(PatchPanel panel) {
        panel.attach(leaf);
        panel.attach(spine);
        leaf.listen(port -> told.add("leaf " + leaf.portState(port)));
        spine.listen(port -> told.add("spine " + port));
        return panel;
    }

    private static String ups(MemoryPlane plane) {
        StringBuilder ups = new StringBuilder();
        plane.ports().forEach(port -> ups.append(port.up() ? 'u' : '-'));
        return ups.toString();
    }

    @Test
    void shouldShowBothEndsTheirNeighbours() {
        connect(PatchPanel.of(List.of(FIRST, SECOND, HOST)));

        assertThat(ups(leaf)).isEqualTo("uuu-");
        assertThat(ups(spine)).isEqualTo("uu--");
        assertThat(leaf.portState(2).neighbour()).isEqualTo(new SwitchPort(0x20, 2));
        assertThat(spine.portState(2).neighbour()).isEqualTo(new SwitchPort(0x10, 2));
        assertThat(leaf.portState(3).neighbour()).isEqualTo(HOST.far());
        assertThat(leaf.portState(4)).isEqualTo(PortState.unplugged(4));
    }

    private static void say(MemoryPlane from, int port, String hello) {
        HelloChannel channel = Objects.requireNonNull(from.hellos());
        channel.send(port, ByteBuffer.wrap(hello.getBytes(StandardCharsets.UTF_8)));
    }

    private void hear(MemoryPlane plane) {
        Objects.requireNonNull(plane.hellos())
                .listen((port, hello) ->
                        told.add(plane.name() + " " + port + " hears " + StandardCharsets.UTF_8.decode(hello)));
    }

    @Test
    void shouldCarryHellosToTheOtherEnd() {
        connect(PatchPanel.of(List.of(FIRST, SECOND, HOST)));
        hear(leaf);
        hear(spine);

        say(leaf, 1, "a");
        say(spine, 2, "b");
        say(leaf, 3, "to a host");
        say(leaf, 4, "to nowhere");

        assertThat(told).containsExactly("spine 1 hears a", "leaf 2 hears b");
    }

    @Test
    void shouldLoseHellosOfAMutedPortAndTellNobody() {
        PatchPanel panel = connect(PatchPanel.of(List.of(FIRST, SECOND)));
        hear(leaf);
        hear(spine);

        panel.mute(0x10, 1);
        say(leaf, 1, "lost");
        say(spine, 1, "the other way");
        panel.mute(SECOND);
        say(leaf, 2, "lost");
        say(spine, 2, "lost");

        assertThat(told).containsExactly("leaf 1 hears the other way");
        assertThat(ups(leaf) + ups(spine)).isEqualTo("uu--uu--");
        panel.unmute(FIRST);
        say(leaf, 1, "again");
        assertThat(told).last().isEqualTo("spine 1 hears again");
    }

    @Test
    void shouldLoseHellosOnACutCableAndToADarkSwitch() {
        PatchPanel panel = connect(PatchPanel.of(List.of(FIRST, SECOND)));
        panel.cut(FIRST);
        panel.powerOffSilently(0x20);
        told.clear();
        hear(spine);

        say(leaf, 1, "lost");
        say(leaf, 2, "lost");

        assertThat(told).isEmpty();
    }

    @Test
    void shouldSayThatASwitchWithoutAPanelCarriesNoHellos() {
        assertThat(leaf.hellos()).isNull();
    }

    @Test
    void shouldTakeBothEndsDownAndUpAndTellEachOnce() {
        PatchPanel panel = connect(PatchPanel.of(List.of(FIRST, SECOND, HOST)));

        panel.cut(panel.cableAt(0x20, 1));
        panel.cut(FIRST);
        assertThat(told).containsExactly("leaf " + new PortState(1, false, FIRST.far()), "spine 1");
        assertThat(ups(leaf) + ups(spine)).isEqualTo("-uu--u--");

        panel.restore(FIRST);
        assertThat(told).hasSize(4);
        assertThat(ups(leaf) + ups(spine)).isEqualTo("uuu-uu--");
    }

    @Test
    void shouldTakeAllCablesOfASwitchWithoutPower() {
        PatchPanel panel = connect(PatchPanel.of(List.of(FIRST, SECOND, HOST)));
        panel.cut(SECOND);

        panel.powerOff(0x20);
        assertThat(ups(leaf) + ups(spine)).isEqualTo("--u-----");
        panel.powerOn(0x20);

        assertThat(ups(leaf) + ups(spine)).isEqualTo("u-u-u---");
    }

    @Test
    void shouldTellNobodyWhenSilent() {
        PatchPanel panel = connect(PatchPanel.silent(List.of(FIRST, SECOND, HOST)));

        panel.cut(FIRST);

        assertThat(told).isEmpty();
        assertThat(ups(leaf)).isEqualTo("-uu-");
    }

    @Test
    void shouldRefuseImpossibleCables() {
        assertThatThrownBy(() -> PatchPanel.of(List.of(FIRST, new Cable(0x30, 1, new SwitchPort(0x20, 1)))))
                .hasMessage("switch 0x0000000000000020: port 1 has two cables");
        assertThatThrownBy(() -> new Cable(1, 5, new SwitchPort(1, 5))).hasMessageContaining("to itself");
        assertThatThrownBy(() -> new Cable(1, 0, HOST.far())).hasMessageContaining("expected 1..254");
        PatchPanel panel = PatchPanel.of(List.of(FIRST));
        assertThatThrownBy(() -> panel.cut(SECOND)).hasMessageContaining("is not of this panel");
        assertThatThrownBy(() -> panel.cableAt(0x10, 9)).hasMessage("switch 0x0000000000000010: no cable at port 9");
    }

    @Test
    void shouldForwardByTheInstalledTable() {
        assertThat(leaf.port(0)).isEqualTo(MemoryPlane.NO_ROUTE);

        leaf.force(new InstalledTable(new TableVersion(1, 2), new byte[] {3, (byte) 254, (byte) 255}));

        assertThat(leaf.port(0)).isEqualTo(3);
        assertThat(leaf.port(1)).isEqualTo(254);
        assertThat(leaf.port(2)).isEqualTo(MemoryPlane.NO_ROUTE);
        assertThat(leaf.port(3)).isEqualTo(MemoryPlane.NO_ROUTE);
    }
}
