package io.dmodc.detector.sim;

import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
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
    private static final double ROLLING_STEP_DELTA = 0.5;
    private static final double ROLLING_DOWN_DELTA = 3;
    private static final int FORGETS_ONE_IN = 8;

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
            case REFUTE -> each(spread(node), alone -> context.isolate(alone, delta(REFUTE_DELTA)));
            case DEAF -> each(spread(node), deaf -> context.deafen(deaf, delta(plan.lengthDelta())));
            case MUTE -> each(spread(node), mute -> context.mute(mute, delta(plan.lengthDelta())));
            case ISOLATED -> each(spread(node), alone -> context.isolate(alone, delta(plan.lengthDelta())));
            case SPLIT_HALF -> splitHalf();
            case MIXED_EPOCHS -> mixedEpochs(node);
            case ROLLING_RESTART -> rollingRestart();
            case SWARM -> new Swarm(plan, context, random).play();
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

    private static void each(int[] nodes, IntConsumer act) {
        IntStream.of(nodes).forEach(act);
    }

    private void splitHalf() {
        BitSet half = new BitSet();
        half.set(0, plan.nodes() / 2);
        BitSet other = new BitSet();
        other.set(plan.nodes() / 2, plan.nodes());
        context.split(half, other, delta(SPLIT_DELTA));
        context.split(other, half, delta(SPLIT_DELTA));
    }

    /** Of each that is late, whom it watches in the old ring and whom it should watch in the new one die. */
    private void mixedEpochs(int first) {
        BitSet late = new BitSet();
        int[] lateNodes = spread(first);
        each(lateNodes, late::set);
        int[] order = shuffled(plan.nodes(), random);
        context.redraw(order, 2, plan.rules().heartbeatNanos(), late);
        int[] slotOf = new int[plan.nodes()];
        IntStream.range(0, order.length).forEach(slot -> slotOf[order[slot]] = slot);
        context.after(
                delta(ROUND_DELTA),
                () -> each(lateNodes, node -> {
                    context.kill(order[Math.floorMod(slotOf[node] - 1, order.length)]);
                }));
        context.after(
                delta(3 * ROUND_DELTA),
                () -> each(lateNodes, node -> {
                    int watched = context.ring().emitter(node);
                    if (context.ring().isLive(watched) && watched != node) {
                        context.kill(watched);
                    }
                }));
        context.after(delta(6 * ROUND_DELTA), context::catchesUp);
    }

    static int[] shuffled(int count, SplittableRandom random) {
        int[] order = IntStream.range(0, count).toArray();
        for (int i = count - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        return order;
    }

    private void rollingRestart() {
        for (int node = 0; node < plan.nodes(); node++) {
            int restarted = node;
            long at = delta(node * ROLLING_STEP_DELTA);
            boolean forgets = random.nextInt(FORGETS_ONE_IN) == 0;
            context.after(at, () -> context.kill(restarted));
            context.after(at + random.nextLong(delta(ROLLING_DOWN_DELTA)), () -> {
                if (forgets) {
                    context.restart(restarted, 0);
                } else {
                    context.restart(restarted);
                }
            });
        }
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
