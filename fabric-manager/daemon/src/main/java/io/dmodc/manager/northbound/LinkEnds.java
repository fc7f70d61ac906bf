package io.dmodc.manager.northbound;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.topology.PortPlace;

/** Finds the cable that people mean by {@code SWITCH:PORT}, at either end. */
final class LinkEnds {
    private static final int PORT_DIGITS_MAX = 3;

    private LinkEnds() {}

    /** @throws RequestRefused when the text is no such thing, or that port leads to no switch */
    static PortPlace find(FabricSnapshot fabric, String text) {
        PortPlace place = port(fabric, text);
        if (fabric.farEnd(place) == null) {
            throw RequestRefused.notFound("no cable '" + text + "'");
        }
        return place;
    }

    /**
     * The end by which a cable was drained, also if it leads elsewhere by now.
     *
     * @throws RequestRefused when the text is no port, or neither drained nor one that leads to a switch
     */
    static PortPlace findDrained(FabricSnapshot fabric, String text) {
        PortPlace place = port(fabric, text);
        if (fabric.intent().isDrained(place)) {
            return place;
        }
        PortPlace far = fabric.farEnd(find(fabric, text));
        return far != null && fabric.intent().isDrained(far) ? far : place;
    }

    private static PortPlace port(FabricSnapshot fabric, String text) {
        int colon = text.lastIndexOf(':');
        String digits = text.substring(colon + 1);
        if (colon < 1 || !digits.matches("\\d{1," + PORT_DIGITS_MAX + "}")) {
            throw RequestRefused.badRequest("'" + text + "' is no cable; expected SWITCH:PORT");
        }
        SwitchSnapshot near = SwitchNames.find(fabric, text.substring(0, colon));
        return new PortPlace(near.guid(), Integer.parseInt(digits));
    }

    /** A cable is drained by its lower end, whichever is named. */
    static PortPlace lower(FabricSnapshot fabric, PortPlace place) {
        PortPlace far = fabric.farEnd(place);
        return far != null && far.compareTo(place) < 0 ? far : place;
    }

    /** What people call a switch, or a cable by one of its ends. */
    static String name(FabricSnapshot fabric, PortPlace place) {
        String name = fabric.nameOf(place.guid());
        return place.port() == 0 ? name : name + ":" + place.port();
    }
}
