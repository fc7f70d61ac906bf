package io.dmodc.topology.rates;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.rates.SlowLinks.RankPair;
import io.dmodc.topology.rates.SlowLinks.SlowLink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the slow links of one view after another, as {@link SlowLinks#of} does. It keeps for each link, at its lower end, with which rate it was counted, how
 * many links of each pair of ranks have which rate, and which have another one than most: so it looks only at switches whose links changed or of
 * which another rate was told since, O(ports) of a comparison of flat arrays, as any fault costs. All links are looked at, O(links), when ranks
 * or switches are others than before, and when most links of a pair have another rate. Not thread-safe.
 */
public final class SlowLinkFinder {
    private @Nullable FabricView last;

    /** Of which another rate was told since; at most all that ever told any. */
    private final Set<Long> told = new HashSet<>();

    /** By switch, where its ports begin in {@link #counted}. */
    private int[] portBase = {};

    /** By port of the lower end: with which rate its link was counted; {@code null}: there is none, or its rate is not known. */
    private @Nullable LinkRate[] counted = {};

    /** By port of the lower end, with {@link #counted}: rank of that end × {@link #width} + rank of the other. */
    private int[] pairs = {};

    private int width;

    /** By pair. */
    private final Map<Integer, Kind> kinds = new TreeMap<>();

    /** The links between two ranks. */
    private static final class Kind {
        final Map<LinkRate, Integer> counts = new HashMap<>();

        /** Of most of them; {@code null} before they were all counted. */
        @Nullable
        LinkRate norm;

        /** Those with another rate, by port of the lower end. */
        final TreeMap<Integer, LinkRate> others = new TreeMap<>();

        /** Of those that are there most often, the fastest. */
        LinkRate most() {
            return counts.entrySet().stream()
                    .max(Map.Entry.<LinkRate, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .orElseThrow()
                    .getKey();
        }
    }

    /** A port of this switch says another rate than before. */
    public void told(long switchGuid) {
        told.add(switchGuid);
    }

    /** Finds them among the live links of a view; at once while all rates that are known are the same. */
    public SlowLinks find(FabricView view, LinkRates rates) {
        FabricView before = last;
        int[] changed = before == null ? null : view.switchesRelinkedSince(before);
        last = rates.differ() ? view : null;
        if (!rates.differ()) {
            told.clear();
            return SlowLinks.NONE;
        }
        if (changed == null) {
            countAll(view, rates);
        } else {
            Arrays.stream(changed).forEach(s -> recount(view, rates, s));
            told.stream().mapToInt(view::switchOf).filter(s -> s >= 0).forEach(s -> recount(view, rates, s));
        }
        told.clear();
        return slow();
    }

    private void countAll(FabricView view, LinkRates rates) {
        width = view.rankMax() + 1;
        portBase = new int[view.switchCount() + 1];
        for (int s = 0; s < view.switchCount(); s++) {
            portBase[s + 1] = portBase[s] + view.portCount(s);
        }
        counted = new LinkRate[portBase[view.switchCount()]];
        pairs = new int[counted.length];
        kinds.clear();
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                int far = view.peerSwitch(s, port);
                if (far >= 0 && isLower(view, s, far)) {
                    recount(view, rates, s, port);
                }
            }
        }
    }

    /** Counts the links of a switch as they are now: those it is the lower end of, and those at whose other end that is. */
    private void recount(FabricView view, LinkRates rates, int s) {
        for (int port = 1; port <= view.portCount(s); port++) {
            int far = view.peerSwitch(s, port);
            if (far < 0 || isLower(view, s, far)) {
                recount(view, rates, s, port);
            } else {
                count(portBase[s] + port - 1, null, 0);
                recount(view, rates, far, view.peerPort(s, port));
            }
        }
    }

    private static boolean isLower(FabricView view, int s, int far) {
        return view.rank(far) > view.rank(s) || (view.rank(far) == view.rank(s) && far > s);
    }

    private void recount(FabricView view, LinkRates rates, int s, int port) {
        int far = view.peerSwitch(s, port);
        boolean ranked = far >= 0 && view.rank(s) >= 0;
        LinkRate rate = !ranked
                ? null
                : LinkRate.slower(
                        said(rates.ofSwitch(view.switchGuid(s)), port),
                        said(rates.ofSwitch(view.switchGuid(far)), view.peerPort(s, port)));
        count(portBase[s] + port - 1, rate, ranked ? view.rank(s) * width + view.rank(far) : 0);
    }

    private static @Nullable LinkRate said(@Nullable LinkRate[] ofSwitch, int port) {
        return port <= ofSwitch.length ? ofSwitch[port - 1] : null;
    }

    private void count(int place, @Nullable LinkRate rate, int pair) {
        LinkRate was = counted[place];
        if (Objects.equals(was, rate) && (rate == null || pairs[place] == pair)) {
            return;
        }
        if (was != null) {
            Kind kind = kind(pairs[place]);
            kind.counts.merge(was, -1, (a, b) -> a + b == 0 ? null : a + b);
            kind.others.remove(place);
        }
        if (rate != null) {
            Kind kind = kind(pair);
            kind.counts.merge(rate, 1, Integer::sum);
            if (kind.norm != null && !rate.equals(kind.norm)) {
                kind.others.put(place, rate);
            }
        }
        counted[place] = rate;
        pairs[place] = pair;
    }

    private Kind kind(int pair) {
        return kinds.computeIfAbsent(pair, any -> new Kind());
    }

    private SlowLinks slow() {
        kinds.values().removeIf(kind -> kind.counts.isEmpty());
        List<RankPair> slow = new ArrayList<>();
        kinds.forEach((pair, kind) -> {
            LinkRate most = kind.most();
            if (!most.equals(kind.norm)) {
                kind.norm = most;
                collectOthers(pair, kind);
            }
            List<SlowLink> below = new ArrayList<>();
            kind.others.forEach((place, rate) -> {
                if (rate.compareTo(most) < 0) {
                    int s = switchOf(place);
                    below.add(new SlowLink(s, place - portBase[s] + 1, rate));
                }
            });
            if (!below.isEmpty()) {
                int links = kind.counts.values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
                slow.add(new RankPair(pair / width, pair % width, most, links, below));
            }
        });
        return new SlowLinks(slow);
    }

    private void collectOthers(int pair, Kind kind) {
        kind.others.clear();
        for (int place = 0; kind.counts.size() > 1 && place < counted.length; place++) {
            LinkRate rate = counted[place];
            if (rate != null && pairs[place] == pair && !rate.equals(kind.norm)) {
                kind.others.put(place, rate);
            }
        }
    }

    private int switchOf(int place) {
        int at = Arrays.binarySearch(portBase, place);
        return at >= 0 ? at : -at - 2;
    }
}
