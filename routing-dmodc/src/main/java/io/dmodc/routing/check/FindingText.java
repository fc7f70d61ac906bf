package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.List;

/** Tells a finding as one readable line. */
final class FindingText {
    /** Most hops of a path that are told. */
    private static final int HOPS_MAX = 16;

    private final PortPeers peers;
    private final FabricView view;
    private final LftSet tables;
    private final Destinations destinations;

    FindingText(PortPeers peers, LftSet tables, Destinations destinations) {
        this.peers = peers;
        this.view = peers.view;
        this.tables = tables;
        this.destinations = destinations;
    }

    /** A switch as people call it: its name, or its GUID when it has none. */
    static String name(FabricView view, int s) {
        return view.switchName(s).isBlank() ? Guid.format(view.switchGuid(s)) : view.switchName(s);
    }

    /** What is wrong with property {@code property} at or from switch {@code s} towards {@code d}. */
    String tell(TableProperty property, int s, int d) {
        String what = switch (property) {
            case LIVE_ENTRIES -> entry(s, d);
            case NO_LOOP -> loop(s, d);
            case MINIMAL_DELIVERY, NO_DOWN_UP_TURN, ACYCLIC_CHANNELS -> path(s, d);
        };
        return name(view, s) + " → " + destinations.name(view, d) + ": " + what;
    }

    private String entry(int s, int d) {
        int port = tables.port(s, d);
        if (port == LftSet.NO_ROUTE) {
            return "no entry, though a legal path exists";
        }
        if (peers.peer(s, port) >= 0) {
            return "port " + port + ", though no legal path exists";
        }
        return "port " + port + " " + whyDead(s, port);
    }

    private String whyDead(int s, int port) {
        if (port == 0) {
            return "is the switch itself";
        }
        if (port > view.portCount(s)) {
            return "is outside 1.." + view.portCount(s);
        }
        int node = view.peerNode(s, port);
        return node >= 0 ? "leads to node " + node : "has no live link";
    }

    private String loop(int start, int d) {
        List<Integer> walked = new ArrayList<>();
        int at = start;
        while (!walked.contains(at)) {
            walked.add(at);
            at = peers.peer(at, tables.port(at, d));
        }
        StringBuilder text = new StringBuilder("loop ");
        int from = walked.indexOf(at);
        int to = Math.min(walked.size(), from + HOPS_MAX);
        walked.subList(from, to).forEach(s -> text.append(hop(s, d)));
        return text.append(to < walked.size() ? "…" : name(view, at)).toString();
    }

    private String hop(int s, int d) {
        return name(view, s) + " port " + tables.port(s, d) + " → ";
    }

    /** The way a packet takes and how it ends; a step against the rules is marked. */
    private String path(int source, int d) {
        StringBuilder text = new StringBuilder();
        int at = source;
        boolean descending = false;
        for (int hop = 0; hop < HOPS_MAX; hop++) {
            int to = peers.peer(at, tables.port(at, d));
            if (to < 0) {
                return text + end(at, d);
            }
            boolean up = view.isUp(at, to);
            boolean down = view.isDown(at, to);
            text.append(up && descending ? "(turns up) " : "").append(up || down ? "" : "(neither up nor down) ");
            text.append(hop(at, d));
            descending = !up;
            at = to;
        }
        return text + "…";
    }

    private String end(int at, int d) {
        int port = tables.port(at, d);
        if (port == LftSet.NO_ROUTE) {
            return name(view, at) + ", dropped there";
        }
        boolean arrived = at == destinations.home[d] && port == destinations.exit[d];
        return name(view, at) + " port " + port + (arrived ? ", arrived" : ", which " + whyDead(at, port));
    }
}
