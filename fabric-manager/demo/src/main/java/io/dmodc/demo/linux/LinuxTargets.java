package io.dmodc.demo.linux;

import io.dmodc.demo.linux.FabricPlan.Cable;
import io.dmodc.demo.linux.FabricPlan.SwitchPlace;
import java.util.Comparator;
import java.util.List;

/**
 * Who plays which part.
 *
 * @param cables two that lead up from different leaves, which have another way up
 * @param spine a switch of the highest rank, to lose power
 * @param other another of them, whose agent is killed
 */
record LinuxTargets(List<Cable> cables, SwitchPlace spine, SwitchPlace other) {
    /** @throws IllegalArgumentException in one line when the fabric has nothing to spare: what is lost could not heal */
    static LinuxTargets of(FabricPlan plan) {
        List<SwitchPlace> spines = plan.switches().stream()
                .sorted(Comparator.comparingInt(SwitchPlace::rank).reversed())
                .toList();
        SwitchPlace spine = spines.get(0);
        SwitchPlace other = spines.get(Math.min(1, spines.size() - 1));
        List<Cable> cables = plan.switches().stream()
                .filter(place -> place.rank() == 0)
                .map(leaf -> ups(plan, leaf))
                .filter(ups -> ups.size() > 1)
                .map(ups -> ups.get(0))
                .limit(2)
                .toList();
        if (spine.rank() == 0 || other.rank() != spine.rank() || cables.size() < 2) {
            throw new IllegalArgumentException(
                    "the fabric has fewer than two switches on its highest level, or fewer than two"
                            + " leaves with two cables up: nothing can heal");
        }
        return new LinuxTargets(cables, spine, other);
    }

    private static List<Cable> ups(FabricPlan plan, SwitchPlace leaf) {
        return plan.links().stream()
                .filter(cable -> cable.first().namespace().equals(leaf.namespace()))
                .toList();
    }
}
