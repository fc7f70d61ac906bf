package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which interface is which port, and when the kernel took away what was written to it. */
class PortTableTest {
    private final PortTable ports = new PortTable(new LinuxSettings(1, "s", 4, "p", 201, true, null, List.of()));

    private static LinkState link(int index, String name, boolean up, boolean carrier) {
        return new LinkState(index, name, true, up, carrier, "");
    }

    private static LinkState link(String name, String mac) {
        return new LinkState(2, name, true, true, true, mac);
    }

    private static BitSet bits(int... numbers) {
        BitSet bits = new BitSet();
        for (int number : numbers) {
            bits.set(number);
        }
        return bits;
    }

    @Test
    void shouldCountAPortWithoutInterfaceAsDown() {
        assertThat(ports.port(1)).isEqualTo(PortTable.Port.ABSENT);
        assertThat(ports.port(1).isDead()).isTrue();
        assertThat(ports.see(link(9, "eth0", true, true))).isEqualTo(bits());
        assertThat(ports.see(link(10, "p5", true, true))).isEqualTo(bits());
    }

    @Test
    void shouldKeepRoutesWhenCarrierIsLostAndLoseThemWhenTheInterfaceIsDown() {
        assertThat(ports.see(link(2, "p1", true, true))).isEqualTo(bits(1));
        assertThat(ports.see(link(2, "p1", true, true))).as("no news").isEqualTo(bits());
        int generation = ports.port(1).generation();

        ports.see(link(2, "p1", true, false));
        assertThat(ports.port(1).generation()).isEqualTo(generation);
        assertThat(ports.port(1).isDead()).isTrue();
        ports.see(link(2, "p1", false, false));
        assertThat(ports.port(1).generation()).isEqualTo(generation + 1);
        ports.see(link(2, "p1", true, true));
        assertThat(ports.port(1).generation()).isEqualTo(generation + 1);
        assertThat(ports.port(1).isDead()).isFalse();
    }

    @Test
    void shouldCountTheAddressesOfAnInterface() {
        ports.see(link("p1", "02:00:00:00:00:01"));
        assertThat(ports.see(link("p1", ""))).as("not told").isEqualTo(bits());
        assertThat(ports.see(link("p1", "02:00:00:00:00:01"))).as("as it was").isEqualTo(bits());
        ports.see(link("p1", ""));

        assertThat(ports.see(link("p1", "02:00:00:00:00:02"))).isEqualTo(bits(1));
        assertThat(ports.see(link("p1", "02:00:00:00:00:01"))).as("and back").isEqualTo(bits(1));

        assertThat(ports.port(1).addresses()).isEqualTo(2);
        assertThat(ports.port(1).generation()).as("its routes stay").isZero();
    }

    @Test
    void shouldFollowNames() {
        ports.see(link(2, "p1", true, true));

        assertThat(ports.see(link(2, "p3", true, true))).isEqualTo(bits(1, 3));

        assertThat(ports.port(1).up()).isFalse();
        assertThat(ports.port(1).generation()).isEqualTo(1);
        assertThat(ports.port(3).carrier()).isTrue();
    }

    @Test
    void shouldSeeAnInterfaceThatWasMadeAgainWithinOneLook() {
        ports.seeAll(List.of(link(2, "p1", true, true), link(3, "p2", true, true)));

        assertThat(ports.seeAll(List.of(link(7, "p1", true, true)))).isEqualTo(bits(1, 2));

        assertThat(ports.port(1).generation()).isEqualTo(1);
        assertThat(ports.port(1).index()).isEqualTo(7);
        assertThat(ports.port(2).index()).isZero();
        assertThat(ports.see(new LinkState(3, "p2", false, false, false, "")))
                .as("known already")
                .isEqualTo(bits());
    }

    /** The list of all was made before, or after, and nobody knows which: what comes later is told, too. */
    @Test
    void shouldBelieveWhatIsToldWhileAllInterfacesAreRead() {
        ports.seeAll(List.of(link(2, "p1", true, true), link(3, "p2", true, true)));
        ports.beginReading();
        ports.see(link(2, "p1", true, false));
        ports.see(new LinkState(3, "p2", false, false, false, ""));
        ports.see(link(4, "p3", true, true));

        assertThat(ports.seeAll(List.of(link(2, "p1", true, true), link(3, "p2", true, true))))
                .isEqualTo(bits());

        assertThat(ports.port(1).carrier()).isFalse();
        assertThat(ports.port(2).index()).isZero();
        assertThat(ports.port(3).carrier()).isTrue();
        ports.beginReading();
        assertThat(ports.seeAll(List.of(link(2, "p1", true, true)))).isEqualTo(bits(1, 3));
    }

    @Test
    void shouldBelieveWhoeverHearsHellos() {
        ports.see(link(2, "p1", true, true));
        assertThat(ports.usable(1, true)).as("as it was").isFalse();

        assertThat(ports.usable(1, false)).isTrue();
        assertThat(ports.port(1).isDead()).isTrue();
        assertThat(ports.usable(1, true)).isTrue();
        assertThat(ports.port(1).isDead()).isFalse();
    }
}
