package io.dmodc.manager.northbound;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.HostPair;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Finds the adapter that is gone and the one in its place, port by port. A name or a GUID is of a port or of an adapter; where both
 * adapters have one name, as of their machine, the old one is the one that is down.
 */
final class ReplacedNodes {
    private ReplacedNodes() {}

    /** @throws RequestRefused when there is no such pair */
    static Act act(FabricSnapshot fabric, String old, String fresh) {
        NavigableMap<Integer, Long> oldPorts = old(fabric, old);
        NavigableMap<Integer, Long> newPorts = fresh(fabric, fresh, oldPorts);
        if (oldPorts.size() == 1 && newPorts.size() == 1) {
            return Act.replaceHosts(List.of(new HostPair(
                    oldPorts.firstEntry().getValue(), newPorts.firstEntry().getValue())));
        }
        if (!oldPorts.keySet().equals(newPorts.keySet())) {
            throw RequestRefused.badRequest("'" + old + "' has ports " + ports(oldPorts) + ", '" + fresh + "' has "
                    + ports(newPorts) + "; give the GUIDs of two ports");
        }
        return Act.replaceHosts(oldPorts.entrySet().stream()
                .map(port -> new HostPair(port.getValue(), newPorts.getOrDefault(port.getKey(), 0L)))
                .toList());
    }

    /** Why it cannot be done, as far as it shows at once; empty for all other acts, too. */
    static String obstacle(FabricSnapshot fabric, Act act) {
        for (HostPair pair : act.replacedHosts()) {
            if (fabric.nodeIndex(pair.oldGuid()) < 0) {
                return "host port " + Guid.format(pair.oldGuid()) + " has no node index";
            }
            if (fabric.works(new HostPort(pair.oldGuid()))) {
                return fabric.nameOf(new HostPort(pair.oldGuid())) + ": the host is up";
            }
            if (pair.newGuid() == 0) {
                return "no host port has GUID 0";
            }
        }
        return "";
    }

    private static NavigableMap<Integer, Long> old(FabricSnapshot fabric, String text) {
        List<Host> found = named(fabric, text);
        List<Host> down = found.stream().filter(host -> !isUp(fabric, host)).toList();
        if (down.isEmpty() && isGuid(text) && found.isEmpty() && fabric.nodeIndex(Parameters.guid(text)) >= 0) {
            return new TreeMap<>(Map.of(1, Parameters.guid(text)));
        }
        if (found.isEmpty()) {
            throw RequestRefused.notFound(
                    "no node '" + text + "' has a node index; one that was gone before the manager"
                            + " started is known by the GUID of its port alone");
        }
        if (down.isEmpty()) {
            throw RequestRefused.conflict(text + ": the host is up");
        }
        return ofOneAdapter(text, down);
    }

    private static NavigableMap<Integer, Long> fresh(
            FabricSnapshot fabric, String text, NavigableMap<Integer, Long> old) {
        List<Host> found = named(fabric, text);
        found.removeIf(host -> old.containsValue(host.portGuid()));
        List<Host> up = found.stream().filter(host -> isUp(fabric, host)).toList();
        if (!found.isEmpty()) {
            return ofOneAdapter(text, up.isEmpty() ? found : up);
        }
        if (!isGuid(text)) {
            throw RequestRefused.notFound(
                    "no other node '" + text + "'; one that was not seen yet is named by the GUID of its port");
        }
        return new TreeMap<>(Map.of(1, Parameters.guid(text)));
    }

    private static boolean isGuid(String text) {
        return text.startsWith("0x") || text.startsWith("0X");
    }

    private static boolean isUp(FabricSnapshot fabric, Host host) {
        return fabric.works(new HostPort(host.portGuid()));
    }

    /** Hosts that are expected, and those whose port has another adapter now; O(ports). */
    private static List<Host> named(FabricSnapshot fabric, String text) {
        Predicate<Host> wanted = host -> host.name().equals(text);
        if (isGuid(text)) {
            long guid = Parameters.guid(text);
            wanted = host -> host.portGuid() == guid || host.hostGuid() == guid;
        }
        List<Host> found = new ArrayList<>();
        for (ExpectedSwitch known : fabric.expected()) {
            for (ExpectedPort port : known.ports()) {
                if (port.neighbour() instanceof ToHost to) {
                    found.add(to.host());
                }
            }
        }
        found.addAll(fabric.exchangedHosts());
        found.removeIf(wanted.negate());
        return found;
    }

    /** GUIDs by port number. */
    private static NavigableMap<Integer, Long> ofOneAdapter(String text, List<Host> hosts) {
        NavigableMap<Integer, Long> ports = new TreeMap<>();
        long adapter = hosts.get(0).hostGuid();
        for (Host host : hosts) {
            if (host.hostGuid() != adapter || ports.put(host.hostPort(), host.portGuid()) != null) {
                throw RequestRefused.badRequest(hosts.size() + " node ports are meant by '" + text + "': "
                        + hosts.stream()
                                .map(each -> Guid.format(each.portGuid()))
                                .sorted()
                                .collect(Collectors.joining(", "))
                        + "; give the GUID");
            }
        }
        return ports;
    }

    private static String ports(NavigableMap<Integer, Long> ports) {
        return ports.keySet().stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
