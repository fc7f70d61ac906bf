package io.dmodc.routing.engines;

import io.dmodc.routing.dmodc.RandomFabrics;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Fabrics that {@code ftree} takes for trees, or nearly, a seed each; {@link Kind} says what was done to them. */
final class TreeFabrics {
    private static final List<PgftShape> SHAPES = List.of(
            PgftShape.parse("2;3,4;1,3;1,1"),
            PgftShape.parse("2;2,5;1,2;1,3"),
            PgftShape.parse("3;2,2,3;1,2,2;1,2,1"),
            PgftShape.parse("3;1,3,3;1,3,2;1,1,2"),
            PgftShape.parse("3;3,2,4;1,2,3;1,1,1"),
            PgftShape.parse("3;4,4,4;1,4,4;1,1,1"),
            PgftShape.parse("3;2,3,2;1,1,4;1,3,1"),
            PgftShape.parse("3;4,3,5;1,2,3;1,2,1"),
            PgftShape.parse("4;2,2,2,2;1,2,2,1;1,1,2,3"),
            PgftShape.parse("4;1,2,2,3;1,2,1,2;1,1,1,1"),
            PgftShape.parse("3;6,6,4;1,4,3;1,1,2"));

    /** What was done to a fabric. */
    enum Kind {
        WHOLE,
        HOSTS_MISSING,
        /** One parent less for every switch below: still regular. */
        TOPS_MISSING,
        /** One child less for every top, and some hosts: still regular. */
        SUBTREE_MISSING,
        CABLE_MISSING,
        DAMAGED_WITH_ROOTS,
        /** Any of the roots named, some hosts missing too. */
        DAMAGED_WITH_SOME_ROOTS,
        /** Cables between upper switches of one level, some hosts missing, roots named. */
        JOINED_SIDEWAYS_WITH_ROOTS,
        /** Mis-cabled, hosts on upper switches: of {@link RandomFabrics}. */
        SPOILT,
        SPOILT_WITH_ROOTS
    }

    /**
     * One fabric.
     *
     * @param roots lines of a root file; {@code null} for none
     */
    record Drawn(Kind kind, FabricView view, @Nullable List<String> roots) {
        /**
         * True if a cable joins a leaf and a switch as far from the roots. OpenSM sorts the ports of such a leaf by numbers
         * of far switches, and hosts have none: it reads what lies in memory there, and two runs may differ.
         */
        boolean joinsLeafSideways() {
            int[] rank = LiteralOpenSm.ranks(view, roots == null ? farthest() : named(roots));
            return Degradation.cables(view).stream().anyMatch(cable -> {
                int near = view.switchOf(cable.guid());
                int far = view.switchOf(cable.farGuid());
                return rank[near] == rank[far] && (view.isLeaf(near) || view.isLeaf(far));
            });
        }

        private BitSet named(List<String> lines) {
            BitSet named = RootGuids.parse("roots", lines).switches(view);
            return named.isEmpty() ? farthest() : named;
        }

        private BitSet farthest() {
            BitSet leaves = new BitSet();
            IntStream.range(0, view.switchCount()).forEach(s -> leaves.set(s, view.isLeaf(s) && view.alive(s)));
            int[] hops = LiteralOpenSm.ranks(view, leaves);
            int most = IntStream.range(0, hops.length)
                    .filter(view::alive)
                    .map(s -> hops[s])
                    .filter(count -> count < hops.length)
                    .max()
                    .orElse(0);
            BitSet farthest = new BitSet();
            IntStream.range(0, hops.length).forEach(s -> farthest.set(s, view.alive(s) && hops[s] == most));
            return farthest;
        }
    }

    private final SplittableRandom random;
    private final FabricViewBuilder fabric;
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final FabricView whole;
    private final PgftShape shape;

    private TreeFabrics(SplittableRandom random, PgftShape shape, FabricViewBuilder fabric) {
        this.random = random;
        this.shape = shape;
        this.fabric = fabric;
        whole = view();
    }

    private static TreeFabrics shaped(SplittableRandom random) {
        PgftShape shape = SHAPES.get(random.nextInt(SHAPES.size()));
        return new TreeFabrics(
                random,
                shape,
                random.nextInt(3) == 0 ? PgftGenerator.generate(shape) : PgftGenerator.generateShuffled(shape, random));
    }

    /** A shuffled fabric that lost so many switches and cables, its roots named. */
    static Drawn damaged(PgftShape shape, int switches, int cables, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        TreeFabrics drawing = new TreeFabrics(random, shape, PgftGenerator.generateShuffled(shape, random));
        Degradation.apply(drawing.fabric, switches, cables, random);
        return new Drawn(Kind.DAMAGED_WITH_ROOTS, drawing.view(), tops(drawing.whole));
    }

    /** Kinds take turns. */
    static Drawn draw(long seed) {
        Kind kind = Kind.values()[(int) (seed % Kind.values().length)];
        if (kind == Kind.SPOILT || kind == Kind.SPOILT_WITH_ROOTS) {
            FabricView view = RandomFabrics.draw(seed);
            return new Drawn(kind, view, kind == Kind.SPOILT ? null : tops(view));
        }
        TreeFabrics drawing = shaped(new SplittableRandom(seed));
        List<String> roots = drawing.damage(kind);
        return new Drawn(kind, drawing.view(), roots);
    }

    private @Nullable List<String> damage(Kind kind) {
        switch (kind) {
            case HOSTS_MISSING -> unplugHosts();
            case TOPS_MISSING -> loseTops();
            case SUBTREE_MISSING -> {
                loseSubtree();
                unplugHosts();
            }
            case CABLE_MISSING -> Degradation.apply(fabric, 0, 1, random);
            case DAMAGED_WITH_ROOTS -> {
                loseSome();
                return tops(whole);
            }
            case DAMAGED_WITH_SOME_ROOTS -> {
                loseSome();
                unplugHosts();
                List<String> tops = tops(whole);
                return tops.subList(0, 1 + random.nextInt(tops.size()));
            }
            case JOINED_SIDEWAYS_WITH_ROOTS -> {
                loseSome();
                unplugHosts();
                for (int i = random.nextInt(4); i >= 0; i--) {
                    joinSideways();
                }
                return tops(whole);
            }
            case WHOLE, SPOILT, SPOILT_WITH_ROOTS -> {}
        }
        return null;
    }

    private FabricView view() {
        return fabric.build(3, nodes, new GuidNumbers());
    }

    private void unplugHosts() {
        for (int i = random.nextInt(4); i >= 0; i--) {
            FabricView view = view();
            int node = random.nextInt(view.nodeCount());
            if (view.nodeSwitch(node) >= 0) {
                fabric.apply(new PortSeen(view.switchGuid(view.nodeSwitch(node)), view.nodePort(node), false, null));
            }
        }
    }

    private void loseSome() {
        int upper = whole.switchCount() - whole.leafCount();
        Degradation.apply(fabric, random.nextInt(upper / 6 + 2), 0, random);
        Degradation.apply(fabric, 0, random.nextInt(view().linkCount() / 8 + 1), random);
    }

    /** Takes two cables and joins their ends that are as high by one of them. */
    private void joinSideways() {
        List<Degradation.Cable> cables = Degradation.cables(view());
        for (int tries = 0; tries < 50 && cables.size() >= 2; tries++) {
            Degradation.Cable one = cables.get(random.nextInt(cables.size()));
            Degradation.Cable other = cables.get(random.nextInt(cables.size()));
            int rank = whole.rank(whole.switchOf(one.guid()));
            if (one.guid() != other.guid() && rank == whole.rank(whole.switchOf(other.guid())) && rank > 0) {
                Degradation.cut(fabric, one);
                Degradation.cut(fabric, other);
                fabric.apply(new PortSeen(one.guid(), one.port(), true, new ToSwitch(other.guid(), other.port())));
                fabric.apply(new PortSeen(other.guid(), other.port(), true, new ToSwitch(one.guid(), one.port())));
                return;
            }
        }
    }

    /** All that are the last parent of any: every switch below has one neighbour less. */
    private void loseTops() {
        int height = shape.levels();
        if (shape.w(height) > 1) {
            lose(height - 1, shape.w(height));
        }
    }

    private void loseSubtree() {
        int height = shape.levels();
        if (shape.m(height) > 2) {
            for (int rank = 0; rank < height - 1; rank++) {
                lose(rank, shape.m(height));
            }
        }
    }

    /** The last of so many equal runs of a rank; a shuffled fabric has its names in order all the same. */
    private void lose(int rank, int runs) {
        List<String> names = new ArrayList<>();
        IntStream.range(0, whole.switchCount())
                .filter(s -> whole.rank(s) == rank)
                .forEach(s -> names.add(whole.switchName(s)));
        names.sort(Comparator.comparingInt(TreeFabrics::numberIn));
        for (String name : names.subList(names.size() - names.size() / runs, names.size())) {
            IntStream.range(0, whole.switchCount())
                    .filter(s -> whole.switchName(s).equals(name))
                    .forEach(s -> fabric.apply(new SwitchState(whole.switchGuid(s), false)));
        }
    }

    private static int numberIn(String name) {
        return Integer.parseInt(name.replaceFirst(".*?(\\d+)$", "$1"));
    }

    static List<String> tops(FabricView view) {
        return IntStream.range(0, view.switchCount())
                .filter(s -> view.rank(s) == view.rankMax())
                .mapToObj(s -> Guid.format(view.switchGuid(s)))
                .toList();
    }
}
