package io.dmodc.detector.sim;

import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import java.util.Arrays;

/**
 * The messages under way, by number, sixteen ints each. Copies of equal content that are sent in a row, as in a flood,
 * share one number and are counted; the number is used again when the last copy has arrived.
 *
 * <p>Everything travels but {@link RingMessage#sequence}, which only the wire reads. A revocation's two epochs lie where
 * other messages have subject, observer and silence; the dead of a hypercube copy lie aside.
 */
final class MessageStore {
    private static final int SHIFT = 4;
    private static final int WORDS = 1 << SHIFT;
    /** The last word: copies under way, or for a free number the next free one. */
    private static final int COPIES = WORDS - 1;

    private static final int MESSAGES_MAX = 1 << 26;
    private static final int NONE = -1;
    /** By code, which counts from 1. */
    private static final MessageType[] TYPES = MessageType.values();

    private final int[] wanted = new int[COPIES];
    private int[] words = new int[1 << 12 << SHIFT];
    private int[][] deadSlots = new int[1 << 12][];
    private int used;
    private int free = NONE;
    private int latest = NONE;

    /** Keeps one more copy of a message; returns its number. */
    int keep(RingMessage message) {
        write(message);
        if (latest != NONE && message.deadCount == 0 && isLatest()) {
            words[(latest << SHIFT) + COPIES]++;
            return latest;
        }
        int number = newNumber();
        System.arraycopy(wanted, 0, words, number << SHIFT, COPIES);
        words[(number << SHIFT) + COPIES] = 1;
        deadSlots[number] = message.deadCount == 0 ? null : Arrays.copyOf(message.deadSlots, message.deadCount);
        latest = number;
        return number;
    }

    /** One copy has arrived or was lost. */
    void release(int number) {
        int at = (number << SHIFT) + COPIES;
        if (--words[at] == 0) {
            words[at] = free;
            free = number;
            if (latest == number) {
                latest = NONE;
            }
        }
    }

    private boolean isLatest() {
        int at = latest << SHIFT;
        return Arrays.equals(words, at, at + COPIES, wanted, 0, COPIES);
    }

    private int newNumber() {
        if (free != NONE) {
            int number = free;
            free = words[(number << SHIFT) + COPIES];
            return number;
        }
        if (used == deadSlots.length) {
            if (used == MESSAGES_MAX) {
                throw new IllegalStateException(
                        "simulation: more than " + MESSAGES_MAX + " different messages under way, expected fewer");
            }
            words = Arrays.copyOf(words, 2 * words.length);
            deadSlots = Arrays.copyOf(deadSlots, 2 * used);
        }
        return used++;
    }

    private void write(RingMessage message) {
        boolean revokes = message.type == MessageType.REVOKE;
        wanted[0] = message.type.code() | message.hops << 8 | (message.copy + 1) << 16 | message.deadCount << 24;
        wanted[1] = message.fromSlot;
        wanted[2] = message.incarnation;
        wanted[3] = message.type.isPing() ? message.observerHash : message.setHash;
        writeLong(4, message.epoch);
        writeLong(6, message.senderGuid);
        if (revokes) {
            writeLong(8, message.leaderEpoch);
            writeLong(10, message.fabricEpoch);
        } else {
            writeLong(8, message.subjectGuid);
            wanted[10] = message.type.hasSubject() ? message.subjectIncarnation : message.nonce;
            wanted[11] = message.observerSlot | (message.type.isRecord() ? message.silence : message.nonce) << 24;
        }
        wanted[12] = message.recordCount;
        wanted[13] = message.sourceSlot;
        wanted[14] = message.cluster;
    }

    private void writeLong(int at, long value) {
        wanted[at] = (int) (value >>> 32);
        wanted[at + 1] = (int) value;
    }

    private long readLong(int at) {
        return (long) words[at] << 32 | (words[at + 1] & 0xffffffffL);
    }

    /** Fills a message with the kept content. */
    void read(int number, RingMessage message) {
        int at = number << SHIFT;
        int head = words[at];
        message.type = TYPES[(head & 0xff) - 1];
        message.hops = head >>> 8 & 0xff;
        message.copy = (head >>> 16 & 0xff) - 1;
        message.deadCount = head >>> 24;
        message.fromSlot = words[at + 1];
        message.incarnation = words[at + 2];
        message.setHash = message.type.isPing() ? 0 : words[at + 3];
        message.observerHash = message.type.isPing() ? words[at + 3] : 0;
        message.epoch = readLong(at + 4);
        message.senderGuid = readLong(at + 6);
        boolean revokes = message.type == MessageType.REVOKE;
        message.leaderEpoch = revokes ? readLong(at + 8) : 0;
        message.fabricEpoch = revokes ? readLong(at + 10) : 0;
        boolean hasSubject = message.type.hasSubject();
        int detail = hasSubject ? words[at + 11] >>> 24 : 0;
        message.subjectGuid = revokes ? 0 : readLong(at + 8);
        message.subjectIncarnation = hasSubject ? words[at + 10] : 0;
        message.observerSlot = hasSubject ? words[at + 11] & 0xffffff : 0;
        message.silence = message.type.isRecord() ? detail : 0;
        message.nonce = message.type.isRecord() || revokes ? 0 : hasSubject ? detail : words[at + 10];
        message.recordCount = words[at + 12];
        message.sourceSlot = words[at + 13];
        message.cluster = words[at + 14];
        int[] dead = deadSlots[number];
        if (dead != null) {
            System.arraycopy(dead, 0, message.deadSlots, 0, dead.length);
        }
    }
}
