package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.DrainMoves;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.routing.rebalance.EntryMoves;
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
        if (act.verb() == Verb.REPLACE && fabric.findSwitch(act.newGuid()) == null) {
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

    private static String names(List<PortPlace> places, FabricSnapshot fabric) {
        return places.stream()
                .map(place -> fabric.nameOf(place.guid()) + (place.port() == 0 ? "" : ":" + place.port()))
                .collect(Collectors.joining(", "));
    }
}
