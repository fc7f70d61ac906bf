package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DirtyPortsTest {
    private final DirtyPorts ports = new DirtyPorts();
    private final List<PortPlace> seen = new ArrayList<>();

    @Test
    void shouldGoSwitchBySwitchInTheOrderInWhichTheseWereNamed() {
        ports.add(9, 3);
        ports.add(-1, 2);
        ports.add(9, 1);
        ports.addAll(List.of(new PortPlace(-1, 2), new PortPlace(5, 7)));
        ports.forEach(seen::add);
        assertThat(seen)
                .containsExactly(new PortPlace(9, 1), new PortPlace(9, 3), new PortPlace(-1, 2), new PortPlace(5, 7));
        assertThat(ports.contains(new PortPlace(9, 3))).isTrue();
        assertThat(ports.contains(new PortPlace(9, 2))).isFalse();
        assertThat(ports.contains(new PortPlace(3, 9))).isFalse();
    }

    @Test
    void shouldNameAllPortsOfASwitchAtOnce() {
        ports.addFirst(9, 3);
        ports.addFirst(8, 0);
        ports.forEach(seen::add);
        assertThat(seen).containsExactly(new PortPlace(9, 1), new PortPlace(9, 2), new PortPlace(9, 3));
    }

    /** Far ends are what others say they are. */
    @Test
    void shouldTakeNoNumberThatNoPortHas() {
        for (int port : new int[] {Integer.MIN_VALUE, -1, 0, FabricView.PORT_MAX + 1, Integer.MAX_VALUE}) {
            ports.add(9, port);
        }
        assertThat(ports.isEmpty()).isTrue();
        ports.add(9, FabricView.PORT_MAX);
        assertThat(ports.contains(new PortPlace(9, FabricView.PORT_MAX))).isTrue();
    }

    @Test
    void shouldKeepWhatIsAddedWhileAllAreTaken() {
        ports.add(9, 1);
        ports.add(9, 2);
        ports.takeAll(port -> ports.add(port.guid(), port.port() + 1));
        assertThat(ports.contains(new PortPlace(9, 1))).isFalse();
        ports.takeAll(seen::add);
        assertThat(seen).containsExactly(new PortPlace(9, 2), new PortPlace(9, 3));
        assertThat(ports.isEmpty()).isTrue();
    }

    @Test
    void shouldBeEmptyOnceCleared() {
        ports.add(9, 1);
        ports.clear();
        assertThat(ports.isEmpty()).isTrue();
        ports.add(9, 2);
        ports.forEach(seen::add);
        assertThat(seen).containsExactly(new PortPlace(9, 2));
    }
}
