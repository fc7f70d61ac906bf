package io.dmodc.detector.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MessageStoreTest {
    private final MessageStore store = new MessageStore();
    private static final List<MessageType> TYPES = List.of(MessageType.values());

    private final RingMessage read = new RingMessage();

    /** Slow twin: a map of copies. */
    @Test
    void shouldGiveBackEveryFieldButTheSequence() {
        SplittableRandom random = new SplittableRandom(5);
        Map<Integer, RingMessage> kept = new HashMap<>();
        for (int i = 0; i < 1_000 * Integer.getInteger("more", 1); i++) {
            RingMessage message = anyMessage(random);
            kept.put(store.keep(message), message);
            if (random.nextInt(3) == 0) {
                Iterator<Map.Entry<Integer, RingMessage>> some = kept.entrySet().iterator();
                Map.Entry<Integer, RingMessage> one = some.next();
                check(one.getKey(), one.getValue());
                store.release(one.getKey());
                some.remove();
            }
        }

        kept.forEach(this::check);
    }

    private void check(int number, RingMessage expected) {
        store.read(number, read);

        assertThat(read)
                .usingRecursiveComparison()
                .ignoringFields("sequence", "deadSlots")
                .isEqualTo(expected);
        assertThat(firstDead(read)).isEqualTo(firstDead(expected));
    }

    private static int[] firstDead(RingMessage message) {
        return Arrays.copyOf(message.deadSlots, message.deadCount);
    }

    private static RingMessage anyMessage(SplittableRandom random) {
        RingMessage message = new RingMessage();
        message.type = TYPES.get(random.nextInt(TYPES.size()));
        message.cluster = random.nextInt();
        message.epoch = random.nextLong();
        message.senderGuid = random.nextLong();
        message.fromSlot = random.nextInt(1 << 20);
        message.incarnation = random.nextInt();
        message.hops = random.nextInt(256);
        message.setHash = message.type.isPing() ? 0 : random.nextInt();
        message.observerHash = message.type.isPing() ? random.nextInt() : 0;
        message.recordCount = random.nextInt();
        if (message.type == MessageType.REVOKE) {
            message.leaderEpoch = random.nextLong();
            message.fabricEpoch = random.nextLong();
        } else if (message.type.hasSubject()) {
            message.subjectGuid = random.nextLong();
            message.subjectIncarnation = random.nextInt();
            message.observerSlot = random.nextInt(1 << 20);
            message.silence = message.type.isRecord() ? random.nextInt(256) : 0;
            message.nonce = message.type.isRecord() ? 0 : random.nextInt(256);
        } else {
            message.nonce = random.nextInt();
        }
        if (random.nextBoolean()) {
            message.copy = random.nextInt(RingMessage.COPY_LIMIT);
            message.sourceSlot = random.nextInt(1 << 20);
            message.deadCount = random.nextInt(RingMessage.DEAD_MAX + 1);
            for (int i = 0; i < message.deadCount; i++) {
                message.deadSlots[i] = random.nextInt(1 << 20);
            }
        }
        return message;
    }

    @Test
    void shouldShareWhatIsSentInARow() {
        RingMessage flooded = new RingMessage();
        flooded.type = MessageType.DEAD;
        flooded.subjectGuid = 9;
        int first = store.keep(flooded);
        flooded.sequence++;

        assertThat(store.keep(flooded)).isEqualTo(first);

        flooded.subjectGuid = 10;
        assertThat(store.keep(flooded)).isNotEqualTo(first);
    }

    @Test
    void shouldUseANumberAgainOnlyAfterItsLastCopy() {
        RingMessage message = new RingMessage();
        int shared = store.keep(message);
        store.keep(message);
        store.release(shared);
        message.subjectGuid = 1;
        int other = store.keep(message);
        store.release(shared);
        message.subjectGuid = 2;

        assertThat(other).isNotEqualTo(shared);
        assertThat(store.keep(message)).isEqualTo(shared);
        store.read(other, read);
        assertThat(read.subjectGuid).isEqualTo(1);
    }
}
