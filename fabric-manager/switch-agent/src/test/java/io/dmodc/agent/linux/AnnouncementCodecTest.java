package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.linux.AnnouncementCodec.DropReason;
import io.dmodc.agent.linux.AnnouncementCodec.Reading;
import io.dmodc.agent.plane.HelloChannel;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.detector.link.HelloDropReason;
import io.dmodc.detector.link.LinkHello;
import io.dmodc.detector.link.TransitHello;
import io.dmodc.topology.HostAddresses;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Announcements as bytes: each is read as it was written, and whatever is no announcement is dropped with a reason. */
class AnnouncementCodecTest {
    private static final HostAddresses ADDRESSES = HostAddresses.parse(0, "10.100.0.8", "fd00::8", "02:00:00:00:00:07");

    private static final Announcement HOST =
            new Announcement(42, new HostPort(0x10001, 0x10000, 2, "nœud-7", ADDRESSES), ADDRESSES.mac(), true, false);

    private static final Announcement SWITCH =
            new Announcement(-1, new SwitchPort(0x20, 254), 0x0200_0000_0001L, false, true);

    private static final String HOST_HEAD =
            "d37a0102" + "0000002a" + "0000000000010001" + "0000000000010000" + "020000000007" + "02" + "01";
    private static final String HOST_ADDRESSES = "0a640008" + "fd000000000000000000000000000008";
    private static final String HOST_NAME = "07000000" + "6ec5937564" + "2d37";

    private static byte[] bytes(Announcement said) {
        ByteBuffer out = ByteBuffer.allocate(AnnouncementCodec.LENGTH);
        AnnouncementCodec.write(said, out);
        assertThat(out.hasRemaining()).isFalse();
        return out.array();
    }

    private static Reading read(byte[] bytes) {
        return AnnouncementCodec.read(ByteBuffer.wrap(bytes));
    }

    @Test
    void shouldWriteTheDocumentedBytes() {
        String expected = HOST_HEAD + HOST_ADDRESSES + HOST_NAME;

        assertThat(HexFormat.of().formatHex(bytes(HOST)))
                .isEqualTo(expected + "00".repeat(AnnouncementCodec.LENGTH - expected.length() / 2));
    }

    @Test
    void shouldReadWhatItWrites() {
        assertThat(read(bytes(HOST)).announcement()).isEqualTo(HOST);
        assertThat(read(bytes(SWITCH)).announcement()).isEqualTo(SWITCH);
    }

    @Test
    void shouldReadANameOfFullLengthAndNone() {
        for (String name : new String[] {"", "x".repeat(64), "ü".repeat(32)}) {
            Announcement said = new Announcement(1, new HostPort(5, 5, 1, name, HostAddresses.NONE), 0, false, false);

            assertThat(read(bytes(said)).announcement()).isEqualTo(said);
        }
    }

    @Test
    void shouldBeToldApartFromHellosByItsLengthAndItsMagic() {
        byte[] hello = new byte[LinkHello.LENGTH];
        System.arraycopy(bytes(SWITCH), 0, hello, 0, hello.length);

        assertThat(AnnouncementCodec.LENGTH).isGreaterThan(HelloChannel.MAX_BYTES);
        assertThat(new LinkHello().read(ByteBuffer.wrap(hello))).isEqualTo(HelloDropReason.MAGIC);
        assertThat(new TransitHello().read(ByteBuffer.wrap(hello))).isEqualTo(HelloDropReason.MAGIC);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 40, 64, 65, 119, 121, 240, 9000})
    void shouldDropEveryOtherLength(int length) {
        byte[] bytes = new byte[length];
        System.arraycopy(bytes(HOST), 0, bytes, 0, Math.min(length, AnnouncementCodec.LENGTH));

        assertThat(read(bytes)).isEqualTo(new Reading(null, DropReason.LENGTH));
    }

    @ParameterizedTest
    @CsvSource({
        "0, d37d, MAGIC",
        "2, 02, VERSION",
        "3, 00, FIELD",
        "3, 01, FIELD",
        "3, 03, FIELD",
        "8, 0000000000000000, FIELD",
        "16, 0000000000000000, FIELD",
        "24, 030000000007, FIELD",
        "24, ffffffffffff, FIELD",
        "30, 00, FIELD",
        "30, ff, FIELD",
        "31, 04, FIELD",
        "31, 81, FIELD",
        "32, 7f000001, FIELD",
        "32, e0000001, FIELD",
        "32, ffffffff, FIELD",
        "32, 00000001, FIELD",
        "32, a9fe0001, FIELD",
        "36, fe800000000000000000000000000001, FIELD",
        "36, ff020000000000000000000000000001, FIELD",
        "36, 00000000000000000000000000000001, FIELD",
        "36, 00000000000000000000ffff0a000001, FIELD",
        "52, 06, FIELD",
        "52, 41, FIELD",
        "52, ff, FIELD",
        "53, 01, FIELD",
        "56, 0a, FIELD",
        "57, ff, FIELD",
        "119, 01, FIELD"
    })
    void shouldRefuseAFieldOutOfRange(int at, String hex, DropReason expected) {
        byte[] damaged = bytes(HOST);
        byte[] patch = HexFormat.of().parseHex(hex);
        System.arraycopy(patch, 0, damaged, at, patch.length);

        assertThat(read(damaged)).isEqualTo(new Reading(null, expected));
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 32, 36, 52, 56})
    void shouldRefuseASwitchWithWhatOnlyHostsHave(int at) {
        byte[] damaged = bytes(SWITCH);
        damaged[at] = at == 52 ? 1 : (byte) 'a';
        damaged[56] = at >= 52 ? (byte) 'a' : 0;

        assertThat(read(damaged).dropped()).isEqualTo(DropReason.FIELD);
    }

    @Test
    void shouldSurviveAnyBytesAndWriteBackWhatItAccepts() {
        SplittableRandom random = new SplittableRandom(15);
        int accepted = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] raw = bytes(random.nextBoolean() ? HOST : SWITCH);
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                raw[4 + random.nextInt(raw.length - 4)] ^= (byte) (1 << random.nextInt(8));
            }
            Reading reading = read(raw);
            assertThat(reading.announcement() == null).isEqualTo(reading.dropped() != null);
            if (reading.announcement() != null) {
                accepted++;
                assertThat(bytes(reading.announcement())).isEqualTo(raw);
            }
        }
        assertThat(accepted).isBetween(1_000, 99_000);
    }

    @Test
    void shouldSurviveNoiseOfAnyLength() {
        SplittableRandom random = new SplittableRandom(16);
        byte[] head = HexFormat.of().parseHex("d37a01");
        for (int i = 0; i < 100_000; i++) {
            byte[] noise = new byte[random.nextInt(4) == 0 ? random.nextInt(300) : AnnouncementCodec.LENGTH];
            random.nextBytes(noise);
            System.arraycopy(head, 0, noise, 0, Math.min(noise.length, random.nextInt(4)));

            Reading reading = read(noise);

            assertThat(reading.announcement() == null).isEqualTo(reading.dropped() != null);
        }
    }

    @Test
    void shouldReadAnyHostItWrites() {
        SplittableRandom random = new SplittableRandom(17);
        for (int i = 0; i < 20_000; i++) {
            long mac = random.nextLong(1L << 40);
            HostAddresses addresses = new HostAddresses(
                    0,
                    10 << 24 | random.nextInt(1 << 24),
                    0xfdL << 56 | random.nextLong(1L << 32),
                    1 + random.nextInt(99),
                    mac);
            String name = "n".repeat(random.nextInt(65));
            assertThat(name.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(64);
            HostPort host = new HostPort(
                    1 | random.nextLong(), 1 | random.nextLong(), 1 + random.nextInt(254), name, addresses);
            Announcement said =
                    new Announcement(random.nextInt(), host, mac, random.nextBoolean(), random.nextBoolean());

            assertThat(read(bytes(said)).announcement()).isEqualTo(said);
        }
    }
}
