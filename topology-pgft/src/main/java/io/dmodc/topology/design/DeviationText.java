package io.dmodc.topology.design;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.design.CableDifferences.Cable;
import io.dmodc.topology.design.Deviation.End;
import io.dmodc.topology.design.Deviation.Kind;
import io.dmodc.topology.design.Rewiring.Misplaced;
import io.dmodc.topology.design.Rewiring.Swap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Puts what was found into words, in the order of {@link Kind}. */
final class DeviationText {
    /** Neighbours or ports named in one line; more are counted. */
    private static final int NAMED_MAX = 4;

    private final FabricView view;
    private final PlaceAssignment places;
    private final CableDifferences cables;
    private final Map<String, Integer> named = new HashMap<>();
    private final List<Deviation> deviations = new ArrayList<>();
    private int count;

    private DeviationText(FabricView view, PlaceAssignment places) {
        this.view = view;
        this.places = places;
        cables = new CableDifferences(view, places);
        for (int s = 0; s < view.switchCount(); s++) {
            named.merge(view.switchName(s), 1, Integer::sum);
        }
    }

    static DesignReport report(FabricView view, PlaceAssignment places, boolean inferred) {
        DeviationText text = new DeviationText(view, places);
        text.switchesWithoutPlace();
        text.placesWithoutSwitch();
        text.rewiring();
        text.lackingCables();
        text.hosts();
        text.deviations.sort(Comparator.comparing(Deviation::kind));
        return new DesignReport(places.shape, inferred, text.deviations, text.count, text.levels());
    }

    private GuidNumbers levels() {
        GuidNumbers levels = new GuidNumbers();
        for (int s = 0; s < view.switchCount(); s++) {
            if (places.placeOf[s] >= 0) {
                levels.put(view.switchGuid(s), places.levelOf(places.placeOf[s]) - 1);
            }
        }
        return levels;
    }

    private void add(Kind kind, String text, List<End> ends, int have, int expected) {
        count++;
        if (deviations.size() < DesignReport.DEVIATIONS_MAX) {
            deviations.add(new Deviation(kind, text, ends, have, expected));
        }
    }

    private void placesWithoutSwitch() {
        for (int place = 0; place < places.switchAt.length; place++) {
            if (places.switchAt[place] < 0) {
                int l = places.levelOf(place);
                List<Integer> below = present(place, l == 1 ? 0 : places.shape.m(l), true);
                List<Integer> above = present(place, l == places.shape.levels() ? 0 : places.shape.w(l + 1), false);
                String text = "a switch is missing on level " + l
                        + (below.isEmpty() ? "" : ", above " + names(below))
                        + (above.isEmpty() ? "" : ", below " + names(above));
                List<End> ends = new ArrayList<>();
                below.stream().limit(NAMED_MAX).forEach(s -> ends.add(end(s, 0)));
                above.stream().limit(NAMED_MAX).forEach(s -> ends.add(end(s, 0)));
                add(Kind.SWITCH_MISSING, text, ends, 0, 0);
            }
        }
    }

    private List<Integer> present(int place, int count, boolean children) {
        return IntStream.range(0, count)
                .map(k -> places.switchAt[children ? places.child(place, k) : places.parent(place, k)])
                .filter(s -> s >= 0)
                .boxed()
                .toList();
    }

    private void switchesWithoutPlace() {
        int[] empty = new int[places.shape.levels() + 1];
        for (int place = 0; place < places.switchAt.length; place++) {
            empty[places.levelOf(place)] += places.switchAt[place] < 0 ? 1 : 0;
        }
        for (int s = 0; s < view.switchCount(); s++) {
            if (!cables.isCabled(s)) {
                String text = name(s) + " has no live cable to another switch" + (view.alive(s) ? "" : ": it is down");
                add(Kind.SWITCH_UNCABLED, text, List.of(end(s, 0)), 0, 0);
            } else if (places.placeOf[s] < 0) {
                withoutPlace(s, levelThatLacks(empty, places.level[s]));
            }
        }
    }

    private void withoutPlace(int s, int lacking) {
        int level = places.level[s];
        if (level > 0 && lacking > 0) {
            String text = name(s) + " is cabled like a switch of level " + level + ", where it has no place; level "
                    + lacking + " lacks a switch";
            add(Kind.SWITCH_AT_WRONG_LEVEL, text, List.of(end(s, 0)), level, lacking);
        } else {
            int cableCount = cableCount(s);
            String text = name(s) + " has no place in the design; it has " + plural(cableCount, "cable");
            add(Kind.SWITCH_EXTRA, text, List.of(end(s, 0)), cableCount, 0);
        }
    }

    /** Another level than the given one with an empty place, 0 if none. */
    private static int levelThatLacks(int[] empty, int not) {
        return IntStream.range(1, empty.length)
                .filter(l -> l != not && empty[l] > 0)
                .findFirst()
                .orElse(0);
    }

    private int cableCount(int s) {
        return IntStream.range(view.groupStart(s), view.groupEnd(s))
                .map(view::groupSize)
                .sum();
    }

    private void rewiring() {
        Rewiring rewiring = new Rewiring(cables);
        rewiring.swaps.forEach(this::swapped);
        rewiring.misplaced.forEach(this::misplaced);
        rewiring.left.forEach(this::extra);
    }

    private void swapped(Swap swap) {
        Cable other = swap.other();
        End near = end(swap.s(), swap.port());
        End far = end(swap.far(), swap.farPort());
        End first = end(other.s(), other.port());
        End last = end(other.far(), other.farPort());
        End third = swap.otherTurned() ? last : first;
        End fourth = swap.otherTurned() ? first : last;
        add(
                Kind.CABLES_SWAPPED,
                "cables " + near + " – " + far + orAnother(swap.s(), swap.far()) + " and " + third + " – " + fourth
                        + orAnother(other.s(), other.far()) + " look swapped: expected " + near + " – " + fourth
                        + " and "
                        + third + " – " + far,
                List.of(near, far, third, fourth),
                0,
                0);
    }

    /** Which of several parallel cables is the wrong one cannot be seen from the cabling. */
    private String orAnother(int s, int far) {
        int have = cables.have(s, far);
        return have > 1 ? " (or another of the " + have + " between them)" : "";
    }

    private void misplaced(Misplaced m) {
        End stays = end(m.s(), m.port());
        End wrong = end(m.far(), m.farPort());
        add(
                Kind.CABLE_MISPLACED,
                "cable " + stays + " – " + wrong + orAnother(m.s(), m.far()) + " leads to the wrong switch: expected "
                        + name(m.expected()) + freePorts(m.expected()),
                List.of(stays, wrong, end(m.expected(), 0)),
                0,
                0);
    }

    private void extra(Cable cable) {
        End near = end(cable.s(), cable.port());
        End far = end(cable.far(), cable.farPort());
        int expected = cables.expected(cable.s(), cable.far());
        int have = cables.have(cable.s(), cable.far());
        if (expected > 0) {
            add(
                    Kind.BUNDLE_UNEQUAL,
                    "cable " + near + " – " + far + " is one too many: " + have + " of " + expected + " cables",
                    List.of(near, far),
                    have,
                    expected);
        } else {
            add(Kind.CABLE_EXTRA, "cable " + near + " – " + far + " is not in the design", List.of(near, far), 1, 0);
        }
    }

    /** Each pair is told once, from its lower end. */
    private void lackingCables() {
        for (int s = 0; s < view.switchCount(); s++) {
            for (Map.Entry<Integer, Integer> entry : cables.lackingOf(s).entrySet()) {
                int far = entry.getKey();
                if (places.placeOf[s] < places.placeOf[far]) {
                    lacking(s, far, entry.getValue());
                }
            }
        }
    }

    /** What was explained by another cable counts as there. */
    private void lacking(int s, int far, int lack) {
        int expected = cables.expected(s, far);
        int have = expected - lack;
        String between = name(s) + freePorts(s) + " and " + name(far) + freePorts(far);
        List<End> ends = List.of(end(s, onlyFreePort(s)), end(far, onlyFreePort(far)));
        if (have > 0) {
            add(Kind.BUNDLE_UNEQUAL, have + " of " + expected + " cables between " + between, ends, have, expected);
        } else {
            String what = expected == 1 ? "a cable is missing" : "all " + expected + " cables are missing";
            add(Kind.CABLE_MISSING, what + " between " + between, ends, 0, expected);
        }
    }

    private void hosts() {
        int[] hosts = view.hostsOfSwitches();
        for (int s = 0; s < view.switchCount(); s++) {
            int place = places.placeOf[s];
            int expected = place >= 0 && places.levelOf(place) == 1 ? places.shape.m(1) : 0;
            if (place >= 0 && hosts[s] != expected) {
                String text = expected > 0
                        ? name(s) + " has " + hosts[s] + " of " + plural(expected, "host")
                        : name(s) + " on level " + places.levelOf(place) + " has " + plural(hosts[s], "host")
                                + ", expected none above the leaves";
                add(Kind.HOSTS_UNEQUAL, text, List.of(end(s, 0)), hosts[s], expected);
            }
        }
    }

    private String names(List<Integer> switches) {
        String names = switches.stream().limit(NAMED_MAX).map(this::name).collect(Collectors.joining(", "));
        return switches.size() > NAMED_MAX ? names + " and " + (switches.size() - NAMED_MAX) + " more" : names;
    }

    private String freePorts(int s) {
        int[] free = free(s);
        if (free.length == 0) {
            return "";
        }
        String ports =
                IntStream.of(free).limit(NAMED_MAX).mapToObj(Integer::toString).collect(Collectors.joining(", "));
        return (free.length == 1 ? " (free port " : " (free ports ")
                + ports
                + (free.length > NAMED_MAX ? " and " + (free.length - NAMED_MAX) + " more)" : ")");
    }

    private int onlyFreePort(int s) {
        int[] free = free(s);
        return free.length == 1 ? free[0] : 0;
    }

    private int[] free(int s) {
        return IntStream.rangeClosed(1, view.portCount(s))
                .filter(port -> view.peerSwitch(s, port) < 0 && view.peerNode(s, port) < 0)
                .toArray();
    }

    private End end(int s, int port) {
        return new End(view.switchGuid(s), name(s), port);
    }

    /** The name if it is the only one of its kind, with the GUID otherwise. */
    private String name(int s) {
        String name = view.switchName(s);
        String guid = Guid.format(view.switchGuid(s));
        return name.isEmpty() ? guid : named.getOrDefault(name, 0) == 1 ? name : name + " " + guid;
    }

    private static String plural(int count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
