package io.dmodc.demo;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;

/**
 * Who plays which part: chosen from the fabric itself, so that any topology can be demonstrated.
 *
 * @param bundleSwitch lower switch of a cable bundle, the widest found; its last cable can be missed
 * @param bundlePorts all ports of that bundle
 * @param spine a switch of the highest rank
 * @param other another switch above the leaves, for the part of the hung agent
 * @param leaf a leaf with hosts
 * @param flapSwitch lower switch of another cable
 * @param flapPort its port
 */
record DemoTargets(
        long bundleSwitch,
        List<Integer> bundlePorts,
        long spine,
        long other,
        long leaf,
        long flapSwitch,
        int flapPort) {

    static DemoTargets of(FabricView view) {
        int[] bundle = widestBundle(view);
        int leafSwitch = view.targetSwitch(view.leafCount() - 1);
        int spine = topSwitch(view, -1);
        int other = topSwitch(view, spine);
        int flapGroup = view.groupStart(leafSwitch == bundle[0] ? view.targetSwitch(0) : leafSwitch);
        int flap = view.groupRemote(flapGroup);
        return new DemoTargets(
                view.switchGuid(bundle[0]),
                ports(view, bundle[1]),
                view.switchGuid(spine),
                view.switchGuid(other),
                view.switchGuid(leafSwitch),
                view.switchGuid(flap),
                flapPort(view, flap, leafSwitch, bundle));
    }

    private static int[] widestBundle(FabricView view) {
        int[] widest = null;
        for (int s = 0; s < view.switchCount(); s++) {
            for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
                boolean hasWayAround = ups(view, s) > 1;
                if (view.isUp(s, view.groupRemote(g))
                        && hasWayAround
                        && (widest == null || view.groupSize(g) > view.groupSize(widest[1]))) {
                    widest = new int[] {s, g};
                }
            }
        }
        if (widest == null) {
            throw new IllegalArgumentException("the fabric has no switch with two others above it: nothing can heal");
        }
        return widest;
    }

    private static int ups(FabricView view, int s) {
        int ups = 0;
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            ups += view.isUp(s, view.groupRemote(g)) ? 1 : 0;
        }
        return ups;
    }

    /**
     * Whether hellos through this switch tell that it hangs, for sure: three of its neighbours have others above them, too, through which they are answered then. With two neighbours one bad cable
     * looks the same.
     *
     * @param view the fabric as it is by then
     */
    static boolean isSeenToHang(FabricView view, int s) {
        int answered = 0;
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            answered += ups(view, view.groupRemote(g)) > 1 ? 1 : 0;
        }
        return answered > 2;
    }

    private static int topSwitch(FabricView view, int not) {
        for (int s = view.switchCount() - 1; s >= 0; s--) {
            if (s != not && view.alive(s) && view.rank(s) == view.rankMax()) {
                return s;
            }
        }
        throw new IllegalArgumentException("the fabric has fewer than two switches on its highest level");
    }

    private static List<Integer> ports(FabricView view, int group) {
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < view.groupSize(group); i++) {
            ports.add(view.groupPort(group, i));
        }
        return ports;
    }

    /** Of a cable that leads down, neither to that switch nor in the bundle, whose cables are cut by then. */
    private static int flapPort(FabricView view, int s, int notTo, int[] bundle) {
        for (int g = view.groupStart(s); g < view.groupEnd(s); g++) {
            int below = view.groupRemote(g);
            boolean inBundle = below == bundle[0] && view.groupRemote(bundle[1]) == s;
            if (below != notTo && !inBundle && view.isDown(s, below)) {
                return view.groupPort(g, 0);
            }
        }
        throw new IllegalArgumentException(
                "switch " + view.switchName(s) + " has too few neighbours below it: no cable is left to flap");
    }
}
