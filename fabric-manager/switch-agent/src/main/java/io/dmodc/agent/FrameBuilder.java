package io.dmodc.agent;

import com.google.protobuf.ByteString;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.Neighbour;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PortState;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.Addresses;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.HostNeighbour;
import io.dmodc.southbound.proto.LocalRepair;
import io.dmodc.southbound.proto.Port;
import io.dmodc.southbound.proto.PortReport;
import io.dmodc.southbound.proto.SwitchNeighbour;
import io.dmodc.southbound.proto.TableAck;
import io.dmodc.southbound.proto.TableLost;
import io.dmodc.southbound.proto.TableProgress;
import io.dmodc.southbound.proto.TablePush;
import io.dmodc.southbound.proto.TableRefusal;
import io.dmodc.southbound.proto.TableState;
import io.dmodc.southbound.proto.TransitReport;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import java.util.BitSet;
import java.util.Collection;

/** What an agent says, from its own words into the protocol's. */
final class FrameBuilder {
    private FrameBuilder() {}

    static TableState state(InstalledTable table) {
        return TableState.newBuilder()
                .setLeaderEpoch(table.version().leaderEpoch())
                .setFabricEpoch(table.version().fabricEpoch())
                .setEntryCount(table.entries().length)
                .setDigest(TableDigest.of(table.entries()))
                .build();
    }

    static AgentFrame report(long sequence, boolean complete, Collection<PortState> ports) {
        PortReport.Builder report =
                PortReport.newBuilder().setSequence(sequence).setComplete(complete);
        for (PortState port : ports) {
            // A complete report means unlisted ports to be down and without a neighbour, so these need no words.
            if (!complete || port.up() || port.neighbour() != null) {
                report.addPorts(port(port));
            }
        }
        return AgentFrame.newBuilder().setPortReport(report).build();
    }

    private static Port port(PortState state) {
        Port.Builder port = Port.newBuilder().setNumber(state.number()).setUp(state.up());
        port.setHello(
                switch (state.hello()) {
                    case OFF, HEARD -> Port.Hello.SURE;
                    case PENDING -> Port.Hello.UNDECIDED;
                    case LOST -> Port.Hello.UNHEARD;
                });
        LinkRate rate = state.rate();
        if (rate != null) {
            port.setMegabits(rate.megabits()).setLanes(rate.lanes());
        }
        Neighbour neighbour = state.neighbour();
        if (neighbour instanceof SwitchPort end) {
            port.setSwitchNeighbour(
                    SwitchNeighbour.newBuilder().setGuid(end.guid()).setPort(end.port()));
        } else if (neighbour instanceof HostPort host) {
            port.setHostNeighbour(host(host));
        }
        return port.build();
    }

    private static HostNeighbour.Builder host(HostPort host) {
        HostNeighbour.Builder neighbour = HostNeighbour.newBuilder()
                .setPortGuid(host.portGuid())
                .setHostGuid(host.hostGuid())
                .setHostPort(host.port())
                .setName(host.name());
        HostAddresses addresses = host.addresses();
        if (!addresses.isNone()) {
            neighbour.setAddresses(Addresses.newBuilder()
                    .setLid(addresses.lid())
                    .setIpv4(ByteString.copyFrom(addresses.ipv4Bytes()))
                    .setIpv6(ByteString.copyFrom(addresses.ipv6Bytes()))
                    .setMac(ByteString.copyFrom(addresses.macBytes())));
        }
        return neighbour;
    }

    static AgentFrame acknowledge(InstalledTable table) {
        return AgentFrame.newBuilder()
                .setTableAck(TableAck.newBuilder()
                        .setLeaderEpoch(table.version().leaderEpoch())
                        .setFabricEpoch(table.version().fabricEpoch())
                        .setDigest(TableDigest.of(table.entries())))
                .build();
    }

    /** @param untaken indices of entries that are told with their ports in the present table */
    static AgentFrame refuse(
            TableVersion version, TableRefusal.Reason reason, String text, InstalledTable present, BitSet untaken) {
        TableRefusal.Builder refusal = TableRefusal.newBuilder()
                .setLeaderEpoch(version.leaderEpoch())
                .setFabricEpoch(version.fabricEpoch())
                .setReason(reason)
                .setText(text)
                .setTable(state(present));
        byte[] ports = new byte[untaken.cardinality()];
        untaken.stream().forEach(index -> {
            ports[refusal.getEntryCount()] = present.entries()[index];
            refusal.addEntry(index);
        });
        return AgentFrame.newBuilder()
                .setTableRefusal(refusal.setPort(ByteString.copyFrom(ports)))
                .build();
    }

    static AgentFrame lost(InstalledTable present) {
        return AgentFrame.newBuilder()
                .setTableLost(TableLost.newBuilder().setTable(state(present)))
                .build();
    }

    /** Whatever a plane counts, told as a share of no more than a table can have: for more the manager would end the session. */
    static AgentFrame progress(TableVersion version, int done, int total) {
        int told = Math.min(total, SouthboundProtocol.MAX_ENTRIES);
        return AgentFrame.newBuilder()
                .setTableProgress(TableProgress.newBuilder()
                        .setLeaderEpoch(version.leaderEpoch())
                        .setFabricEpoch(version.fabricEpoch())
                        .setDone((int) ((long) done * told / total))
                        .setTotal(told))
                .build();
    }

    static AgentFrame repaired(AgentEvent.Repaired news) {
        return AgentFrame.newBuilder()
                .setLocalRepair(LocalRepair.newBuilder()
                        .setPort(news.port())
                        .setMoved(news.moved())
                        .setStranded(news.stranded()))
                .build();
    }

    static AgentFrame fault(FaultReport report) {
        return AgentFrame.newBuilder().setFaultReport(report).build();
    }

    static AgentFrame askedThrough(long number, int sent, int answered) {
        return AgentFrame.newBuilder()
                .setTransitReport(TransitReport.newBuilder()
                        .setNumber(number)
                        .setSent(sent)
                        .setAnswered(answered))
                .build();
    }

    static TableVersion version(TablePush push) {
        return new TableVersion(push.getLeaderEpoch(), push.getFabricEpoch());
    }
}
