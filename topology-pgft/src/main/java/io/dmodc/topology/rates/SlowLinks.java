package io.dmodc.topology.rates;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Links between switches that are slower than most links between the same two ranks, as a cable is that trained at fewer
 * lanes or at a lower speed. Routing takes all links as equal, so such a one is a bottleneck nobody sees.
 *
 * <p>The norm of two ranks is the rate most of their links have, of several the fastest. Links whose rate nobody told,
 * and those of switches that no leaf reaches, are not looked at. O(ports).
 *
 * @param ranks the pairs of ranks that have slow links, by rank
 */
public record SlowLinks(List<RankPair> ranks) {
    /**
     * The links between two ranks, or inside one.
     *
     * @param lower rank of one end
     * @param upper rank of the other end, not below {@code lower}
     * @param norm the rate of most of them
     * @param links how many have a rate
     * @param slow those below the norm, by switch index and port
     */
    public record RankPair(int lower, int upper, LinkRate norm, int links, List<SlowLink> slow) {
        public RankPair {
            slow = List.copyOf(slow);
        }
    }

    /**
     * A slow link, from its lower end; inside a rank from the one with the lower index.
     *
     * @param s switch index
     */
    public record SlowLink(int s, int port, LinkRate rate) {}

    /** No link is slow, as far as is known. */
    public static final SlowLinks NONE = new SlowLinks(List.of());

    public SlowLinks {
        ranks = List.copyOf(ranks);
    }

    /** Finds them among the live links of a view; at once while all rates that are known are the same. */
    public static SlowLinks of(FabricView view, LinkRates rates) {
        return new SlowLinkFinder().find(view, rates);
    }

    /** The view that routes are made for: without the slow links that they are to lead around; {@code view} itself if there are none. */
    public static FabricView routed(FabricView view, LinkRates rates, SlowLinkUse use) {
        return use == SlowLinkUse.IGNORE ? view : of(view, rates).routed(view, use);
    }

    /** The same, where they were found already. */
    public FabricView routed(FabricView view, SlowLinkUse use) {
        List<PortPlace> leftOut = leftOut(use, view);
        return leftOut.isEmpty() ? view : view.without(new BitSet(), leftOut);
    }

    /** How many there are. */
    public int count() {
        return ranks.stream().mapToInt(pair -> pair.slow.size()).sum();
    }

    /** Those that routes are to lead around; as {@link #avoidable} of the same view, or none. */
    public List<PortPlace> leftOut(SlowLinkUse use, FabricView view) {
        return use == SlowLinkUse.AVOID ? avoidable(view) : List.of();
    }

    /**
     * Those that routes can do without: beside them a link that is not slow leads to the same switch. Without them no two
     * switches lose their last link, so no path is lost.
     *
     * @param view the one they were found in, or the same with fewer links
     * @return by their lower ends, in the order of {@link #ranks}
     */
    public List<PortPlace> avoidable(FabricView view) {
        Set<PortPlace> slow = new HashSet<>();
        List<PortPlace> places = new ArrayList<>();
        for (RankPair pair : ranks) {
            for (SlowLink link : pair.slow) {
                slow.add(new PortPlace(view.switchGuid(link.s), link.port));
            }
        }
        for (RankPair pair : ranks) {
            for (SlowLink link : pair.slow) {
                if (hasFasterBeside(view, link, slow)) {
                    places.add(new PortPlace(view.switchGuid(link.s), link.port));
                }
            }
        }
        return places;
    }

    private static boolean hasFasterBeside(FabricView view, SlowLink link, Set<PortPlace> slow) {
        int remote = view.peerSwitch(link.s, link.port);
        for (int g = view.groupStart(link.s); remote >= 0 && g < view.groupEnd(link.s); g++) {
            for (int i = 0; view.groupRemote(g) == remote && i < view.groupSize(g); i++) {
                if (!slow.contains(new PortPlace(view.switchGuid(link.s), view.groupPort(g, i)))) {
                    return true;
                }
            }
        }
        return false;
    }
}
