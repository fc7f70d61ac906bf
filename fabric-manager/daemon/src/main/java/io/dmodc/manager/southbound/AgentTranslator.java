package io.dmodc.manager.southbound;

import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.southbound.HelloCheck;
import io.dmodc.southbound.RefusalSender;
import io.dmodc.southbound.ReportCheck;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.FaultAck;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.LocalRepair;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.PortReport;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.Refusal.Reason;
import io.dmodc.topology.Guid;
import java.net.InetAddress;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the frames of one session mean, in their order, without a socket: checks each one and makes it an event. After the
 * first refusal the session is over and nothing more may be asked. Not thread-safe.
 */
public final class AgentTranslator {
    private static final int NAMES_TOLD = 4;

    private final long session;
    private final Predicate<InetAddress> detectorElsewhere;
    private final @Nullable Set<Long> certified;
    private @Nullable Hello hello;
    private boolean welcomed;
    private long lastReport;

    /**
     * @param session number of the session, never used again
     * @param detectorElsewhere see {@link AgentRules#detectorElsewhere}
     * @param certified the switches that the agent's certificate names; null: it needs none
     */
    public AgentTranslator(long session, Predicate<InetAddress> detectorElsewhere, @Nullable Set<Long> certified) {
        this.session = session;
        this.detectorElsewhere = detectorElsewhere;
        this.certified = certified;
    }

    /**
     * What a frame comes to.
     *
     * @param event for the core; {@code null} when there is none
     * @param answer to send at once; {@code null} when there is none
     * @param refusal to end the session with; {@code null} while all is well
     */
    public record Heard(
            @Nullable FabricEvent event,
            @Nullable ManagerFrame answer,
            @Nullable Refusal refusal) {
        private static final Heard NOTHING = new Heard(null, null, null);

        private static Heard event(FabricEvent event) {
            return new Heard(event, null, null);
        }

        private static Heard refused(Refusal refusal) {
            return new Heard(null, null, refusal);
        }
    }

    /**
     * Takes the next frame in.
     *
     * @param now arrival, monotonic nanoseconds
     * @param source the agent's address, as the connection shows it; asked at the Hello
     */
    public Heard hear(AgentFrame frame, long now, Supplier<InetAddress> source) {
        if (frame.hasHello() != (hello == null)) {
            String text = hello == null
                    ? "first frame is " + frame.getBodyCase() + ", expected HELLO"
                    : "a second HELLO on one connection";
            return Heard.refused(RefusalSender.of(Reason.GARBAGE, text));
        }
        return switch (frame.getBodyCase()) {
            case HELLO -> greeting(frame.getHello(), now, source);
            case PORT_REPORT -> ports(frame.getPortReport(), now);
            case TABLE_ACK ->
                ReportCheck.refusal(frame.getTableAck(), guid())
                        .map(Heard::refused)
                        .orElseGet(() -> Heard.event(AgentFrames.acked(now, session, guid(), frame.getTableAck())));
            case TABLE_REFUSAL ->
                ReportCheck.refusal(frame.getTableRefusal(), guid())
                        .map(Heard::refused)
                        .orElseGet(
                                () -> Heard.event(AgentFrames.refused(now, session, guid(), frame.getTableRefusal())));
            case TABLE_PROGRESS ->
                ReportCheck.refusal(frame.getTableProgress(), guid())
                        .map(Heard::refused)
                        .orElseGet(() ->
                                Heard.event(AgentFrames.progressed(now, session, guid(), frame.getTableProgress())));
            case TABLE_LOST ->
                ReportCheck.refusal(frame.getTableLost(), guid())
                        .map(Heard::refused)
                        .orElseGet(() -> Heard.event(AgentFrames.lost(now, session, guid(), frame.getTableLost())));
            case TRANSIT_REPORT ->
                ReportCheck.refusal(frame.getTransitReport(), guid())
                        .map(Heard::refused)
                        .orElseGet(() ->
                                Heard.event(AgentFrames.askedThrough(now, session, guid(), frame.getTransitReport())));
            case LOCAL_REPAIR -> repair(frame.getLocalRepair(), now);
            case FAULT_REPORT -> fault(frame.getFaultReport(), now);
            case KEEP_ALIVE -> Heard.NOTHING;
            case BODY_NOT_SET -> Heard.refused(RefusalSender.of(Reason.GARBAGE, "a frame of an unknown kind"));
        };
    }

    private Heard repair(LocalRepair repair, long now) {
        int portCount = hello == null ? 0 : hello.getPortCount();
        return ReportCheck.refusal(repair, guid(), portCount)
                .map(Heard::refused)
                .orElseGet(() -> Heard.event(AgentFrames.repaired(now, session, guid(), repair)));
    }

    private Heard greeting(Hello greeting, long now, Supplier<InetAddress> source) {
        Optional<Refusal> invalid = HelloCheck.refusal(greeting);
        if (invalid.isPresent()) {
            return Heard.refused(invalid.get());
        }
        if (certified != null && !certified.contains(greeting.getSwitchGuid())) {
            return Heard.refused(RefusalSender.of(
                    Reason.WRONG_CERTIFICATE,
                    "switch " + Guid.format(greeting.getSwitchGuid()) + ": the certificate is for "
                            + (certified.isEmpty()
                                    ? "no switch"
                                    : certified.stream()
                                            .limit(NAMES_TOLD)
                                            .map(Guid::format)
                                            .collect(Collectors.joining(", ")))));
        }
        InetAddress from = source.get();
        InetAddress detector = AgentFrames.detectorAddress(greeting.getDetector(), from);
        boolean takesPart = greeting.getDetector().getPort() != 0;
        if (takesPart && !detector.equals(from) && !detectorElsewhere.test(detector)) {
            // Else one Hello has all its ring neighbours send heartbeats to whom it names.
            return Heard.refused(RefusalSender.of(
                    Reason.INVALID_HELLO,
                    "switch " + Guid.format(greeting.getSwitchGuid()) + ": heartbeats at " + detector.getHostAddress()
                            + ", connected from " + from.getHostAddress()
                            + "; expected the same address, or one in the manager's detector.networks"));
        }
        hello = greeting;
        return Heard.event(AgentFrames.joined(
                now,
                session,
                greeting,
                new RingAddress(
                        detector.getHostAddress(), greeting.getDetector().getPort())));
    }

    private Heard ports(PortReport report, long now) {
        if (!welcomed) {
            return Heard.refused(RefusalSender.of(Reason.GARBAGE, "a port report before the Welcome"));
        }
        int portCount = Objects.requireNonNull(hello).getPortCount();
        return ReportCheck.refusal(report, guid(), portCount, lastReport)
                .map(Heard::refused)
                .orElseGet(() -> {
                    lastReport = report.getSequence();
                    return Heard.event(AgentFrames.ports(now, session, guid(), report));
                });
    }

    private Heard fault(FaultReport report, long now) {
        return ReportCheck.refusal(report, guid()).map(Heard::refused).orElseGet(() -> {
            ManagerFrame answer = ManagerFrame.newBuilder()
                    .setFaultAck(FaultAck.newBuilder().setSequence(report.getSequence()))
                    .build();
            return new Heard(AgentFrames.fault(now, session, report), answer, null);
        });
    }

    /** The Welcome goes out: port reports may come from now on. */
    public void welcomed() {
        welcomed = true;
    }

    /** True once a valid Hello came. */
    public boolean greeted() {
        return hello != null;
    }

    /** The switch it speaks for, 0 before a valid Hello. */
    public long guid() {
        return hello == null ? 0 : hello.getSwitchGuid();
    }

    /** What people call that switch. */
    public String name() {
        return AgentFrames.name(hello);
    }
}
