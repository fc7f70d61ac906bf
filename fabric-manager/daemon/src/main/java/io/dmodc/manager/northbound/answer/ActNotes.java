package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.HostPair;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.DrainMoves;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.topology.Guid;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What an act does besides changing tables, and which entries it moves, in lines for people. */
final class ActNotes {
    private ActNotes() {}

    static List<String> of(Act act, FabricSnapshot fabric) {
        List<String> notes = new ArrayList<>();
        DrainMoves moves = DrainMoves.of(act, fabric.intent().drained(), fabric::farEnd);
        String now = names(moves.instead(), fabric);
        String gone = names(moves.gone(), fabric);
        if (!now.isEmpty()) {
            notes.add("drained then: " + now);
        }
        if (!gone.isEmpty()) {
            notes.add("not drained any more: " + gone);
        }
        act.replacedHosts().forEach(pair -> notes.add(noteOf(pair, fabric)));
        if (act.replacesSwitch() && fabric.findSwitch(act.newGuid()) == null) {
            notes.add(fabric.nameOf(act.newGuid()) + " has no cable to the fabric yet: routes use it once it has");
        }
        EntryMoves before = fabric.intent().moves();
        if (act.verb() == Verb.REBALANCE && !act.moves().isEmpty()) {
            EntryMoves after = act.moves();
            notes.add("moved then: " + after.size() + " entries in " + after.blockCount() + " blocks of "
                    + after.switchCount() + " switches" + (before.isEmpty() ? "" : ", instead of " + before.size()));
        }
        if ((act.verb() == Verb.REBALANCE || act.verb() == Verb.ROLLBACK)
                && act.moves().isEmpty()
                && !before.isEmpty()) {
            notes.add("not moved any more: " + before.size() + " entries of " + before.switchCount() + " switches");
        }
        return notes;
    }

    /** Name and GUID: often both adapters are called after the machine that they are in. */
    static String hostName(long portGuid, FabricSnapshot fabric) {
        String guid = Guid.format(portGuid);
        String name = fabric.nameOf(new HostPort(portGuid));
        return name.equals(guid) ? guid : name + " (" + guid + ")";
    }

    private static String noteOf(HostPair pair, FabricSnapshot fabric) {
        int own = fabric.nodeIndex(pair.newGuid());
        PortPlace was = fabric.lastPlaceOf(pair.oldGuid());
        PortPlace now = fabric.lastPlaceOf(pair.newGuid());
        String note = hostName(pair.newGuid(), fabric) + " has node index " + fabric.nodeIndex(pair.oldGuid()) + " then"
                + (own < 0
                        ? "; without this it gets one of its own when it comes"
                        : "; " + own + ", which it has now, stays unused");
        return was == null || now == null || was.equals(now)
                ? note
                : note + "; it is at " + end(now, fabric) + ", the old one was at " + end(was, fabric);
    }

    private static String end(PortPlace at, FabricSnapshot fabric) {
        return fabric.nameOf(at.guid()) + " port " + at.port();
    }

    private static String names(List<PortPlace> places, FabricSnapshot fabric) {
        return places.stream()
                .map(place -> fabric.nameOf(place.guid()) + (place.port() == 0 ? "" : ":" + place.port()))
                .collect(Collectors.joining(", "));
    }
}
