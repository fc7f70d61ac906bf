package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingDetector;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingRules;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatagramTest {
    /** Cluster 42, epoch 5, second hop, from slot 8 in incarnation 1; the same for all examples. */
    private static final String HEAD = "0000002a" + "0000000000000005" + "0002c90300a1b2c3" + "02000008" + "00000001";

    /** Sequence 256, set hash or hash of the observer's GUID. */
    private static final String TAIL = "00000100" + "1a2b3c4d";

    /** GUID of whom the examples are sent to. */
    private static final long RECEIVER = 0x0002c90300a1b2c8L;

    private static final DatagramMac MAC = key().newMac();
    private static final DatagramMac NO_MAC = RingKey.none().newMac();

    /** MACs by another program, key 000102..1f, to 0x0002c90300a1b2c8. The dead ones stand in docs/algorithms/detector.md, too. */
    @ParameterizedTest
    @CsvSource({
        "HEARTBEAT,    00000002 01020304 00000000 00000000, 2c12cf15bc65fe23",
        "NEW_OBSERVER, 00000000 01020304 00000000 00000000, 8ad47fb856055f8f",
        "DEAD,         0002c903 00a1b2c4 00000007 00000440, ffe141a50dba9d62",
        "ALIVE,        0002c903 00a1b2c4 00000008 00000300, 62450afbee7cb328",
        "SYNC,         00000002 00000000 00000000 00000000, 1e7d00e0ef929caa",
        "PING,         0002c903 00a1b2c4 00000000 00000409, e98a72fae038d065",
        "PONG,         0002c903 00a1b2c4 00000007 00000409, 0e1505cf5f7226b4",
        "REVOKE,       00000000 00000003 00000000 000003e8, 9909f07d5fe3b3a1"
    })
    void shouldWriteTheDocumentedBytes(MessageType type, String body, String mac) {
        String expected = "d37c04" + String.format("%02x", type.code()) + HEAD + body.replace(" ", "") + TAIL + mac;

        assertThat(hex(write(example(type), MAC))).isEqualTo(expected).hasSize(2 * 64);
    }

    @Test
    void shouldWriteTheDocumentedCopyOfAHypercubeBroadcast() {
        RingMessage message = example(MessageType.DEAD);
        asCopy(message, 34, 4, 3, 5);

        assertThat(hex(write(message, MAC)))
                .isEqualTo("d37c0403" + HEAD + "0002c90300a1b2c4" + "00000007" + "000004" + "40" + TAIL + "22"
                        + "000004" + "000003" + "000005" + "66e61a4f2040994d");
    }

    @ParameterizedTest
    @EnumSource(MessageType.class)
    void shouldReadBackWhatItWrote(MessageType type) {
        RingMessage message = example(type);
        message.incarnation = -2;
        message.fromSlot = Membership.SLOT_COUNT_MAX - 1;
        message.hops = 255;

        assertReadBack(message);
    }

    @ParameterizedTest
    @EnumSource(
            value = MessageType.class,
            names = {"DEAD", "ALIVE", "REVOKE"})
    void shouldReadBackCopiesOfAnyLength(MessageType type) {
        for (int dead = 0; dead <= RingMessage.DEAD_MAX; dead++) {
            RingMessage message = example(type);
            asCopy(
                    message,
                    dead,
                    7,
                    IntStream.range(0, dead)
                            .map(i -> Membership.SLOT_COUNT_MAX - 20 + i)
                            .toArray());

            assertReadBack(message);
            assertThat(write(message, MAC).remaining())
                    .isEqualTo(68 + 3 * dead)
                    .isLessThanOrEqualTo(Datagram.LENGTH_MAX);
        }
    }

    /** Each row changes one byte of an example that is sealed again, so that only that byte can be the reason. */
    @ParameterizedTest
    @CsvSource({
        "HEARTBEAT,     0, 00, MAGIC",
        "HEARTBEAT,     1, 7d, MAGIC",
        "HEARTBEAT,     2, 03, VERSION",
        "HEARTBEAT,     2, 05, VERSION",
        "HEARTBEAT,     3, 00, TYPE",
        "HEARTBEAT,     3, 09, TYPE",
        "HEARTBEAT,     3, ff, TYPE",
        "HEARTBEAT,    25, 10, SLOT",
        "HEARTBEAT,    32, 80, TYPE",
        "HEARTBEAT,    33, 20, TYPE",
        "HEARTBEAT,    40, 01, TYPE",
        "SYNC,         36, 01, TYPE",
        "HEARTBEAT,    47, 01, TYPE",
        "SYNC,         40, 01, TYPE",
        "NEW_OBSERVER, 32, 01, TYPE",
        "NEW_OBSERVER, 47, 01, TYPE",
        "DEAD,         44, 10, SLOT",
        "ALIVE,        47, 01, TYPE",
        "PING,         44, 10, SLOT",
        "PONG,         44, ff, SLOT"
    })
    void shouldRefuseAWrongByte(MessageType type, int offset, String value, DropReason reason) {
        ByteBuffer bytes = write(example(type), MAC).put(offset, (byte) Integer.parseInt(value, 16));

        assertThat(read(sealedAgain(bytes), MAC)).isEqualTo(reason);
    }

    @Test
    void shouldRefuseACopyThatIsNoneOrNamesSlotsInDisorder() {
        assertThat(readCopy(MessageType.DEAD, 63, 4, 3, 5)).isNull();
        assertThat(readCopy(MessageType.DEAD, 64, 4, 3, 5)).isEqualTo(DropReason.TYPE);
        assertThat(readCopy(MessageType.DEAD, 0, 4, 5, 3)).isEqualTo(DropReason.TYPE);
        assertThat(readCopy(MessageType.DEAD, 0, 4, 5, 5)).isEqualTo(DropReason.TYPE);
        assertThat(readCopy(MessageType.DEAD, 0, Membership.SLOT_COUNT_MAX)).isEqualTo(DropReason.SLOT);
        assertThat(readCopy(MessageType.DEAD, 0, 4, Membership.SLOT_COUNT_MAX)).isEqualTo(DropReason.SLOT);
        assertThat(readCopy(MessageType.HEARTBEAT, 0, 4)).isEqualTo(DropReason.LENGTH);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 63, 65, 66, 67, 69, 70, 72, 124, 126, 128, 1400})
    void shouldRefuseAnyOtherLength(int length) {
        ByteBuffer bytes = ByteBuffer.wrap(
                Arrays.copyOf(write(example(MessageType.DEAD), NO_MAC).array(), Math.min(length, 56)));
        bytes = ByteBuffer.wrap(Arrays.copyOf(bytes.array(), length));

        assertThat(read(bytes, NO_MAC)).isEqualTo(DropReason.LENGTH);
    }

    /** The MAC fits no longer, wherever the bit is; it is asked last. */
    @Test
    void shouldRefuseEachFlippedBit() {
        RingMessage message = example(MessageType.DEAD);
        asCopy(message, 34, 4, 3, 5);
        int bits = 8 * write(message, MAC).remaining();

        for (int bit = 0; bit < bits; bit++) {
            ByteBuffer bytes = write(message, MAC);
            flip(bytes, bit / 8, bit % 8);
            DropReason withoutSecret = Datagram.parse(bytes, new RingMessage());

            assertThat(read(bytes, MAC))
                    .as("bit %d", bit)
                    .isEqualTo(withoutSecret == null ? DropReason.MAC : withoutSecret);
            assertThat(Datagram.isSealed(bytes, MAC, RECEIVER))
                    .as("bit %d, magic", bit)
                    .isEqualTo(bit < 16);
        }
    }

    @Test
    void shouldRefuseAnotherKeyAndNone() {
        DatagramMac other = RingKey.random().newMac();
        RingMessage message = example(MessageType.DEAD);

        assertThat(read(write(message, other), MAC)).isEqualTo(DropReason.MAC);
        assertThat(read(write(message, NO_MAC), MAC)).isEqualTo(DropReason.MAC);
        assertThat(read(write(message, MAC), NO_MAC)).isEqualTo(DropReason.MAC);
        assertThat(read(write(message, NO_MAC), NO_MAC)).isNull();
    }

    @Test
    void shouldRefuseWhatWasMadeForAnother() {
        ByteBuffer bytes = write(example(MessageType.HEARTBEAT), MAC);

        assertThat(Datagram.read(bytes, MAC, RECEIVER ^ 1, new RingMessage())).isEqualTo(DropReason.MAC);
        assertThat(Datagram.read(bytes, MAC, RECEIVER, new RingMessage())).isNull();
    }

    /**
     * Noise and damaged datagrams, with a MAC that fits so that they come far: none throws, neither here nor in a
     * detector, and whatever is accepted would be written again byte for byte.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldSurviveNoise(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RingDetector detector = watchingDetector();
        RingMessage read = new RingMessage();
        int accepted = 0;
        for (int i = 0; i < 50_000; i++) {
            ByteBuffer bytes = i % 2 == 0 ? noise(random) : damaged(random);
            String before = hex(bytes);
            if (Datagram.read(bytes, MAC, RECEIVER, read) == null) {
                accepted++;
                assertThat(hex(write(read, MAC)))
                        .as("seed %d, datagram %d", seed, i)
                        .isEqualTo(before);
                detector.receive(i, read);
                detector.spreadNews();
                detector.tick(i);
            }
        }
        assertThat(accepted).isBetween(1_000, 49_000);
    }

    private static ByteBuffer noise(SplittableRandom random) {
        byte[] noise = new byte[random.nextInt(Datagram.LENGTH_MAX + 8)];
        random.nextBytes(noise);
        return random.nextBoolean() && noise.length >= 8 ? sealedAgain(ByteBuffer.wrap(noise)) : ByteBuffer.wrap(noise);
    }

    private static ByteBuffer damaged(SplittableRandom random) {
        MessageType[] types = MessageType.values();
        RingMessage message = example(types[random.nextInt(types.length)]);
        message.epoch = random.nextInt(4, 6);
        message.fromSlot = random.nextInt(70);
        message.senderGuid = 100L + message.fromSlot;
        message.incarnation = random.nextInt(4);
        message.subjectGuid = 100L + random.nextInt(70);
        if (random.nextInt(4) == 0) {
            asCopy(
                    message,
                    random.nextInt(64),
                    random.nextInt(70),
                    random.ints(random.nextInt(19), 0, 70).distinct().sorted().toArray());
        }
        ByteBuffer bytes = write(message, MAC);
        for (int flips = random.nextInt(3); flips > 0; flips--) {
            int at = random.nextInt(bytes.remaining());
            flip(bytes, at, random.nextInt(8));
        }
        return sealedAgain(bytes);
    }

    private static RingDetector watchingDetector() {
        RingDetector detector = new RingDetector(100, 1, new SilentOutbox(), new SilentListener());
        long[] guids = LongStream.range(100, 164).toArray();
        RingRules rules = RingRules.standard(1_000, 10_000, guids.length);
        detector.install(0, new Membership(5, 42, guids, new int[guids.length]), 0, rules);
        return detector;
    }

    private static void assertReadBack(RingMessage message) {
        RingMessage read = new RingMessage();

        assertThat(Datagram.read(write(message, MAC), MAC, RECEIVER, read)).isNull();
        assertThat(read).usingRecursiveComparison().isEqualTo(message);
    }

    private static @Nullable DropReason readCopy(MessageType type, int copy, int source, int... dead) {
        RingMessage message = example(type);
        asCopy(message, copy, source, dead);
        return read(write(message, MAC), MAC);
    }

    private static void asCopy(RingMessage message, int copy, int source, int... dead) {
        message.copy = copy;
        message.sourceSlot = source;
        message.deadCount = dead.length;
        System.arraycopy(dead, 0, message.deadSlots, 0, dead.length);
    }

    private static RingMessage example(MessageType type) {
        RingMessage message = new RingMessage();
        message.type = type;
        message.cluster = 42;
        message.epoch = 5;
        message.senderGuid = 0x0002c90300a1b2c3L;
        message.fromSlot = 8;
        message.incarnation = 1;
        message.hops = 2;
        message.sequence = 256;
        message.setHash = type.isPing() ? 0 : 0x1a2b3c4d;
        message.observerHash = type.isPing() ? 0x1a2b3c4d : 0;
        switch (type) {
            case HEARTBEAT -> {
                message.recordCount = 2;
                message.nonce = 0x01020304;
            }
            case SYNC -> message.recordCount = 2;
            case NEW_OBSERVER -> message.nonce = 0x01020304;
            case DEAD -> about(message, 7, 4, 64);
            case ALIVE -> about(message, 8, 3, 0);
            case PING -> {
                about(message, 0, 4, 0);
                message.nonce = 9;
            }
            case PONG -> {
                about(message, 7, 4, 0);
                message.nonce = 9;
            }
            case REVOKE -> {
                message.leaderEpoch = 3;
                message.fabricEpoch = 1_000;
            }
        }
        return message;
    }

    private static void about(RingMessage message, int incarnation, int observer, int silence) {
        message.subjectGuid = 0x0002c90300a1b2c4L;
        message.subjectIncarnation = incarnation;
        message.observerSlot = observer;
        message.silence = silence;
    }

    private static RingKey key() {
        byte[] secret = new byte[32];
        for (int i = 0; i < secret.length; i++) {
            secret[i] = (byte) i;
        }
        return RingKey.of(secret);
    }

    private static ByteBuffer write(RingMessage message, DatagramMac mac) {
        ByteBuffer bytes = ByteBuffer.allocate(Datagram.LENGTH_MAX);
        Datagram.write(message, mac, RECEIVER, bytes);
        return bytes.flip();
    }

    private static ByteBuffer sealedAgain(ByteBuffer bytes) {
        int length = Math.min(Datagram.LENGTH_MAX, bytes.remaining()) - DatagramMac.BYTES;
        ByteBuffer body = ByteBuffer.allocate(length + DatagramMac.BYTES).put(bytes.slice(0, length));
        MAC.seal(body, Math.min(2, length), RECEIVER);
        return body.flip();
    }

    private static void flip(ByteBuffer bytes, int at, int bit) {
        bytes.put(at, (byte) (bytes.get(at) ^ 1 << bit));
    }

    private static @Nullable DropReason read(ByteBuffer bytes, DatagramMac mac) {
        return Datagram.read(bytes, mac, RECEIVER, new RingMessage());
    }

    private static String hex(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(bytes.position(), copy);
        return HexFormat.of().formatHex(copy);
    }
}
