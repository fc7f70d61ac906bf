package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;

/**
 * Fabrics with directors: several switches with the same neighbours, their line cards, stand where a PGFT has one. So
 * several ways lead down to a leaf, which no PGFT has.
 */
final class LineCards {
    private static final int PORTS = 254;

    private final FabricViewBuilder fabric = new FabricViewBuilder();
    private final List<Long> guids;
    private final List<Integer> portsUsed = new ArrayList<>();
    private int hosts;

    /** @param shuffled seed of the order in which GUIDs are dealt; 0 for ascending */
    private LineCards(int switchCount, long shuffled) {
        guids = new ArrayList<>();
        for (int s = 0; s < switchCount; s++) {
            guids.add(0x100L + s);
            portsUsed.add(0);
        }
        if (shuffled != 0) {
            Collections.shuffle(guids, new Random(shuffled));
        }
        for (long guid : guids) {
            fabric.apply(new SwitchSeen(guid, "s" + guid, PORTS));
        }
    }

    /**
     * A PGFT with several switches in the place of each one.
     *
     * @param cards how many, by level from the leaves
     */
    static FabricViewBuilder of(String spec, int[] cards, long shuffled) {
        FabricView whole =
                PgftGenerator.generate(PgftShape.parse(spec)).build(0, new NodeIndexMap(), new GuidNumbers());
        int[] first = new int[whole.switchCount() + 1];
        for (int s = 0; s < whole.switchCount(); s++) {
            first[s + 1] = first[s] + cards[whole.rank(s)];
        }
        LineCards drawn = new LineCards(first[whole.switchCount()], shuffled);
        for (int s = 0; s < whole.switchCount(); s++) {
            for (int port = 1; port <= whole.portCount(s); port++) {
                if (whole.peerNode(s, port) >= 0) {
                    drawn.addHost(first[s]);
                }
            }
        }
        for (int s = 0; s < whole.switchCount(); s++) {
            for (int port = 1; port <= whole.portCount(s); port++) {
                int remote = whole.peerSwitch(s, port);
                for (int x = first[s]; remote > s && x < first[s + 1]; x++) {
                    for (int y = first[remote]; y < first[remote + 1]; y++) {
                        drawn.addCable(x, y);
                    }
                }
            }
        }
        return drawn.fabric;
    }

    /**
     * Leaves of 18 hosts with cables to the line cards of two directors of 18 spines each: of 84 leaves 4 to the 24 of one
     * and 5 to the 30 of the other.
     */
    static FabricViewBuilder twoDirectors(int leaves, long shuffled) {
        int spines = 18;
        int firstCards = leaves;
        int secondCards = firstCards + 24;
        int firstSpines = secondCards + 30;
        LineCards drawn = new LineCards(firstSpines + 2 * spines, shuffled);
        for (int leaf = 0; leaf < leaves; leaf++) {
            for (int host = 0; host < 18; host++) {
                drawn.addHost(leaf);
            }
            for (int k = 0; k < 4; k++) {
                drawn.addCable(leaf, firstCards + (4 * leaf + k) % 24);
            }
            for (int k = 0; k < 5; k++) {
                drawn.addCable(leaf, secondCards + (5 * leaf + k) % 30);
            }
        }
        for (int card = firstCards; card < firstSpines; card++) {
            for (int spine = 0; spine < spines; spine++) {
                drawn.addCable(card, firstSpines + (card < secondCards ? 0 : spines) + spine);
            }
        }
        return drawn.fabric;
    }

    /** A small one, shuffled, perhaps with cables lost before it was first seen; with plane numbers. */
    static FabricView random(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String[] shapes = {"3;2,3,3;1,2,3", "2;3,4;1,2", "4;2,2,2,2;1,2,1,2", "3;2,2,3;1,2,2;1,2,1"};
        PgftShape shape = PgftShape.parse(complete(shapes[random.nextInt(shapes.length)]));
        int[] cards = new int[shape.levels()];
        for (int level = 0; level < cards.length; level++) {
            cards[level] = level == 0 ? 1 : 1 + random.nextInt(3);
        }
        FabricViewBuilder fabric = of(shape.toString(), cards, 1 + seed);
        if (random.nextBoolean()) {
            Degradation.apply(fabric, random.nextInt(3), 0, random);
            int cables = view(fabric).linkCount();
            Degradation.apply(fabric, 0, random.nextInt(Math.min(12, cables + 1)), random);
        }
        return view(fabric);
    }

    /** As it is seen for the first time, with plane numbers. */
    static FabricView view(FabricViewBuilder fabric) {
        return new PlaneNumbers().number(fabric.build(1, new NodeIndexMap(), new GuidNumbers()));
    }

    /** A shape without parallel links in full: its last part is all ones. */
    static String complete(String spec) {
        String[] parts = spec.split(";", -1);
        return parts.length == 4 ? spec : spec + ";1" + ",1".repeat(Integer.parseInt(parts[0]) - 1);
    }

    private void addHost(int s) {
        long guid = 0x10_0000L + hosts++;
        fabric.apply(new PortSeen(guids.get(s), nextPort(s), true, new ToHost(new Host(guid, guid, 1, "h" + hosts))));
    }

    private void addCable(int a, int b) {
        int portA = nextPort(a);
        int portB = nextPort(b);
        fabric.apply(new PortSeen(guids.get(a), portA, true, new ToSwitch(guids.get(b), portB)));
        fabric.apply(new PortSeen(guids.get(b), portB, true, new ToSwitch(guids.get(a), portA)));
    }

    private int nextPort(int s) {
        portsUsed.set(s, portsUsed.get(s) + 1);
        return portsUsed.get(s);
    }
}
