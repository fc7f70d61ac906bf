package io.dmodc.topology.pgft;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Seeded damage: random switches above the leaves, then random cables between the switches that are left. */
public final class Degradation {
    private Degradation() {}

    /** What was taken away. */
    public record Damage(List<Long> switches, List<Cable> cables) {}

    /** One cable between two switches, seen from its end with the lower switch index. */
    public record Cable(long guid, int port, long farGuid, int farPort) {}

    /**
     * Takes {@code switchCount} switches above the leaves and then {@code cableCount} cables out of the fabric.
     *
     * @throws IllegalArgumentException if the fabric has fewer of them; nothing is changed then
     */
    public static Damage apply(FabricViewBuilder fabric, int switchCount, int cableCount, RandomGenerator random) {
        FabricView whole = draw(fabric);
        List<Long> switches = new ArrayList<>();
        for (int s = 0; s < whole.switchCount(); s++) {
            if (whole.alive(s) && !whole.isLeaf(s)) {
                switches.add(whole.switchGuid(s));
            }
        }
        List<Long> lostSwitches = draw(switches, switchCount, "switches above the leaves", random);
        lostSwitches.forEach(guid -> fabric.apply(new SwitchState(guid, false)));
        try {
            List<Cable> lostCables = draw(cables(draw(fabric)), cableCount, "cables between switches", random);
            lostCables.forEach(cable -> cut(fabric, cable));
            return new Damage(lostSwitches, lostCables);
        } catch (IllegalArgumentException e) {
            lostSwitches.forEach(guid -> fabric.apply(new SwitchState(guid, true)));
            throw e;
        }
    }

    private static FabricView draw(FabricViewBuilder fabric) {
        return fabric.build(0, new NodeIndexMap(), new GuidNumbers());
    }

    /** All live cables between switches, in switch index order. */
    public static List<Cable> cables(FabricView view) {
        List<Cable> cables = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                int far = view.peerSwitch(s, port);
                if (far > s) {
                    cables.add(new Cable(view.switchGuid(s), port, view.switchGuid(far), view.peerPort(s, port)));
                }
            }
        }
        return cables;
    }

    /** Sets both ends of a cable down. */
    public static void cut(FabricViewBuilder fabric, Cable cable) {
        fabric.apply(new PortSeen(cable.guid, cable.port, false, fabric.neighbour(cable.guid, cable.port)));
        fabric.apply(new PortSeen(cable.farGuid, cable.farPort, false, fabric.neighbour(cable.farGuid, cable.farPort)));
    }

    private static <T> List<T> draw(List<T> from, int count, String what, RandomGenerator random) {
        if (count < 0 || count > from.size()) {
            throw new IllegalArgumentException(
                    "cannot take " + count + " " + what + " away: the fabric has " + from.size());
        }
        List<T> left = new ArrayList<>(from);
        List<T> drawn = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int at = random.nextInt(left.size());
            drawn.add(left.get(at));
            left.set(at, left.get(left.size() - 1));
            left.remove(left.size() - 1);
        }
        return drawn;
    }
}
