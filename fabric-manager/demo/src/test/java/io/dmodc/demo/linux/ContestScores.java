package io.dmodc.demo.linux;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What was measured of one contestant, over all its turns. */
final class ContestScores {
    private final String name;
    private final Map<ContestFault, List<Outages>> outages = new EnumMap<>(ContestFault.class);
    private final List<Double> processorPercent = new ArrayList<>();
    private final List<Double> memoryMib = new ArrayList<>();

    ContestScores(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    void add(ContestFault fault, Outages measured) {
        outages.computeIfAbsent(fault, kind -> new ArrayList<>()).add(measured);
    }

    /** What a switch costs while nothing happens: percent of a core, MiB. */
    void addIdle(double percent, double mib) {
        processorPercent.add(percent);
        memoryMib.add(mib);
    }

    List<Double> pairsHit(ContestFault fault) {
        return of(fault).stream().map(each -> (double) each.hit().size()).toList();
    }

    List<Double> outageMedian(ContestFault fault) {
        return of(fault).stream().map(Outages::medianMillis).toList();
    }

    List<Double> outageMost(ContestFault fault) {
        return of(fault).stream().map(Outages::maxMillis).toList();
    }

    List<Double> lostPairMillis(ContestFault fault) {
        return of(fault).stream().map(Outages::lostPairMillis).toList();
    }

    List<Double> processorPercent() {
        return processorPercent;
    }

    List<Double> memoryMib() {
        return memoryMib;
    }

    private List<Outages> of(ContestFault fault) {
        return outages.getOrDefault(fault, List.of());
    }

    static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int half = sorted.size() / 2;
        return sorted.isEmpty()
                ? Double.NaN
                : sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }
}
