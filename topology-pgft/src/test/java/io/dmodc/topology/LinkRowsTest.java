package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Versions of rows lie side by side in slots that views share. */
class LinkRowsTest {
    private static final String FIGURE_1 = "3;2,2,3;1,2,2;1,2,1";
    private static final int EDITS = 500;

    private final TestFabric figure1 = TestFabric.fabric(FIGURE_1).keepingLevels();

    /** Room for some 30 edits is soon used up, and all rows are copied then. */
    @Test
    void shouldLeaveEachViewItsLinksWhateverComesAfterIt() {
        SplittableRandom random = new SplittableRandom(1);
        List<FabricView> views = new ArrayList<>();
        List<String> drawn = new ArrayList<>();
        Set<LinkRows.Slots> slots = new HashSet<>();
        for (int i = 0; i < EDITS; i++) {
            FabricView view = figure1.view();
            int s = random.nextInt(view.switchCount());
            figure1.says(view.switchName(s), 1 + random.nextInt(view.portCount(s)), random.nextBoolean());
            views.add(figure1.view());
            drawn.add(text(views.get(i)));
            slots.add(views.get(i).t.links.slots);
        }

        assertThat(views.stream().map(LinkRowsTest::text)).isEqualTo(drawn);
        assertThat(slots).hasSizeBetween(5, EDITS / 10);
    }

    /** What an act would do is drawn by other threads than the fabric's next view. */
    @Test
    void shouldDrawManyViewsOfOneAtATime() {
        FabricView whole = figure1.view();
        List<String> wanted = IntStream.range(0, EDITS)
                .mapToObj(i -> text(without(whole, i % whole.switchCount())))
                .toList();

        List<String> drawn = IntStream.range(0, EDITS)
                .parallel()
                .mapToObj(i -> without(whole, i % whole.switchCount()))
                .toList()
                .parallelStream()
                .map(LinkRowsTest::text)
                .toList();

        assertThat(drawn).isEqualTo(wanted);
        assertThat(text(whole)).isEqualTo(text(figure1.view()));
    }

    @Test
    void shouldGiveEachSlotToOneThreadAlone() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 100; round++) {
                LinkRows.Slots slots = new LinkRows.Slots(80_000);
                CyclicBarrier begin = new CyclicBarrier(2);
                Callable<int[]> taker = () -> {
                    begin.await();
                    return IntStream.generate(() -> slots.take(1))
                            .takeWhile(slot -> slot >= 0)
                            .toArray();
                };
                Future<int[]> one = threads.submit(taker);
                Future<int[]> other = threads.submit(taker);

                int[] taken = IntStream.concat(Arrays.stream(one.get()), Arrays.stream(other.get()))
                        .sorted()
                        .toArray();

                assertThat(taken)
                        .isEqualTo(
                                IntStream.range(80_000, slots.peerSwitch.length).toArray());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldGiveNoSlotThatIsNotThere() {
        LinkRows.Slots slots = new LinkRows.Slots(16);
        int left = slots.peerSwitch.length - 16;

        assertThat(slots.take(left + 1)).isEqualTo(-1);
        assertThat(slots.take(left)).isEqualTo(16);
        assertThat(slots.take(1)).isEqualTo(-1);
    }

    /** A cable that flaps leaves the same links in another version of their rows. */
    @Test
    void shouldSeeNoChangeWhereRowsDifferOnlyInTheirPlace() {
        FabricView before = figure1.view();

        FabricView down = figure1.says("leaf0", 3, false).view();
        FabricView after = figure1.says("leaf0", 3, true).view();

        assertThat(after.t.links.base).isNotEqualTo(before.t.links.base);
        assertThat(after.switchesChangedSince(before)).isEmpty();
        assertThat(down.switchesChangedSince(before)).hasSize(2);
    }

    private static FabricView without(FabricView view, int s) {
        BitSet switches = new BitSet();
        switches.set(s);
        return view.without(switches, List.of());
    }

    private static String text(FabricView view) {
        List<Object> rows = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            rows.add(ViewPatchTest.row(view.t, s));
        }
        return rows + " " + view.linkCount();
    }
}
