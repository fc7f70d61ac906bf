package io.dmodc.detector.sim;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * What each {@link Scenario} does to a calm ring. Nodes and moments are drawn from the seed; acts are scheduled
 * from now on. Node i sits in slot i, so neighbours in number are neighbours on the ring.
 */
final class ScenarioScripts {
    /** Comes through the first 2 δ of grace, accused by nobody. */
    static final double LATE_DELTA = 1.5;

    private static final int LATE_ONE_IN = 10;
    private static final double PAUSE_LEAST_DELTA = 0.5;
    private static final double PAUSE_MOST_DELTA = 5;
    private static final int REFUTE_DELTA = 3;
    private static final int SPLIT_DELTA = 5;
    private static final int ROUND_DELTA = 4;
    private static final int FLAPS = 6;
    private static final double FLAP_DELTA = 1.5;

    private final TrialPlan plan;
    private final ScriptContext context;
    private final int[] domainOfSlot;
    private final SplittableRandom random;
    private int cascadeLeft;

    ScenarioScripts(TrialPlan plan, ScriptContext context, int[] domainOfSlot, SplittableRandom random) {
        this.plan = plan;
        this.context = context;
        this.domainOfSlot = domainOfSlot;
        this.random = random;
    }

    void play() {
        int node = random.nextInt(plan.nodes());
        switch (plan.scenario()) {
            case ONE -> context.kill(node);
            case BURST -> context.kill(neighbours(node));
            case CASCADE -> cascade(node);
            case SPREAD -> context.kill(spread(node));
            case POD -> context.kill(domainOf(node));
            case PAUSE -> pause(node);
            case RESTART -> restart(node);
            case REFUTE -> refute(node);
            case SPLIT -> split();
            case FLAP -> flap(node);
            case STORM -> {} // the ring was started so
            case REVOKE -> revoke(node);
        }
    }

    /** Moments at which the nodes of a storm join. */
    long[] stormMoments() {
        return IntStream.range(0, plan.nodes())
                .mapToLong(node -> random.nextInt(LATE_ONE_IN) == 0 ? random.nextLong(delta(LATE_DELTA)) : 0)
                .toArray();
    }

    private long delta(double factor) {
        return (long) (factor * plan.rules().suspicionNanos());
    }

    private int[] neighbours(int first) {
        return IntStream.range(0, plan.faults())
                .map(i -> (first + i) % plan.nodes())
                .toArray();
    }

    private int[] spread(int first) {
        return IntStream.range(0, plan.faults())
                .map(i -> (int) ((first + (long) i * plan.nodes() / plan.faults()) % plan.nodes()))
                .toArray();
    }

    private int[] domainOf(int slot) {
        return IntStream.range(0, plan.nodes())
                .filter(other -> domainOfSlot[other] == domainOfSlot[slot])
                .toArray();
    }

    private void cascade(int first) {
        cascadeLeft = plan.faults() - 1;
        context.kill(first);
        context.ring().diesInstead(node -> {
            boolean dies = cascadeLeft > 0
                    && !context.ring().isLive(context.ring().detector(node).emitter());
            if (dies) {
                cascadeLeft--;
                context.dies(node);
            }
            return dies;
        });
    }

    private void pause(int first) {
        for (int node : spread(first)) {
            long nanos = delta(PAUSE_LEAST_DELTA) + random.nextLong(delta(PAUSE_MOST_DELTA - PAUSE_LEAST_DELTA));
            context.pause(node, nanos);
        }
    }

    private void restart(int node) {
        for (int round = 0; round < plan.faults(); round++) {
            context.after(round * delta(ROUND_DELTA), () -> context.kill(node));
            context.after(round * delta(ROUND_DELTA) + delta(ROUND_DELTA / 2.0), () -> context.restart(node));
        }
    }

    private void refute(int first) {
        int[] groups = new int[plan.nodes()];
        int group = 0;
        for (int node : spread(first)) {
            groups[node] = ++group;
        }
        context.cutOff(groups, delta(REFUTE_DELTA));
    }

    private void split() {
        int[] groups = new int[plan.nodes()];
        Arrays.fill(groups, 1);
        Arrays.fill(groups, 0, plan.nodes() / 2, 2);
        context.cutOff(groups, delta(SPLIT_DELTA));
    }

    private void flap(int first) {
        for (int node : spread(first)) {
            long at = random.nextLong(delta(1));
            for (int flap = 0; flap < FLAPS; flap++) {
                boolean stops = flap % 2 == 0;
                context.after(at, stops ? () -> context.pause(node, delta(FLAP_DELTA)) : () -> context.kill(node));
                at += delta(FLAP_DELTA);
                if (!stops) {
                    context.after(at, () -> context.restart(node));
                }
                at += delta(PAUSE_LEAST_DELTA);
            }
        }
    }

    private void revoke(int first) {
        int[] dying = spread(first);
        int source = (first + 1) % plan.nodes();
        long tauNanos = plan.conditions().delayMicros() * 1_000L;
        context.revoke(source, 1);
        for (int node : dying) {
            if (node != source) {
                context.after(random.nextLong(2 * tauNanos), () -> context.kill(node));
            }
        }
    }
}
