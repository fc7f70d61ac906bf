package io.dmodc.routing.quality;

import java.util.Arrays;

/**
 * Flows that cross each cut under one pattern in which every node sends at most once and receives at most once, and the
 * risk no tables can go below. One worker's own; 8 bytes per region.
 *
 * <p><b>Proof.</b> A flow that arrives and whose source, but not whose destination, is at a switch of a region takes at
 * least one of the p ports that lead out of the region. F such flows over p ports: some port has at least ⌈F/p⌉ of them,
 * with as many sources and as many destinations. Flows into a region alike.
 */
final class CutLoads implements FlowSink {
    private final ArrivingRoutes routes;
    private final Cuts cuts;
    private final int[] out;
    private final int[] in;
    private int delivered;

    CutLoads(ArrivingRoutes routes, Cuts cuts) {
        this.routes = routes;
        this.cuts = cuts;
        out = new int[cuts.count()];
        in = new int[out.length];
    }

    @Override
    public void clear() {
        Arrays.fill(out, 0);
        Arrays.fill(in, 0);
        delivered = 0;
    }

    @Override
    public void add(int s, int d) {
        change(s, d, 1);
    }

    @Override
    public void remove(int s, int d) {
        change(s, d, -1);
    }

    private void change(int s, int d, int by) {
        if (!routes.arrives(s, d)) {
            return;
        }
        delivered += by;
        int home = routes.home[d];
        for (int[] region : cuts.region) {
            int source = region[s];
            int destination = region[home];
            if (source != destination) {
                if (source >= 0) {
                    out[source] += by;
                }
                if (destination >= 0) {
                    in[destination] += by;
                }
            }
        }
    }

    /**
     * The highest of all cuts: flows that cross it, divided by its ports, rounded up; and 1 if any flow arrives at all.
     */
    int least() {
        int least = delivered > 0 ? 1 : 0;
        for (int i = 0; i < out.length; i++) {
            least = Math.max(least, Math.max(share(out[i], cuts.portsOut[i]), share(in[i], cuts.portsIn[i])));
        }
        return least;
    }

    /** No flow crosses a cut without ports. */
    private static int share(int flows, int ports) {
        return flows == 0 ? 0 : (flows + ports - 1) / ports;
    }
}
