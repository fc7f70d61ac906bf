package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.southbound.Guids;
import org.jspecify.annotations.Nullable;

/** A far end in a line for people. */
final class FarEndText {
    private FarEndText() {}

    static String of(@Nullable FarEnd far) {
        if (far == null) {
            return "nobody";
        }
        String mac = far.mac() == null ? "" : ", " + far.mac();
        if (far.neighbour() instanceof SwitchPort end) {
            return "switch " + Guids.text(end.guid()) + " port " + end.port() + mac;
        }
        if (far.neighbour() instanceof HostPort host) {
            String name = host.name().isEmpty() ? "" : " " + host.name();
            return "host" + name + " port " + Guids.text(host.portGuid()) + ", " + host.addresses();
        }
        throw new IllegalStateException("nobody says what a " + far.neighbour().getClass() + " is");
    }
}
