package io.dmodc.routing.opensm;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What was read from a dump.
 *
 * @param nodeTables columns are node indices
 * @param switchTables columns are switch indices
 * @param missingSwitches indices of live switches without a section, ascending: OpenSM would leave them without routes
 * @param unknownSwitches sections skipped because no switch of the view has their GUID
 * @param unknownDestinations entries skipped because no switch or node of the view has their GUID, or LID
 * @param furtherLids entries for other LIDs of a port than its lowest (LMC > 0), which no table here holds
 * @param furtherLidsElsewhere those of them with another port than the entry for the lowest LID
 * @param unknownGuids the first {@link #GUIDS_MAX} GUIDs of both kinds
 */
public record OpenSmTables(
        LftSet nodeTables,
        LftSet switchTables,
        List<Integer> missingSwitches,
        int unknownSwitches,
        long unknownDestinations,
        long furtherLids,
        long furtherLidsElsewhere,
        List<Long> unknownGuids) {
    /** Most unknown GUIDs that are listed. */
    public static final int GUIDS_MAX = 10;

    public OpenSmTables {
        missingSwitches = List.copyOf(missingSwitches);
        unknownGuids = List.copyOf(unknownGuids);
    }

    /** What could not be used, as text; empty if all was. */
    public List<String> remarks(FabricView view) {
        List<String> remarks = new ArrayList<>();
        if (!missingSwitches.isEmpty()) {
            remarks.add(missingSwitches.size() + " live switches have no section: "
                    + missingSwitches.stream()
                            .limit(GUIDS_MAX)
                            .map(s -> Guid.format(view.switchGuid(s)) + " (" + view.switchName(s) + ")")
                            .collect(Collectors.joining(", "))
                    + (missingSwitches.size() > GUIDS_MAX ? ", …" : ""));
        }
        if (unknownSwitches > 0 || unknownDestinations > 0) {
            remarks.add("skipped " + unknownSwitches + " sections of unknown switches and " + unknownDestinations
                    + " entries of unknown destinations"
                    + (unknownGuids.isEmpty() ? "" : "; first unknown GUIDs: ")
                    + unknownGuids.stream().map(Guid::format).collect(Collectors.joining(", ")));
        }
        if (furtherLids > 0) {
            remarks.add(
                    furtherLids + " entries are for other LIDs of a port than its lowest (LMC > 0) and were left out; "
                            + furtherLidsElsewhere + " of them lead by another port");
        }
        return remarks;
    }
}
