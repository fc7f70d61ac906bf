package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Switches and cables that are imagined to be lost.
 *
 * @param names as people read them, in the order they were given
 */
record FailedParts(BitSet switches, List<PortPlace> links, List<String> names) {
    private static final String SWITCH = "switch:";
    private static final String LINK = "link:";

    /**
     * Finds them.
     *
     * @param parts {@code switch:NAME} or {@code link:SWITCH:PORT}; GUIDs may stand for names
     * @throws IllegalArgumentException in one line for what is not there, or no such part
     */
    static FailedParts parse(FabricView view, List<String> parts) {
        FailedParts failed = new FailedParts(new BitSet(), new ArrayList<>(), new ArrayList<>());
        for (String part : parts) {
            if (isSwitch(part)) {
                failed.addSwitch(view, part.substring(SWITCH.length()));
            } else {
                failed.addLink(view, part.substring(LINK.length()));
            }
        }
        return failed;
    }

    /** The names of the switches among them; a running manager knows which these are. */
    static List<String> switchNames(List<String> parts) {
        return parts.stream()
                .filter(FailedParts::isSwitch)
                .map(part -> part.substring(SWITCH.length()))
                .toList();
    }

    /** The cables among them, as {@code SWITCH:PORT}. */
    static List<String> linkNames(List<String> parts) {
        return parts.stream()
                .filter(part -> !isSwitch(part))
                .map(part -> part.substring(LINK.length()))
                .toList();
    }

    /** If not, it is a cable. */
    private static boolean isSwitch(String part) {
        boolean link = part.startsWith(LINK) && part.indexOf(':', LINK.length()) > 0;
        if (!link && !part.startsWith(SWITCH)) {
            throw new IllegalArgumentException("'" + part + "' is no part of a fabric; expected switch:NAME or"
                    + " link:SWITCH:PORT, names or 0x… GUIDs");
        }
        return !link;
    }

    private void addSwitch(FabricView view, String name) {
        int s = FabricNames.switchIndex(view, name);
        switches.set(s);
        names.add("switch " + view.switchName(s));
    }

    private void addLink(FabricView view, String end) {
        int colon = end.lastIndexOf(':');
        int s = FabricNames.switchIndex(view, end.substring(0, colon));
        String text = end.substring(colon + 1);
        int port = text.matches("\\d{1,3}") ? Integer.parseInt(text) : 0;
        if (port < 1 || port > view.portCount(s)) {
            throw new IllegalArgumentException("link " + end + ": '" + text + "' is no port of " + view.switchName(s)
                    + "; expected 1.." + view.portCount(s));
        }
        int remote = view.peerSwitch(s, port);
        if (remote < 0) {
            throw new IllegalArgumentException(
                    "link " + end + ": " + view.switchName(s) + " port " + port + " has no live link to a switch");
        }
        links.add(new PortPlace(view.switchGuid(s), port));
        names.add("link " + view.switchName(s) + " port " + port + " – " + view.switchName(remote) + " port "
                + view.peerPort(s, port));
    }

    /** The fabric without them. */
    FabricView takenFrom(FabricView view) {
        return view.without(switches, links);
    }
}
