package io.dmodc.simulator;

import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchRecord.Forwarding;
import io.dmodc.routing.LftRow;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the manager makes of hellos through switches without an agent. */
final class TransitLaws {
    /** What changed so lately may have come between. */
    private static final long CHANGED_NANOS = 3 * Simulation.SECOND;

    /** Two rounds of questions, of which one comes every two seconds. */
    private static final long TRUSTED_NANOS = 5 * Simulation.SECOND;

    private final Simulation site;

    /** By GUID: what switches without an agent may hold, as the manager believes. */
    private final Map<Long, List<LftRow>> believed = new HashMap<>();

    TransitLaws(Simulation site) {
        this.site = site;
    }

    void turned(SimulatedManager manager) {
        for (SimulatedSwitch s : site.fabric.switches) {
            SwitchRecord record = manager.state.findSwitch(s.guid);
            if (record != null && record.condition() == Condition.HEADLESS) {
                believed.put(s.guid, record.possibleRows());
            }
            if (s.hung
                    && record != null
                    && record.forwarding() == Forwarding.PROVED
                    && site.now() - s.hungNanos > TRUSTED_NANOS) {
                site.violated(Law.HUNG_IS_NOT_TRUSTED, s + " hangs, and hellos are said to go through it");
            }
        }
    }

    void told(SimulatedManager manager, LoggedEvent note) {
        SwitchRecord record =
                note.kind() == LoggedEvent.Kind.SWITCH_DEAD ? manager.state.findSwitch(note.guid()) : null;
        if (record == null || record.forwarding() != Forwarding.HUNG) {
            return;
        }
        for (SimulatedSwitch s : site.fabric.switches) {
            if (s.guid == note.guid() && holdsWhatIsBelieved(s) && forwards(s)) {
                site.violated(Law.FORWARDING_IS_NOT_HELD_HUNG, s + " is held hung and forwards");
            }
        }
    }

    /** It lost its table, or another manager wrote it, if not. */
    private boolean holdsWhatIsBelieved(SimulatedSwitch s) {
        byte[] held = s.plane.installed().entries();
        return !s.lost
                && believed.getOrDefault(s.guid, List.of()).stream()
                        .anyMatch(row -> Arrays.equals(row.toBytes(), held));
    }

    /** True if it has led packets from one cable to another all the time lately, and back. */
    private boolean forwards(SimulatedSwitch s) {
        if (s.hung || !s.powered || site.now() - Math.max(s.hungNanos, s.tableNanos) < CHANGED_NANOS) {
            return false;
        }
        BitSet routes = new BitSet();
        for (byte port : s.plane.installed().entries()) {
            routes.set(Byte.toUnsignedInt(port));
        }
        int used = 0;
        for (int port = 1; port <= s.portCount; port++) {
            boolean lasting = routes.get(port) && site.fabric.live(s, port);
            used += lasting && site.now() - s.changedNanos[port - 1] > CHANGED_NANOS ? 1 : 0;
        }
        return used >= 2;
    }
}
