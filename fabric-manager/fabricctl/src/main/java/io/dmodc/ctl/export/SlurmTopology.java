package io.dmodc.ctl.export;

import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A fabric as Slurm's topology/tree wants it: {@code topology.conf}, a tree in which every switch has one parent.
 *
 * <p><b>Idea.</b> In a fat tree every leaf of a pod reaches all switches above it, so for the distance of two hosts only
 * the pod counts, not the switch. All switches of a pod's top rank become one. A rank at which nothing grows together
 * becomes no switch: the tree has as many levels as packets can turn at.
 *
 * <p>Parts of the fabric without a legal path between them stay trees of their own, which Slurm takes to mean that no job
 * spans them; so do leaves that are cut off.
 */
public final class SlurmTopology {
    private static final int NAMED_MAX = 5;

    private record Line(String name, String key, List<String> members) {}

    private final FabricView view;
    private final Pods pods;
    private final SlurmNames names;
    private final SlurmHosts hosts;
    private final List<Line> lines = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    /** By pod of the rank reached: switches of the tree that have no parent yet. */
    private Map<Integer, List<String>> open = new TreeMap<>();

    private SlurmTopology(ExportedFabric fabric) {
        view = fabric.view();
        Set<Integer> cutOff = CutOffSwitches.of(view);
        pods = Pods.of(view, cutOff);
        names = new SlurmNames(view);
        hosts = new SlurmHosts(fabric, pods);
        remarks.addAll(hosts.remarks);
        hosts.byTarget.keySet().forEach(this::addLeaf);
        for (int rank = 0; rank <= pods.rankMax(); rank++) {
            growTogether(rank);
        }
        remarkNames();
        remarkParts();
        remarkEmptyLeaves();
    }

    /**
     * Makes the tree.
     *
     * @throws IllegalArgumentException in one line, if no host has a name Slurm could know
     */
    public static SlurmTopology of(ExportedFabric fabric) {
        SlurmTopology topology = new SlurmTopology(fabric);
        if (topology.lines.isEmpty()) {
            throw new IllegalArgumentException("no host has a name Slurm could know; expected descriptions that begin"
                    + " with the host's name, 'node0 HCA-1'");
        }
        return topology;
    }

    /** What an operator should know of hosts, names and cut-off leaves; one line each. */
    public List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** Writes the file; remarks are comments at its top. */
    public void write(Appendable out) throws IOException {
        long leaves = lines.stream().filter(line -> line.key.equals("Nodes")).count();
        long count = hosts.byTarget.values().stream().mapToInt(List::size).sum();
        out.append("# topology.conf for Slurm's topology/tree: " + count + " hosts below " + leaves
                + " leaf switches. Written by fabricctl export slurm-topology.\n");
        for (String remark : remarks) {
            out.append("# ").append(remark).append('\n');
        }
        for (Line line : lines) {
            out.append("SwitchName=")
                    .append(line.name)
                    .append(' ')
                    .append(line.key)
                    .append('=');
            out.append(HostList.of(line.members)).append('\n');
        }
    }

    private void addLeaf(int target) {
        int s = view.targetSwitch(target);
        lines.add(new Line(names.of(s), "Nodes", hosts.byTarget.getOrDefault(target, List.of())));
    }

    /** Leaves of this rank come in; then each pod with several switches that have no parent gets one. */
    private void growTogether(int rank) {
        Map<Integer, List<String>> grown = new TreeMap<>();
        open.forEach((s, children) -> grown.computeIfAbsent(pods.podOf(rank, s), pod -> new ArrayList<>())
                .addAll(children));
        for (int target : hosts.byTarget.keySet()) {
            int s = view.targetSwitch(target);
            if (view.rank(s) == rank) {
                grown.computeIfAbsent(pods.podOf(rank, s), pod -> new ArrayList<>())
                        .add(names.of(s));
            }
        }
        grown.forEach((pod, children) -> {
            if (children.size() > 1) {
                String parent = parentName(rank, pod, children);
                lines.add(new Line(parent, "Switches", List.copyOf(children)));
                children.clear();
                children.add(parent);
            }
        });
        open = grown;
    }

    /** The one switch that is the pod's top gives its name; several together get a new one. */
    private String parentName(int rank, int pod, Collection<String> children) {
        int only = -1;
        int count = 0;
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.rank(s) == rank && pods.podOf(rank, s) == pod) {
                only = s;
                count++;
            }
        }
        return count == 1 && !children.contains(names.of(only)) ? names.of(only) : names.made(rank + 1);
    }

    private void remarkNames() {
        List<String> renamed = new ArrayList<>();
        for (int target : hosts.byTarget.keySet()) {
            int s = view.targetSwitch(target);
            if (!names.keeps(s)) {
                renamed.add("'" + SlurmNames.shown(view.switchName(s)) + "' is " + names.of(s));
            }
        }
        remarkSome(renamed, "names of switches that Slurm would not take, or that several have: ");
    }

    private void remarkParts() {
        List<String> roots = open.values().stream().flatMap(List::stream).toList();
        List<String> dead = hosts.byTarget.keySet().stream()
                .map(view::targetSwitch)
                .filter(s -> view.rank(s) < 0 || !view.alive(s))
                .map(names::of)
                .toList();
        if (roots.size() > 1) {
            remarks.add(
                    roots.size() + " parts without a legal path between them, no job will span them: " + some(roots));
        }
        remarkSome(dead, "down: ");
    }

    private void remarkEmptyLeaves() {
        List<String> empty = new ArrayList<>();
        for (int target = 0; target < view.hostTargetCount(); target++) {
            if (!hosts.byTarget.containsKey(target)) {
                empty.add(names.of(view.targetSwitch(target)));
            }
        }
        remarkSome(empty, "left out, because none of their hosts is listed below them: ");
    }

    private void remarkSome(List<String> what, String why) {
        if (!what.isEmpty()) {
            remarks.add(why + some(what));
        }
    }

    private static String some(List<String> names) {
        return names.stream().limit(NAMED_MAX).collect(Collectors.joining(", "))
                + (names.size() > NAMED_MAX ? " and " + (names.size() - NAMED_MAX) + " more" : "");
    }
}
