package io.dmodc.routing.vtftr.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.vtftr.GridFabric;
import io.dmodc.routing.vtftr.SpareMode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The walk that goes through each state once, beside one that goes every path on its own, on right and wrong tables. */
class PacketWalkTwinTest {
    private static final int DUMPS = 375 * Integer.getInteger("more", 1);

    @Test
    void shouldFindWhatGoingEveryPathFinds() {
        int wrong = 0;
        int circles = 0;
        for (int seed = 0; seed < DUMPS; seed++) {
            TurnDump dump = dump(seed);
            BitSet dead = (BitSet) dump.faults.clone();
            dead.or(dump.bursts);
            ChannelGraph channels = new ChannelGraph(3, 1, dump.vcCount());
            PacketWalk walk =
                    new PacketWalk(List.of(dump), List.of(dead), TurnCheck.roots(List.of(dump)), channels, true);
            Set<String> dependencies = new TreeSet<>();
            for (int destination = 0; destination < 9; destination++) {
                walk.towards(destination);
                for (int source = 0; source < 9; source++) {
                    if (source != destination && !dead.get(source)) {
                        walk.follow(source);
                        PathList twin = new PathList(dump, source, destination);
                        dependencies.addAll(twin.dependencies);
                        String what = "seed " + seed + " from " + source + " to " + destination;
                        assertThat(walk.loops(source)).as(what).isEqualTo(twin.loops);
                        assertThat(walk.arrives(source)).as(what).isEqualTo(!twin.dropped && !twin.loops);
                        if (walk.arrives(source)) {
                            assertThat(walk.routings(source)).as(what).isEqualTo(twin.routings);
                            assertThat(walk.changes(source)).as(what).isEqualTo(twin.changes);
                        }
                        wrong += walk.arrives(source) ? 0 : 1;
                    }
                }
            }
            boolean circle = hasCircle(dependencies);
            assertThat(channels.circle().isEmpty()).as("seed %d", seed).isEqualTo(!circle);
            circles += circle ? 1 : 0;
        }
        assertThat(wrong).isGreaterThan(DUMPS * 2 / 3);
        assertThat(circles).isBetween(DUMPS / 15, DUMPS * 14 / 15);
    }

    /** A 3x3 grid with faults, known and not, of which some lines of the text are replaced by those of another. */
    private static TurnDump dump(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SpareMode mode = seed % 2 == 0 ? SpareMode.PAPER : SpareMode.PAIRWISE;
        GridFabric fabric = GridFabric.square(3);
        fabric.killRandom(random.nextInt(3), random);
        List<String> lines = Dumps.text(fabric, mode).lines().collect(Collectors.toCollection(ArrayList::new));
        for (int i = 0; i < lines.size(); i++) {
            lines.set(i, mutated(lines.get(i), seed, random));
        }
        if (random.nextBoolean()) {
            lines.add("burst " + random.nextInt(3) + " " + random.nextInt(3));
        }
        return Dumps.read(String.join("\n", lines));
    }

    private static String mutated(String line, long seed, SplittableRandom random) {
        if (line.startsWith("vc Y 0") && seed % 3 == 0) {
            return "vc Y 0 X 0";
        }
        if (line.startsWith("leaf ") && random.nextInt(12) == 0) {
            return line.replace('X', 'Y');
        }
        if (line.matches("[rc]sw .* [0-2] .*") && random.nextInt(12) == 0) {
            return line.replaceAll("[0-2] (\\S+)$", "- $1");
        }
        return line;
    }

    private static boolean hasCircle(Set<String> dependencies) {
        Set<String> left = new TreeSet<>(dependencies);
        int before = -1;
        while (left.size() != before) {
            before = left.size();
            Set<String> waitedFor = left.stream().map(d -> d.split(" > ")[1]).collect(Collectors.toSet());
            left.removeIf(d -> !waitedFor.contains(d.split(" > ")[0]));
        }
        return !left.isEmpty();
    }
}
