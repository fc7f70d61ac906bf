package io.dmodc.ctl.report;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What switches are called on the page: by name; with the GUID where there is no name, or several have it. */
final class SwitchNames {
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
        if (name.isBlank()) {
            return guid;
        }
        return times.getOrDefault(name, 0) > 1 ? name + " (" + guid + ")" : name;
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
