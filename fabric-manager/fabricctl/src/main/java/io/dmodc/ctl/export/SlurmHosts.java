package io.dmodc.ctl.export;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which host Slurm finds below which switch. A host is called what its description begins with, {@code node0 HCA-1} is
 * {@code node0}. One with ports on several switches is put below one of them: in the part of the fabric with most hosts,
 * there below the switch that comes first; so hosts cabled alike stay together.
 */
final class SlurmHosts {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final int NAMED_MAX = 5;

    /** By target: names, in order. No entry for a target without any. */
    final Map<Integer, List<String>> byTarget = new TreeMap<>();

    final List<String> remarks = new ArrayList<>();

    private final FabricView view;
    private final Pods pods;

    /** By name: the targets it has ports at. */
    private final Map<String, Set<Integer>> targets = new TreeMap<>();

    private final Map<String, Integer> ports = new HashMap<>();
    private final Set<String> leftOut = new TreeSet<>();
    private int unnamed;

    SlurmHosts(ExportedFabric fabric, Pods pods) {
        this.view = fabric.view();
        this.pods = pods;
        Set<String> shared = sharedDescriptions(fabric);
        fabric.nodes().forEach(node -> take(node, fabric.host(node), shared));
        Map<Integer, Integer> hostsOfPart = hostsOfParts();
        targets.forEach((name, at) -> byTarget.computeIfAbsent(best(at, hostsOfPart), target -> new ArrayList<>())
                .add(name));
        remark();
    }

    /** Descriptions of several words that several adapters have: what the maker wrote, no name of a host. */
    private static Set<String> sharedDescriptions(ExportedFabric fabric) {
        Map<String, Long> adapters = new HashMap<>();
        Set<String> shared = new HashSet<>();
        for (int node : fabric.nodes()) {
            Host host = fabric.host(node);
            Long first = adapters.putIfAbsent(host.name(), host.hostGuid());
            if (first != null && first != host.hostGuid() && host.name().strip().contains(" ")) {
                shared.add(host.name());
            }
        }
        return shared;
    }

    private void take(int node, Host host, Set<String> shared) {
        String name = host.name().strip().split("\\s", 2)[0];
        if (name.isEmpty()) {
            unnamed++;
        } else if (shared.contains(host.name()) || !isName(name)) {
            leftOut.add(SlurmNames.shown(host.name()));
        } else {
            ports.merge(name, 1, Integer::sum);
            targets.computeIfAbsent(name, n -> new TreeSet<>()).add(view.targetOfSwitch(view.nodeSwitch(node)));
        }
    }

    private static boolean isName(String name) {
        return NAME.matcher(name).matches() && !SlurmNames.isReserved(name);
    }

    private Map<Integer, Integer> hostsOfParts() {
        Map<Integer, Integer> hosts = new HashMap<>();
        targets.values()
                .forEach(at ->
                        at.stream().map(this::part).distinct().forEach(part -> hosts.merge(part, 1, Integer::sum)));
        return hosts;
    }

    private int part(int target) {
        return pods.partOf(view.targetSwitch(target));
    }

    private int best(Set<Integer> at, Map<Integer, Integer> hostsOfPart) {
        int best = -1;
        for (int target : at) {
            int hosts = hostsOfPart.getOrDefault(part(target), 0);
            if (best < 0 || hosts > hostsOfPart.getOrDefault(part(best), 0)) {
                best = target;
            }
        }
        return best;
    }

    private void remark() {
        long several = ports.values().stream().filter(count -> count > 1).count();
        if (several > 0) {
            remarks.add(several + (several == 1 ? " host has" : " hosts have")
                    + " several ports and stand below one switch each");
        }
        if (unnamed > 0) {
            remarks.add(unnamed
                    + (unnamed == 1
                            ? " host port has no description and is left out"
                            : " host ports have no description and are left out"));
        }
        if (!leftOut.isEmpty()) {
            remarks.add("left out, because their descriptions name no host Slurm could know: "
                    + leftOut.stream()
                            .limit(NAMED_MAX)
                            .map(name -> "'" + name + "'")
                            .collect(Collectors.joining(", "))
                    + (leftOut.size() > NAMED_MAX ? " and " + (leftOut.size() - NAMED_MAX) + " more" : ""));
        }
    }
}
