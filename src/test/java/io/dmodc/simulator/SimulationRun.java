package io.dmodc.simulator;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Many histories one after the other, and what they came to. */
final class SimulationRun {
    private static final int SEEDS_SHOWN = 8;

    final Map<Law, List<Violation>> firsts = new EnumMap<>(Law.class);
    final Map<Law, List<Long>> seeds = new EnumMap<>(Law.class);
    private final Map<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);
    private long histories;
    private long events;
    private long virtualNanos;
    private long plansCompared;
    private long wallNanos;
    private long processorNanos;

    /** Runs seeds from {@code from} on until so many are done or the time is over. */
    SimulationRun run(long from, long count, long nanos, Simulation.Options options) {
        long started = System.nanoTime();
        long processor = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (long seed = from; seed - from < count && System.nanoTime() - started < nanos; seed++) {
            add(Simulation.run(seed, options));
        }
        wallNanos += System.nanoTime() - started;
        processorNanos += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - processor;
        return this;
    }

    private void add(Simulation.Outcome outcome) {
        histories++;
        events += outcome.events();
        virtualNanos += outcome.virtualNanos();
        plansCompared += outcome.plansCompared();
        outcome.faults().forEach((kind, count) -> faults.merge(kind, (long) count, Long::sum));
        for (Violation violation : outcome.violations()) {
            seeds.computeIfAbsent(violation.law(), law -> new ArrayList<>()).add(outcome.seed());
            firsts.computeIfAbsent(violation.law(), law -> new ArrayList<>()).add(violation);
        }
    }

    /** The first violation of each law of a kind, in words. */
    List<String> broken(Predicate<Law> kind) {
        return firsts.entrySet().stream()
                .filter(entry -> kind.test(entry.getKey()))
                .map(entry -> "seed " + seeds(entry.getKey()).get(0) + ": "
                        + entry.getValue().get(0))
                .toList();
    }

    private List<Long> seeds(Law law) {
        return seeds.getOrDefault(law, List.of());
    }

    long histories() {
        return histories;
    }

    /** Returns how many plans were compared with what came of them. */
    long plansCompared() {
        return plansCompared;
    }

    /** Prints what people want to know. */
    void print(PrintStream out) {
        out.printf(
                "%d histories in %.1f s: %.1f a second, %.1f a second of processor time; %d events, %.0f s of virtual time%n",
                histories,
                wallNanos / 1e9,
                histories * 1e9 / wallNanos,
                histories * 1e9 / processorNanos,
                events,
                virtualNanos / 1e9);
        out.println("faults: " + faults);
        if (plansCompared > 0) {
            out.println("plans compared with what came of them: " + plansCompared);
        }
        for (Law law : Law.values()) {
            List<Long> broken = seeds(law);
            if (!broken.isEmpty()) {
                out.printf(
                        "%-32s %s %5d histories, seeds %s%n    %s%n",
                        law,
                        law.isEnforced() ? "ENFORCED" : "known   ",
                        broken.size(),
                        broken.subList(0, Math.min(SEEDS_SHOWN, broken.size())),
                        firsts.getOrDefault(law, List.of()).get(0));
            }
        }
    }
}
