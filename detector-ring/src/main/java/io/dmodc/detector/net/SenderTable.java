package io.dmodc.detector.net;

import java.util.Arrays;

/** Senders by GUID: open addressing in parallel arrays, at most half full. */
final class SenderTable {
    private static final int CAPACITY_FIRST = 32;

    private long[] guids;
    private int[] incarnations;
    private int[] highest;
    /** Bit k: the number {@code highest - k} was heard. Bit 0 always is, so 0 is a free place. */
    private long[] heard;

    private int count;

    SenderTable() {
        guids = new long[CAPACITY_FIRST];
        incarnations = new int[CAPACITY_FIRST];
        highest = new int[CAPACITY_FIRST];
        heard = new long[CAPACITY_FIRST];
    }

    /** The same arrays under another name, to be read while the table is filled anew. */
    private SenderTable(SenderTable other) {
        guids = other.guids;
        incarnations = other.incarnations;
        highest = other.highest;
        heard = other.heard;
    }

    int count() {
        return count;
    }

    int incarnation(int at) {
        return incarnations[at];
    }

    /** The place of a GUID, or -1. */
    int find(long guid) {
        int at = probe(guid);
        return heard[at] == 0 ? -1 : at;
    }

    /** Makes space for a GUID that is not there; the caller fills the place. */
    int add(long guid) {
        count++;
        if (2 * count > guids.length) {
            grow();
        }
        return probe(guid);
    }

    void start(int at, long guid, int incarnation, int sequence) {
        guids[at] = guid;
        incarnations[at] = incarnation;
        highest[at] = sequence;
        heard[at] = 1;
    }

    /** Notes a sequence number; false if it was noted before or is too old to tell. */
    boolean mark(int at, int sequence) {
        int ahead = sequence - highest[at];
        if (ahead > 0) {
            heard[at] = ahead < ReplayWindows.WIDTH ? heard[at] << ahead | 1 : 1;
            highest[at] = sequence;
            return true;
        }
        if (ahead <= -ReplayWindows.WIDTH || (heard[at] & 1L << -ahead) != 0) {
            return false;
        }
        heard[at] |= 1L << -ahead;
        return true;
    }

    void copy(int at, SenderTable from, int place) {
        guids[at] = from.guids[place];
        incarnations[at] = from.incarnations[place];
        highest[at] = from.highest[place];
        heard[at] = from.heard[place];
    }

    void clear() {
        Arrays.fill(heard, 0);
        count = 0;
    }

    private void grow() {
        SenderTable old = new SenderTable(this);
        int capacity = 2 * guids.length;
        guids = new long[capacity];
        incarnations = new int[capacity];
        highest = new int[capacity];
        heard = new long[capacity];
        for (int place = 0; place < old.guids.length; place++) {
            if (old.heard[place] != 0) {
                copy(probe(old.guids[place]), old, place);
            }
        }
    }

    /** The place of a GUID, or the free one where it belongs. */
    private int probe(long guid) {
        int mask = guids.length - 1;
        // Fibonacci hashing: GUIDs of one maker differ in few bits, which the product spreads over its upper half.
        int at = (int) ((guid * 0x9e3779b97f4a7c15L) >>> 32) & mask;
        while (heard[at] != 0 && guids[at] != guid) {
            at = (at + 1) & mask;
        }
        return at;
    }
}
