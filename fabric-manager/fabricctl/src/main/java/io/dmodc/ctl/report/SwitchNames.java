package io.dmodc.ctl.report;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What switches are called on the page: by name; by GUID where there is no name, or many have it; by both where a few do. */
final class SwitchNames {
    /** A name that more switches have is what their maker wrote, and only makes lines long. */
    private static final int SHARING_MAX = 3;

    private final FabricView view;
    private final Map<String, Integer> times = new HashMap<>();

    SwitchNames(FabricView view) {
        this.view = view;
        for (int s = 0; s < view.switchCount(); s++) {
            times.merge(view.switchName(s), 1, Integer::sum);
        }
    }

    String of(int s) {
        String name = view.switchName(s);
        String guid = Guid.format(view.switchGuid(s));
        int sharing = times.getOrDefault(name, 0);
        if (name.isBlank() || sharing > SHARING_MAX) {
            return guid;
        }
        return sharing > 1 ? name + " (" + guid + ")" : name;
    }

    String port(int s, int port) {
        return of(s) + " port " + port;
    }

    /** The first few, and how many more. */
    String some(Collection<Integer> switches, int most) {
        return switches.stream().limit(most).map(this::of).collect(Collectors.joining(", "))
                + (switches.size() > most ? " and " + (switches.size() - most) + " more" : "");
    }
}
