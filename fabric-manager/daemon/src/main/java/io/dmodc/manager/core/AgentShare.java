package io.dmodc.manager.core;

import io.dmodc.manager.core.SwitchRecord.Condition;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How many switches of the fabric forward, and how many have an agent here: kept with each change, so that nobody counts
 * all switches because of one. Whoever changes session, silence, condition or ports of a record says so here.
 */
final class AgentShare {
    private final Set<Long> known = new HashSet<>();
    private final Set<Long> dead = new HashSet<>();
    private final Set<Long> reachable = new HashSet<>();
    private final Set<Long> told = new HashSet<>();
    private final SortedSet<Long> headless = new TreeSet<>(Long::compareUnsigned);

    /** What is known of the agent of this switch, or thought of the switch, is another. */
    void changed(SwitchRecord record) {
        known.add(record.guid);
        keep(dead, record, record.condition == Condition.DEAD);
        keep(headless, record, record.condition == Condition.HEADLESS);
        keep(reachable, record, record.reachable());
        keep(told, record, record.reachable() && record.portsKnown);
    }

    private static void keep(Set<Long> some, SwitchRecord record, boolean isOne) {
        if (isOne) {
            some.add(record.guid);
        } else {
            some.remove(record.guid);
        }
    }

    /** The switch is part of the fabric no more. */
    void forgotten(long guid) {
        known.remove(guid);
        dead.remove(guid);
        headless.remove(guid);
        reachable.remove(guid);
        told.remove(guid);
    }

    /** True if the agents that are here speak for so many of the switches that forward. */
    boolean isEnough(int percent) {
        return reachable.size() * 100L >= (known.size() - dead.size()) * (long) percent;
    }

    /** True if the agents of all switches are here and have told all their ports. */
    boolean allTold() {
        return told.size() == known.size();
    }

    /** Switches that forward without an agent, by GUID. */
    SortedSet<Long> headless() {
        return Collections.unmodifiableSortedSet(headless);
    }
}
