package io.dmodc.topology.design;

import io.dmodc.topology.Guid;
import java.util.List;

/**
 * One difference between a fabric and its design.
 *
 * @param kind what sort of difference
 * @param text one line for the person who walks there
 * @param ends the ends concerned, in the order the kind says
 * @param have how many there are (cables, hosts), 0 where nothing is counted
 * @param expected how many there should be
 */
public record Deviation(Kind kind, String text, List<End> ends, int have, int expected) {
    /** Sorts of differences, in the order of a report: those that explain others come first. */
    public enum Kind {
        /** A place of the design is empty; {@code ends}: switches that should be its neighbours, some of many. */
        SWITCH_MISSING,
        /** A switch has no live cable to another one; {@code ends}: the switch. */
        SWITCH_UNCABLED,
        /** A switch is cabled like a level that is full while another level lacks one; {@code ends}: the switch. */
        SWITCH_AT_WRONG_LEVEL,
        /** A switch for which the design has no place; {@code ends}: the switch. */
        SWITCH_EXTRA,
        /** Two cables; {@code ends}: both ends of the one, both ends of the other. First–last and third–second expected. */
        CABLES_SWAPPED,
        /** One cable; {@code ends}: the end that stays, the end that is wrong, the switch it should lead to. */
        CABLE_MISPLACED,
        /** No cable at all between two neighbours; {@code ends}: lower and upper switch. */
        CABLE_MISSING,
        /** Too few or too many cables between two neighbours, but some; {@code ends}: lower and upper switch. */
        BUNDLE_UNEQUAL,
        /** A cable between two switches that are no neighbours; {@code ends}: both. */
        CABLE_EXTRA,
        /** Hosts of a leaf, or hosts on a switch above the leaves; {@code ends}: the switch. */
        HOSTS_UNEQUAL
    }

    /** @param ends copied */
    public Deviation {
        ends = List.copyOf(ends);
    }

    /**
     * One end of a cable, or a switch.
     *
     * @param port number on the metal, 0 where the whole switch is meant or no port is known
     */
    public record End(long guid, String name, int port) {
        @Override
        public String toString() {
            return (name.isEmpty() ? Guid.format(guid) : name) + (port > 0 ? " port " + port : "");
        }
    }
}
