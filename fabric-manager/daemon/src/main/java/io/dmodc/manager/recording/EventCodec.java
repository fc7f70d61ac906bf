package io.dmodc.manager.recording;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.AcknowledgeAsked;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.CertificatesLooked;
import io.dmodc.manager.core.FabricEvent.ClockSet;
import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.ForeignSource;
import io.dmodc.manager.core.FabricEvent.HearingReported;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.OwnIncarnationRaised;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.RepairReported;
import io.dmodc.manager.core.FabricEvent.RevokeAsked;
import io.dmodc.manager.core.FabricEvent.RevokeHeard;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.RingReported;
import io.dmodc.manager.core.FabricEvent.SettingsRead;
import io.dmodc.manager.core.FabricEvent.StoreReported;
import io.dmodc.manager.core.FabricEvent.SubnetManagerReported;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TableLost;
import io.dmodc.manager.core.FabricEvent.TableProgressed;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.FabricEvent.TransitReported;
import io.dmodc.manager.core.FabricEvent.WithdrawAsked;
import io.dmodc.manager.core.RefusedEntries;
import io.dmodc.manager.recording.proto.Address;
import io.dmodc.manager.recording.proto.Event;
import io.dmodc.manager.recording.proto.PortSeen;
import io.dmodc.manager.recording.proto.TableRefused.Reason;
import io.dmodc.manager.store.RecordCodec;
import io.dmodc.topology.FabricChange;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.PortPlace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Events as messages, all but {@link FabricEvent.Routed}, of which only a digest is kept. */
final class EventCodec {
    private EventCodec() {}

    /** @param turnNanos when the turn settled that took it in */
    static Event encode(FabricEvent event, long turnNanos) {
        Event.Builder out = Event.newBuilder().setBeforeNanos(turnNanos - event.nowNanos());
        if (event instanceof AgentJoined it) {
            out.getAgentJoinedBuilder()
                    .setSession(it.session())
                    .setGuid(it.guid())
                    .setName(it.name())
                    .setPortCount(it.portCount())
                    .setIncarnation(it.incarnation())
                    .setTable(encode(it.table()))
                    .setRingAddress(encode(it.ringAddress()))
                    .setTransitHellos(it.transitHellos());
        } else if (event instanceof AgentLeft it) {
            out.getAgentLeftBuilder()
                    .setSession(it.session())
                    .setGuid(it.guid())
                    .setWhy(it.why());
        } else if (event instanceof PortsReported it) {
            out.setPortsReported(encode(it));
        } else if (event instanceof RingReported it) {
            out.getRingReportedBuilder()
                    .setSession(it.session())
                    .setSilent(it.silent())
                    .setSubjectGuid(it.subjectGuid())
                    .setIncarnation(it.incarnation())
                    .setObserverGuid(it.observerGuid())
                    .setSilenceNanos(it.silenceNanos())
                    .setHops(it.hops());
        } else if (event instanceof HearingReported it) {
            out.getHearingReportedBuilder()
                    .setSession(it.session())
                    .setGuid(it.guid())
                    .setDeaf(it.deaf());
        } else if (event instanceof TransitReported it) {
            out.getTransitReportedBuilder()
                    .setSession(it.session())
                    .setGuid(it.guid())
                    .setNumber(it.number())
                    .setSent(it.sent())
                    .setAnswered(it.answered());
        } else if (event instanceof RepairReported it) {
            out.getRepairReportedBuilder()
                    .setSession(it.session())
                    .setGuid(it.guid())
                    .setPort(it.port())
                    .setMoved(it.moved())
                    .setStranded(it.stranded());
        } else if (event instanceof ForeignSource it) {
            out.getForeignSourceBuilder()
                    .setSession(it.session())
                    .setObserverGuid(it.observerGuid())
                    .setSubjectGuid(it.subjectGuid())
                    .setExpected(encode(it.expected()))
                    .setActual(encode(it.actual()));
        } else if (event instanceof OwnIncarnationRaised it) {
            out.getOwnIncarnationRaisedBuilder().setIncarnation(it.incarnation());
        } else if (event instanceof RevokeHeard it) {
            out.getRevokeHeardBuilder().setLeaderEpoch(it.leaderEpoch()).setFabricEpoch(it.fabricEpoch());
        } else if (event instanceof RevokeAsked it) {
            out.getRevokeAskedBuilder().setFabricEpoch(it.fabricEpoch());
        } else if (event instanceof AcknowledgeAsked it) {
            out.getAcknowledgeAskedBuilder().setAlarm(it.alarm()).setBy(it.by()).setWhy(it.why());
        } else if (event instanceof WithdrawAsked it) {
            out.getWithdrawAskedBuilder().setAlarm(it.alarm()).setBy(it.by());
        } else if (event instanceof ActAsked it) {
            out.setActAsked(encode(it));
        } else if (event instanceof SettingsRead it) {
            out.getSettingsReadBuilder().setText(it.text());
            if (it.rules() != null) {
                out.getSettingsReadBuilder().setRules(RulesCodec.encode(it.rules()));
            }
        } else if (event instanceof StoreReported it) {
            out.getStoreReportedBuilder().setFailure(it.failure());
        } else if (event instanceof CertificatesLooked it) {
            out.getCertificatesLookedBuilder().setEnding(it.ending());
        } else if (event instanceof SubnetManagerReported it) {
            out.getSubnetManagerReportedBuilder().addAllTrouble(it.troubles()).setStopped(it.stopped());
        } else if (event instanceof Persisted it) {
            out.getPersistedBuilder().setNumber(it.number());
        } else if (event instanceof TableAcked it) {
            out.getTableAckedBuilder()
                    .setSession(it.session())
                    .setGuid(it.guid())
                    .setFabricEpoch(it.fabricEpoch())
                    .setDigest(it.digest());
        } else if (event instanceof TableRefused it) {
            out.getTableRefusedBuilder()
                    .setSession(it.session())
                    .setGuid(it.guid())
                    .setFabricEpoch(it.fabricEpoch())
                    .setReason(it.reason() == RefusalReason.OLD_LEADER ? Reason.OLD_LEADER : Reason.OTHER)
                    .setText(it.text())
                    .setHeld(encode(it.held()))
                    .putAllEntries(it.entries().ports());
        } else if (event instanceof TableProgressed it) {
            out.getTableProgressedBuilder()
                    .setSession(it.session())
                    .setGuid(it.guid())
                    .setFabricEpoch(it.fabricEpoch())
                    .setDone(it.done())
                    .setTotal(it.total());
        } else if (event instanceof TableLost it) {
            out.getTableLostBuilder()
                    .setSession(it.session())
                    .setGuid(it.guid())
                    .setHeld(encode(it.held()));
        } else if (event instanceof ClockSet it) {
            out.getClockSetBuilder().setMillis(it.millis());
        } else if (event instanceof TimePassed) {
            out.getTimePassedBuilder();
        } else {
            throw new IllegalArgumentException("no form for events of " + event.getClass());
        }
        return out.build();
    }

    private static io.dmodc.manager.recording.proto.HeldTable encode(HeldTable it) {
        return io.dmodc.manager.recording.proto.HeldTable.newBuilder()
                .setLeaderEpoch(it.leaderEpoch())
                .setFabricEpoch(it.fabricEpoch())
                .setEntryCount(it.entryCount())
                .setDigest(it.digest())
                .build();
    }

    static Address encode(RingAddress it) {
        return Address.newBuilder().setHost(it.host()).setPort(it.port()).build();
    }

    private static io.dmodc.manager.recording.proto.PortsReported encode(PortsReported it) {
        io.dmodc.manager.recording.proto.PortsReported.Builder out =
                io.dmodc.manager.recording.proto.PortsReported.newBuilder()
                        .setSession(it.session())
                        .setGuid(it.guid())
                        .setComplete(it.complete());
        for (FabricChange.PortSeen port : it.ports()) {
            PortSeen.Builder to = out.addPortsBuilder().setPort(port.port()).setUp(port.up());
            FabricChange.Neighbour neighbour = port.neighbour();
            if (neighbour != null) {
                to.setNeighbour(RecordCodec.encode(neighbour));
            }
            if (port.guid() != it.guid()) {
                to.setGuid(port.guid());
            }
            LinkRate rate = it.rates().get(port.port());
            if (rate != null) {
                to.setRate(RecordCodec.encode(rate));
            }
        }
        it.doubts().keySet().stream().sorted().forEach(port -> {
            if (it.doubts().get(port) == Doubt.UNDECIDED) {
                out.addUndecided(port);
            } else {
                out.addUnheard(port);
            }
        });
        return out.build();
    }

    private static io.dmodc.manager.recording.proto.ActAsked encode(ActAsked it) {
        io.dmodc.manager.recording.proto.ActAsked.Builder out = io.dmodc.manager.recording.proto.ActAsked.newBuilder()
                .setAct(it.act().verb().word())
                .setValue(it.act().value())
                .setEpoch(it.epoch())
                .setBy(it.by())
                .setWhy(it.why());
        it.act()
                .objects()
                .forEach(place -> out.addObjectsBuilder().setGuid(place.guid()).setPort(place.port()));
        return out.build();
    }

    /** @throws IllegalArgumentException in a few words when this is no event that {@link #encode} makes */
    static FabricEvent decode(Event in, long turnNanos) {
        long now = turnNanos - in.getBeforeNanos();
        return switch (in.getBodyCase()) {
            case AGENT_JOINED -> decode(in.getAgentJoined(), now);
            case AGENT_LEFT ->
                new AgentLeft(
                        now,
                        in.getAgentLeft().getSession(),
                        in.getAgentLeft().getGuid(),
                        in.getAgentLeft().getWhy());
            case PORTS_REPORTED -> decode(in.getPortsReported(), now);
            case RING_REPORTED -> decode(in.getRingReported(), now);
            case HEARING_REPORTED ->
                new HearingReported(
                        now,
                        in.getHearingReported().getSession(),
                        in.getHearingReported().getGuid(),
                        in.getHearingReported().getDeaf());
            case TRANSIT_REPORTED ->
                new TransitReported(
                        now,
                        in.getTransitReported().getSession(),
                        in.getTransitReported().getGuid(),
                        in.getTransitReported().getNumber(),
                        in.getTransitReported().getSent(),
                        in.getTransitReported().getAnswered());
            case REPAIR_REPORTED ->
                new RepairReported(
                        now,
                        in.getRepairReported().getSession(),
                        in.getRepairReported().getGuid(),
                        in.getRepairReported().getPort(),
                        in.getRepairReported().getMoved(),
                        in.getRepairReported().getStranded());
            case FOREIGN_SOURCE ->
                new ForeignSource(
                        now,
                        in.getForeignSource().getSession(),
                        in.getForeignSource().getObserverGuid(),
                        in.getForeignSource().getSubjectGuid(),
                        decode(in.getForeignSource().getExpected()),
                        decode(in.getForeignSource().getActual()));
            case OWN_INCARNATION_RAISED ->
                new OwnIncarnationRaised(now, in.getOwnIncarnationRaised().getIncarnation());
            case REVOKE_HEARD ->
                new RevokeHeard(
                        now,
                        in.getRevokeHeard().getLeaderEpoch(),
                        in.getRevokeHeard().getFabricEpoch());
            case REVOKE_ASKED -> new RevokeAsked(now, in.getRevokeAsked().getFabricEpoch());
            case ACKNOWLEDGE_ASKED ->
                new AcknowledgeAsked(
                        now,
                        in.getAcknowledgeAsked().getAlarm(),
                        in.getAcknowledgeAsked().getBy(),
                        in.getAcknowledgeAsked().getWhy());
            case WITHDRAW_ASKED ->
                new WithdrawAsked(
                        now,
                        in.getWithdrawAsked().getAlarm(),
                        in.getWithdrawAsked().getBy());
            case ACT_ASKED -> decode(in.getActAsked(), now);
            case SETTINGS_READ ->
                new SettingsRead(
                        now,
                        in.getSettingsRead().hasRules()
                                ? RulesCodec.decode(in.getSettingsRead().getRules())
                                : null,
                        in.getSettingsRead().getText());
            case STORE_REPORTED -> new StoreReported(now, in.getStoreReported().getFailure());
            case CERTIFICATES_LOOKED ->
                new CertificatesLooked(now, in.getCertificatesLooked().getEnding());
            case SUBNET_MANAGER_REPORTED ->
                new SubnetManagerReported(
                        now,
                        in.getSubnetManagerReported().getTroubleList(),
                        in.getSubnetManagerReported().getStopped());
            case PERSISTED -> new Persisted(now, in.getPersisted().getNumber());
            case TABLE_ACKED ->
                new TableAcked(
                        now,
                        in.getTableAcked().getSession(),
                        in.getTableAcked().getGuid(),
                        in.getTableAcked().getFabricEpoch(),
                        in.getTableAcked().getDigest());
            case TABLE_REFUSED -> decode(in.getTableRefused(), now);
            case TABLE_PROGRESSED -> decode(in.getTableProgressed(), now);
            case TABLE_LOST ->
                new TableLost(
                        now,
                        in.getTableLost().getSession(),
                        in.getTableLost().getGuid(),
                        decode(in.getTableLost().getHeld()));
            case CLOCK_SET -> new ClockSet(now, in.getClockSet().getMillis());
            case TIME_PASSED -> new TimePassed(now);
            case ROUTED, BODY_NOT_SET -> throw new IllegalArgumentException("an event of no kind");
        };
    }

    private static AgentJoined decode(io.dmodc.manager.recording.proto.AgentJoined in, long now) {
        return new AgentJoined(
                now,
                in.getSession(),
                in.getGuid(),
                in.getName(),
                in.getPortCount(),
                in.getIncarnation(),
                decode(in.getTable()),
                decode(in.getRingAddress()),
                in.getTransitHellos());
    }

    static RingAddress decode(Address in) {
        return new RingAddress(in.getHost(), in.getPort());
    }

    private static HeldTable decode(io.dmodc.manager.recording.proto.HeldTable in) {
        return new HeldTable(in.getLeaderEpoch(), in.getFabricEpoch(), in.getEntryCount(), in.getDigest());
    }

    private static PortsReported decode(io.dmodc.manager.recording.proto.PortsReported in, long now) {
        List<FabricChange.PortSeen> ports = in.getPortsList().stream()
                .map(port -> new FabricChange.PortSeen(
                        port.getGuid() == 0 ? in.getGuid() : port.getGuid(),
                        port.getPort(),
                        port.getUp(),
                        port.hasNeighbour() ? RecordCodec.decode(port.getNeighbour()) : null))
                .toList();
        Map<Integer, Doubt> doubts = new HashMap<>();
        in.getUndecidedList().forEach(port -> doubts.put(port, Doubt.UNDECIDED));
        in.getUnheardList().forEach(port -> doubts.put(port, Doubt.UNHEARD));
        Map<Integer, LinkRate> rates = in.getPortsList().stream()
                .filter(PortSeen::hasRate)
                .collect(Collectors.toMap(PortSeen::getPort, port -> RecordCodec.decode(port.getRate()), (a, b) -> b));
        return new PortsReported(now, in.getSession(), in.getGuid(), in.getComplete(), ports, doubts, rates);
    }

    private static RingReported decode(io.dmodc.manager.recording.proto.RingReported in, long now) {
        return new RingReported(
                now,
                in.getSession(),
                in.getSilent(),
                in.getSubjectGuid(),
                in.getIncarnation(),
                in.getObserverGuid(),
                in.getSilenceNanos(),
                in.getHops());
    }

    private static ActAsked decode(io.dmodc.manager.recording.proto.ActAsked in, long now) {
        List<PortPlace> objects = in.getObjectsList().stream()
                .map(port -> new PortPlace(port.getGuid(), port.getPort()))
                .toList();
        Act act = new Act(Act.Verb.of(in.getAct()), objects, in.getValue());
        return new ActAsked(now, act, in.getEpoch(), in.getBy(), in.getWhy());
    }

    private static TableProgressed decode(io.dmodc.manager.recording.proto.TableProgressed in, long now) {
        return new TableProgressed(
                now, in.getSession(), in.getGuid(), in.getFabricEpoch(), in.getDone(), in.getTotal());
    }

    private static TableRefused decode(io.dmodc.manager.recording.proto.TableRefused in, long now) {
        return new TableRefused(
                now,
                in.getSession(),
                in.getGuid(),
                in.getFabricEpoch(),
                in.getReason() == Reason.OLD_LEADER ? RefusalReason.OLD_LEADER : RefusalReason.OTHER,
                in.getText(),
                decode(in.getHeld()),
                new RefusedEntries(new TreeMap<>(in.getEntriesMap())));
    }
}
