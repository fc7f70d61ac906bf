package io.dmodc.manager.store;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.manager.state.ChangedRows;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Acknowledgement;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.LastAlarm;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.manager.state.StateRecord.SwitchPlane;
import io.dmodc.manager.store.proto.Addresses;
import io.dmodc.manager.store.proto.Neighbour;
import io.dmodc.manager.store.proto.Record;
import io.dmodc.manager.store.proto.SwitchPort;
import io.dmodc.topology.FabricChange;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.SwitchClaims;
import java.util.Arrays;
import java.util.List;

/** Records as bytes: a protobuf message {@code Record} (state.proto). */
public final class RecordCodec {
    private RecordCodec() {}

    /** @throws IllegalArgumentException for a removal, which has no value */
    static byte[] encode(StateRecord record) {
        return message(record).toByteArray();
    }

    /** @throws IllegalArgumentException for a removal, which has no value */
    public static Record message(StateRecord record) {
        Record.Builder out = Record.newBuilder();
        if (record instanceof LeaderEpoch it) {
            out.getLeaderEpochBuilder().setEpoch(it.epoch());
        } else if (record instanceof FabricEpoch it) {
            out.getFabricEpochBuilder()
                    .setEpoch(it.epoch())
                    .setEngine(it.engine())
                    .setBasis(it.basis())
                    .setNodeCount(it.nodeCount())
                    .setHeldBack(it.heldBack());
            it.drained().forEach(place -> out.getFabricEpochBuilder().addDrained(port(place)));
            it.slow().forEach(place -> out.getFabricEpochBuilder().addSlow(port(place)));
        } else if (record instanceof NodeIndex it) {
            out.getNodeIndexBuilder().setPortGuid(it.portGuid()).setIndex(it.index());
        } else if (record instanceof SwitchLevel it) {
            out.getSwitchLevelBuilder().setGuid(it.guid()).setLevel(it.level());
        } else if (record instanceof SwitchPlane it) {
            out.getSwitchPlaneBuilder().setGuid(it.guid()).setNumber(it.number());
        } else if (record instanceof KnownSwitch it) {
            out.setKnownSwitch(encode(it));
        } else if (record instanceof ExpectedSwitch it) {
            out.setExpectedSwitch(encode(it));
        } else if (record instanceof HeldTable it) {
            out.setHeldTable(encode(it));
        } else if (record instanceof KeptEpoch it) {
            out.setKeptEpoch(encode(it));
        } else if (record instanceof OpenAlarm it) {
            out.getOpenAlarmBuilder()
                    .setSubject(it.subject())
                    .setGuid(it.guid())
                    .setPort(it.port())
                    .setId(it.id())
                    .setSinceMillis(it.sinceMillis())
                    .setCauseEpoch(it.causeEpoch());
        } else if (record instanceof Acknowledgement it) {
            out.getAcknowledgementBuilder()
                    .setSubject(it.subject())
                    .setGuid(it.guid())
                    .setPort(it.port())
                    .setId(it.id())
                    .setKind(it.kind())
                    .setBy(it.by())
                    .setAtMillis(it.atMillis())
                    .setWhy(it.why());
        } else if (record instanceof Intent it) {
            out.getIntentBuilder()
                    .setAct(it.act())
                    .setGuid(it.guid())
                    .setPort(it.port())
                    .setValue(it.value())
                    .setBy(it.by())
                    .setAtMillis(it.atMillis())
                    .setWhy(it.why());
        } else if (record instanceof LastAlarm it) {
            out.getLastAlarmBuilder().setId(it.id());
        } else {
            throw new IllegalArgumentException("no value is kept for " + record);
        }
        return out.build();
    }

    private static SwitchPort.Builder port(PortPlace place) {
        return SwitchPort.newBuilder().setGuid(place.guid()).setPort(place.port());
    }

    private static io.dmodc.manager.store.proto.HeldTable encode(HeldTable it) {
        io.dmodc.manager.store.proto.HeldTable.Builder out = io.dmodc.manager.store.proto.HeldTable.newBuilder()
                .setGuid(it.guid())
                .setLeaderEpoch(it.leaderEpoch())
                .setFabricEpoch(it.fabricEpoch())
                .setEntryCount(it.entryCount())
                .setDigest(it.digest())
                .setTransitHellos(it.transitHellos());
        it.rows()
                .forEach(row -> out.addRowsBuilder()
                        .setEntryCount(row.entryCount())
                        .setDigest(row.digest())
                        .setBase(row.base())
                        .addAllBlocks(Arrays.stream(row.blocks()).boxed().toList())
                        .setEntries(ByteString.copyFrom(row.entries())));
        return out.build();
    }

    private static io.dmodc.manager.store.proto.KeptEpoch encode(KeptEpoch it) {
        io.dmodc.manager.store.proto.KeptEpoch.Builder out = io.dmodc.manager.store.proto.KeptEpoch.newBuilder()
                .setEpoch(it.epoch())
                .setCause(it.cause())
                .setEngine(it.engine())
                .setAcceptedMillis(it.acceptedMillis())
                .setEntryCount(it.entryCount())
                .setDigest(it.digest())
                .setBase(it.base())
                .addAllAbsent(it.absent());
        it.rows()
                .forEach(rows -> out.addRowsBuilder()
                        .addAllSwitches(Arrays.stream(rows.switches()).boxed().toList())
                        .addAllBlocks(Arrays.stream(rows.blocks()).boxed().toList())
                        .setEntries(ByteString.copyFrom(rows.entries())));
        it.switches().forEach(known -> out.addSwitches(encode(known)));
        it.nodes()
                .forEach(node ->
                        out.addNodesBuilder().setPortGuid(node.portGuid()).setIndex(node.index()));
        return out.build();
    }

    private static io.dmodc.manager.store.proto.KnownSwitch encode(KnownSwitch it) {
        io.dmodc.manager.store.proto.KnownSwitch.Builder out = io.dmodc.manager.store.proto.KnownSwitch.newBuilder()
                .setGuid(it.claims().guid())
                .setName(it.claims().name())
                .setPortCount(it.claims().portCount())
                .setForwards(it.forwards());
        for (SwitchClaims.PortClaim port : it.claims().ports()) {
            io.dmodc.manager.store.proto.PortClaim.Builder to =
                    out.addPortsBuilder().setPort(port.port()).setUp(port.up()).setLastUpOwner(port.lastUpOwner());
            FabricChange.Neighbour neighbour = port.neighbour();
            if (neighbour != null) {
                to.setNeighbour(encode(neighbour));
            }
            LinkRate rate = port.rate();
            if (rate != null) {
                to.setRate(encode(rate));
            }
        }
        return out.build();
    }

    /** As it is in records and in recordings. */
    public static io.dmodc.manager.store.proto.LinkRate encode(LinkRate it) {
        return io.dmodc.manager.store.proto.LinkRate.newBuilder()
                .setMegabits(it.megabits())
                .setLanes(it.lanes())
                .build();
    }

    /** @throws IllegalArgumentException in a few words when no link has such a rate */
    public static LinkRate decode(io.dmodc.manager.store.proto.LinkRate in) {
        return new LinkRate(in.getMegabits(), in.getLanes());
    }

    private static io.dmodc.manager.store.proto.ExpectedSwitch encode(ExpectedSwitch it) {
        io.dmodc.manager.store.proto.ExpectedSwitch.Builder out =
                io.dmodc.manager.store.proto.ExpectedSwitch.newBuilder()
                        .setGuid(it.guid())
                        .setName(it.name())
                        .setPortCount(it.portCount());
        for (ExpectedPort port : it.ports()) {
            out.addPortsBuilder().setPort(port.port()).setNeighbour(encode(port.neighbour()));
        }
        return out.build();
    }

    /** What is at the other end of a cable, as a message. */
    public static Neighbour encode(FabricChange.Neighbour far) {
        Neighbour.Builder out = Neighbour.newBuilder();
        if (far instanceof ToHost to) {
            out.setHost(encode(to.host()));
        } else if (far instanceof ToSwitch to) {
            out.getSwitchPortBuilder().setGuid(to.guid()).setPort(to.port());
        }
        return out.build();
    }

    private static io.dmodc.manager.store.proto.Host.Builder encode(Host it) {
        io.dmodc.manager.store.proto.Host.Builder out = io.dmodc.manager.store.proto.Host.newBuilder()
                .setPortGuid(it.portGuid())
                .setHostGuid(it.hostGuid())
                .setHostPort(it.hostPort())
                .setName(it.name());
        HostAddresses addresses = it.addresses();
        if (!addresses.isNone()) {
            out.getAddressesBuilder()
                    .setLid(addresses.lid())
                    .setIpv4(addresses.ipv4())
                    .setIpv6High(addresses.ipv6High())
                    .setIpv6Low(addresses.ipv6Low())
                    .setMac(addresses.mac());
        }
        return out;
    }

    /** @throws IllegalArgumentException in a few words when these bytes are no record */
    static StateRecord decode(byte[] bytes) {
        Record in;
        try {
            in = Record.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("a record that cannot be read (" + e.getMessage() + ")", e);
        }
        return decode(in);
    }

    /** @throws IllegalArgumentException in a few words when the message is no record */
    public static StateRecord decode(Record in) {
        return switch (in.getBodyCase()) {
            case LEADER_EPOCH -> new LeaderEpoch(in.getLeaderEpoch().getEpoch());
            case FABRIC_EPOCH -> decode(in.getFabricEpoch());
            case NODE_INDEX -> decode(in.getNodeIndex());
            case SWITCH_PLANE ->
                new SwitchPlane(
                        in.getSwitchPlane().getGuid(), in.getSwitchPlane().getNumber());
            case SWITCH_LEVEL ->
                new SwitchLevel(
                        in.getSwitchLevel().getGuid(), in.getSwitchLevel().getLevel());
            case KNOWN_SWITCH -> decode(in.getKnownSwitch());
            case EXPECTED_SWITCH -> decode(in.getExpectedSwitch());
            case HELD_TABLE -> decode(in.getHeldTable());
            case KEPT_EPOCH -> decode(in.getKeptEpoch());
            case OPEN_ALARM -> decode(in.getOpenAlarm());
            case ACKNOWLEDGEMENT -> decode(in.getAcknowledgement());
            case INTENT -> decode(in.getIntent());
            case LAST_ALARM -> new LastAlarm(in.getLastAlarm().getId());
            case BODY_NOT_SET -> throw new IllegalArgumentException("a record without a value");
        };
    }

    private static FabricEpoch decode(io.dmodc.manager.store.proto.FabricEpoch in) {
        return new FabricEpoch(
                in.getEpoch(),
                places(in.getDrainedList()),
                places(in.getSlowList()),
                in.getEngine(),
                in.getBasis(),
                in.getNodeCount(),
                in.getHeldBack());
    }

    private static List<PortPlace> places(List<SwitchPort> ports) {
        return ports.stream()
                .map(port -> new PortPlace(port.getGuid(), port.getPort()))
                .toList();
    }

    private static Intent decode(io.dmodc.manager.store.proto.Intent in) {
        return new Intent(
                in.getAct(), in.getGuid(), in.getPort(), in.getValue(), in.getBy(), in.getAtMillis(), in.getWhy());
    }

    private static HeldTable decode(io.dmodc.manager.store.proto.HeldTable in) {
        return new HeldTable(
                in.getGuid(),
                in.getLeaderEpoch(),
                in.getFabricEpoch(),
                in.getEntryCount(),
                in.getDigest(),
                in.getTransitHellos(),
                in.getRowsList().stream().map(RecordCodec::decode).toList());
    }

    private static KeptRow decode(io.dmodc.manager.store.proto.KeptRow in) {
        int[] blocks = in.getBlocksList().stream().mapToInt(Integer::intValue).toArray();
        return new KeptRow(
                in.getEntryCount(),
                in.getDigest(),
                in.getBase(),
                blocks,
                in.getEntries().toByteArray());
    }

    private static NodeIndex decode(io.dmodc.manager.store.proto.NodeIndex in) {
        return new NodeIndex(in.getPortGuid(), in.getIndex());
    }

    private static KeptEpoch decode(io.dmodc.manager.store.proto.KeptEpoch in) {
        return new KeptEpoch(
                in.getEpoch(),
                in.getCause(),
                in.getEngine(),
                in.getAcceptedMillis(),
                in.getEntryCount(),
                in.getDigest(),
                in.getBase(),
                in.getRowsList().stream().map(RecordCodec::decode).toList(),
                in.getSwitchesList().stream().map(RecordCodec::decode).toList(),
                in.getAbsentList(),
                in.getNodesList().stream().map(RecordCodec::decode).toList());
    }

    private static ChangedRows decode(io.dmodc.manager.store.proto.ChangedRows in) {
        return new ChangedRows(
                in.getSwitchesList().stream().mapToLong(Long::longValue).toArray(),
                in.getBlocksList().stream().mapToInt(Integer::intValue).toArray(),
                in.getEntries().toByteArray());
    }

    private static OpenAlarm decode(io.dmodc.manager.store.proto.OpenAlarm in) {
        return new OpenAlarm(
                in.getSubject(), in.getGuid(), in.getPort(), in.getId(), in.getSinceMillis(), in.getCauseEpoch());
    }

    private static Acknowledgement decode(io.dmodc.manager.store.proto.Acknowledgement in) {
        return new Acknowledgement(
                in.getSubject(),
                in.getGuid(),
                in.getPort(),
                in.getId(),
                in.getKind(),
                in.getBy(),
                in.getAtMillis(),
                in.getWhy());
    }

    private static KnownSwitch decode(io.dmodc.manager.store.proto.KnownSwitch in) {
        return new KnownSwitch(
                new SwitchClaims(
                        in.getGuid(),
                        in.getName(),
                        in.getPortCount(),
                        in.getPortsList().stream().map(RecordCodec::decode).toList()),
                in.getForwards());
    }

    private static SwitchClaims.PortClaim decode(io.dmodc.manager.store.proto.PortClaim in) {
        return new SwitchClaims.PortClaim(
                in.getPort(),
                in.getUp(),
                in.hasNeighbour() ? decode(in.getNeighbour()) : null,
                in.getLastUpOwner(),
                in.hasRate() ? decode(in.getRate()) : null);
    }

    private static ExpectedSwitch decode(io.dmodc.manager.store.proto.ExpectedSwitch in) {
        return new ExpectedSwitch(
                in.getGuid(),
                in.getName(),
                in.getPortCount(),
                in.getPortsList().stream()
                        .map(port -> new ExpectedPort(port.getPort(), decode(port.getNeighbour())))
                        .toList());
    }

    /** @throws IllegalArgumentException in a few words when the message says nothing */
    public static FabricChange.Neighbour decode(Neighbour in) {
        return switch (in.getFarCase()) {
            case SWITCH_PORT -> decode(in.getSwitchPort());
            case HOST -> new ToHost(decode(in.getHost()));
            case FAR_NOT_SET -> throw new IllegalArgumentException("a port with a far end of no kind");
        };
    }

    private static Host decode(io.dmodc.manager.store.proto.Host in) {
        return new Host(in.getPortGuid(), in.getHostGuid(), in.getHostPort(), in.getName(), decode(in.getAddresses()));
    }

    private static HostAddresses decode(Addresses in) {
        return new HostAddresses(in.getLid(), in.getIpv4(), in.getIpv6High(), in.getIpv6Low(), in.getMac());
    }

    private static ToSwitch decode(SwitchPort in) {
        return new ToSwitch(in.getGuid(), in.getPort());
    }
}
