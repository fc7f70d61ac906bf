package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.topology.Guid;

/**
 * One end of a cable.
 *
 * @param guid the switch
 * @param name its name, or its GUID while it never came in
 * @param port number on the metal
 */
public record CableEnd(String guid, String name, int port) {
    static CableEnd of(FabricSnapshot fabric, long guid, int port) {
        SwitchSnapshot known = fabric.findSwitch(guid);
        String text = Guid.format(guid);
        return new CableEnd(text, known == null ? text : known.name(), port);
    }
}
