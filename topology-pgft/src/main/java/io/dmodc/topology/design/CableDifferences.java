package io.dmodc.topology.design;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cables that are too many and those that are too few, for switches that have a place. Cables of a switch without a
 * place, or that lost all of its cables, are part of what is wrong with that switch and not counted here.
 */
final class CableDifferences {
    /** One cable; {@code s} is the switch with the lower index. */
    record Cable(int s, int port, int far, int farPort) {}

    /** Cables where the design has none, or more than it should have; by switch, port. */
    final List<Cable> surplus = new ArrayList<>();

    private final FabricView view;
    private final PlaceAssignment places;

    /** By switch and neighbour by design, both ways: how many cables lack. No entry where none does. */
    private final Map<Integer, TreeMap<Integer, Integer>> lacking = new TreeMap<>();

    CableDifferences(FabricView view, PlaceAssignment places) {
        this.view = view;
        this.places = places;
        for (int s = 0; s < view.switchCount(); s++) {
            if (places.placeOf[s] >= 0) {
                collectSurplus(s);
                collectLacking(s);
            }
        }
    }

    private void collectSurplus(int s) {
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            int far = view.groupRemote(group);
            if (far > s && places.placeOf[far] >= 0) {
                for (int i = expected(s, far); i < view.groupSize(group); i++) {
                    int port = view.groupPort(group, i);
                    surplus.add(new Cable(s, port, far, view.peerPort(s, port)));
                }
            }
        }
    }

    /** False for a switch that stands alone where the design has others: it is told as a whole, not cable by cable. */
    boolean isCabled(int s) {
        return places.shape.levels() == 1 || view.groupStart(s) < view.groupEnd(s);
    }

    /** Cables between two placed switches by design. */
    int expected(int s, int far) {
        int place = places.placeOf[s];
        int farPlace = places.placeOf[far];
        return places.neighbours(place, farPlace) ? places.shape.p(places.levelOf(Math.max(place, farPlace))) : 0;
    }

    /** Cables between two switches. */
    int have(int s, int far) {
        int low = view.groupStart(s);
        int high = view.groupEnd(s) - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (view.groupRemote(middle) == far) {
                return view.groupSize(middle);
            }
            if (view.groupRemote(middle) < far) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return 0;
    }

    private void collectLacking(int s) {
        int place = places.placeOf[s];
        int l = places.levelOf(place);
        for (int k = 0; l > 1 && k < places.shape.m(l); k++) {
            int child = places.switchAt[places.child(place, k)];
            int lack = child < 0 || !isCabled(s) || !isCabled(child) ? 0 : places.shape.p(l) - have(s, child);
            if (lack > 0) {
                lacking.computeIfAbsent(s, key -> new TreeMap<>()).put(child, lack);
                lacking.computeIfAbsent(child, key -> new TreeMap<>()).put(s, lack);
            }
        }
    }

    long lackingCount() {
        long ends = lacking.values().stream()
                .flatMap(counts -> counts.values().stream())
                .mapToLong(Integer::longValue)
                .sum();
        return ends / 2;
    }

    int lacking(int s, int far) {
        return lackingOf(s).getOrDefault(far, 0);
    }

    /** Neighbours to which cables lack, ascending, with how many. */
    Map<Integer, Integer> lackingOf(int s) {
        return lacking.getOrDefault(s, new TreeMap<>());
    }

    /** Takes one lacking cable as explained. */
    void explain(int s, int far) {
        lower(s, far);
        lower(far, s);
    }

    private void lower(int s, int far) {
        lacking.getOrDefault(s, new TreeMap<>()).computeIfPresent(far, (key, lack) -> lack > 1 ? lack - 1 : null);
    }
}
