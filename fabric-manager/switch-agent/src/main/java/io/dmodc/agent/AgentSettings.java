package io.dmodc.agent;

import io.dmodc.agent.exec.ExecSettings;
import io.dmodc.agent.linux.FarEnd;
import io.dmodc.agent.linux.LinuxSettings;
import io.dmodc.agent.plane.Neighbour;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PortState;
import io.dmodc.detector.link.LinkRules;
import io.dmodc.detector.net.RingKey;
import io.dmodc.detector.net.RingKeyFile;
import io.dmodc.settings.Hex;
import io.dmodc.settings.Range;
import io.dmodc.settings.SettingsException;
import io.dmodc.settings.SettingsKey;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.tls.Authentication;
import io.dmodc.southbound.tls.TlsEndpoint;
import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.southbound.tls.TlsKeyReader;
import io.dmodc.southbound.tls.TlsKeyUse;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The settings file of {@code switch-agent}; {@code conf/switch-agent.yaml} explains each key.
 *
 * @param manager where the manager listens
 * @param guid of the switch; required to run, so null only stands for what was not given
 * @param name for people; null: the GUID
 * @param stateDir where the incarnation is kept; null: derived from the time of the start
 * @param authentication whether this agent and its manager show each other certificates
 * @param keys with which they do
 * @param detector the heartbeat ring
 * @param plane what forwards
 * @param links how dead cables are noticed that no port tells of
 */
public record AgentSettings(
        io.dmodc.settings.HostPort manager,
        @Nullable @Hex Long guid,
        @Nullable String name,
        @Nullable Path stateDir,
        Authentication authentication,
        TlsFiles keys,
        Detector detector,
        Plane plane,
        Links links) {
    /** Checks the name. */
    public AgentSettings {
        int bytes = name == null ? 0 : name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > SouthboundProtocol.MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "name: " + bytes + " bytes; expected at most " + SouthboundProtocol.MAX_NAME_BYTES);
        }
        if (guid != null && guid == 0) {
            throw new IllegalArgumentException("guid: 0 is no identity; expected the GUID of the switch");
        }
    }

    static AgentSettings defaults() {
        return new AgentSettings(
                new io.dmodc.settings.HostPort("127.0.0.1", SouthboundProtocol.DEFAULT_PORT),
                null,
                null,
                null,
                Authentication.CERTIFICATE,
                TlsFiles.defaults(),
                Detector.defaults(),
                Plane.defaults(),
                Links.defaults());
    }

    /**
     * The GUID. There is no default for an identity: two agents with the same one would fight for the switch.
     *
     * @param where put before the message
     * @throws SettingsException in one line when none was given
     */
    long identity(String where) {
        if (guid == null) {
            throw new SettingsException(where + "guid: missing; expected the GUID of the switch, as 0x…");
        }
        return guid;
    }

    /**
     * How the agent and its manager know each other; null: in clear text, and each believes the other.
     *
     * @throws SettingsException in one line, when the keys cannot be used
     */
    @Nullable
    TlsEndpoint tls() {
        if (authentication == Authentication.OFF) {
            return null;
        }
        try {
            return TlsEndpoint.ofAgent(
                    new TlsKeyReader(keys, TlsKeyUse.ofAgent(guid), System::nanoTime, InstantSource.system()));
        } catch (IOException e) {
            throw new SettingsException("keys: " + e.getMessage());
        }
    }

    /**
     * The heartbeat ring.
     *
     * @param enabled whether this agent takes part
     * @param listen UDP address; port 0 takes any
     * @param authentication whether datagrams carry a code that only holders of the key can make
     * @param keyFile the key, or two while it is changed; the same for the manager and all agents
     */
    public record Detector(
            boolean enabled, io.dmodc.settings.HostPort listen, RingAuthentication authentication, Path keyFile) {
        static Detector defaults() {
            return new Detector(
                    true,
                    new io.dmodc.settings.HostPort("0.0.0.0", 0),
                    RingAuthentication.KEY,
                    Path.of("/etc/fabric-manager/keys/detector.key"));
        }

        /**
         * The key of the ring, read again whenever it is asked for.
         *
         * @throws SettingsException in one line, when the file does not hold one
         */
        Supplier<RingKey> key() {
            if (authentication == RingAuthentication.OFF) {
                return RingKey::none;
            }
            try {
                return RingKeyFile.open(keyFile);
            } catch (IOException e) {
                throw new SettingsException("detector.key-file: " + e.getMessage());
            }
        }
    }

    /** Who may speak in the ring. */
    public enum RingAuthentication {
        /** Whoever holds the key. */
        KEY,
        /** Everybody who reaches the socket. */
        OFF
    }

    /**
     * Hellos over the cables to other switches.
     *
     * @param hello whether they are said, where the plane can carry them
     * @param cluster as the manager's {@code detector.cluster}
     * @param interval between two hellos, 10 ms to 1 s
     * @param multiplier how many must be missed, 3 to 50
     * @param handshake interval until both ends hear each other, 100 ms to 10 s and no less than {@code interval}
     */
    public record Links(boolean hello, int cluster, Duration interval, int multiplier, Duration handshake) {
        /** Checks the ranges. */
        public Links {
            Duration shortest = Duration.ofNanos(LinkRules.INTERVAL_MIN_NANOS);
            Duration least = Duration.ofNanos(LinkRules.SLOW_MIN_NANOS);
            Range.check("interval", interval, shortest, Duration.ofNanos(LinkRules.INTERVAL_MAX_NANOS));
            Range.check("multiplier", multiplier, LinkRules.MULTIPLIER_MIN, LinkRules.MULTIPLIER_MAX);
            Duration from = interval.compareTo(least) > 0 ? interval : least;
            Range.check("handshake", handshake, from, Duration.ofNanos(LinkRules.SLOW_MAX_NANOS));
        }

        static Links defaults() {
            return new Links(
                    true,
                    1,
                    Duration.ofNanos(LinkRules.INTERVAL_STANDARD_NANOS),
                    LinkRules.MULTIPLIER_STANDARD,
                    Duration.ofSeconds(1));
        }

        LinkRules rules() {
            return new LinkRules(interval.toNanos(), interval.toNanos(), multiplier, handshake.toNanos());
        }
    }

    /**
     * What forwards.
     *
     * @param kind of plane
     * @param command the program and its arguments; only for {@code exec}
     * @param answerTimeout so long the program may stay silent, 100 ms to 10 min
     * @param alternatives whether the program is told by which other ports destinations can be reached; only for {@code exec}
     * @param portsFrom who knows ports and cables
     * @param portCount ports of the switch, 1..254; with a topology, the file says it instead
     * @param ports cables plugged in now; read again when the file changes
     * @param topology a file that lists the cables of many switches; null: {@code ports} lists those of this one
     * @param interfacePrefix port n is the network interface of this name followed by n; only for {@code linux}
     * @param routeProtocol by which the kernel tells our routes from others, 5..255; only for {@code linux}
     * @param standingRoutes whether the kernel holds a second route for each entry that can lead over another port, and takes that by itself
     *     when carrier is lost; only for {@code linux}
     * @param hosts at ports whose far end does not announce itself; only for {@code linux}
     * @param hostsFromLldp whether this machine's lldpd is asked for hosts that are neither announced nor listed; only for
     *     {@code linux}
     */
    public record Plane(
            Kind kind,
            List<String> command,
            Duration answerTimeout,
            boolean alternatives,
            PortSource portsFrom,
            int portCount,
            List<PluggedPort> ports,
            @Nullable Path topology,
            String interfacePrefix,
            int routeProtocol,
            boolean standingRoutes,
            List<PluggedPort> hosts,
            boolean hostsFromLldp) {
        /** The kinds there are. */
        public enum Kind {
            /** A switch in this process. */
            MEMORY,
            /** A program that writes to the switch. */
            EXEC,
            /** The kernel of this machine. */
            LINUX
        }

        /** Who says what is plugged in. */
        public enum PortSource {
            /** {@code ports}, or the file that {@code topology} names. */
            FILE,
            /** The program. */
            PROGRAM
        }

        static Plane defaults() {
            return new Plane(
                    Kind.MEMORY,
                    List.of(),
                    Duration.ofSeconds(30),
                    false,
                    PortSource.FILE,
                    36,
                    List.of(),
                    null,
                    "swp",
                    201,
                    true,
                    List.of(),
                    false);
        }

        /** Checks that there is a program where one is needed, and that the ports exist, have one cable each, and are listed at one place. */
        public Plane {
            command = List.copyOf(command);
            if (command.isEmpty() == (kind == Kind.EXEC)) {
                throw new IllegalArgumentException("command: " + command + " with kind "
                        + kind.name().toLowerCase(Locale.ROOT)
                        + "; expected a program and its arguments for exec, and none for others");
            }
            if (alternatives && kind != Kind.EXEC) {
                throw new IllegalArgumentException("alternatives: true; expected kind exec");
            }
            if (kind == Kind.LINUX && (topology != null || !ports.isEmpty())) {
                throw new IllegalArgumentException((topology == null ? "ports" : "topology")
                        + ": with kind linux, which finds out by itself what is plugged in; expected hosts at most");
            }
            hosts = List.copyOf(hosts);
            if (!hosts.isEmpty() && kind != Kind.LINUX) {
                throw new IllegalArgumentException("hosts: expected kind linux");
            }
            if (hostsFromLldp && kind != Kind.LINUX) {
                throw new IllegalArgumentException("hosts-from-lldp: true; expected kind linux");
            }
            if (!standingRoutes && kind != Kind.LINUX) {
                throw new IllegalArgumentException("standing-routes: false; expected kind linux");
            }
            LinuxSettings.checkPrefix(interfacePrefix);
            Range.check("route-protocol", routeProtocol, LinuxSettings.PROTOCOL_MIN, LinuxSettings.PROTOCOL_MAX);
            Range.check("answer-timeout", answerTimeout, Duration.ofMillis(100), Duration.ofMinutes(10));
            Range.check("port-count", portCount, 1, SouthboundProtocol.MAX_PORTS);
            ports = List.copyOf(ports);
            if (topology != null && !ports.isEmpty()) {
                throw new IllegalArgumentException(
                        "topology: " + topology + " beside a list of ports; expected only one of the two");
            }
            if (portsFrom == PortSource.PROGRAM && (kind != Kind.EXEC || topology != null || !ports.isEmpty())) {
                throw new IllegalArgumentException(
                        "ports-from: program; expected kind exec, and neither ports nor a topology");
            }
            checkNumbers("ports", ports, portCount);
            checkNumbers("hosts", hosts, portCount);
            for (PluggedPort host : hosts) {
                if (host.host() == null || host.mac() == null) {
                    throw new IllegalArgumentException(
                            "hosts: port " + host.number() + ": expected a host with its mac");
                }
            }
        }

        private static void checkNumbers(String key, List<PluggedPort> ports, int portCount) {
            Set<Integer> seen = new HashSet<>();
            for (PluggedPort port : ports) {
                Range.check(key, port.number(), 1, portCount);
                if (!seen.add(port.number())) {
                    throw new IllegalArgumentException(key + ": port " + port.number() + " is listed twice");
                }
            }
        }

        /** Returns how the program is kept; null when there is none. */
        @Nullable
        ExecSettings exec() {
            return kind == Kind.EXEC
                    ? new ExecSettings(command, answerTimeout, portsFrom == PortSource.PROGRAM, alternatives)
                    : null;
        }

        /** Returns the hosts that are listed, by port. */
        Map<Integer, FarEnd> listedHosts() {
            return hosts.stream()
                    .collect(Collectors.toMap(PluggedPort::number, port -> new FarEnd(port.neighbour(), port.mac())));
        }

        /** Returns the listed ports with their cables. */
        List<PortState> plugged() {
            return ports.stream().map(PluggedPort::state).toList();
        }
    }

    /**
     * A cable at a port: {@code {number: 1, switch: 0x…, port: 3}} or {@code {number: 5, host: 0x…, lid: 12}}.
     *
     * @param number the port here
     * @param switchGuid the switch at the far end; null: a host
     * @param port number at the far end; needed for a switch, 1 for a host unless given
     * @param host port GUID of the host at the far end; null: a switch
     * @param name of the host, for people
     * @param lid of the host, as are the three that follow; null: none
     * @param megabits what the link carries in one direction, in Mbit/s; null: not known
     * @param lanes width of an InfiniBand link; null: not known
     */
    public record PluggedPort(
            int number,
            @Nullable @Hex @SettingsKey("switch") Long switchGuid,
            @Nullable Integer port,
            @Nullable @Hex Long host,
            @Nullable String name,
            @Nullable Integer lid,
            @Nullable String ipv4,
            @Nullable String ipv6,
            @Nullable String mac,
            @Nullable Integer megabits,
            @Nullable Integer lanes) {
        /** Checks that the far end is one thing, and that a host's addresses are some. */
        public PluggedPort {
            Range.check("number", number, 1, SouthboundProtocol.MAX_PORTS);
            if ((switchGuid == null) == (host == null)) {
                throw new IllegalArgumentException("expected either switch or host at the far end");
            }
            if (switchGuid != null && port == null) {
                throw new IllegalArgumentException("port: missing; expected the port of the switch at the far end");
            }
            if (port != null) {
                Range.check("port", port, 1, SouthboundProtocol.MAX_PORTS);
            }
            if (lid != null) {
                Range.check("lid", lid, 1, HostAddresses.LID_MAX);
            }
            if (megabits != null) {
                Range.check("megabits", megabits, 1, LinkRate.MEGABITS_MAX);
            }
            if (lanes != null) {
                Range.check("lanes", lanes, 1, LinkRate.LANES_MAX);
            }
            if (lanes != null && megabits == null) {
                throw new IllegalArgumentException("megabits: missing beside lanes; expected what all lanes carry");
            }
            check("ipv4", ipv4, null, null);
            check("ipv6", null, ipv6, null);
            check("mac", null, null, mac);
            if (switchGuid != null) {
                expectOfHost("lid", lid);
                expectOfHost("ipv4", ipv4);
                expectOfHost("ipv6", ipv6);
                expectOfHost("mac", mac);
            }
        }

        private static void check(String key, @Nullable String ipv4, @Nullable String ipv6, @Nullable String mac) {
            try {
                HostAddresses.parse(0, ipv4, ipv6, mac);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
            }
        }

        private static void expectOfHost(String key, @Nullable Object value) {
            if (value != null) {
                throw new IllegalArgumentException(key + ": " + value + " beside a switch; expected it of a host only");
            }
        }

        private PortState state() {
            LinkRate rate = megabits == null ? null : new LinkRate(megabits, lanes == null ? 0 : lanes);
            return new PortState(number, true, neighbour(), rate);
        }

        private Neighbour neighbour() {
            int farPort = port == null ? 1 : port;
            if (switchGuid != null) {
                return new SwitchPort(switchGuid, farPort);
            }
            long guid = host == null ? 0 : host;
            HostAddresses addresses = HostAddresses.parse(lid == null ? 0 : lid, ipv4, ipv6, mac);
            return new HostPort(guid, guid, farPort, name == null ? "" : name, addresses);
        }
    }
}
