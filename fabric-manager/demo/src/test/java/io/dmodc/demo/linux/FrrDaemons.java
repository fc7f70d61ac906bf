package io.dmodc.demo.linux;

import io.dmodc.demo.linux.FabricPlan.Cable;
import io.dmodc.demo.linux.FabricPlan.End;
import io.dmodc.demo.linux.FabricPlan.HostPlace;
import io.dmodc.demo.linux.FabricPlan.SwitchPlace;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * FRR as Debian packs it, OSPF with BFD and equal-cost paths: zebra, bfdd and ospfd in each switch. What is set is set in its favour:
 *
 * <ul>
 *   <li>a host's address is in the network of its cable, so that it is an intra-area route; as an external one it moves a second later;
 *   <li>no next-hop objects in the kernel, as a member of several does not come back after its port did;
 *   <li>nothing waits: point-to-point networks, hellos every second, a changed LSA leaves at once and is taken at once;
 *   <li>who the hosts are need not be asked: their neighbour entries stand.
 * </ul>
 */
final class FrrDaemons implements ControlPlane {
    private static final Path PROGRAMS = Path.of("/usr/lib/frr");
    /** As in Debian's frr.service. */
    private static final String NICE = "-5";

    private static final List<String> DAEMONS = List.of("zebra", "bfdd", "ospfd");
    private static final String HOST_NETWORK = "10.104.0.0/16";

    private final FabricPlan plan;
    private final Path directory;
    private final int intervalMillis;
    private final Map<Integer, List<Process>> processes = new HashMap<>();

    /**
     * @param plan of {@link #planOf}
     * @param directory in which one for settings and logs is made that belongs to the user frr
     */
    FrrDaemons(FabricPlan plan, Path directory, int intervalMillis) {
        this.plan = plan;
        this.directory = directory;
        this.intervalMillis = intervalMillis;
    }

    /** The same fabric, with hosts' addresses as FRR is to have them. */
    static FabricPlan planOf(FabricPlan plan) {
        List<HostPlace> hosts = new ArrayList<>();
        for (HostPlace host : plan.hosts()) {
            hosts.add(new HostPlace(host.name(), host.guid(), address(2 * hosts.size() + 1)));
        }
        return new FabricPlan(plan.switches(), hosts, plan.cables());
    }

    @Override
    public String name() {
        return "FRR OSPF+BFD 3 x " + intervalMillis + " ms";
    }

    @Override
    public String routeProtocol() {
        return "ospf";
    }

    @Override
    public void start() throws IOException, LinuxFailure {
        for (SwitchPlace place : plan.switches()) {
            addresses(place);
        }
        ListedHosts.addRoutes(plan, HOST_NETWORK);
        for (int s = 0; s < plan.switches().size(); s++) {
            settings(s);
        }
        Commands.run("chmod", "711", directory.toString());
        Commands.run("chown", "-R", "frr:frr", own().toString());
        for (int s = 0; s < plan.switches().size(); s++) {
            restart(s);
        }
    }

    private void addresses(SwitchPlace place) throws LinuxFailure {
        List<String> lines = new ArrayList<>();
        for (Cable cable : plan.links()) {
            if (cable.touches(place.namespace())) {
                boolean first = cable.first().namespace().equals(place.namespace());
                End end = first ? cable.first() : cable.second();
                int number = 2 * cable.number() + (first ? 0 : 1);
                lines.add("address add 10.102." + (number >> 8) + "." + (number & 0xff) + "/31 dev " + end.device());
            }
        }
        for (int host = 0; host < plan.hosts().size(); host++) {
            Cable cable = plan.hostCable(host);
            if (cable.touches(place.namespace())) {
                String device = cable.first().device();
                lines.add("address add " + address(2 * host) + "/31 dev " + device);
                lines.add("neighbour replace " + address(2 * host + 1) + " lladdr " + cable.mac(false) + " dev "
                        + device + " nud permanent");
            }
        }
        Commands.run(List.of("ip", "-n", place.namespace(), "-batch", "-"), NamespaceFabric.text(lines));
    }

    private Path own() {
        return directory.resolve("frr");
    }

    private static String address(int number) {
        return "10.104." + (number >> 8) + "." + (number & 0xff);
    }

    private void settings(int s) throws IOException {
        SwitchPlace place = plan.switches().get(s);
        Path own = Files.createDirectories(own().resolve(place.name()));
        Files.writeString(own.resolve("zebra.conf"), "hostname " + place.name() + "\nno zebra nexthop kernel enable\n");
        Files.writeString(own.resolve("bfdd.conf"), """
                bfd
                 profile fast
                  detect-multiplier 3
                  receive-interval %1$d
                  transmit-interval %1$d
                 exit
                exit
                """.formatted(intervalMillis));
        StringBuilder ospf = new StringBuilder();
        for (Cable cable : plan.links()) {
            for (End end : List.of(cable.first(), cable.second())) {
                if (end.namespace().equals(place.namespace())) {
                    ospf.append("""
                            interface %s
                             ip ospf area 0
                             ip ospf network point-to-point
                             ip ospf hello-interval 1
                             ip ospf dead-interval 4
                             ip ospf bfd
                             ip ospf bfd profile fast
                            exit
                            """.formatted(end.device()));
                }
            }
        }
        for (int host = 0; host < plan.hosts().size(); host++) {
            Cable cable = plan.hostCable(host);
            if (cable.touches(place.namespace())) {
                ospf.append("interface ").append(cable.first().device()).append("\n ip ospf area 0\n");
                ospf.append(" ip ospf network point-to-point\n ip ospf passive\nexit\n");
            }
        }
        ospf.append("router ospf\n ospf router-id 10.103.0.").append(s + 1).append('\n');
        ospf.append(" timers throttle spf 0 10 100\n timers throttle lsa all 0\n timers lsa min-arrival 0\n");
        ospf.append(" maximum-paths 64\nexit\n");
        Files.writeString(own.resolve("ospfd.conf"), ospf.toString());
    }

    @Override
    public void restart(int s) throws IOException {
        List<Process> started = new ArrayList<>();
        for (String daemon : DAEMONS) {
            started.add(startOne(s, daemon));
        }
        processes.put(s, started);
    }

    private Process startOne(int s, String daemon) throws IOException {
        SwitchPlace place = plan.switches().get(s);
        Path own = own().resolve(place.name());
        List<String> command = new ArrayList<>(Commands.inside(
                place.namespace(),
                "nice",
                "-n",
                NICE,
                PROGRAMS.resolve(daemon).toString(),
                "-f",
                own.resolve(daemon + ".conf").toString(),
                "-i",
                own.resolve(daemon + ".pid").toString(),
                "-z",
                own.resolve("zserv.api").toString(),
                "--vty_socket",
                own.toString(),
                "-P",
                "0",
                "-u",
                "frr",
                "-g",
                "frr"));
        if (daemon.equals("bfdd")) {
            command.addAll(List.of("--bfdctl", own.resolve("bfdd.sock").toString()));
        }
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(own.resolve(daemon + ".log").toFile()))
                .start();
    }

    /** Whether all sessions of BFD are up. */
    @Override
    public boolean isReady() throws LinuxFailure {
        for (SwitchPlace place : plan.switches()) {
            long cables = plan.links().stream()
                    .filter(cable -> cable.touches(place.namespace()))
                    .count();
            String sessions = Commands.run(
                    "vtysh", "--vty_socket", own().resolve(place.name()).toString(), "-c", "show bfd peers brief");
            long up = sessions.lines()
                    .filter(line -> line.stripTrailing().endsWith(" up"))
                    .count();
            if (up < cables) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void kill(int s) {
        List<Process> running = processes.getOrDefault(s, List.of());
        running.forEach(Process::destroyForcibly);
        running.forEach(process -> process.onExit().join());
    }

    @Override
    public List<Process> processesOf(int s) {
        return processes.getOrDefault(s, List.of());
    }

    @Override
    public String lastWords() {
        return "logs are in " + directory;
    }

    @Override
    public void close() {
        processes.keySet().forEach(this::kill);
    }
}
