package io.dmodc.agent;

import io.dmodc.agent.linux.HostNode;
import io.dmodc.agent.linux.Network;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.topology.HostAddresses;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code switch-agent node}: the mode for hosts. */
@Command(
        name = "node",
        description = {
            "Runs on a host beside Linux switches: tells the switch at the other end of its cable who the host is, and by which"
                    + " addresses packets reach it. Runs until it is told to stop (SIGTERM).",
            "With --network it also keeps the host's route there, through that switch. The routes stay when it ends. One process"
                    + " for each port of the host."
        },
        footer = {
            "",
            "  switch-agent node --guid 0x10007 --name node7 --interface p1 \\",
            "      --address 10.100.0.8 --network 10.100.0.0/16"
        })
final class NodeCommand implements Callable<Integer> {
    private static final int PROTOCOL_MIN = 5;
    private static final int PROTOCOL_MAX = 255;

    /** So long the end of the process waits for what it does just now. */
    private static final long END_MILLIS = 2_000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--guid",
            required = true,
            paramLabel = "0x…",
            converter = GuidConverter.class,
            description = "identity of the host's port, up to 16 hex digits; no two ports of a fabric share one")
    private long guid;

    @Option(
            names = "--host-guid",
            paramLabel = "0x…",
            converter = GuidConverter.class,
            description = "identity of the host, where it has more than one port (default: that of the port)")
    private @Nullable Long hostGuid;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "1",
            description = "number of the port on the host, 1..254 (default: ${DEFAULT-VALUE})")
    private int port = 1;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "",
            description = "what people call the host, at most 64 bytes")
    private String name = "";

    @Option(
            names = "--interface",
            required = true,
            paramLabel = "IF",
            description = "network interface the cable is plugged into")
    private String interfaceName = "";

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description =
                    "by which the fabric's packets reach the host: one IPv4 address, one IPv6 address, or one of each;"
                            + " it is announced, not assigned")
    private List<String> addresses = List.of();

    @Option(
            names = "--network",
            paramLabel = "NET",
            description = "keep a route to this network, as 10.100.0.0/16 or fd00::/48; may be repeated")
    private List<String> networks = List.of();

    @Option(
            names = "--cluster",
            paramLabel = "N",
            defaultValue = "1",
            description = "as links.cluster of the switches (default: ${DEFAULT-VALUE})")
    private int cluster = 1;

    @Option(
            names = "--route-protocol",
            paramLabel = "N",
            defaultValue = "201",
            description = "by which the kernel tells these routes from others, 5..255 (default: ${DEFAULT-VALUE})")
    private int routeProtocol = 201;

    @Override
    public Integer call() throws IOException {
        HostNode node = node();
        Thread running = Thread.currentThread();
        Thread end = new Thread(() -> end(running), "shutdown");
        Runtime.getRuntime().addShutdownHook(end);
        try {
            node.run();
        } catch (InterruptedException asked) {
            // The process ends.
        }
        return CommandLine.ExitCode.OK;
    }

    private static void end(Thread running) {
        running.interrupt();
        try {
            TimeUnit.MILLISECONDS.timedJoin(running, END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HostNode node() {
        if (routeProtocol < PROTOCOL_MIN || routeProtocol > PROTOCOL_MAX) {
            throw usage("--route-protocol: " + routeProtocol + " is outside " + PROTOCOL_MIN + ".." + PROTOCOL_MAX);
        }
        try {
            HostPort host = new HostPort(guid, hostGuid == null ? guid : hostGuid, port, name, addresses());
            List<Network> wanted = networks.stream().map(Network::parse).toList();
            return new HostNode(cluster, host, interfaceName, wanted, routeProtocol);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private HostAddresses addresses() {
        String ipv4 = null;
        String ipv6 = null;
        for (String address : addresses) {
            boolean six = address.indexOf(':') >= 0;
            if ((six ? ipv6 : ipv4) != null) {
                throw usage("--address: " + address + " beside " + (six ? ipv6 : ipv4) + "; expected one of a kind");
            }
            ipv6 = six ? address : ipv6;
            ipv4 = six ? ipv4 : address;
        }
        return HostAddresses.parse(0, ipv4, ipv6, null);
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** {@code 0x} and up to 16 hex digits, not all 0. */
    static final class GuidConverter implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            long guid = text.matches("0[xX][0-9a-fA-F]{1,16}") ? Long.parseUnsignedLong(text.substring(2), 16) : 0;
            if (guid == 0) {
                throw new CommandLine.TypeConversionException(
                        "'" + text + "' is no GUID; expected 0x and up to 16 hex digits, not all of them 0");
            }
            return guid;
        }
    }
}
