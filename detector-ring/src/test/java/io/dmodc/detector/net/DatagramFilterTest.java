package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingDetector;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingRules;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In which order a member asks what a datagram is: whatever is cheap comes before the MAC. */
class DatagramFilterTest {
    private static final RingKey KEY = RingKey.random();
    private static final long EPOCH = 5;
    private static final long[] GUIDS = {0xA0, 0xA1, 0xA2, 0xA3};
    private static final List<InetSocketAddress> ADDRESSES = IntStream.range(0, GUIDS.length)
            .mapToObj(slot -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 7000 + slot))
            .toList();

    private final RingDetector detector = new RingDetector(GUIDS[0], 1, new SilentOutbox(), new SilentListener());
    private final DatagramFilter filter = new DatagramFilter(KEY.newMac(), GUIDS[0], detector);
    private final RingMessage message = new RingMessage();

    @BeforeEach
    void fromSlotOne() {
        Membership membership = new Membership(EPOCH, 42, GUIDS, new int[GUIDS.length]);
        filter.install(membership, ADDRESSES);
        detector.install(0, membership, 0, RingRules.standard(1_000, 10_000, GUIDS.length));
        message.type = MessageType.HEARTBEAT;
        message.cluster = 42;
        message.epoch = EPOCH;
        message.fromSlot = 1;
        message.senderGuid = GUIDS[1];
        message.incarnation = 1;
    }

    @Test
    void shouldRefuseForgeriesWithoutAHashWhereItCan() {
        assertThat(forged(1)).isEqualTo(DropReason.MAC);
        assertThat(forged(2)).isEqualTo(DropReason.SOURCE);

        message.senderGuid = GUIDS[2];
        assertThat(forged(2)).as("GUID of another slot").isEqualTo(DropReason.SLOT);
        message.fromSlot = GUIDS.length;
        assertThat(forged(2)).as("slot outside").isEqualTo(DropReason.SLOT);
        message.cluster = 43;
        assertThat(forged(2)).isEqualTo(DropReason.CLUSTER);
    }

    /** There the GUID tells who it is. */
    @Test
    void shouldCompareTheAddressInAForeignEpochToo() {
        message.epoch = EPOCH - 1;
        message.fromSlot = 77;

        assertThat(forged(2)).isEqualTo(DropReason.SOURCE);
        assertThat(genuine(2)).isEqualTo(DropReason.SOURCE);
        assertThat(forged(1)).isEqualTo(DropReason.MAC);
        assertThat(genuine(1)).isNull();
        assertThat(genuine(1)).isEqualTo(DropReason.REPLAY);
    }

    @Test
    void shouldHashNothingBeforeItBelongsToARing() {
        DatagramFilter fresh = new DatagramFilter(KEY.newMac(), GUIDS[0], detector);

        assertThat(fresh.refusal(bytes(RingKey.random()), ADDRESSES.get(1))).isEqualTo(DropReason.NO_MEMBERSHIP);
    }

    private @Nullable DropReason forged(int from) {
        return filter.refusal(bytes(RingKey.random()), ADDRESSES.get(from));
    }

    private @Nullable DropReason genuine(int from) {
        return filter.refusal(bytes(KEY), ADDRESSES.get(from));
    }

    private ByteBuffer bytes(RingKey key) {
        ByteBuffer bytes = ByteBuffer.allocate(Datagram.LENGTH_MAX);
        Datagram.write(message, key.newMac(), GUIDS[0], bytes);
        return bytes.flip();
    }
}
