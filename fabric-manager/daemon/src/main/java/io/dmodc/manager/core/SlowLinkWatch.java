package io.dmodc.manager.core;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.rates.SlowLinkFinder;
import io.dmodc.topology.rates.SlowLinks;
import io.dmodc.topology.rates.SlowLinks.RankPair;
import io.dmodc.topology.rates.SlowLinks.SlowLink;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which links are slower than most between the same two ranks, and which of them routes lead around.
 *
 * <p>Those left out are chosen with each view that is drawn. When a rate, the settings or an agent change between two views, they are looked for
 * again in the last one, at most every {@value #LOOK_MILLIS} ms, and a new view is drawn only if others are to be left out. A slow link that
 * a switch sends over which cannot be told anything stays in the routes: its row would be one that leads nowhere.
 */
final class SlowLinkWatch {
    private static final long LOOK_MILLIS = 100;
    private static final long LOOK_NANOS = LOOK_MILLIS * 1_000_000;

    /** How slow a link is, and what most others between these ranks carry. */
    record Slow(LinkRate rate, LinkRate norm, int lower, int upper) {
        String text() {
            return rate + ", most between rank " + lower + " and " + upper + " have " + norm;
        }
    }

    private final FabricState state;
    private final SlowLinkFinder finder = new SlowLinkFinder();

    /** By both ends. */
    private Map<PortPlace, Slow> slow = Map.of();

    /** Left out of the last view drawn, by one end. */
    private List<PortPlace> leftOut = List.of();

    /** The same by both ends. */
    private Set<PortPlace> leftOutEnds = Set.of();

    /** The last view drawn without what is drained, from which they were chosen. */
    private @Nullable FabricView usable;

    private boolean look;
    private long lookedNanos = Long.MIN_VALUE / 2;

    SlowLinkWatch(FabricState state) {
        this.state = state;
    }

    /** A port says what its link was trained to; {@code null}: it does not know, or is down. */
    void told(long guid, int port, @Nullable LinkRate rate) {
        if (state.cabling.setRate(guid, port, rate)) {
            look = true;
            finder.told(guid);
            state.touchPort(guid, port);
        }
    }

    /** What is to be done with slow links is another. */
    void ruleChanged() {
        look = true;
    }

    /** A switch can be told something again, or no longer. */
    void agentChanged() {
        look |= !slow.isEmpty();
    }

    /** How slow the live link at this port is; {@code null}: it is not, as far as is known. */
    @Nullable
    Slow at(PortPlace place) {
        return slow.get(place);
    }

    /** True if the routes of the last view lead around the link at this port because it is slow. */
    boolean isLeftOut(PortPlace place) {
        return leftOutEnds.contains(place);
    }

    /**
     * A view is drawn.
     *
     * @param works the links that work
     * @param drawn the same without what is drained
     * @return the links that its routes are to lead around, by one end
     */
    List<PortPlace> draw(FabricView works, FabricView drawn) {
        look = false;
        usable = drawn;
        leftOut = find(works, drawn);
        Set<PortPlace> before = leftOutEnds;
        leftOutEnds = bothEnds(leftOut, works);
        touchWhere(before, place -> !leftOutEnds.contains(place));
        touchWhere(leftOutEnds, place -> !before.contains(place));
        return leftOut;
    }

    void timePassed(long nowNanos) {
        FabricView works = state.works;
        FabricView drawn = usable;
        if (!look || works == null || drawn == null || nowNanos < nextDeadline()) {
            return;
        }
        look = false;
        lookedNanos = nowNanos;
        List<PortPlace> wanted = find(works, drawn);
        if (!wanted.equals(leftOut)) {
            state.news.add(nowNanos, "slow links: " + wanted.size() + " led around, " + leftOut.size() + " before");
        }
    }

    /** When what changed since the last look is looked at; {@code Long.MAX_VALUE}: nothing did. */
    long nextDeadline() {
        return look && usable != null ? lookedNanos + LOOK_NANOS : Long.MAX_VALUE;
    }

    private List<PortPlace> find(FabricView works, FabricView drawn) {
        SlowLinks found = finder.find(works, state.cabling.rates());
        Map<PortPlace, Slow> before = slow;
        slow = byEnds(found, works);
        touchWhere(before.keySet(), place -> !Objects.equals(before.get(place), slow.get(place)));
        touchWhere(slow.keySet(), place -> !before.containsKey(place));
        return found.leftOut(state.rules.slowLinks(), drawn).stream()
                .filter(place -> !isSentOver(place) && !isSentOver(far(place, works)))
                .toList();
    }

    private static Map<PortPlace, Slow> byEnds(SlowLinks found, FabricView works) {
        Map<PortPlace, Slow> slow = new HashMap<>();
        for (RankPair pair : found.ranks()) {
            for (SlowLink link : pair.slow()) {
                Slow how = new Slow(link.rate(), pair.norm(), pair.lower(), pair.upper());
                PortPlace near = new PortPlace(works.switchGuid(link.s()), link.port());
                slow.put(near, how);
                slow.put(far(near, works), how);
            }
        }
        return slow;
    }

    private static Set<PortPlace> bothEnds(List<PortPlace> places, FabricView works) {
        Set<PortPlace> ends = new HashSet<>(places);
        places.forEach(place -> ends.add(far(place, works)));
        return ends;
    }

    /** The other end of a live link. */
    static PortPlace far(PortPlace place, FabricView works) {
        int s = works.switchOf(place.guid());
        return new PortPlace(works.switchGuid(works.peerSwitch(s, place.port())), works.peerPort(s, place.port()));
    }

    private void touchWhere(Set<PortPlace> places, Predicate<PortPlace> changed) {
        places.stream().filter(changed).forEach(place -> state.touchPort(place.guid(), place.port()));
    }

    /** By a switch that cannot be told to send elsewhere. */
    private boolean isSentOver(PortPlace place) {
        SwitchRecord record = state.switches.get(place.guid());
        return record != null
                && !record.reachable()
                && record.possibleRows().stream().anyMatch(row -> DrainWatch.leadsThrough(row, place.port()));
    }
}
