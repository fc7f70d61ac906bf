package io.dmodc.topology.design;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The definition of a PGFT, checked literally and without any majority: a switch of level l is named by the connected
 * component it is in when all higher levels are taken away, and by the one it is in when all lower levels are. All names
 * differ, every component falls into as many as the shape says, and two switches are joined exactly when the design
 * joins their names.
 */
final class ComponentTwin {
    private final FabricView view;
    private final PgftShape shape;

    private ComponentTwin(FabricView view, PgftShape shape) {
        this.view = view;
        this.shape = shape;
    }

    static boolean isWhole(FabricView view, PgftShape shape) {
        return new ComponentTwin(view, shape).isWhole();
    }

    private boolean isWhole() {
        if (view.rankMax() != shape.levels() - 1 || view.switchCount() != shape.switchCount()) {
            return false;
        }
        for (int s = 0; s < view.switchCount(); s++) {
            if (!hasTheRightNeighbours(s)) {
                return false;
            }
        }
        for (int l = 1; l <= shape.levels(); l++) {
            Set<List<Set<Integer>>> names = new HashSet<>();
            for (int s : level(l)) {
                names.add(List.of(component(s, 1, l), component(s, l, shape.levels())));
            }
            if (level(l).size() != shape.switchCount(l)
                    || names.size() != shape.switchCount(l)
                    || count(1, l) != subtrees(l)
                    || count(l, shape.levels()) != shape.switchCount(l) / subtrees(l)) {
                return false;
            }
        }
        return true;
    }

    private int subtrees(int level) {
        int count = 1;
        for (int l = level + 1; l <= shape.levels(); l++) {
            count *= shape.m(l);
        }
        return count;
    }

    private boolean hasTheRightNeighbours(int s) {
        int l = view.rank(s) + 1;
        int below = 0;
        int above = 0;
        for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
            boolean up = view.isUp(s, view.groupRemote(group));
            boolean down = view.isDown(s, view.groupRemote(group));
            if (!(up || down) || view.groupSize(group) != shape.p(up ? l + 1 : l)) {
                return false;
            }
            below += down ? 1 : 0;
            above += up ? 1 : 0;
        }
        int hosts = 0;
        for (int port = 1; port <= view.portCount(s); port++) {
            hosts += view.peerNode(s, port) >= 0 ? 1 : 0;
        }
        return below == (l == 1 ? 0 : shape.m(l))
                && above == (l == shape.levels() ? 0 : shape.w(l + 1))
                && hosts == (l == 1 ? shape.m(1) : 0);
    }

    private List<Integer> level(int l) {
        List<Integer> switches = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.rank(s) == l - 1) {
                switches.add(s);
            }
        }
        return switches;
    }

    private int count(int from, int to) {
        Set<Set<Integer>> components = new HashSet<>();
        for (int l = from; l <= to; l++) {
            level(l).forEach(s -> components.add(component(s, from, to)));
        }
        return components.size();
    }

    private Set<Integer> component(int start, int from, int to) {
        Set<Integer> component = new TreeSet<>(List.of(start));
        ArrayDeque<Integer> queue = new ArrayDeque<>(component);
        while (!queue.isEmpty()) {
            int s = queue.remove();
            for (int group = view.groupStart(s); group < view.groupEnd(s); group++) {
                int remote = view.groupRemote(group);
                boolean inside = view.rank(remote) + 1 >= from && view.rank(remote) + 1 <= to;
                if (inside && component.add(remote)) {
                    queue.add(remote);
                }
            }
        }
        return component;
    }
}
