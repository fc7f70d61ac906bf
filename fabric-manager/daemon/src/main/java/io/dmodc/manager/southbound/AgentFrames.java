package io.dmodc.manager.southbound;

import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.RingReported;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.HostNeighbour;
import io.dmodc.southbound.proto.Port;
import io.dmodc.southbound.proto.PortReport;
import io.dmodc.southbound.proto.TableAck;
import io.dmodc.southbound.proto.TableRefusal;
import io.dmodc.southbound.proto.TableState;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Wire messages to the core's words and back. Everything here is checked already and cannot fail. */
final class AgentFrames {
    private AgentFrames() {}

    static AgentJoined joined(long now, long session, Hello hello, RingAddress ring) {
        return new AgentJoined(
                now,
                session,
                hello.getSwitchGuid(),
                name(hello),
                hello.getPortCount(),
                hello.getIncarnation(),
                obeyed(hello),
                ring);
    }

    static String name(@Nullable Hello hello) {
        if (hello == null) {
            return "unknown";
        }
        return hello.getName().isEmpty() ? Guid.format(hello.getSwitchGuid()) : hello.getName();
    }

    /** An empty address means the one the connection came from. */
    static RingAddress ringAddress(Endpoint endpoint, InetAddress source) {
        try {
            InetAddress address = endpoint.getAddress().isEmpty()
                    ? source
                    : InetAddress.getByAddress(endpoint.getAddress().toByteArray());
            return new RingAddress(address.getHostAddress(), endpoint.getPort());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an endpoint of unchecked length", e);
        }
    }

    private static HeldTable obeyed(Hello hello) {
        HeldTable table = held(hello.getTable());
        return new HeldTable(
                Math.max(table.leaderEpoch(), hello.getLeaderEpoch()),
                table.fabricEpoch(),
                table.entryCount(),
                table.digest());
    }

    private static HeldTable held(TableState table) {
        return new HeldTable(table.getLeaderEpoch(), table.getFabricEpoch(), table.getEntryCount(), table.getDigest());
    }

    static PortsReported ports(long now, long session, long guid, PortReport report) {
        return new PortsReported(
                now,
                session,
                guid,
                report.getComplete(),
                report.getPortsList().stream().map(port -> port(guid, port)).toList(),
                doubts(report));
    }

    private static Map<Integer, Doubt> doubts(PortReport report) {
        Map<Integer, Doubt> doubts = new HashMap<>();
        for (Port port : report.getPortsList()) {
            if (port.getHello() == Port.Hello.UNDECIDED) {
                doubts.put(port.getNumber(), Doubt.UNDECIDED);
            } else if (port.getHello() == Port.Hello.UNHEARD) {
                doubts.put(port.getNumber(), Doubt.UNHEARD);
            }
        }
        return doubts;
    }

    private static PortSeen port(long guid, Port port) {
        return new PortSeen(guid, port.getNumber(), port.getUp(), neighbour(port));
    }

    private static @Nullable Neighbour neighbour(Port port) {
        return switch (port.getNeighbourCase()) {
            case SWITCH_NEIGHBOUR ->
                new ToSwitch(
                        port.getSwitchNeighbour().getGuid(),
                        port.getSwitchNeighbour().getPort());
            case HOST_NEIGHBOUR -> new ToHost(host(port.getHostNeighbour()));
            case NEIGHBOUR_NOT_SET -> null;
        };
    }

    private static Host host(HostNeighbour host) {
        return new Host(host.getPortGuid(), host.getHostGuid(), host.getHostPort(), host.getName());
    }

    static TableAcked acked(long now, long session, long guid, TableAck ack) {
        return new TableAcked(now, session, guid, ack.getFabricEpoch(), ack.getDigest());
    }

    static TableRefused refused(long now, long session, long guid, TableRefusal refusal) {
        RefusalReason reason =
                refusal.getReason() == TableRefusal.Reason.OLD_LEADER ? RefusalReason.OLD_LEADER : RefusalReason.OTHER;
        return new TableRefused(
                now, session, guid, refusal.getFabricEpoch(), reason, refusal.getText(), held(refusal.getTable()));
    }

    static RingReported ring(long now, long session, FaultReport report) {
        return new RingReported(
                now,
                session,
                report.getKind() == FaultReport.Kind.AGENT_SILENT,
                report.getSubjectGuid(),
                report.getSubjectIncarnation(),
                report.getObserverGuid(),
                report.getSilenceNanos(),
                report.getHops());
    }
}
