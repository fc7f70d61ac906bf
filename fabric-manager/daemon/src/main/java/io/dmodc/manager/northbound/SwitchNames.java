package io.dmodc.manager.northbound;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.topology.Guid;
import java.util.List;
import java.util.stream.Collectors;

/** Finds the switch that people mean by a GUID or a name. O(switches) for a name. */
final class SwitchNames {
    private SwitchNames() {}

    /**
     * Finds it. {@code 0x…} is a GUID; anything else a name first, and only where no switch is called so, a GUID
     * without its {@code 0x}.
     *
     * @throws RequestRefused when there is none, or more than one
     */
    static SwitchSnapshot find(FabricSnapshot fabric, String text) {
        if (text.startsWith("0x") || text.startsWith("0X")) {
            return byGuid(fabric, text);
        }
        List<SwitchSnapshot> called = fabric.switches().stream()
                .filter(record -> record.name().equals(text))
                .toList();
        if (called.size() > 1) {
            throw RequestRefused.badRequest(called.size() + " switches are called '" + text + "': "
                    + called.stream().map(record -> Guid.format(record.guid())).collect(Collectors.joining(", "))
                    + "; give the GUID");
        }
        if (called.size() == 1) {
            return called.get(0);
        }
        if (text.matches("[0-9a-fA-F]{1,16}")) {
            return byGuid(fabric, text);
        }
        throw RequestRefused.notFound("no switch '" + text + "'");
    }

    private static SwitchSnapshot byGuid(FabricSnapshot fabric, String text) {
        long guid = Parameters.guid(text);
        SwitchSnapshot record = fabric.findSwitch(guid);
        if (record == null) {
            throw RequestRefused.notFound("no switch " + Guid.format(guid));
        }
        return record;
    }
}
