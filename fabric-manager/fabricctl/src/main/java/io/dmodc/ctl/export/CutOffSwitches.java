package io.dmodc.ctl.export;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Switches with hosts that hang together with the others by cables, but not by a path that climbs and then descends. A
 * small set that every such pair has a member of: the one with most pairs first, of equal ones the later target.
 *
 * <p><b>Idea.</b> Two switches have a path if some switch is above both. Leaves below the same switches are one class, so
 * classes are compared and not leaves: in a whole fabric there are as many as pods.
 */
final class CutOffSwitches {
    private static final class Kind {
        final BitSet above;
        final int part;
        final List<Integer> switches = new ArrayList<>();

        Kind(BitSet above, int part) {
            this.above = above;
            this.part = part;
        }
    }

    private record Key(BitSet above, int part) {}

    private final Map<Key, Kind> kinds = new HashMap<>();
    private final List<Kind> ordered = new ArrayList<>();

    private CutOffSwitches(FabricView view) {
        Pods pods = Pods.of(view, Set.of());
        for (int target = 0; target < view.hostTargetCount(); target++) {
            int s = view.targetSwitch(target);
            if (view.alive(s) && pods.partOf(s) != Pods.NONE) {
                BitSet above = above(view, s);
                Kind kind = kinds.computeIfAbsent(new Key(above, pods.partOf(s)), key -> {
                    Kind made = new Kind(key.above, key.part);
                    ordered.add(made);
                    return made;
                });
                kind.switches.add(s);
            }
        }
    }

    /** Switch indices, ascending. */
    static Set<Integer> of(FabricView view) {
        return new CutOffSwitches(view).find();
    }

    /** Switches that can be climbed to; a leaf is above nobody, any other switch is above itself, too. */
    private static BitSet above(FabricView view, int from) {
        BitSet above = new BitSet();
        List<Integer> next = new ArrayList<>(List.of(from));
        for (int i = 0; i < next.size(); i++) {
            int s = next.get(i);
            for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
                int far = view.groupRemote(group);
                if (view.isUp(s, far) && !above.get(far)) {
                    above.set(far);
                    next.add(far);
                }
            }
        }
        if (view.rank(from) > 0) {
            above.set(from);
        }
        return above;
    }

    private Set<Integer> find() {
        Set<Integer> cutOff = new TreeSet<>();
        Kind worst = worst();
        while (worst != null) {
            cutOff.add(worst.switches.remove(worst.switches.size() - 1));
            worst = worst();
        }
        return cutOff;
    }

    private @Nullable Kind worst() {
        Kind worst = null;
        int most = 0;
        for (Kind kind : ordered) {
            int without = kind.switches.isEmpty() ? 0 : unreached(kind);
            if (without > 0 && without >= most) {
                worst = kind;
                most = without;
            }
        }
        return worst;
    }

    private int unreached(Kind from) {
        int count = 0;
        for (Kind to : ordered) {
            if (to.part == from.part && !to.above.intersects(from.above)) {
                count += to == from ? to.switches.size() - 1 : to.switches.size();
            }
        }
        return count;
    }
}
