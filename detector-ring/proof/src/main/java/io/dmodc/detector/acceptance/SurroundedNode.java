package io.dmodc.detector.acceptance;

import static io.dmodc.detector.acceptance.VirtualTrials.DELTA;
import static io.dmodc.detector.acceptance.VirtualTrials.ETA;
import static io.dmodc.detector.acceptance.VirtualTrials.standard;

import io.dmodc.detector.Overlay;
import io.dmodc.detector.RingRules;
import io.dmodc.detector.sim.NetworkConditions;
import io.dmodc.detector.sim.RingInspection;
import io.dmodc.detector.sim.VirtualRing;
import io.dmodc.detector.sim.VirtualRingListener;
import java.util.Arrays;
import java.util.Locale;

/**
 * Row A7 at its hardest: the overlay neighbours of one node die. While one of them is left the flood still gets
 * through; with none left anti-entropy brings the node the news over the ring, once that is closed again.
 */
final class SurroundedNode {
    private static final int NODES = 1_024;
    private static final int CENTRE = 500;
    private static final int PATIENCE_DELTA = 60;
    private static final double AFTER_CLOSED_DELTA = 2;

    private SurroundedNode() {}

    static void run(ProbeContext context) {
        int[] neighbours = Overlay.neighbours(CENTRE, NODES);
        context.tell("%,d nodes, the neighbours of one die", NODES);
        judge(context, Arrays.copyOf(neighbours, neighbours.length - 1), neighbours.length);
        judge(context, neighbours, neighbours.length);
    }

    private static void judge(ProbeContext context, int[] dead, int degree) {
        RingRules rules = standard(NODES);
        VirtualRing ring = new VirtualRing(NODES, rules, NetworkConditions.calm(), 1, new VirtualRingListener() {});
        ring.installEverywhere(VirtualRing.membership(NODES, 1), ETA);
        ring.runFor(2 * DELTA);
        long killed = ring.now();
        ring.kill(dead);
        double closed = deltaUntil(ring, killed, false);
        double known = deltaUntil(ring, killed, true);
        context.judge(
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
            RingInspection inspection = RingInspection.of(ring);
            if (allKnown ? inspection.faults().isEmpty() : inspection.isClosed()) {
                return (ring.now() - since) / (double) DELTA;
            }
            ring.runFor(ETA);
        }
        return Double.POSITIVE_INFINITY;
    }
}
