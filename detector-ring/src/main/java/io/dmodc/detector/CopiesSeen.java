package io.dmodc.detector;

/**
 * Which copies of recent hypercube broadcasts a node has had, so that a datagram the network doubles is not forwarded
 * twice. Remembers the last {@value #BROADCASTS}; a copy of an older one would be forwarded again, down its own path
 * and no further.
 */
final class CopiesSeen {
    static final int BROADCASTS = 16;

    private long[] keys = {};
    private long[] copies = {};
    private int next;

    /** True the first time a copy of its broadcast comes. */
    boolean isFirst(RingMessage message) {
        if (keys.length == 0) {
            keys = new long[BROADCASTS];
            copies = new long[BROADCASTS];
        }
        int place = placeOf(keyOf(message));
        long bit = 1L << message.copy;
        boolean isFirst = (copies[place] & bit) == 0;
        copies[place] |= bit;
        return isFirst;
    }

    private int placeOf(long key) {
        for (int place = 0; place < BROADCASTS; place++) {
            if (keys[place] == key && copies[place] != 0) {
                return place;
            }
        }
        int place = next;
        next = (next + 1) % BROADCASTS;
        keys[place] = key;
        copies[place] = 0;
        return place;
    }

    private static long keyOf(RingMessage message) {
        long subject = SplitMix64.mix(message.subjectGuid) ^ message.subjectIncarnation;
        long about =
                SplitMix64.mix(subject) ^ SplitMix64.mix(message.leaderEpoch ^ SplitMix64.mix(message.fabricEpoch));
        return SplitMix64.mix(
                about ^ SplitMix64.mix(message.epoch) ^ ((long) message.sourceSlot << 8 | message.type.code()));
    }
}
