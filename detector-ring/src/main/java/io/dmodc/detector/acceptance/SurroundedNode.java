package io.dmodc.detector.acceptance;

import static io.dmodc.detector.acceptance.VirtualTrials.DELTA;
import static io.dmodc.detector.acceptance.VirtualTrials.ETA;
import static io.dmodc.detector.acceptance.VirtualTrials.standard;

import io.dmodc.detector.Overlay;
import io.dmodc.detector.RingRules;
import io.dmodc.detector.sim.Conditions;
import io.dmodc.detector.sim.Inspection;
import io.dmodc.detector.sim.VirtualRing;
import io.dmodc.detector.sim.Witness;
import java.util.Arrays;
import java.util.Locale;

/**
 * Row A7 at its hardest: the overlay neighbours of one node die. While one of them is left the flood still gets through;
 * with none left anti-entropy brings the node the news over the ring, once that is closed again.
 */
final class SurroundedNode {
    private static final int NODES = 1_024;
    private static final int CENTRE = 500;
    private static final int PATIENCE_DELTA = 60;
    private static final double AFTER_CLOSED_DELTA = 2;

    private SurroundedNode() {}

    static void run(Workbench bench) {
        int[] neighbours = Overlay.neighbours(CENTRE, NODES);
        bench.tell("%,d nodes, the neighbours of one die", NODES);
        judge(bench, Arrays.copyOf(neighbours, neighbours.length - 1), neighbours.length);
        judge(bench, neighbours, neighbours.length);
    }

    private static void judge(Workbench bench, int[] dead, int degree) {
        RingRules rules = standard(NODES);
        VirtualRing ring = new VirtualRing(NODES, rules, Conditions.calm(), 1, new Witness() {});
        ring.installEverywhere(VirtualRing.membership(NODES, 1), ETA);
        ring.runFor(2 * DELTA);
        long killed = ring.now();
        ring.kill(dead);
        double closed = deltaUntil(ring, killed, false);
        double known = deltaUntil(ring, killed, true);
        bench.judge(
                "A7",
                String.format(
                        Locale.ROOT,
                        "%,d nodes, %d of the %d overlay neighbours of one die",
                        NODES,
                        dead.length,
                        degree),
                known - closed <= AFTER_CLOSED_DELTA,
                String.format(Locale.ROOT, "all know <= %.0f delta after the ring is closed", AFTER_CLOSED_DELTA),
                "%.2f delta after it; ring closed after %.2f",
                known - closed,
                closed);
    }

    /** Until the ring is closed, or also all is known, to the next η; infinite if it never is. */
    private static double deltaUntil(VirtualRing ring, long since, boolean allKnown) {
        while (ring.now() < since + PATIENCE_DELTA * DELTA) {
            Inspection inspection = Inspection.of(ring);
            if (allKnown ? inspection.faults().isEmpty() : inspection.isClosed()) {
                return (ring.now() - since) / (double) DELTA;
            }
            ring.runFor(ETA);
        }
        return Double.POSITIVE_INFINITY;
    }
}
