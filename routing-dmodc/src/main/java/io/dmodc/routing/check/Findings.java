package io.dmodc.routing.check;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts of what is wrong, and the first few places of each kind. Bounded; not thread-safe. */
final class Findings {
    /** At, or from, switch {@code s} towards destination {@code d}. */
    record Place(int s, int d) {}

    private final Map<TableProperty, Long> counts = new EnumMap<>(TableProperty.class);
    private final Map<TableProperty, List<Place>> places = new EnumMap<>(TableProperty.class);
    long surplusEntries;
    long pairs;

    void add(TableProperty property, int s, int d) {
        counts.merge(property, 1L, Long::sum);
        keep(property, new Place(s, d));
    }

    private void keep(TableProperty property, Place place) {
        List<Place> kept = places.computeIfAbsent(property, p -> new ArrayList<>());
        if (kept.size() < CheckReport.EXAMPLES_MAX) {
            kept.add(place);
        }
    }

    /** Appends what another piece of work found. */
    void add(Findings other) {
        other.counts.forEach((property, count) -> counts.merge(property, count, Long::sum));
        other.places.forEach((property, kept) -> kept.forEach(place -> keep(property, place)));
        surplusEntries += other.surplusEntries;
        pairs += other.pairs;
    }

    long count(TableProperty property) {
        return counts.getOrDefault(property, 0L);
    }

    /** The first {@link CheckReport#EXAMPLES_MAX} places. */
    List<Place> places(TableProperty property) {
        return places.getOrDefault(property, List.of());
    }
}
