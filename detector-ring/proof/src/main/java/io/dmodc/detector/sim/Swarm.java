package io.dmodc.detector.sim;

import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * Whatever can happen to agents and their network, mixed by the seed: deaths, restarts (a quarter with a lost counter),
 * stops, nodes that are deaf, mute or alone, one-way and group cuts, loss up to 30 %, doubling, reordering, replays, new
 * epochs in another order that some hear of late, revocations. Then all is healed, and some stay dead.
 */
final class Swarm {
    private static final int ACTS = 40;
    private static final int SPAN_DELTA = 60;
    private static final int LONGEST_DELTA = 20;
    private static final double LOSS_MOST = 0.3;
    private static final int REPLAYS_MOST = 20;
    private static final int DATAGRAMS_KEPT = 1_024;
    private static final int STAYS_DEAD_ONE_IN = 4;

    private final TrialPlan plan;
    private final ScriptContext context;
    private final SplittableRandom random;
    private long epoch = 1;
    private long revoked;

    Swarm(TrialPlan plan, ScriptContext context, SplittableRandom random) {
        this.plan = plan;
        this.context = context;
        this.random = random;
    }

    void play() {
        context.ring().recordDatagrams(DATAGRAMS_KEPT);
        for (int act = 0; act < ACTS; act++) {
            int kind = random.nextInt(14);
            SplittableRandom own = random.split();
            context.after(own.nextLong(delta(SPAN_DELTA)), () -> act(kind, own));
        }
        context.after(delta(SPAN_DELTA + LONGEST_DELTA + 1), this::end);
    }

    private long delta(double factor) {
        return (long) (factor * plan.rules().suspicionNanos());
    }

    private void act(int kind, SplittableRandom own) {
        int node = own.nextInt(plan.nodes());
        long nanos = delta(0.2) + own.nextLong(delta(LONGEST_DELTA - 1));
        boolean lives = context.ring().isLive(node);
        boolean runs = context.ring().isRunning(node);
        switch (kind) {
            case 0, 1, 2 -> {
                if (lives && liveCount() > plan.nodes() / 2) {
                    context.kill(node);
                    if (own.nextInt(STAYS_DEAD_ONE_IN) > 0) {
                        int lost = own.nextInt(STAYS_DEAD_ONE_IN);
                        context.after(nanos, () -> restart(node, lost == 0));
                    }
                }
            }
            case 3, 4 -> {
                if (runs) {
                    context.pause(node, Math.min(nanos, delta(5)));
                }
            }
            case 5 -> context.deafen(node, nanos);
            case 6 -> context.mute(node, nanos);
            case 7 -> context.isolate(node, nanos);
            case 8 -> context.split(Cut.only(node), Cut.only(own.nextInt(plan.nodes())), nanos);
            case 9 -> context.split(group(own), group(own), nanos);
            case 10 -> splitBothWays(group(own), nanos);
            case 11 -> roughen(own, nanos);
            case 12 -> redraw(own);
            case 13 -> {
                if (runs) {
                    context.revoke(node, ++revoked);
                }
                replay(own);
            }
            default -> throw new IllegalStateException("act " + kind);
        }
    }

    private int liveCount() {
        int live = 0;
        for (int node = 0; node < plan.nodes(); node++) {
            live += context.ring().isLive(node) ? 1 : 0;
        }
        return live;
    }

    private void restart(int node, boolean forgets) {
        if (!context.ring().isLive(node)) {
            if (forgets) {
                context.restart(node, 0);
            } else {
                context.restart(node);
            }
        }
    }

    private BitSet group(SplittableRandom own) {
        BitSet group = new BitSet();
        int share = 2 + own.nextInt(6);
        for (int node = 0; node < plan.nodes(); node++) {
            group.set(node, own.nextInt(share) == 0);
        }
        return group;
    }

    private void splitBothWays(BitSet group, long nanos) {
        BitSet others = new BitSet();
        others.set(0, plan.nodes());
        others.andNot(group);
        context.split(group, others, nanos);
        context.split(others, group, nanos);
    }

    private void roughen(SplittableRandom own, long nanos) {
        NetworkConditions calm = plan.conditions();
        context.ring()
                .conditions(new NetworkConditions(
                        calm.delayMicros(),
                        calm.sendCostMicros(),
                        own.nextDouble() * LOSS_MOST,
                        own.nextDouble() * LOSS_MOST,
                        own.nextDouble() * LOSS_MOST,
                        false));
        context.after(nanos, () -> context.ring().conditions(calm));
    }

    private void redraw(SplittableRandom own) {
        BitSet late = new BitSet();
        for (int node = 0; node < plan.nodes(); node++) {
            late.set(node, own.nextInt(6) == 0);
        }
        context.redraw(
                ScenarioScripts.shuffled(plan.nodes(), own),
                ++epoch,
                plan.rules().heartbeatNanos(),
                late);
    }

    private void replay(SplittableRandom own) {
        for (int i = own.nextInt(REPLAYS_MOST); i > 0; i--) {
            context.after(own.nextLong(delta(LONGEST_DELTA)), context.ring()::replay);
        }
    }

    private void end() {
        context.ring().conditions(plan.conditions());
        context.catchesUp();
    }
}
