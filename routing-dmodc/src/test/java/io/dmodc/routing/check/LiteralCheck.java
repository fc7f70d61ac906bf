package io.dmodc.routing.check;

import io.dmodc.routing.LftSet;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The slow twin of {@link TableCheck}: walks every (switch, destination) literally, keeps channel dependencies as a set
 * of edges and searches it depth first. Shares nothing with it but the names of the properties.
 */
final class LiteralCheck {
    private record Channel(int s, int port) {}

    private record Step(int s, int port, int to) {}

    private final FabricView view;
    private final LftSet tables;
    private final boolean toSwitches;
    private final Map<TableProperty, Long> counts = new EnumMap<>(TableProperty.class);
    private final Map<Channel, Set<Channel>> waitsFor = new HashMap<>();
    private final Map<Integer, LegalPaths> paths = new HashMap<>();
    long pairs;

    LiteralCheck(FabricView view, LftSet tables, boolean toSwitches) {
        this.view = view;
        this.tables = tables;
        this.toSwitches = toSwitches;
    }

    /** How often each property fails; for channels 1 if there is a circle. Properties that hold are missing. */
    Map<TableProperty, Long> failures() {
        for (int d = 0; d < tables.entryCount(); d++) {
            Set<Set<Integer>> loops = new HashSet<>();
            Set<Integer> turning = new HashSet<>();
            for (int s = 0; s < view.switchCount(); s++) {
                if (view.alive(s)) {
                    entry(s, d);
                    List<Step> walk = walk(s, d);
                    addLoop(walk, loops);
                    if (isSource(s)) {
                        delivery(s, d, walk);
                        addTurns(walk, turning);
                        addDependencies(walk);
                    }
                }
            }
            count(TableProperty.NO_LOOP, loops.size());
            count(TableProperty.NO_DOWN_UP_TURN, turning.size());
        }
        count(TableProperty.ACYCLIC_CHANNELS, cyclic() ? 1 : 0);
        return counts;
    }

    private void count(TableProperty property, long count) {
        if (count > 0) {
            counts.merge(property, count, Long::sum);
        }
    }

    private int home(int d) {
        return toSwitches ? d : view.nodeSwitch(d);
    }

    private int exit(int d) {
        return toSwitches ? 0 : view.nodePort(d);
    }

    private boolean isSource(int s) {
        return view.rank(s) >= 0 && (toSwitches || view.targetOfSwitch(s) >= 0);
    }

    private int cost(int s, int d) {
        return home(d) < 0
                ? LegalPaths.NONE
                : paths.computeIfAbsent(home(d), home -> new LegalPaths(view, home)).cost[s];
    }

    private int peer(int s, int port) {
        return port < 1 || port > view.portCount(s) ? -1 : view.peerSwitch(s, port);
    }

    private void entry(int s, int d) {
        int port = tables.port(s, d);
        boolean path = cost(s, d) != LegalPaths.NONE;
        boolean own = s == home(d) && port == exit(d);
        boolean good = port == LftSet.NO_ROUTE ? !path : own || (path && peer(s, port) >= 0);
        count(TableProperty.LIVE_ENTRIES, good ? 0 : 1);
    }

    /** Steps until the packet leaves, is dropped, or was at every place twice. */
    private List<Step> walk(int s, int d) {
        List<Step> steps = new ArrayList<>();
        int at = s;
        while (at >= 0 && steps.size() < 2 * view.switchCount() + 2) {
            int port = tables.port(at, d);
            int to = peer(at, port);
            steps.add(new Step(at, port, to));
            at = to;
        }
        return steps;
    }

    private void addLoop(List<Step> walk, Set<Set<Integer>> loops) {
        Step last = walk.get(walk.size() - 1);
        if (last.to >= 0) {
            Set<Integer> loop = new HashSet<>();
            int i = walk.size() - 1;
            while (loop.add(walk.get(i).s)) {
                i--;
            }
            loops.add(loop);
        }
    }

    private void delivery(int s, int d, List<Step> walk) {
        if (cost(s, d) == LegalPaths.NONE) {
            return;
        }
        pairs++;
        Step last = walk.get(walk.size() - 1);
        Set<Integer> turning = new HashSet<>();
        addTurns(walk, turning);
        boolean arrives = last.to < 0 && last.s == home(d) && last.port == exit(d);
        boolean minimal = walk.size() - 1 == cost(s, d);
        count(TableProperty.MINIMAL_DELIVERY, arrives && minimal && turning.isEmpty() ? 0 : 1);
    }

    private void addTurns(List<Step> walk, Set<Integer> turning) {
        boolean climbing = true;
        for (Step step : walk) {
            if (step.to >= 0) {
                boolean up = view.rank(step.s) >= 0 && view.rank(step.to) == view.rank(step.s) + 1;
                boolean down = view.rank(step.to) >= 0 && view.rank(step.to) == view.rank(step.s) - 1;
                if (!down && !(up && climbing)) {
                    turning.add(step.s);
                }
                climbing = up;
            }
        }
    }

    private void addDependencies(List<Step> walk) {
        for (int i = 1; i < walk.size(); i++) {
            if (walk.get(i).to >= 0) {
                Channel from = new Channel(walk.get(i - 1).s, walk.get(i - 1).port);
                Channel to = new Channel(walk.get(i).s, walk.get(i).port);
                waitsFor.computeIfAbsent(from, c -> new HashSet<>()).add(to);
            }
        }
    }

    private boolean cyclic() {
        Set<Channel> done = new HashSet<>();
        Set<Channel> onWay = new HashSet<>();
        return List.copyOf(waitsFor.keySet()).stream().anyMatch(channel -> cyclicFrom(channel, onWay, done));
    }

    private boolean cyclicFrom(Channel channel, Set<Channel> onWay, Set<Channel> done) {
        if (onWay.contains(channel)) {
            return true;
        }
        if (!done.add(channel)) {
            return false;
        }
        onWay.add(channel);
        boolean found =
                waitsFor.getOrDefault(channel, Set.of()).stream().anyMatch(next -> cyclicFrom(next, onWay, done));
        onWay.remove(channel);
        return found;
    }
}
