package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A view with something left out against one drawn when the same was down. */
class ViewExclusionTest {
    private static final int SEEDS = 100;
    private static final String FIGURE_1 = "3;2,2,3;1,2,2;1,2,1";

    @ParameterizedTest
    @ValueSource(strings = {"2;3,4;1,3;1,2", FIGURE_1, "3;4,3,3;1,2,3;1,1,2", "4;2,2,2,2;1,2,2,2;1,1,2,1"})
    void shouldBeWhatIsDrawnWhenTheSameIsDown(String shape) {
        for (int seed = 0; seed < SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            TestFabric fabric = TestFabric.shuffled(shape, seed).keepingLevels();
            fabric.damaged(random.nextInt(2), random.nextInt(3), seed);
            FabricView view = fabric.view();
            BitSet switches = new BitSet();
            List<PortPlace> links = new ArrayList<>();
            for (int i = random.nextInt(3); i > 0; i--) {
                switches.set(random.nextInt(view.switchCount()));
            }
            for (int i = random.nextInt(4); i > 0; i--) {
                int s = random.nextInt(view.switchCount());
                links.add(new PortPlace(view.switchGuid(s), 1 + random.nextInt(view.portCount(s))));
            }

            FabricView without = view.without(switches, links);

            ViewPatchTest.assertSameTables(
                    shape + " seed " + seed, without.t, drawnDown(fabric, view, switches, links).t);
            links.removeIf(link -> view.peerSwitch(view.switchOf(link.guid()), link.port()) < 0);
            SortedMap<PortPlace, PortPlace> ends = new TreeMap<>();
            links.forEach(link -> ends.put(link, peer(view, link)));
            ViewPatchTest.assertSameTables(
                    shape + " seed " + seed, view.without(new BitSet(), links).with(ends).t, view.t);
        }
    }

    private static PortPlace peer(FabricView view, PortPlace link) {
        int s = view.switchOf(link.guid());
        return new PortPlace(view.switchGuid(view.peerSwitch(s, link.port())), view.peerPort(s, link.port()));
    }

    /** One leaf is plugged in where another one was. */
    @Test
    void shouldJoinPortsThatWereCabledElsewhere() {
        TestFabric fabric = TestFabric.fabric(FIGURE_1).keepingLevels();
        FabricView view = fabric.view();
        PortPlace near = new PortPlace(view.switchGuid(0), upPort(view, 0));
        PortPlace far = peer(view, new PortPlace(view.switchGuid(1), upPort(view, 1)));

        FabricView with = view.without(new BitSet(), List.of(near, far)).with(new TreeMap<>(Map.of(near, far)));
        FabricView taken = view.with(new TreeMap<>(Map.of(near, far)));

        assertThat(peer(with, near)).isEqualTo(far);
        assertThat(peer(with, far)).isEqualTo(near);
        ViewPatchTest.assertSameTables("both have links", taken.t, view.t);
    }

    private static int upPort(FabricView view, int s) {
        int port = 1;
        while (view.peerSwitch(s, port) < 0) {
            port++;
        }
        return port;
    }

    private static FabricView drawnDown(TestFabric fabric, FabricView view, BitSet switches, List<PortPlace> links) {
        switches.stream().forEach(s -> fabric.apply(new SwitchState(view.switchGuid(s), false)));
        for (PortPlace link : links) {
            int s = view.switchOf(link.guid());
            if (view.peerSwitch(s, link.port()) >= 0) {
                fabric.apply(new PortSeen(
                        link.guid(), link.port(), false, fabric.builder().neighbour(link.guid(), link.port())));
            }
        }
        return fabric.view();
    }

    @Test
    void shouldBeTheSameViewWhenNothingIsLeftOut() {
        FabricView view = TestFabric.fabric(FIGURE_1).view();

        assertThat(view.without(new BitSet(), List.of())).isSameAs(view);
    }

    @Test
    void shouldNotLookForWhatIsNotThere() {
        FabricView view = TestFabric.fabric(FIGURE_1).view();
        BitSet beyond = new BitSet();
        beyond.set(view.switchCount());

        FabricView without = view.without(beyond, List.of(new PortPlace(99, 1), new PortPlace(view.switchGuid(0), 99)));

        ViewPatchTest.assertSameTables("nothing", without.t, view.t);
        PortPlace there = new PortPlace(view.switchGuid(0), 1);
        SortedMap<PortPlace, PortPlace> more = new TreeMap<>(Map.of(
                new PortPlace(99, 1),
                there,
                new PortPlace(view.switchGuid(0), 99),
                there,
                there,
                new PortPlace(99, 1)));
        ViewPatchTest.assertSameTables("nothing more", view.with(more).t, view.t);
    }
}
