package io.dmodc.agent;

import io.dmodc.southbound.proto.FaultReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Fault reports the manager has not acknowledged, oldest first. The first {@link #UNDER_WAY_MAX} of them are under way,
 * the others follow as these are acknowledged: a manager that is slow to answer is not sent all of them again and again.
 * At the bound the oldest goes and is counted.
 */
final class FaultQueue {
    /** As many as an agent keeps: far more than it can learn before the manager is back in a fabric that still works. */
    static final int MAX_REPORTS = 1024;

    /** Most reports that are sent and not acknowledged. */
    static final int UNDER_WAY_MAX = 32;

    private final List<FaultReport> reports = new ArrayList<>();

    /** How many of the first reports were sent. */
    private int underWay;

    private long sequence;
    private long dropped;

    /** Queues news under the next sequence number. */
    void add(FaultReport news) {
        if (reports.size() == MAX_REPORTS) {
            remove(0);
            dropped++;
        }
        reports.add(news.toBuilder().setSequence(++sequence).build());
    }

    /** True if one that waited for it is acknowledged now. */
    boolean acknowledge(long acknowledged) {
        int at = IntStream.range(0, reports.size())
                .filter(i -> reports.get(i).getSequence() == acknowledged)
                .findFirst()
                .orElse(-1);
        if (at >= 0) {
            remove(at);
        }
        return at >= 0;
    }

    /** Gives up reports of these kinds. */
    void forget(Set<FaultReport.Kind> kinds) {
        for (int at = reports.size() - 1; at >= 0; at--) {
            if (kinds.contains(reports.get(at).getKind())) {
                remove(at);
            }
        }
    }

    private void remove(int at) {
        reports.remove(at);
        underWay -= at < underWay ? 1 : 0;
    }

    /** Returns reports to be sent now for the first time in this session, and takes them for sent. */
    List<FaultReport> takeNext() {
        int from = underWay;
        underWay = Math.min(reports.size(), UNDER_WAY_MAX);
        return List.copyOf(reports.subList(from, underWay));
    }

    /** Returns those that were sent and are not acknowledged. */
    List<FaultReport> underWay() {
        return List.copyOf(reports.subList(0, underWay));
    }

    /** Nothing counts as sent any more: another session has begun. */
    void restart() {
        underWay = 0;
    }

    long dropped() {
        return dropped;
    }
}
