package io.dmodc.detector.sim;

import java.util.Arrays;

/**
 * Events of the next {@value #SPAN_MICROS} virtual microseconds, one slot a microsecond, in the order in which they came.
 *
 * <p>Layout: an event is a long; a slot is a ring of chunks of seven events behind one long that holds the number of the
 * next chunk and the count, so that a chunk is as long as a cache line and the events of a busy microsecond lie side by
 * side. Per slot only the last chunk is kept, which leads to the first. Adding and taking cost O(1); an idle slot costs
 * four bytes and a bit, and 64 of them in a row one look. Chunks are used again; there are at most {@value #CHUNKS_MAX} of them (4 GiB).
 */
final class TimingWheel {
    /** 4.19 s. */
    static final int SPAN_MICROS = 1 << 22;

    private static final int CHUNKS_MAX = 1 << 26;
    private static final int CHUNK_SHIFT = 3;
    private static final int EVENTS_PER_CHUNK = (1 << CHUNK_SHIFT) - 1;
    private static final int COUNT_BITS = 4;
    private static final int COUNT_MASK = (1 << COUNT_BITS) - 1;
    private static final int FIRST_CHUNKS = 1 << 12;

    /** Takes events that lie side by side: {@code events[from]} to {@code events[to - 1]}. */
    interface Taker {
        void take(long[] events, int from, int to);
    }

    private final int[] lastOfSlot = new int[SPAN_MICROS];
    private final long[] busy = new long[SPAN_MICROS / Long.SIZE];
    private long[] chunks = new long[FIRST_CHUNKS << CHUNK_SHIFT];
    /** Chunk 0 stands for none. */
    private int used = 1;

    private int free;

    /** Adds an event at a time that is later than the slot being drained, by less than the span. */
    void add(long micros, long event) {
        int slot = (int) micros & (SPAN_MICROS - 1);
        int last = lastOfSlot[slot];
        if (last == 0) {
            last = newChunk();
            chunks[last << CHUNK_SHIFT] = header(last, 0);
            lastOfSlot[slot] = last;
            busy[slot / Long.SIZE] |= 1L << slot;
        } else if (count(last) == EVENTS_PER_CHUNK) {
            last = appended(last);
            lastOfSlot[slot] = last;
        }
        int at = last << CHUNK_SHIFT;
        long header = ++chunks[at];
        chunks[at + ((int) header & COUNT_MASK)] = event;
    }

    private int appended(int last) {
        int added = newChunk();
        chunks[added << CHUNK_SHIFT] = header(next(last), 0);
        chunks[last << CHUNK_SHIFT] = header(added, EVENTS_PER_CHUNK);
        return added;
    }

    /** The first time from one to another, both inclusive, that has events; past the last if none has. */
    long nextBusy(long from, long until) {
        long time = from;
        while (time <= until) {
            int slot = (int) time & (SPAN_MICROS - 1);
            long left = busy[slot / Long.SIZE] >>> slot;
            if (left != 0) {
                return time + Long.numberOfTrailingZeros(left);
            }
            time += Long.SIZE - slot % Long.SIZE;
        }
        return until + 1;
    }

    /** Hands over all events of a time and forgets them. The taker may add events of later times. */
    void drain(long micros, Taker taker) {
        int slot = (int) micros & (SPAN_MICROS - 1);
        int last = lastOfSlot[slot];
        if (last == 0) {
            return;
        }
        lastOfSlot[slot] = 0;
        busy[slot / Long.SIZE] &= ~(1L << slot);
        int chunk = next(last);
        while (true) {
            int at = chunk << CHUNK_SHIFT;
            int next = next(chunk);
            taker.take(chunks, at + 1, at + 1 + count(chunk));
            chunks[at] = header(free, 0);
            free = chunk;
            if (chunk == last) {
                return;
            }
            chunk = next;
        }
    }

    private int newChunk() {
        if (free != 0) {
            int chunk = free;
            free = next(chunk);
            return chunk;
        }
        if (used << CHUNK_SHIFT == chunks.length) {
            if (used == CHUNKS_MAX) {
                throw new IllegalStateException("simulation: more than " + (long) CHUNKS_MAX * EVENTS_PER_CHUNK
                        + " messages under way, expected fewer: lower the nodes, tau or the send cost");
            }
            chunks = Arrays.copyOf(chunks, 2 * chunks.length);
        }
        return used++;
    }

    private static long header(int next, int count) {
        return (long) next << COUNT_BITS | count;
    }

    private int next(int chunk) {
        return (int) (chunks[chunk << CHUNK_SHIFT] >>> COUNT_BITS);
    }

    private int count(int chunk) {
        return (int) chunks[chunk << CHUNK_SHIFT] & COUNT_MASK;
    }
}
