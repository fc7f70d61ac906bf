package io.dmodc.manager.southbound;

import io.dmodc.detector.RingRules;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.RingReported;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.RefusedEntries;
import io.dmodc.routing.LftRow;
import io.dmodc.southbound.BoundedText;
import io.dmodc.southbound.RefusalSender;
import io.dmodc.southbound.RunEncoder;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableCodec;
import io.dmodc.southbound.TableKind;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.Addresses;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.HostNeighbour;
import io.dmodc.southbound.proto.LocalRepair;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Port;
import io.dmodc.southbound.proto.PortQuery;
import io.dmodc.southbound.proto.PortReport;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.TableAck;
import io.dmodc.southbound.proto.TableLost;
import io.dmodc.southbound.proto.TableProgress;
import io.dmodc.southbound.proto.TableRefusal;
import io.dmodc.southbound.proto.TableState;
import io.dmodc.southbound.proto.TransitQuery;
import io.dmodc.southbound.proto.TransitReport;
import io.dmodc.southbound.proto.Welcome;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Wire messages to the core's words and back, without a socket. Everything here is checked already and cannot fail. */
public final class AgentFrames {
    private AgentFrames() {}

    /** The answer to an accepted Hello. */
    public static ManagerFrame welcome(long leaderEpoch, int keepAliveMillis) {
        return ManagerFrame.newBuilder()
                .setWelcome(Welcome.newBuilder()
                        .setProtocol(SouthboundProtocol.VERSION_MAX)
                        .setLeaderEpoch(leaderEpoch)
                        .setKeepAliveMillis(keepAliveMillis)
                        .setMaxFrameBytes(SouthboundProtocol.MAX_FRAME_BYTES)
                        .setHearingReports(true)
                        .setRepairReports(true))
                .build();
    }

    /** Why the manager ends a session. */
    public static Refusal refusal(Effect.Dismiss dismiss) {
        Refusal.Reason reason = switch (dismiss.reason()) {
            case DUPLICATE_GUID -> Refusal.Reason.DUPLICATE_GUID;
            case NOT_ACKNOWLEDGING -> Refusal.Reason.NOT_ACKNOWLEDGING;
            case SILENT -> Refusal.Reason.TOO_SLOW;
            case INVALID_HELLO, UNATTACHED -> Refusal.Reason.INVALID_HELLO;
        };
        return RefusalSender.of(reason, dismiss.text());
    }

    /** The question how these ports are now. */
    public static ManagerFrame portQuery(List<Integer> ports) {
        return ManagerFrame.newBuilder()
                .setPortQuery(PortQuery.newBuilder().addAllPorts(ports))
                .build();
    }

    /** The question whether the switch at the far end of a port forwards. */
    public static ManagerFrame transitQuery(Effect.AskThrough asked) {
        return ManagerFrame.newBuilder()
                .setTransitQuery(TransitQuery.newBuilder()
                        .setNumber(asked.number())
                        .setPort(asked.port())
                        .setThere(asked.there())
                        .setBack(asked.back()))
                .build();
    }

    static FabricEvent.TransitReported askedThrough(long now, long session, long guid, TransitReport report) {
        return new FabricEvent.TransitReported(
                now, session, guid, report.getNumber(), report.getSent(), report.getAnswered());
    }

    static FabricEvent.RepairReported repaired(long now, long session, long guid, LocalRepair repair) {
        return new FabricEvent.RepairReported(
                now, session, guid, repair.getPort(), repair.getMoved(), repair.getStranded());
    }

    /** A table, whole or as a difference. */
    public static ManagerFrame push(TableUpdate update) {
        TableVersion version = new TableVersion(update.leaderEpoch(), update.fabricEpoch());
        PortTable entries = update.complete() ? complete(update) : difference(update);
        return ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(version, update.turns() ? TableKind.TURNS : TableKind.ROUTES, entries))
                .build();
    }

    private static PortTable complete(TableUpdate update) {
        LftRow row = update.row();
        RunEncoder encoder = RunEncoder.complete(row.entryCount(), update.resultDigest());
        say(row, 0, row.entryCount(), encoder);
        return encoder.table();
    }

    private static PortTable difference(TableUpdate update) {
        LftRow row = update.row();
        RunEncoder encoder =
                RunEncoder.difference(row.entryCount(), update.blocks(), update.baseDigest(), update.resultDigest());
        for (int block : update.blocks()) {
            int start = block * SouthboundProtocol.BLOCK_ENTRIES;
            say(row, start, Math.min(start + SouthboundProtocol.BLOCK_ENTRIES, row.entryCount()), encoder);
        }
        return encoder.table();
    }

    private static void say(LftRow row, int from, int to, RunEncoder encoder) {
        row.forEachRun(
                from,
                to,
                (start, end, pattern) -> encoder.run(start, end, pattern.divider(), pattern.phase(), pattern.ports()));
    }

    static AgentJoined joined(long now, long session, Hello hello, RingAddress ring) {
        return new AgentJoined(
                now,
                session,
                hello.getSwitchGuid(),
                name(hello),
                hello.getPortCount(),
                hello.getIncarnation(),
                obeyed(hello),
                ring,
                hello.getTransitHellos());
    }

    static String name(@Nullable Hello hello) {
        if (hello == null) {
            return "unknown";
        }
        return hello.getName().isEmpty() ? Guid.format(hello.getSwitchGuid()) : BoundedText.printable(hello.getName());
    }

    /** An empty address means the one the connection came from. */
    static InetAddress detectorAddress(Endpoint endpoint, InetAddress source) {
        try {
            return endpoint.getAddress().isEmpty()
                    ? source
                    : InetAddress.getByAddress(endpoint.getAddress().toByteArray());
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
                doubts(report),
                rates(report));
    }

    /** Of agents that tell none, and of ports that know none, there is nothing. */
    private static Map<Integer, LinkRate> rates(PortReport report) {
        Map<Integer, LinkRate> rates = new HashMap<>();
        for (Port port : report.getPortsList()) {
            if (port.getUp() && port.getMegabits() > 0) {
                rates.put(port.getNumber(), new LinkRate(port.getMegabits(), port.getLanes()));
            }
        }
        return rates;
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
        return new Host(
                host.getPortGuid(),
                host.getHostGuid(),
                host.getHostPort(),
                BoundedText.printable(host.getName()),
                addresses(host.getAddresses()));
    }

    private static HostAddresses addresses(Addresses it) {
        return HostAddresses.ofBytes(
                it.getLid(),
                it.getIpv4().toByteArray(),
                it.getIpv6().toByteArray(),
                it.getMac().toByteArray());
    }

    static TableAcked acked(long now, long session, long guid, TableAck ack) {
        return new TableAcked(now, session, guid, ack.getFabricEpoch(), ack.getDigest());
    }

    static FabricEvent.TableProgressed progressed(long now, long session, long guid, TableProgress progress) {
        return new FabricEvent.TableProgressed(
                now, session, guid, progress.getFabricEpoch(), progress.getDone(), progress.getTotal());
    }

    static FabricEvent.TableLost lost(long now, long session, long guid, TableLost lost) {
        return new FabricEvent.TableLost(now, session, guid, held(lost.getTable()));
    }

    static TableRefused refused(long now, long session, long guid, TableRefusal refusal) {
        RefusalReason reason =
                refusal.getReason() == TableRefusal.Reason.OLD_LEADER ? RefusalReason.OLD_LEADER : RefusalReason.OTHER;
        return new TableRefused(
                now,
                session,
                guid,
                refusal.getFabricEpoch(),
                reason,
                BoundedText.shown(refusal.getText()),
                held(refusal.getTable()),
                entries(refusal));
    }

    private static RefusedEntries entries(TableRefusal refusal) {
        SortedMap<Integer, Integer> ports = new TreeMap<>();
        for (int i = 0; i < refusal.getEntryCount(); i++) {
            ports.put(refusal.getEntry(i), Byte.toUnsignedInt(refusal.getPort().byteAt(i)));
        }
        return new RefusedEntries(ports);
    }

    /** What a fault report comes to. */
    static FabricEvent fault(long now, long session, FaultReport report) {
        return switch (report.getKind()) {
            case HEARS_NOBODY, HEARS_AGAIN ->
                new FabricEvent.HearingReported(
                        now, session, report.getSubjectGuid(), report.getKind() == FaultReport.Kind.HEARS_NOBODY);
            case FOREIGN_SOURCE ->
                new FabricEvent.ForeignSource(
                        now,
                        session,
                        report.getObserverGuid(),
                        report.getSubjectGuid(),
                        ringAddress(report.getExpected()),
                        ringAddress(report.getActual()));
            case AGENT_SILENT, AGENT_ALIVE, KIND_UNSPECIFIED, UNRECOGNIZED -> ring(now, session, report);
        };
    }

    private static RingAddress ringAddress(Endpoint endpoint) {
        try {
            byte[] bytes = endpoint.getAddress().toByteArray();
            return new RingAddress(InetAddress.getByAddress(bytes).getHostAddress(), endpoint.getPort());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an endpoint that was checked has no address", e);
        }
    }

    private static RingReported ring(long now, long session, FaultReport report) {
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

    /**
     * The frame that tells an agent its whole ring.
     *
     * @param manager stands where a member's address has no host
     */
    public static ManagerFrame membership(
            Effect.Membership membership, int cluster, RingRules rules, InetAddress manager) {
        return MembershipEncoder.whole(new MembershipFrames.Ring(membership, cluster, rules), manager);
    }
}
