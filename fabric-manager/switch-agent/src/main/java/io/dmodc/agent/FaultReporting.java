package io.dmodc.agent;

import io.dmodc.agent.AgentEffect.RetryAfter;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.FaultReport.Kind;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Tells the managers what the ring found, whether this agent hears its ring at all, and whose datagrams it did not believe: each report in a
 * session until it is acknowledged, again in the next one, and {@value FaultQueue#MAX_REPORTS} of them wait at most.
 *
 * <p>Not thread-safe: a part of {@link AgentCore}.
 */
final class FaultReporting {
    /** Reports are sent again when none was acknowledged for so long; each time in a row after twice as long. */
    static final long RETRY_NANOS = 500_000_000L;

    /** Where the doubling ends. */
    static final long RETRY_MAX_NANOS = 8_000_000_000L;

    private static final Set<Kind> HEARING = EnumSet.of(Kind.HEARS_NOBODY, Kind.HEARS_AGAIN);
    private static final Set<Kind> FOREIGN = EnumSet.of(Kind.FOREIGN_SOURCE);

    /** The session, as far as reports go. */
    interface Connection {
        /** There is a manager who has said Welcome. */
        boolean serving();

        /** It takes bytes. */
        boolean writable();

        void send(AgentFrame frame);

        void effect(AgentEffect effect);
    }

    private final long guid;
    private final Connection connection;
    private final FaultQueue reports = new FaultQueue();

    /** Its place in the ring hears nobody. */
    private boolean deaf;

    /** The manager of this session wants to know what is not heard, too. */
    private boolean hearingTaken;

    /** How long the reports under way wait for an acknowledgement until they are sent again. */
    private long retryNanos = RETRY_NANOS;

    private boolean retryArmed;

    /**
     * Starts without reports.
     *
     * @param guid of the switch
     */
    FaultReporting(long guid, Connection connection) {
        this.guid = guid;
        this.connection = connection;
    }

    /** A session has begun: what is not acknowledged is told again, and of hearing how it is now. */
    void sessionBegan(boolean managerTakesHearing, int incarnation) {
        reports.restart();
        reports.forget(HEARING);
        hearingTaken = managerTakesHearing;
        if (!hearingTaken) {
            reports.forget(FOREIGN);
        } else if (deaf) {
            addHearing(incarnation);
        }
        retryNanos = RETRY_NANOS;
        send(reports.takeNext());
    }

    void report(FaultReport news) {
        if (news.getKind() != Kind.FOREIGN_SOURCE || hearingTaken || !connection.serving()) {
            reports.add(news);
            sendNew();
        }
    }

    /** What counts is how it is now: an earlier word of it that was not acknowledged is not sent again. */
    void hears(boolean nobody, int incarnation) {
        deaf = nobody;
        if (connection.serving() && hearingTaken) {
            reports.forget(HEARING);
            addHearing(incarnation);
            sendNew();
        }
    }

    private void addHearing(int incarnation) {
        reports.add(FaultReport.newBuilder()
                .setKind(deaf ? Kind.HEARS_NOBODY : Kind.HEARS_AGAIN)
                .setSubjectGuid(guid)
                .setSubjectIncarnation(incarnation)
                .setObserverGuid(guid)
                .build());
    }

    void acknowledged(long sequence) {
        if (reports.acknowledge(sequence)) {
            retryNanos = RETRY_NANOS;
            sendNew();
        }
    }

    /** The connection takes bytes again. */
    void writable() {
        sendNew();
        armRetry();
    }

    void retryDue() {
        retryArmed = false;
        List<FaultReport> unanswered = reports.underWay();
        if (connection.serving() && connection.writable() && !unanswered.isEmpty()) {
            retryNanos = Math.min(2 * retryNanos, RETRY_MAX_NANOS);
            send(unanswered);
        }
    }

    /** How many were given up because {@value FaultQueue#MAX_REPORTS} newer ones waited. */
    long dropped() {
        return reports.dropped();
    }

    private void sendNew() {
        if (connection.serving() && connection.writable()) {
            send(reports.takeNext());
        }
    }

    private void send(List<FaultReport> due) {
        due.forEach(report -> connection.send(FrameBuilder.fault(report)));
        armRetry();
    }

    private void armRetry() {
        if (!retryArmed && !reports.underWay().isEmpty()) {
            retryArmed = true;
            connection.effect(new RetryAfter(retryNanos));
        }
    }
}
