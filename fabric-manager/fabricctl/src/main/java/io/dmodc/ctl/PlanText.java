package io.dmodc.ctl;

import static io.dmodc.ctl.NanosConverter.brief;

import io.dmodc.ctl.PlanReport.Detection;
import io.dmodc.ctl.PlanReport.Faults;
import io.dmodc.ctl.PlanReport.IndependentFaults;
import io.dmodc.ctl.PlanReport.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A {@link PlanReport} for people. */
final class PlanText {
    private final PlanReport plan;
    private final List<String> lines = new ArrayList<>();

    PlanText(PlanReport plan) {
        this.plan = plan;
    }

    List<String> lines() {
        add(
                "ring of %,d agents: eta %s, delta %s, tau %s",
                plan.nodes(),
                NanosConverter.print(plan.etaNanos()),
                NanosConverter.print(plan.deltaNanos()),
                NanosConverter.print(plan.tauNanos()));
        addDetection(plan.detection());
        addTraffic(plan.traffic());
        addFaults(plan.faults());
        addRisk();
        add("");
        add("without a ring, each pinging one at random per round");
        row("ignored in a round", "%,.0f agents", plan.randomPinging().ignoredPerRound());
        row(
                "rounds to find a silent one",
                "%d, for a risk of 1e-9",
                plan.randomPinging().rounds());
        plan.warnings().forEach(warning -> add("warning: %s", warning));
        return lines;
    }

    private void addDetection(Detection detection) {
        add("");
        add("one silent agent");
        row(
                "noticed after",
                "%s on average, %s to %s",
                brief(detection.meanNanos()),
                brief(detection.leastNanos()),
                brief(detection.mostNanos()));
        row("known to all", "%d hops later, proven %s", detection.hops(), brief(detection.broadcastNanos()));
        row("worst case", "%s", brief(detection.allKnowMostNanos()));
    }

    private void addTraffic(Traffic traffic) {
        add("");
        add("traffic of each agent, whatever the number of agents");
        row(
                "heartbeats",
                "%.4g/s out, as many in: %,.0f bytes/s, %,.0f with IPv4 and UDP headers",
                traffic.datagramsPerSecond(),
                traffic.bytesPerSecond(),
                traffic.bytesPerSecondWithHeaders());
        row("for each fault", "%d datagrams more, once", traffic.datagramsPerFault());
    }

    private void addFaults(Faults faults) {
        add("");
        add("%d at once", faults.count());
        row("spread over the ring", "%s", brief(faults.spreadNanos()));
        row(
                "neighbours on the ring",
                "%s, asking %d at the same time (%s as published)",
                brief(faults.askingNanos()),
                plan.traffic().askingWidth(),
                brief(faults.publishedNanos()));
        Long proven = faults.provenNanos();
        row("proven worst case T(f)", "%s", proven == null ? "none above f = " + faults.provenMost() : brief(proven));
        row("broadcast bears", "%d dead", faults.tolerated());
    }

    private void addRisk() {
        IndependentFaults risk = plan.risk();
        if (risk == null) {
            return;
        }
        add("");
        add(
                "risk of %d or more independent faults while f = %d is still being handled",
                risk.faultsNotCovered(), risk.faultsNotCovered() - 1);
        row(
                "probability",
                "%.2g, one fault per agent in %.4g years",
                risk.probability(),
                risk.meanBetweenFaultsYears());
        row("longest delta for 1e-9", "%s", brief(Math.round(risk.largestDeltaSeconds() * 1e9)));
        row("not in it", "%s", "common causes (power, firmware, a pod): ring order and asking width are for those");
    }

    private void row(String name, String form, Object... values) {
        add("  %-30s%s", name, String.format(Locale.ROOT, form, values));
    }

    private void add(String form, Object... values) {
        lines.add(String.format(Locale.ROOT, form, values));
    }
}
