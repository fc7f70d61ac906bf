package io.dmodc.detector.sim;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a trial has shown. Times in δ or in microseconds of virtual time; "longest" is over all that happened.
 *
 * @param failures                what does not hold, one line each; empty if all does
 * @param deaths                  that the script and the cascade brought about
 * @param allKnowDelta            longest from the first of some deaths until all live nodes knew all of them
 * @param detectDelta             longest from a death until somebody held the node dead
 * @param returnKnowDelta         as allKnowDelta, for nodes that started anew or refuted their death
 * @param revokeMicros            from a revocation until all live nodes honoured it
 * @param propagationMicros       longest from the first node that knew of a death to the last
 * @param boundDelta              the plan's, else T(f) of the source; 0 if it proves nothing for so many faults
 * @param broadcastMicros         B(n) of the source
 * @param hopsMax                 most hops a first copy has travelled; by time, not by breadth
 * @param heartbeatsPerSecond     per node, mean over the calm before the script
 * @param heartbeatsMin           of the node that sent least
 * @param heartbeatsMax           of the node that sent most
 * @param messagesPerFault        copies of news of death sent, per death and node
 * @param recoveryMessages        datagrams a node sent from the first fault on, heartbeats aside
 * @param wholeDelta              from the last act of the script until the ring was found whole, in steps of δ
 * @param falseSuspicions         how often a node held one dead that lived, without an excuse
 * @param disturbedSuspicions     the same of nodes that were disturbed themselves or beyond a split
 * @param refutations             how often a node raised its own incarnation
 * @param lateWakeUps             wake-ups more than η late, of all live nodes
 * @param ringClosed              true if each live node watches the next live one, and is watched so
 * @param overflows               datagrams dropped at the full queue of a port
 * @param eventHash               equal for equal runs
 * @param events                  messages received and ticks
 */
public record TrialReport(
        TrialPlan plan,
        List<String> failures,
        int deaths,
        double allKnowDelta,
        double detectDelta,
        double returnKnowDelta,
        long revokeMicros,
        long propagationMicros,
        double boundDelta,
        long broadcastMicros,
        int hopsMax,
        double heartbeatsPerSecond,
        double heartbeatsMin,
        double heartbeatsMax,
        double messagesPerFault,
        double recoveryMessages,
        double wholeDelta,
        int falseSuspicions,
        int disturbedSuspicions,
        int refutations,
        long lateWakeUps,
        boolean ringClosed,
        long overflows,
        long eventHash,
        long events) {
    public TrialReport {
        failures = List.copyOf(failures);
    }

    /** True if everything that must hold did. */
    public boolean holds() {
        return failures.isEmpty();
    }

    /** The plan and the figures under stable names, in the order to print them. */
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("scenario", plan.scenario().toString());
        fields.put("nodes", plan.nodes());
        fields.put("faults", plan.faults());
        fields.put("seed", plan.seed());
        fields.put("etaMillis", plan.rules().heartbeatNanos() / 1e6);
        fields.put("deltaMillis", plan.rules().suspicionNanos() / 1e6);
        fields.put("width", plan.rules().askingWidth());
        fields.put("opinions", plan.rules().opinions());
        fields.put("overlay", plan.rules().overlay().name().toLowerCase(Locale.ROOT));
        fields.put("tauMicros", plan.conditions().delayMicros());
        fields.put("loss", plan.conditions().loss());
        fields.put("duplicate", plan.conditions().duplication());
        fields.put("reorder", plan.conditions().reordering());
        fields.put("lockStep", plan.conditions().lockStep());
        putFigures(fields);
        fields.put("ok", holds());
        fields.put("failures", failures);
        return fields;
    }

    private void putFigures(Map<String, Object> fields) {
        fields.put("deaths", deaths);
        fields.put("allKnowDelta", rounded(allKnowDelta));
        fields.put("boundDelta", rounded(boundDelta));
        fields.put("detectDelta", rounded(detectDelta));
        fields.put("propagationMicros", propagationMicros);
        fields.put("broadcastMicros", broadcastMicros);
        fields.put("returnKnowDelta", rounded(returnKnowDelta));
        fields.put("revokeMicros", revokeMicros);
        fields.put("hopsMax", hopsMax);
        fields.put("heartbeatsPerSecond", rounded(heartbeatsPerSecond));
        fields.put("heartbeatsMin", rounded(heartbeatsMin));
        fields.put("heartbeatsMax", rounded(heartbeatsMax));
        fields.put("messagesPerFault", rounded(messagesPerFault));
        fields.put("recoveryMessages", rounded(recoveryMessages));
        fields.put("wholeDelta", rounded(wholeDelta));
        fields.put("falseSuspicions", falseSuspicions);
        fields.put("disturbedSuspicions", disturbedSuspicions);
        fields.put("refutations", refutations);
        fields.put("lateWakeUps", lateWakeUps);
        fields.put("ringClosed", ringClosed);
        fields.put("overflows", overflows);
        fields.put("eventHash", String.format("%016x", eventHash));
        fields.put("events", events);
    }

    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
