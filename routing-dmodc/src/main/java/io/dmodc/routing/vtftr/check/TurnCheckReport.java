package io.dmodc.routing.vtftr.check;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the check found. Filled by {@link TurnCheck}; not thread-safe. */
public final class TurnCheckReport {
    /** Most examples that are kept of one property. */
    public static final int EXAMPLES_MAX = 3;

    private final Map<TurnProperty, Integer> counts = new EnumMap<>(TurnProperty.class);
    private final Map<TurnProperty, List<String>> examples = new EnumMap<>(TurnProperty.class);
    private final Map<Integer, Integer> pairsByRoutings = new TreeMap<>();
    private int declared;
    private int burstCases;

    TurnCheckReport(Set<TurnProperty> checked) {
        checked.forEach(property -> counts.put(property, 0));
    }

    void fail(TurnProperty property, String example) {
        counts.merge(property, 1, Integer::sum);
        List<String> kept = examples.computeIfAbsent(property, p -> new ArrayList<>());
        if (kept.size() < EXAMPLES_MAX) {
            kept.add(example);
        }
    }

    void countPair(int routings) {
        pairsByRoutings.merge(routings, 1, Integer::sum);
    }

    void countDeclared() {
        declared++;
    }

    void countCase() {
        burstCases++;
    }

    /** Everything that was checked holds. */
    public boolean valid() {
        return counts.values().stream().allMatch(count -> count == 0);
    }

    /** Those that were checked and failed. */
    public Set<TurnProperty> failed() {
        Map<TurnProperty, Integer> failed = new EnumMap<>(counts);
        failed.values().removeIf(count -> count == 0);
        return failed.keySet();
    }

    /** Ordered pairs of live leaves by the most routings they may need, while nothing dies unannounced. */
    public Map<Integer, Integer> pairsByRoutings() {
        return new TreeMap<>(pairsByRoutings);
    }

    /** Ordered pairs of live leaves without a route, while nothing dies unannounced. */
    public int declared() {
        return declared;
    }

    /** Sets of unannounced faults that were gone through, the empty one too. */
    public int burstCases() {
        return burstCases;
    }

    /** A property that was checked: how often it failed, and examples of that. */
    public record Finding(TurnProperty property, int failures, List<String> examples) {}

    /** All properties that were checked, in their order. */
    public List<Finding> findings() {
        return counts.entrySet().stream()
                .map(entry -> new Finding(
                        entry.getKey(),
                        entry.getValue(),
                        List.copyOf(examples.getOrDefault(entry.getKey(), List.of()))))
                .toList();
    }

    /** For people: one line a property, and examples of what fails. */
    public List<String> text() {
        List<String> lines = new ArrayList<>();
        counts.forEach((property, count) -> {
            lines.add(property.text() + ": " + (count == 0 ? "holds" : "fails, " + count + " times"));
            examples.getOrDefault(property, List.of()).forEach(example -> lines.add("  " + example));
        });
        return lines;
    }
}
