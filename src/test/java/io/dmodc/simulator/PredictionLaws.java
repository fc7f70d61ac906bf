package io.dmodc.simulator;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.manager.loop.ActPlanning.Planned;
import io.dmodc.manager.loop.RowDigests;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.ChangePlan;
import io.dmodc.routing.change.TableDifference.EpochTables;
import io.dmodc.routing.prediction.Prediction;
import io.dmodc.topology.FabricView;
import org.jspecify.annotations.Nullable;

/** What a plan said would come of an act comes of it, if nothing else happened in between. */
final class PredictionLaws {
    private final Simulation site;

    /** Applied, and not computed with yet. */
    private @Nullable Applied applied;

    /** Computed with now. */
    private @Nullable Applied computing;

    /**
     * @param fabric that it was planned for
     * @param then the tables that a rollback is to bring back; else {@code null}
     */
    private record Applied(
            SimulatedManager manager,
            Act act,
            Planned planned,
            FabricSnapshot fabric,
            @Nullable EpochTables then) {}

    private long compared;

    PredictionLaws(Simulation site) {
        this.site = site;
    }

    /** @param fabric that it was planned for */
    void applying(SimulatedManager manager, FabricSnapshot fabric, Planned planned) {
        Act act = planned.act();
        applied = act == null || !PlannedActs.isAtRest(fabric)
                ? null
                : new Applied(manager, act, planned, fabric, tables(fabric, act));
    }

    private static @Nullable EpochTables tables(FabricSnapshot fabric, Act act) {
        return act.verb() == Verb.ROLLBACK ? fabric.kept().at(Long.parseLong(act.epoch()), RowDigests.RULE) : null;
    }

    /** Returns how many plans were compared with what came of them. */
    long compared() {
        return compared;
    }

    void declined(Effect.Declined declined) {
        boolean it = applied != null && declined.command() instanceof ActAsked asked && asked.act() == applied.act;
        applied = it ? null : applied;
    }

    void planning(SimulatedManager manager, Effect.Compute compute) {
        Applied asked = applied;
        applied = null;
        computing = asked != null
                        && asked.manager == manager
                        && compute.view().epoch() == asked.planned.epoch() + 1
                        && compute.allTold()
                        && holdWhatTheyHeld(manager, asked.fabric)
                        && isCause(manager, asked.act)
                ? asked
                : null;
    }

    /** No switch acknowledged another table since, as one does that is offered an entry again which it refused: no epoch tells of that. */
    private static boolean holdWhatTheyHeld(SimulatedManager manager, FabricSnapshot then) {
        return then.switches().stream().allMatch(held -> {
            SwitchRecord now = manager.state.findSwitch(held.guid());
            return now == null || now.ackedDigest() == held.ackedDigest();
        });
    }

    /** The epoch is of the act and of nothing else. */
    private static boolean isCause(SimulatedManager manager, Act act) {
        EpochRecord last = null;
        for (EpochRecord epoch : manager.state.epochs()) {
            last = epoch;
        }
        String cause = last == null ? "" : last.cause();
        return switch (act.verb()) {
            case DRAIN -> cause.matches("drain of \\S+( port \\d+)?");
            case UNDRAIN -> cause.endsWith(" not drained any more");
            case ENGINE -> cause.startsWith("engine: ") && !cause.endsWith(" more");
            case ROLLBACK -> cause.equals("rollback to epoch " + act.epoch());
            case FORGET -> cause.endsWith(" forgotten");
            case PAUSE, RESUME, REPLACE, REBALANCE -> false;
        };
    }

    void planned(SimulatedManager manager, Routed routed) {
        Applied asked = computing;
        computing = null;
        ChangePlan plan = routed.change().plan();
        if (asked == null || asked.manager != manager || routed.report() == null || plan == null) {
            return;
        }
        compared++;
        Prediction told = asked.planned.prediction();
        if (told == null) {
            violated(asked, "no tables were foreseen, and there are some");
        } else if (told.entries() != plan.changedEntries()) {
            violated(asked, told.entries() + " entries were to change, " + plan.changedEntries() + " do");
        }
        if (asked.then != null && routed.result().made() instanceof LftSet made) {
            compare(asked, asked.then, manager, made);
        }
    }

    private void compare(Applied asked, EpochTables then, SimulatedManager manager, LftSet made) {
        FabricView now = manager.view(made.epoch());
        for (int t = 0; now != null && t < then.view().switchCount(); t++) {
            LftRow row = then.row(then.view().switchGuid(t));
            int s = now.switchOf(then.view().switchGuid(t));
            for (int d = 0; row != null && d < then.view().nodeCount(); d++) {
                if (then.view().nodeSwitch(d) >= 0 && (s < 0 || made.port(s, d) != row.port(d))) {
                    violated(asked, "another entry at " + then.view().switchName(t) + " for node index " + d);
                    return;
                }
            }
        }
    }

    private void violated(Applied asked, String text) {
        site.violated(
                Law.PLAN_COMES_TRUE,
                asked.act.verb() + " " + asked.act.objects() + " " + asked.act.value() + " planned for epoch "
                        + asked.planned.epoch() + ": " + text);
    }
}
