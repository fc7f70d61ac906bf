package io.dmodc.simulator;

import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.manager.core.SwitchRecord.Forwarding;
import java.util.BitSet;

/** What the manager makes of hellos through switches without an agent. */
final class TransitLaws {
    /** What changed so lately may have come between. */
    private static final long CHANGED_NANOS = 3 * Simulation.SECOND;

    /** Two rounds of questions, of which one comes every two seconds. */
    private static final long TRUSTED_NANOS = 5 * Simulation.SECOND;

    private final Simulation site;

    TransitLaws(Simulation site) {
        this.site = site;
    }

    void turned(SimulatedManager manager) {
        for (SimulatedSwitch s : site.fabric.switches) {
            SwitchRecord record = s.hung ? manager.state.findSwitch(s.guid) : null;
            if (record != null
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
            if (s.guid == note.guid() && !s.lost && forwards(s)) {
                site.violated(Law.FORWARDING_IS_NOT_HELD_HUNG, s + " is held hung and forwards");
            }
        }
    }

    /** True if it has led packets from one cable to another all the time lately, and back. */
    private boolean forwards(SimulatedSwitch s) {
        if (s.hung || !s.powered || site.now() - s.hungNanos < CHANGED_NANOS) {
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
