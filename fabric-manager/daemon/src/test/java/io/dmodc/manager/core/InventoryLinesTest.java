package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InventoryLinesTest {
    private static final String SWITCH = "switch 0x0000000000000001 4 leaf0";

    @Test
    void shouldReadBackWhatItWrote() {
        Inventory inventory = new Inventory();
        inventory.addSwitch(1, "leaf0", 4);
        inventory.addSwitch(-2, "a\nb  c", 254);
        inventory.seenWorking(1, 4, new ToSwitch(-2, 254));
        inventory.seenWorking(1, 1, new ToHost(new Host(0x11, 0x10, 2, "node0 HCA-1 ")));
        inventory.seenWorking(1, 2, new ToHost(new Host(0x12, 0x10, 1, "")));
        List<String> lines = new ArrayList<>(
                inventory.takeChanges().stream().map(line -> line.substring(1)).toList());
        lines.add("last-alarm 77");

        KnownBefore known = KnownBefore.parse("inventory", lines);

        assertThat(known.lastAlarmId()).isEqualTo(77);
        assertThat(known.inventory().linkCount()).isEqualTo(1);
        assertThat(known.inventory().hostCount()).isEqualTo(2);
        assertThat(known.inventory().nameOf(-2)).isEqualTo("a?b  c");
        assertThat(known.inventory().expected(-2, 254)).isEqualTo(new ToSwitch(1, 4));
        assertThat(known.inventory().expected(1, 1)).isEqualTo(new ToHost(new Host(0x11, 0x10, 2, "node0 HCA-1 ")));
        assertThat(known.inventory().takeChanges()).as("nothing to store").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "router 0x1 4 r",
                "switch 0x1",
                "switch leaf0 4 leaf0",
                "switch 0x0000000000000002 99999999999 x",
                "switch 0x0000000000000002 0 x",
                "switch 0x0000000000000002 255 x",
                "link 0x0000000000000001 1 0x0000000000000009 1",
                "link 0x0000000000000001 5 0x0000000000000001 1",
                "host 0x0000000000000001 9 0x11 0x10 1 node0",
                "host 0x0000000000000001 1 0x11 0x10 x node0",
                "alarm 1 2 3 planet 0x0 0",
                "alarm x 2 3 switch 0x0 0",
                "last-alarm -"
            })
    void shouldNameTheLineThatCannotBeRead(String line) {
        assertThatThrownBy(() -> KnownBefore.parse("state/inventory", List.of(SWITCH, line)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("state/inventory:2: '" + line + "'; expected ")
                .hasMessageNotContaining("\n");
    }
}
