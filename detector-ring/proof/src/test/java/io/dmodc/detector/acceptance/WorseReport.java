package io.dmodc.detector.acceptance;

import io.dmodc.detector.sim.TrialReport;
import java.util.List;

/** A report with one thing worse than it was. */
final class WorseReport {
    private final TrialReport report;

    WorseReport(TrialReport report) {
        this.report = report;
    }

    TrialReport heldDead(int times) {
        return with(report.failures(), 1, 1, report.wholeDelta(), times);
    }

    TrialReport failing(String failure) {
        return with(List.of(failure), 1, 1, report.wholeDelta(), report.falseSuspicions());
    }

    TrialReport wholeAfter(double delta) {
        return with(report.failures(), 1, 1, delta, report.falseSuspicions());
    }

    /** So many times as many datagrams. */
    TrialReport messages(int factor) {
        return with(report.failures(), 1, factor, report.wholeDelta(), report.falseSuspicions());
    }

    /** All that is waited for takes so many times as long. */
    TrialReport slower(int factor) {
        return with(report.failures(), factor, 1, report.wholeDelta(), report.falseSuspicions());
    }

    private TrialReport with(List<String> failures, int times, int messages, double wholeDelta, int falseSuspicions) {
        return new TrialReport(
                report.plan(),
                failures,
                report.deaths(),
                times * report.allKnowDelta(),
                times * report.detectDelta(),
                times * report.returnKnowDelta(),
                times * report.revokeMicros(),
                times * report.propagationMicros(),
                report.boundDelta(),
                report.broadcastMicros(),
                times * report.hopsMax(),
                report.heartbeatsPerSecond(),
                report.heartbeatsMin(),
                report.heartbeatsMax(),
                messages * report.messagesPerFault(),
                messages * report.recoveryMessages(),
                wholeDelta,
                falseSuspicions,
                report.disturbedSuspicions(),
                report.refutations(),
                report.lateWakeUps(),
                report.ringClosed(),
                report.overflows(),
                report.eventHash(),
                report.events());
    }
}
