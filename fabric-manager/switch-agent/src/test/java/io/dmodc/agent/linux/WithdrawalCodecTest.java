package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.linux.WithdrawalCodec.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WithdrawalCodecTest {
    private static final long GUID = 0x2c9000L;

    private static List<RouteAddress> addresses(int count) {
        List<RouteAddress> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(i % 2 == 0 ? RouteAddress.ipv4(0x0a640001 + i) : new RouteAddress(0xfd00L << 48, i));
        }
        return all;
    }

    private static byte[] bytes(ByteBuffer frame) {
        byte[] bytes = new byte[frame.remaining()];
        frame.duplicate().get(bytes);
        return bytes;
    }

    private static Frame read(ByteBuffer frame) {
        return Objects.requireNonNull(WithdrawalCodec.read(frame.duplicate()));
    }

    @Test
    void shouldWriteAFrameAsDocumented() {
        ByteBuffer frame = WithdrawalCodec.write(0x01020304, GUID, List.of(RouteAddress.ipv4(0x0a640008)))
                .get(0);

        assertThat(HexFormat.of().formatHex(bytes(frame)))
                .isEqualTo("d37f0100" + "01020304" + "00000000002c9000" + "00" + "01" + "0001" + "00000000"
                        + "00000000000000000000ffff0a640008");
    }

    @Test
    void shouldReadWhatItWrote() {
        for (int count : new int[] {0, 1, 74, 75, 76, 150, 151, WithdrawalCodec.ADDRESSES_MAX}) {
            List<RouteAddress> all = addresses(count);

            List<ByteBuffer> frames = WithdrawalCodec.write(-7, GUID, all);

            assertThat(frames)
                    .hasSize(Math.max(1, (count + 74) / 75))
                    .hasSizeLessThanOrEqualTo(WithdrawalCodec.FRAMES_MAX);
            List<RouteAddress> read = new ArrayList<>();
            for (int at = 0; at < frames.size(); at++) {
                assertThat(frames.get(at).remaining()).isLessThanOrEqualTo(WithdrawalCodec.MAX_BYTES);
                Frame frame = read(frames.get(at));
                assertThat(frame.number()).isEqualTo(-7);
                assertThat(frame.guid()).isEqualTo(GUID);
                assertThat(frame.at()).isEqualTo(at);
                assertThat(frame.of()).isEqualTo(frames.size());
                read.addAll(frame.addresses());
            }
            assertThat(read).isEqualTo(all);
        }
    }

    @Test
    void shouldLeaveOutWhatIsMoreThanAList() {
        List<ByteBuffer> frames = WithdrawalCodec.write(1, GUID, addresses(WithdrawalCodec.ADDRESSES_MAX + 9));

        assertThat(frames).hasSize(WithdrawalCodec.FRAMES_MAX);
        assertThat(read(frames.get(31)).addresses()).hasSize(75);
    }

    @Test
    void shouldRefuseWhatIsNotExactlyAFrame() {
        byte[] whole = bytes(WithdrawalCodec.write(1, GUID, addresses(3)).get(0));

        assertThat(WithdrawalCodec.read(ByteBuffer.wrap(whole))).isNotNull();
        for (int length = 0; length < whole.length; length++) {
            assertThat(WithdrawalCodec.read(ByteBuffer.wrap(whole, 0, length)))
                    .as("%d bytes", length)
                    .isNull();
        }
        assertThat(WithdrawalCodec.read(ByteBuffer.wrap(Arrays.copyOf(whole, whole.length + 1))))
                .isNull();
        int[][] changes = {
            {0, 0},
            {2, 2},
            {3, 1},
            {16, 1},
            {16, 0x80},
            {17, 0},
            {17, 2},
            {17, 33},
            {17, 0xff},
            {18, 1},
            {19, 2},
            {19, 4},
            {20, 1},
            {23, 1}
        };
        for (int[] change : changes) {
            byte[] other = whole.clone();
            other[change[0]] = (byte) change[1];
            assertThat(WithdrawalCodec.read(ByteBuffer.wrap(other)))
                    .as("byte %d: %d", change[0], change[1])
                    .isNull();
        }
        byte[] nobody = whole.clone();
        Arrays.fill(nobody, 8, 16, (byte) 0);
        assertThat(WithdrawalCodec.read(ByteBuffer.wrap(nobody))).isNull();
        byte[] tooFew = bytes(WithdrawalCodec.write(new Frame(1, GUID, 0, 2, addresses(74))));
        assertThat(WithdrawalCodec.read(ByteBuffer.wrap(tooFew))).isNull();
        byte[] none = bytes(WithdrawalCodec.write(new Frame(1, GUID, 1, 2, List.of())));
        assertThat(WithdrawalCodec.read(ByteBuffer.wrap(none))).isNull();
    }

    @Test
    void shouldWriteAgainWhateverItAccepts() {
        long seed = 20;
        System.out.println("seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        int accepted = 0;
        for (int round = 0; round < 50_000; round++) {
            byte[] bytes = bytes(WithdrawalCodec.write(random.nextInt(), GUID, addresses(random.nextInt(4)))
                    .get(0));
            for (int i = random.nextInt(3); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            Frame frame = WithdrawalCodec.read(ByteBuffer.wrap(bytes));
            if (frame != null) {
                accepted++;
                assertThat(bytes(WithdrawalCodec.write(frame))).isEqualTo(bytes);
            }
        }
        assertThat(accepted).isBetween(10_000, 49_000);
    }
}
