package io.dmodc.southbound;

import static io.dmodc.southbound.SouthboundProtocol.MAX_LANES;
import static io.dmodc.southbound.SouthboundProtocol.MAX_MEGABITS;
import static io.dmodc.southbound.SouthboundProtocol.MAX_NAME_BYTES;
import static io.dmodc.southbound.SouthboundProtocol.MAX_PORTS;
import static io.dmodc.southbound.SouthboundProtocol.MAX_TRANSIT_HELLOS;

import io.dmodc.southbound.HelloCheck.EndpointCheck;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.HostNeighbour;
import io.dmodc.southbound.proto.LocalRepair;
import io.dmodc.southbound.proto.Port;
import io.dmodc.southbound.proto.PortReport;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.Refusal.Reason;
import io.dmodc.southbound.proto.SwitchNeighbour;
import io.dmodc.southbound.proto.TableAck;
import io.dmodc.southbound.proto.TableLost;
import io.dmodc.southbound.proto.TableProgress;
import io.dmodc.southbound.proto.TableRefusal;
import io.dmodc.southbound.proto.TransitReport;
import java.util.Optional;
import java.util.stream.IntStream;

/** Ranges of reports. */
public final class ReportCheck {
    private ReportCheck() {}

    /**
     * Returns why a manager refuses this port report, or nothing.
     *
     * @param guid the reporting switch
     * @param portCount as its Hello said
     * @param lastSequence of the report before in this session, 0 before the first
     */
    public static Optional<Refusal> refusal(PortReport report, long guid, int portCount, long lastSequence) {
        return invalid(report, guid, portCount, lastSequence).map(text -> refused(guid, text));
    }

    /** Returns why a manager refuses this fault report of the agent of {@code guid}, or nothing. */
    public static Optional<Refusal> refusal(FaultReport report, long guid) {
        if (report.getSubjectGuid() == 0 || report.getObserverGuid() == 0) {
            return Optional.of(refused(guid, "fault report without subject or observer"));
        }
        if (report.getSequence() <= 0 || report.getSilenceNanos() < 0) {
            return Optional.of(refused(
                    guid,
                    "fault report " + Long.toUnsignedString(report.getSequence()) + " of a silence of "
                            + Long.toUnsignedString(report.getSilenceNanos())
                            + " ns; expected 1..2^63-1 and 0..2^63-1"));
        }
        if (report.getHops() < 0 || report.getHops() > SouthboundProtocol.MAX_MEMBERS) {
            return Optional.of(refused(
                    guid,
                    "fault report over " + Integer.toUnsignedString(report.getHops()) + " hops; expected 0.."
                            + SouthboundProtocol.MAX_MEMBERS));
        }
        return switch (report.getKind()) {
            case AGENT_SILENT, AGENT_ALIVE -> Optional.empty();
            case HEARS_NOBODY, HEARS_AGAIN ->
                report.getSubjectGuid() == guid && report.getObserverGuid() == guid
                        ? Optional.empty()
                        : Optional.of(refused(
                                guid,
                                "says whether " + Guids.text(report.getSubjectGuid()) + " hears; expected itself"));
            case FOREIGN_SOURCE -> foreignSource(report, guid);
            case KIND_UNSPECIFIED, UNRECOGNIZED ->
                Optional.of(refused(guid, "fault report of unknown kind " + report.getKindValue()));
        };
    }

    private static Optional<Refusal> foreignSource(FaultReport report, long guid) {
        if (report.getObserverGuid() != guid || report.getSubjectGuid() == guid) {
            return Optional.of(refused(
                    guid,
                    "tells what " + Guids.text(report.getObserverGuid()) + " gets from "
                            + Guids.text(report.getSubjectGuid()) + "; expected itself, from another"));
        }
        return EndpointCheck.invalid(report.getExpected(), false)
                .or(() -> EndpointCheck.invalid(report.getActual(), false))
                .map(text -> refused(guid, "foreign source: " + text));
    }

    /** Returns why a manager refuses this acknowledgement of the agent of {@code guid}, or nothing. */
    public static Optional<Refusal> refusal(TableAck ack, long guid) {
        return EpochCheck.invalid(ack.getLeaderEpoch(), ack.getFabricEpoch())
                .map(text -> refused(guid, "acknowledges a table of " + text));
    }

    /** Returns why a manager refuses this refusal of the agent of {@code guid}, or nothing. */
    public static Optional<Refusal> refusal(TableRefusal refusal, long guid) {
        return EpochCheck.invalid(refusal.getLeaderEpoch(), refusal.getFabricEpoch())
                .map(text -> refused(guid, "refuses a table of " + text))
                .or(() -> EpochCheck.invalid(refusal.getTable()).map(text -> refused(guid, "holds a " + text)))
                .or(() -> areEntries(refusal)
                        ? Optional.empty()
                        : Optional.of(refused(
                                guid,
                                "refuses " + refusal.getEntryCount() + " entries with "
                                        + refusal.getPort().size() + " ports; expected at most "
                                        + SouthboundProtocol.MAX_REFUSED_ENTRIES + ", ascending below "
                                        + SouthboundProtocol.MAX_ENTRIES + ", and a port for each")));
    }

    private static boolean areEntries(TableRefusal refusal) {
        int count = refusal.getEntryCount();
        boolean ascending = IntStream.range(0, count)
                .allMatch(i -> refusal.getEntry(i) > (i == 0 ? -1 : refusal.getEntry(i - 1))
                        && refusal.getEntry(i) < SouthboundProtocol.MAX_ENTRIES);
        return ascending
                && count <= SouthboundProtocol.MAX_REFUSED_ENTRIES
                && count == refusal.getPort().size();
    }

    /** Returns why a manager refuses this progress of the agent of {@code guid}, or nothing. */
    public static Optional<Refusal> refusal(TableProgress progress, long guid) {
        return EpochCheck.invalid(progress.getLeaderEpoch(), progress.getFabricEpoch())
                .map(text -> "progress with a table of " + text)
                .or(() -> progress.getTotal() >= 1
                                && progress.getTotal() <= SouthboundProtocol.MAX_ENTRIES
                                && progress.getDone() >= 0
                                && progress.getDone() <= progress.getTotal()
                        ? Optional.empty()
                        : Optional.of("wrote " + Integer.toUnsignedString(progress.getDone()) + " of "
                                + Integer.toUnsignedString(progress.getTotal()) + " entries; expected 0..total of 1.."
                                + SouthboundProtocol.MAX_ENTRIES))
                .map(text -> refused(guid, text));
    }

    /** Returns why a manager refuses this loss of the agent of {@code guid}, or nothing. */
    public static Optional<Refusal> refusal(TableLost lost, long guid) {
        return EpochCheck.invalid(lost.getTable()).map(text -> refused(guid, "holds a " + text));
    }

    /** Returns why a manager refuses this report of the agent of {@code guid} on hellos through a neighbour, or nothing. */
    public static Optional<Refusal> refusal(TransitReport report, long guid) {
        boolean fits = report.getNumber() >= 1
                && report.getSent() >= 0
                && report.getSent() <= MAX_TRANSIT_HELLOS
                && report.getAnswered() >= 0
                && report.getAnswered() <= report.getSent();
        return fits
                ? Optional.empty()
                : Optional.of(refused(
                        guid,
                        "transit report " + Long.toUnsignedString(report.getNumber()) + ": "
                                + Integer.toUnsignedString(report.getAnswered()) + " of "
                                + Integer.toUnsignedString(report.getSent())
                                + " hellos answered; expected a number above 0 and 0..sent of 0.."
                                + MAX_TRANSIT_HELLOS));
    }

    /**
     * Returns why a manager refuses this repair of the agent of {@code guid}, or nothing.
     *
     * @param portCount as its Hello said
     */
    public static Optional<Refusal> refusal(LocalRepair repair, long guid, int portCount) {
        boolean fits = repair.getPort() >= 1
                && repair.getPort() <= portCount
                && isCount(repair.getMoved())
                && isCount(repair.getStranded());
        return fits
                ? Optional.empty()
                : Optional.of(refused(
                        guid,
                        "repair at port " + Integer.toUnsignedString(repair.getPort()) + ": "
                                + Integer.toUnsignedString(repair.getMoved()) + " entries moved, "
                                + Integer.toUnsignedString(repair.getStranded()) + " not; expected a port of 1.."
                                + portCount + " and 0.." + SouthboundProtocol.MAX_ENTRIES + " entries"));
    }

    private static boolean isCount(int entries) {
        return entries >= 0 && entries <= SouthboundProtocol.MAX_ENTRIES;
    }

    private static Refusal refused(long guid, String text) {
        return RefusalSender.of(Reason.INVALID_REPORT, "switch " + Guids.text(guid) + ": " + text);
    }

    private static Optional<String> invalid(PortReport report, long guid, int portCount, long lastSequence) {
        if (report.getSequence() != lastSequence + 1) {
            return Optional.of("port report " + Long.toUnsignedString(report.getSequence()) + " after " + lastSequence);
        }
        boolean[] listed = new boolean[portCount + 1];
        for (Port port : report.getPortsList()) {
            int number = port.getNumber();
            if (number < 1 || number > portCount) {
                return Optional.of("port " + Integer.toUnsignedString(number) + " is outside 1.." + portCount);
            }
            if (listed[number]) {
                return Optional.of("port " + number + " is listed twice");
            }
            listed[number] = true;
            if (port.getHello() == Port.Hello.UNRECOGNIZED) {
                return Optional.of("port " + number + ": unknown state of hellos " + port.getHelloValue());
            }
            if (!isIn(port.getMegabits(), MAX_MEGABITS)) {
                return Optional.of("port " + number + ": " + Integer.toUnsignedString(port.getMegabits())
                        + " Mbit/s are outside 0.." + MAX_MEGABITS);
            }
            if (!isIn(port.getLanes(), MAX_LANES)) {
                return Optional.of("port " + number + ": " + Integer.toUnsignedString(port.getLanes())
                        + " lanes are outside 0.." + MAX_LANES);
            }
            Optional<String> bad = neighbour(port, guid);
            if (bad.isPresent()) {
                return bad.map(text -> "port " + number + ": " + text);
            }
        }
        return Optional.empty();
    }

    private static boolean isIn(int value, int max) {
        return value >= 0 && value <= max;
    }

    private static Optional<String> neighbour(Port port, long guid) {
        return switch (port.getNeighbourCase()) {
            case SWITCH_NEIGHBOUR -> switchNeighbour(port.getSwitchNeighbour(), port.getNumber(), guid);
            case HOST_NEIGHBOUR -> hostNeighbour(port.getHostNeighbour());
            case NEIGHBOUR_NOT_SET -> Optional.empty();
        };
    }

    private static Optional<String> switchNeighbour(SwitchNeighbour neighbour, int number, long guid) {
        if (neighbour.getGuid() == 0) {
            return Optional.of("neighbour switch without GUID");
        }
        if (neighbour.getPort() < 1 || neighbour.getPort() > MAX_PORTS) {
            return Optional.of(
                    "neighbour port " + Integer.toUnsignedString(neighbour.getPort()) + " is outside 1.." + MAX_PORTS);
        }
        boolean itself = neighbour.getGuid() == guid && neighbour.getPort() == number;
        return itself ? Optional.of("is its own neighbour") : Optional.empty();
    }

    private static Optional<String> hostNeighbour(HostNeighbour neighbour) {
        if (neighbour.getPortGuid() == 0) {
            return Optional.of("neighbour host without port GUID");
        }
        if (neighbour.getHostPort() < 0 || neighbour.getHostPort() > MAX_PORTS) {
            return Optional.of(
                    "host port " + Integer.toUnsignedString(neighbour.getHostPort()) + " is outside 0.." + MAX_PORTS);
        }
        int bytes = BoundedText.utf8Length(neighbour.getName());
        return bytes > MAX_NAME_BYTES
                ? Optional.of("host name of " + bytes + " bytes, more than " + MAX_NAME_BYTES)
                : AddressCheck.invalid(neighbour.getAddresses()).map(text -> "host " + text);
    }
}
