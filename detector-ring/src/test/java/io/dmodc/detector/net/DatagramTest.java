package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class DatagramTest {
    /** The same bytes stand in docs/algorithms/detector.md. */
    private static final String EXAMPLE = "d37c0103" // magic, version, DEAD
            + "0000002a" // cluster 42
            + "0000000000000005" // epoch
            + "0002c90300a1b2c3" // sender GUID
            + "02000008" // second hop, sender slot 8
            + "00000001" // sender incarnation
            + "00000003" // subject slot
            + "00000007" // subject incarnation
            + "00000004" // observer slot
            + "000f4240" // silence 1 s
            + "00000100" // sequence
            + "1a2b3c4d" // set hash
            + "0000000000000000"; // no MAC

    @Test
    void shouldWriteTheDocumentedBytes() {
        ByteBuf bytes = write(example());

        assertThat(ByteBufUtil.hexDump(bytes)).isEqualTo(EXAMPLE);
        assertThat(bytes.readableBytes()).isEqualTo(64);
    }

    @ParameterizedTest
    @EnumSource(MessageType.class)
    void shouldReadBackWhatItWrote(MessageType type) {
        RingMessage message = example();
        message.type = type;
        message.incarnation = -2;
        message.fromSlot = (1 << 20) - 1;
        message.hops = 255;

        RingMessage read = new RingMessage();

        assertThat(Datagram.read(write(message), read)).isNull();
        assertThat(read).usingRecursiveComparison().isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00, MAGIC",
        "1, 7d, MAGIC",
        "2, 02, VERSION",
        "3, 00, TYPE",
        "3, 09, TYPE",
        "3, ff, TYPE",
        "44, 80, TYPE"
    })
    void shouldRefuseAWrongByte(int offset, String value, DropReason reason) {
        ByteBuf bytes = write(example()).setByte(offset, Integer.parseInt(value, 16));

        assertThat(Datagram.read(bytes, new RingMessage())).isEqualTo(reason);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "63", "65", "1400"})
    void shouldRefuseAnyOtherLength(int length) {
        ByteBuf bytes = Unpooled.buffer(length).writeZero(length);

        assertThat(Datagram.read(bytes, new RingMessage())).isEqualTo(DropReason.LENGTH);
    }

    @Test
    void shouldSurviveNoise() {
        SplittableRandom random = new SplittableRandom(1);
        byte[] noise = new byte[Datagram.LENGTH];
        for (int i = 0; i < 10_000; i++) {
            random.nextBytes(noise);
            assertThat(Datagram.read(Unpooled.wrappedBuffer(noise), new RingMessage()))
                    .isNotNull();
        }
    }

    private static RingMessage example() {
        RingMessage message = new RingMessage();
        message.type = MessageType.DEAD;
        message.cluster = 42;
        message.epoch = 5;
        message.senderGuid = 0x0002c90300a1b2c3L;
        message.fromSlot = 8;
        message.incarnation = 1;
        message.subjectSlot = 3;
        message.subjectIncarnation = 7;
        message.observerSlot = 4;
        message.silenceMicros = 1_000_000;
        message.hops = 2;
        message.sequence = 256;
        message.setHash = 0x1a2b3c4d;
        return message;
    }

    private static ByteBuf write(RingMessage message) {
        ByteBuf bytes = Unpooled.buffer(Datagram.LENGTH);
        Datagram.write(message, bytes);
        return bytes;
    }
}
