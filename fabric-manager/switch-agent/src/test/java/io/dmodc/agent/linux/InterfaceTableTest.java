package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The kernel's list of interfaces with an IPv6 address. */
class InterfaceTableTest {
    @Test
    void shouldFindInterfacesByName() {
        InterfaceTable table = InterfaceTable.of("""
                00000000000000000000000000000001 01 80 10 80       lo
                fe80000000000000604882fffe345e8c 02 40 20 c0      swp1
                fe80000000000000eb9800fb34bd46ce 1fe 40 20 80   swp254
                """);

        assertThat(table.index("lo")).isEqualTo(1);
        assertThat(table.index("swp1")).isEqualTo(2);
        assertThat(table.index("swp254")).isEqualTo(0x1fe);
        assertThat(table.index("swp2")).isNull();
    }

    @Test
    void shouldPassOverWhatItDoesNotKnow() {
        assertThat(InterfaceTable.of("").index("lo")).isNull();
        assertThat(InterfaceTable.of("some other words\n").index("words")).isNull();
    }
}
