package io.dmodc.demo;

import io.dmodc.agent.plane.Forwarding;
import io.dmodc.agent.plane.Forwarding.Hop;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Packets through the switches of a grid as they are at the moment: one from each leaf to each other, from and to one of its hosts, forwarded
 * by each switch by its own table and by which of its ports are up.
 */
final class GridPackets {
    /** Links on the longest way: four times up and down, and the host's. */
    private static final int LINKS_MAX = 9;

    private static final int EXAMPLES_MAX = 3;

    private final DemoFabric fabric;
    private final FabricView whole;
    private final List<List<Integer>> hostsOfLeaf = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(1);

    /** @param whole all cables, as they were laid */
    GridPackets(DemoFabric fabric, FabricView whole) {
        this.fabric = fabric;
        this.whole = whole;
        for (int leaf = 0; leaf < whole.leafCount(); leaf++) {
            hostsOfLeaf.add(new ArrayList<>());
        }
        for (int d = 0; d < whole.nodeCount(); d++) {
            hostsOfLeaf.get(whole.targetOfSwitch(whole.nodeSwitch(d))).add(d);
        }
    }

    /**
     * What became of them.
     *
     * @param byRoutings how many were delivered over so many roots, 0..4
     * @param secondChannel how many of them changed to the second virtual channel
     * @param examples of those that were lost, as text
     */
    record Walked(long pairs, long lost, long[] byRoutings, long secondChannel, List<String> examples) {
        String text() {
            return String.format(
                    Locale.ROOT,
                    "packets between all %,d pairs of live leaves: %,d lost; over 1, 2, 3, 4 roots: %,d, %,d, %,d, %,d; %,d changed to the second channel",
                    pairs,
                    lost,
                    byRoutings[1],
                    byRoutings[2],
                    byRoutings[3],
                    byRoutings[4],
                    secondChannel);
        }
    }

    /** Sends them; switches may change meanwhile. */
    Walked walk() {
        long pairs = 0;
        long secondChannel = 0;
        long[] byRoutings = new long[5];
        List<String> examples = new ArrayList<>();
        long lost = 0;
        for (int from = 0; from < hostsOfLeaf.size(); from++) {
            for (int to = 0; to < hostsOfLeaf.size(); to++) {
                if (from != to && isOn(from) && isOn(to)) {
                    pairs++;
                    Packet packet = send(any(from), any(to));
                    if (packet.end.isEmpty()) {
                        byRoutings[packet.links / 2]++;
                        secondChannel += packet.vc;
                    } else if (lost++ < EXAMPLES_MAX) {
                        examples.add(name(from) + " to " + name(to) + ": " + packet.end);
                    }
                }
            }
        }
        return new Walked(pairs, lost, byRoutings, secondChannel, List.copyOf(examples));
    }

    private boolean isOn(int leaf) {
        return fabric.powered(whole.switchGuid(whole.targetSwitch(leaf))) != null;
    }

    private String name(int leaf) {
        return whole.switchName(whole.targetSwitch(leaf));
    }

    private int any(int leaf) {
        List<Integer> hosts = hostsOfLeaf.get(leaf);
        return hosts.get(random.nextInt(hosts.size()));
    }

    /**
     * @param links between switches
     * @param vc it was on when it left the last root
     * @param end why it was lost; empty: it was delivered
     */
    private record Packet(int links, int vc, String end) {}

    private Packet send(int from, int to) {
        int s = whole.nodeSwitch(from);
        int inPort = whole.nodePort(from);
        int vc = 0;
        for (int links = 0; links < LINKS_MAX; links++) {
            @Nullable MemoryPlane plane = fabric.powered(whole.switchGuid(s));
            if (plane == null) {
                return new Packet(links, vc, whole.switchName(s) + " has no power");
            }
            Forwarding forwarding = plane.forward(inPort, vc, to, random);
            if (!(forwarding instanceof Hop hop)) {
                return new Packet(links, vc, whole.switchName(s) + " drops it: " + Objects.requireNonNull(forwarding));
            }
            if (whole.peerNode(s, hop.port()) >= 0) {
                boolean right = whole.peerNode(s, hop.port()) == to;
                return new Packet(links, vc, right ? "" : whole.switchName(s) + " gives it to another host");
            }
            inPort = whole.peerPort(s, hop.port());
            s = whole.peerSwitch(s, hop.port());
            vc = hop.vc();
        }
        return new Packet(LINKS_MAX, vc, "more than " + (LINKS_MAX - 1) + " links between switches");
    }
}
