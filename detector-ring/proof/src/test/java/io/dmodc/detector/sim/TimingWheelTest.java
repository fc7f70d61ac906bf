package io.dmodc.detector.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TimingWheelTest {
    private record Entry(long time, long order, long event) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            return time != other.time ? Long.compare(time, other.time) : Long.compare(order, other.order);
        }
    }

    /** Slow twin: a queue ordered by time, then by order of arrival. Each event taken adds some later ones. */
    @Test
    void shouldHandOverEventsAsAnOrderedQueueDoes() {
        for (int seed = 0; seed < 50; seed++) {
            int spread = seed % 3 == 0 ? TimingWheel.SPAN_MICROS - 1 : 50 << seed % 5;

            assertThat(fast(seed, spread)).as("seed %d", seed).isEqualTo(slow(seed, spread));
        }
    }

    private static List<Entry> fast(long seed, int spread) {
        SplittableRandom random = new SplittableRandom(seed);
        TimingWheel wheel = new TimingWheel();
        List<Entry> taken = new ArrayList<>();
        long[] added = {0};
        for (int i = 0; i < 100; i++) {
            wheel.add(1 + random.nextInt(spread), added[0]++);
        }
        long end = 20L * spread;
        for (long time = wheel.nextBusy(1, end); time <= end; time = wheel.nextBusy(time + 1, end)) {
            long now = time;
            wheel.drain(now, (events, from, to) -> {
                for (int i = from; i < to; i++) {
                    taken.add(new Entry(now, 0, events[i]));
                    for (int more = random.nextInt(3); more > 0 && added[0] < 5_000; more--) {
                        wheel.add(now + 1 + random.nextInt(spread), added[0]++);
                    }
                }
            });
        }
        return taken;
    }

    private static List<Entry> slow(long seed, int spread) {
        SplittableRandom random = new SplittableRandom(seed);
        PriorityQueue<Entry> queue = new PriorityQueue<>();
        List<Entry> taken = new ArrayList<>();
        long added = 0;
        for (int i = 0; i < 100; i++) {
            queue.add(new Entry(1 + random.nextInt(spread), added, added++));
        }
        while (!queue.isEmpty() && queue.element().time <= 20L * spread) {
            Entry next = queue.remove();
            taken.add(new Entry(next.time, 0, next.event));
            for (int more = random.nextInt(3); more > 0 && added < 5_000; more--) {
                queue.add(new Entry(next.time + 1 + random.nextInt(spread), added, added++));
            }
        }
        return taken;
    }

    @Test
    void shouldKeepThousandsOfEventsOfOneMicrosecondInOrder() {
        TimingWheel wheel = new TimingWheel();
        for (int event = 0; event < 100_000; event++) {
            wheel.add(7, event);
        }

        List<Long> taken = new ArrayList<>();
        wheel.drain(7, (events, from, to) -> {
            for (int i = from; i < to; i++) {
                taken.add(events[i]);
            }
        });

        assertThat(taken).hasSize(100_000).isSorted();
        assertThat(wheel.nextBusy(0, 1_000_000)).isEqualTo(1_000_001);
    }
}
