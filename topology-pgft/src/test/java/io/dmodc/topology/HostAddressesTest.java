package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostAddressesTest {
    private static final byte[] NOTHING = {};

    private static String ipv6(String text) {
        return HostAddresses.parse(0, null, text, null).ipv6Text();
    }

    @Test
    void shouldSayNothingOfWhatIsNotKnown() {
        assertThat(HostAddresses.ofLid(0)).isSameAs(HostAddresses.NONE);
        assertThat(HostAddresses.parse(0, null, null, null)).isSameAs(HostAddresses.NONE);
        assertThat(HostAddresses.ofBytes(0, NOTHING, NOTHING, NOTHING)).isSameAs(HostAddresses.NONE);
        assertThat(HostAddresses.NONE.isNone()).isTrue();
        assertThat(HostAddresses.NONE.hasIpv6()).isFalse();
        assertThat(HostAddresses.NONE).hasToString("no addresses");
        assertThat(HostAddresses.NONE.ipv4Text() + HostAddresses.NONE.ipv6Text() + HostAddresses.NONE.macText())
                .isEmpty();
        assertThat(HostAddresses.NONE.ipv4Bytes()).isEmpty();
        assertThat(HostAddresses.NONE.ipv6Bytes()).isEmpty();
        assertThat(HostAddresses.NONE.macBytes()).isEmpty();
    }

    @Test
    void shouldSayWhatIsKnown() {
        HostAddresses all = HostAddresses.parse(12, "10.0.0.7", "fd00::7", "02:00:00:00:00:07");

        assertThat(all).isEqualTo(new HostAddresses(12, 0x0a000007, 0xfd00_0000_0000_0000L, 7, 0x0200_0000_0007L));
        assertThat(all).hasToString("lid 12 ipv4 10.0.0.7 ipv6 fd00::7 mac 02:00:00:00:00:07");
        assertThat(all.isNone()).isFalse();
        assertThat(HexFormat.of().formatHex(all.ipv4Bytes())).isEqualTo("0a000007");
        assertThat(HexFormat.of().formatHex(all.ipv6Bytes())).isEqualTo("fd000000000000000000000000000007");
        assertThat(HexFormat.of().formatHex(all.macBytes())).isEqualTo("020000000007");
        assertThat(HostAddresses.parse(0, "255.255.255.255", null, null)).hasToString("ipv4 255.255.255.255");
        assertThat(HostAddresses.parse(0, null, null, "FF:fe:FD:fc:Fb:fA")).hasToString("mac ff:fe:fd:fc:fb:fa");
    }

    /** RFC 5952, sections 4.1 to 4.3. */
    @ParameterizedTest
    @CsvSource({
        "2001:0db8::0001, 2001:db8::1",
        "2001:db8:0:0:0:0:2:1, 2001:db8::2:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:DB8::A, 2001:db8::a",
        "::1, ::1",
        "1::, 1::",
        "1:0:0:0:0:0:0:0, 1::",
        "0:0:1:2:3:4:5:6, ::1:2:3:4:5:6",
        "1:2:3:4:5:6::, 1:2:3:4:5:6::",
        "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
        "::ffff:10.0.0.7, ::ffff:a00:7",
        "64:ff9b:0:0:0:0:192.0.2.33, 64:ff9b::c000:221",
        "ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
    })
    void shouldWriteIpv6AsRfc5952Says(String written, String shown) {
        assertThat(ipv6(written)).isEqualTo(shown);
        assertThat(ipv6(shown)).isEqualTo(shown);
    }

    /** The JDK's own reader is the twin: of addresses that hold a colon it looks no name up. */
    @Test
    void shouldReadRandomAddressesAsTheyWereWritten() throws Exception {
        long seed = 20260;
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            HostAddresses it = any(random);
            String four = it.ipv4Text();
            String six = it.ipv6Text();
            String mac = it.macText();

            HostAddresses ofTexts = HostAddresses.parse(
                    it.lid(), four.isEmpty() ? null : four, six.isEmpty() ? null : six, mac.isEmpty() ? null : mac);
            HostAddresses ofBytes = HostAddresses.ofBytes(it.lid(), it.ipv4Bytes(), it.ipv6Bytes(), it.macBytes());

            assertThat(ofTexts).as(it.toString()).isEqualTo(it);
            assertThat(ofBytes).as(it.toString()).isEqualTo(it);
            if (!six.isEmpty() && !(it.ipv6High() == 0 && it.ipv6Low() >>> 32 == 0xffff)) {
                assertThat(InetAddress.getByName(six).getAddress()).isEqualTo(it.ipv6Bytes());
                String plain = InetAddress.getByAddress(it.ipv6Bytes()).getHostAddress();
                assertThat(ipv6(plain)).isEqualTo(six);
            }
            if (!four.isEmpty()) {
                assertThat(InetAddress.getByAddress(it.ipv4Bytes()).getHostAddress())
                        .isEqualTo(four);
            }
        }
    }

    /** Often with rows of zeros, and without one or the other. */
    private static HostAddresses any(SplittableRandom random) {
        long mask = 0;
        for (int group = 0; group < 4; group++) {
            mask = (mask << 16) | (random.nextInt(3) == 0 ? 0xffff : random.nextInt(3) == 0 ? 0xf : 0);
        }
        return new HostAddresses(
                random.nextBoolean() ? 0 : 1 + random.nextInt(HostAddresses.LID_MAX),
                random.nextBoolean() ? 0 : random.nextInt(),
                random.nextLong() & mask,
                random.nextLong() & Long.rotateLeft(mask, random.nextInt(4) * 16),
                random.nextBoolean() ? 0 : random.nextLong() >>> 16);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10",
                "10.0.0",
                "10.0.0.7.1",
                "10.0.0.256",
                "10.0.0.-1",
                "10.0.0.+1",
                "10.0.0.07",
                " 10.0.0.7",
                "10.0.0.7 ",
                "0.0.0.0",
                "localhost",
                "10.0.0.x",
                "10..0.7",
                "fd00::7",
                "١٠.0.0.7",
                "0x0a000007"
            })
    void shouldRefuseWhatIsNoIpv4Address(String text) {
        assertThatThrownBy(() -> HostAddresses.parse(0, text, null, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is no IPv4 address; expected four numbers 0..255 with dots, as 10.0.0.7,"
                        + " not all of them 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "::",
                ":::",
                "1",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1::2::3",
                "1:2:3:4:5:6:7::8",
                ":1",
                "1:",
                "::g",
                "::12345",
                "fe80::1%eth0",
                "[::1]",
                "10.0.0.7",
                "::10.0.0",
                "::10.0.0.7:1",
                "10.0.0.7::",
                "1:2:3:4:5:6:7:10.0.0.7",
                "localhost",
                "0:0:0:0:0:0:0:0",
                "::+1",
                "::١"
            })
    void shouldRefuseWhatIsNoIpv6Address(String text) {
        assertThatThrownBy(() -> HostAddresses.parse(0, null, text, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is no IPv6 address; expected groups of hexadecimal digits with colons,"
                        + " as fd00::7, not all of them 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "02",
                "02:00:00:00:00",
                "02:00:00:00:00:07:08",
                "2:0:0:0:0:7",
                "02-00-00-00-00-07",
                "00:00:00:00:00:00",
                "02:00:00:00:00:0g",
                "020000000007",
                "02:00:00:00:00:07 "
            })
    void shouldRefuseWhatIsNoMacAddress(String text) {
        assertThatThrownBy(() -> HostAddresses.parse(0, null, null, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is no MAC address; expected six pairs of hexadecimal digits with colons,"
                        + " as 02:00:00:00:00:07, not all of them 0");
    }

    @Test
    void shouldShowNoMoreOfALongTextThanAnAddressHas() {
        String text = "1:".repeat(10_000);

        assertThatThrownBy(() -> HostAddresses.parse(0, null, text, null))
                .hasMessageStartingWith("'1:1:1:")
                .hasMessageContaining("1…' is no IPv6 address");
    }

    @Test
    void shouldRefuseValuesOutOfRange() {
        assertThat(new HostAddresses(0xbfff, -1, -1, -1, 0xffff_ffff_ffffL).lid())
                .isEqualTo(49_151);
        assertThatThrownBy(() -> HostAddresses.ofLid(49_152)).hasMessage("lid 49152 outside 0..49151");
        assertThatThrownBy(() -> HostAddresses.ofLid(-1)).hasMessage("lid -1 outside 0..49151");
        assertThatThrownBy(() -> new HostAddresses(0, 0, 0, 0, 1L << 48))
                .hasMessage("mac 0x1000000000000 has more than 48 bits");
        assertThatThrownBy(() -> new HostAddresses(0, 0, 0, 0, -1))
                .hasMessage("mac 0xffffffffffffffff has more than 48 bits");
        assertThatThrownBy(() -> HostAddresses.ofBytes(0, new byte[16], NOTHING, NOTHING))
                .hasMessage("IPv4 address of 16 bytes; expected 4, or none");
        assertThatThrownBy(() -> HostAddresses.ofBytes(0, NOTHING, new byte[4], NOTHING))
                .hasMessage("IPv6 address of 4 bytes; expected 16, or none");
        assertThatThrownBy(() -> HostAddresses.ofBytes(0, NOTHING, NOTHING, new byte[8]))
                .hasMessage("MAC address of 8 bytes; expected 6, or none");
    }

    @Test
    void shouldShareTheRecordOfHostsWithoutAddresses() {
        List<Host> hosts = new ArrayList<>();
        hosts.add(new Host(1, 2, 3, "node0"));
        hosts.add(new Host(1, 2, 3, "node0", new HostAddresses(0, 0, 0, 0, 0)));

        assertThat(hosts).allSatisfy(host -> assertThat(host.addresses()).isSameAs(HostAddresses.NONE));
        assertThat(hosts.get(0)).isEqualTo(hosts.get(1));
        assertThat(new Host(1, 2, 3, "node0", HostAddresses.ofLid(4))).isNotEqualTo(hosts.get(0));
    }
}
