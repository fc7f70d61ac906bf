package io.dmodc.demo.linux;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What is built: who is in which namespace, with which addresses, and what is cabled to what.
 *
 * @param switches in the order of the view
 * @param hosts in the order of their node indices
 * @param cables those between switches first, the lower switch's end first; then those of the hosts, the leaf's end first
 */
record FabricPlan(List<SwitchPlace> switches, List<HostPlace> hosts, List<Cable> cables) {
    /** Begins the name of every namespace and of the one interface that is made beside them. */
    static final String PREFIX = "fm-";

    /** What all addresses of hosts are in. */
    static final String HOST_NETWORK = "10.100.0.0/16";

    /** What the manager and the agents speak over. */
    static final String MANAGEMENT_NETWORK = "172.30.0.0/16";

    /** Each switch has an agent's process beside it, and each of a few hosts one: a machine has memory for so many. */
    static final int SWITCHES_MAX = 128;

    static final int HOSTS_MAX = 256;

    /** More hosts are listed in the settings of agents: so many processes more would keep two cores busy for minutes. */
    private static final int ANNOUNCED_MAX = 32;

    private static final int MANAGEMENT_FIRST = 256;

    FabricPlan {
        switches = List.copyOf(switches);
        hosts = List.copyOf(hosts);
        cables = List.copyOf(cables);
    }

    /**
     * A switch.
     *
     * @param rank 0 for a leaf
     * @param address on the management network
     */
    record SwitchPlace(String name, long guid, int rank, int portCount, String address) {
        String namespace() {
            return PREFIX + name;
        }
    }

    /**
     * A host.
     *
     * @param guid of its port
     * @param address on its only interface, p1, and nowhere else
     */
    record HostPlace(String name, long guid, String address) {
        String namespace() {
            return PREFIX + name;
        }
    }

    /** One end of a cable: port n is the interface {@code p<n>} in that namespace. */
    record End(String namespace, int port) {
        String device() {
            return "p" + port;
        }

        /** For people: {@code leaf0 p5}. */
        String text() {
            return namespace.substring(PREFIX.length()) + " " + device();
        }
    }

    /**
     * A cable.
     *
     * @param number from 0, in the order of the plan
     */
    record Cable(int number, End first, End second) {
        private static final int INDEX_FIRST = 1000;

        /** MAC address of an end; locally administered. */
        String mac(boolean ofFirst) {
            return String.format(
                    Locale.ROOT, "02:fa:%02x:%02x:00:%02x", (number >> 8) & 0xff, number & 0xff, ofFirst ? 1 : 2);
        }

        /**
         * Number of the interface at an end, different at both ends as between machines: the kernel delays the news of a lost
         * carrier by up to a second for a pair whose numbers happen to be the same.
         */
        int index(boolean ofFirst) {
            return INDEX_FIRST + 2 * number + (ofFirst ? 0 : 1);
        }

        boolean touches(String namespace) {
            return first.namespace.equals(namespace) || second.namespace.equals(namespace);
        }

        String text() {
            return first.text() + " – " + second.text();
        }
    }

    /**
     * Plans a fabric.
     *
     * @param view with names that are good for files
     * @throws IllegalArgumentException in one line, for a fabric that is too large for processes on one machine
     */
    static FabricPlan of(FabricView view) {
        if (view.switchCount() > SWITCHES_MAX || view.nodeCount() > HOSTS_MAX) {
            throw new IllegalArgumentException(view.switchCount() + " switches and " + view.nodeCount()
                    + " hosts; expected at most " + SWITCHES_MAX + " and " + HOSTS_MAX
                    + ", as each is a process or two on this machine");
        }
        List<SwitchPlace> switches = switches(view);
        List<HostPlace> hosts = new ArrayList<>();
        for (int d = 0; d < view.nodeCount(); d++) {
            Host host = Objects.requireNonNull(view.host(d));
            hosts.add(new HostPlace(host.name(), host.portGuid(), address(d)));
        }
        return new FabricPlan(switches, hosts, cables(view, switches, hosts));
    }

    private static List<SwitchPlace> switches(FabricView view) {
        List<SwitchPlace> switches = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            int number = MANAGEMENT_FIRST + s;
            switches.add(new SwitchPlace(
                    view.switchName(s),
                    view.switchGuid(s),
                    view.rank(s),
                    view.portCount(s),
                    "172.30." + (number >> 8) + "." + (number & 0xff)));
        }
        return switches;
    }

    /** Plans its switches and the cables between them; its hosts are left to somebody else. */
    static FabricPlan ofSwitches(FabricView view) {
        List<SwitchPlace> switches = switches(view);
        return new FabricPlan(switches, List.of(), links(view, switches));
    }

    private static List<Cable> links(FabricView view, List<SwitchPlace> switches) {
        List<Cable> cables = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                int peer = view.peerSwitch(s, port);
                if (peer >= 0 && view.isUp(s, peer)) {
                    cables.add(new Cable(
                            cables.size(),
                            new End(switches.get(s).namespace(), port),
                            new End(switches.get(peer).namespace(), view.peerPort(s, port))));
                }
            }
        }
        return cables;
    }

    private static List<Cable> cables(FabricView view, List<SwitchPlace> switches, List<HostPlace> hosts) {
        List<Cable> cables = links(view, switches);
        for (int d = 0; d < view.nodeCount(); d++) {
            cables.add(new Cable(
                    cables.size(),
                    new End(switches.get(view.nodeSwitch(d)).namespace(), view.nodePort(d)),
                    new End(hosts.get(d).namespace(), 1)));
        }
        return cables;
    }

    /** The address of a node index: x.y of 10.100.x.y is the index + 1. */
    static String address(int node) {
        return "10.100." + ((node + 1) >> 8) + "." + ((node + 1) & 0xff);
    }

    /** Cables between switches. */
    List<Cable> links() {
        return cables.subList(0, cables.size() - hosts.size());
    }

    /** Whether each host has a process that announces it over its cable. */
    boolean announcesHosts() {
        return hosts.size() <= ANNOUNCED_MAX;
    }

    /** The cable of a host. */
    Cable hostCable(int node) {
        return cables.get(links().size() + node);
    }

    /** All namespaces of switches and hosts. */
    List<String> namespaces() {
        List<String> names = new ArrayList<>();
        switches.forEach(place -> names.add(place.namespace()));
        hosts.forEach(place -> names.add(place.namespace()));
        return names;
    }

    static String guid(long guid) {
        return Guid.format(guid);
    }
}
