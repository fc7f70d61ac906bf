package io.dmodc.topology.design;

import io.dmodc.topology.design.CableDifferences.Cable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Explains surplus cables by lacking ones: two cables that only need to change one end each, then single cables of
 * which one end is right.
 *
 * <p>Each surplus cable looks at the lacking neighbours of its ends and at the surplus cables there, at most 254 of
 * each; the first explanation in order of switch and port is taken.
 */
final class Rewiring {
    /**
     * {@code one} and {@code other} were exchanged: its near end and the other's far end belong together, and so on.
     */
    record Swap(int s, int port, int far, int farPort, Cable other, boolean otherTurned) {}

    /** The cable at a port of {@code s} leads to a port of {@code far} and should lead to {@code expected}. */
    record Misplaced(int s, int port, int far, int farPort, int expected) {}

    final List<Swap> swaps = new ArrayList<>();
    final List<Misplaced> misplaced = new ArrayList<>();

    /** Surplus cables that nothing explains. */
    final List<Cable> left = new ArrayList<>();

    private final CableDifferences cables;
    private final Map<Integer, List<Integer>> surplusAt = new HashMap<>();
    private final boolean[] explained;

    /** Marks in {@code cables} what it explains. */
    Rewiring(CableDifferences cables) {
        this.cables = cables;
        explained = new boolean[cables.surplus.size()];
        for (int i = 0; i < explained.length; i++) {
            Cable cable = cables.surplus.get(i);
            surplusAt.computeIfAbsent(cable.s(), s -> new ArrayList<>()).add(i);
            surplusAt.computeIfAbsent(cable.far(), s -> new ArrayList<>()).add(i);
        }
        for (int i = 0; i < explained.length; i++) {
            explained[i] = explained[i] || swap(i);
        }
        for (int i = 0; i < explained.length; i++) {
            if (!explained[i] && !misplace(cables.surplus.get(i))) {
                left.add(cables.surplus.get(i));
            }
        }
    }

    private boolean swap(int i) {
        Cable one = cables.surplus.get(i);
        for (int right : cables.lackingOf(one.s()).keySet()) {
            for (int j : surplusAt.getOrDefault(right, List.of())) {
                Cable other = cables.surplus.get(j);
                boolean turned = other.s() == right;
                int back = turned ? other.far() : other.s();
                if (j != i && !explained[j] && cables.lacking(one.far(), back) > 0) {
                    cables.explain(one.s(), right);
                    cables.explain(one.far(), back);
                    explained[j] = true;
                    swaps.add(new Swap(one.s(), one.port(), one.far(), one.farPort(), other, turned));
                    return true;
                }
            }
        }
        return false;
    }

    private boolean misplace(Cable cable) {
        return misplace(cable.s(), cable.port(), cable.far(), cable.farPort())
                || misplace(cable.far(), cable.farPort(), cable.s(), cable.port());
    }

    private boolean misplace(int s, int port, int far, int farPort) {
        for (int expected : cables.lackingOf(s).keySet()) {
            cables.explain(s, expected);
            misplaced.add(new Misplaced(s, port, far, farPort, expected));
            return true;
        }
        return false;
    }
}
