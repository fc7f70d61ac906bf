package io.dmodc.ctl;

import io.dmodc.routing.change.ChangePlan;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.util.BitSet;

/** Writes a plan of a change as lines; what no line names changes in round 1. */
final class PlanFile {
    private PlanFile() {}

    static void write(ChangePlan plan, FabricView view, Appendable out) throws IOException {
        BitSet drains = plan.drains();
        for (int round = drains.nextSetBit(0); round >= 0; round = drains.nextSetBit(round + 1)) {
            out.append("drain ").append(Integer.toString(round)).append('\n');
        }
        for (int s = 0; s < view.switchCount(); s++) {
            write("drop " + Guid.format(view.switchGuid(s)), plan.dropped(s), out);
        }
        for (int round = 2; round <= plan.rounds(); round++) {
            for (int s = 0; s < view.switchCount(); s++) {
                write("later " + round + " " + Guid.format(view.switchGuid(s)), plan.later(s, round), out);
            }
        }
    }

    private static void write(String head, BitSet indices, Appendable out) throws IOException {
        if (indices.isEmpty()) {
            return;
        }
        out.append(head);
        for (int d = indices.nextSetBit(0); d >= 0; d = indices.nextSetBit(d + 1)) {
            out.append(' ').append(Integer.toString(d));
        }
        out.append('\n');
    }
}
