package io.dmodc.agent;

import io.dmodc.southbound.proto.FaultReport;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;

/** Fault reports the manager has not acknowledged, oldest first; at the bound the oldest goes and is counted. */
final class FaultQueue {
    /** As many as an agent keeps: far more than it can learn before the manager is back in a fabric that still works. */
    static final int MAX_REPORTS = 1024;

    private final Deque<FaultReport> reports = new ArrayDeque<>();
    private long sequence;
    private long dropped;

    /** Queues news under the next sequence number and returns the report to send. */
    FaultReport add(FaultReport news) {
        if (reports.size() == MAX_REPORTS) {
            reports.removeFirst();
            dropped++;
        }
        FaultReport report = news.toBuilder().setSequence(++sequence).build();
        reports.addLast(report);
        return report;
    }

    void acknowledge(long acknowledged) {
        reports.removeIf(report -> report.getSequence() == acknowledged);
    }

    Collection<FaultReport> reports() {
        return Collections.unmodifiableCollection(reports);
    }

    boolean isEmpty() {
        return reports.isEmpty();
    }

    long dropped() {
        return dropped;
    }
}
