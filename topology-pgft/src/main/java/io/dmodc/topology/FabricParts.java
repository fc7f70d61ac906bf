package io.dmodc.topology;

import io.dmodc.topology.FabricChange.SwitchHeard;
import io.dmodc.topology.FabricChange.SwitchState;
import java.util.ArrayList;
import java.util.List;

/** The parts of a fabric that were never cabled together, each as a fabric of its own. */
public final class FabricParts {
    private FabricParts() {}

    /**
     * Takes a fabric apart; O(ports).
     *
     * @param fabric what {@code view} was drawn from; not changed
     * @return by number of the part; switches without a cable to another one are in that of most switches, the first of
     *     several. The fabric itself where there is only one part
     */
    public static List<FabricViewBuilder> of(FabricViewBuilder fabric, FabricView view) {
        if (view.partCount() <= 1) {
            return List.of(fabric);
        }
        List<FabricViewBuilder> parts = new ArrayList<>();
        int[] size = sizes(view);
        int largest = 0;
        for (int part = 0; part < size.length; part++) {
            parts.add(new FabricViewBuilder());
            largest = size[part] > size[largest] ? part : largest;
        }
        for (int s = 0; s < view.switchCount(); s++) {
            int part = view.part(s);
            copy(fabric, view.switchGuid(s), parts.get(part < 0 ? largest : part));
        }
        return parts;
    }

    /** How many switches each part has; those without a cable to another one are in none. */
    public static int[] sizes(FabricView view) {
        int[] size = new int[view.partCount()];
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.part(s) >= 0) {
                size[view.part(s)]++;
            }
        }
        return size;
    }

    private static void copy(FabricViewBuilder from, long guid, FabricViewBuilder to) {
        to.restore(from.claims(guid));
        to.apply(new SwitchHeard(guid, true));
        to.apply(new SwitchState(guid, from.alive(guid)));
    }
}
