package io.dmodc.demo;

import io.dmodc.agent.plane.Cable;
import io.dmodc.demo.DemoObserver.Outcome;
import io.dmodc.demo.DemoSteps.Fault;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Tables;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.topology.FabricView;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * The steps: what happens to the fabric, what the manager made of it, and whether the tables the switches really hold
 * pass the check. Prints as it goes.
 */
final class DemoScenario {
    private static final int FLAPS = 10;
    private static final long FLAP_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

    private final DemoFabric fabric;
    private final DemoObserver manager;
    private final DemoTargets targets;
    private final int burst;
    private final PrintStream out;
    private final List<Cable> cutCables = new ArrayList<>();
    private final DemoSteps steps;

    /** @param burst how many cables the burst cuts at once; 0 leaves it out */
    DemoScenario(DemoFabric fabric, DemoObserver manager, DemoTargets targets, int burst, PrintStream out) {
        this.fabric = fabric;
        this.manager = manager;
        this.targets = targets;
        this.burst = burst;
        this.out = out;
        steps = new DemoSteps(manager, out);
    }

    /** Plays all steps; the fabric is as at first in the end. */
    void play() throws DemoFailure {
        Tables first = firstTables();
        cutOneCable();
        cutLastCableOfBundle();
        silenceCable();
        hangAgent();
        hangSwitch();
        killSpineSilently();
        killLeaf();
        flap();
        cutBurst();
        bringAllBack();
        compare(first);
    }

    private Tables firstTables() throws DemoFailure {
        Outcome outcome = step(
                "all agents start", fabric::startAgents, state -> state.outstanding() == 0 && state.tables() != null);
        manager.awaitWarm();
        return fabric.tablesHeld(outcome.view());
    }

    private void cutOneCable() throws DemoFailure {
        cutCable("cut a cable", targets.bundlePorts().get(0));
    }

    private void cutLastCableOfBundle() throws DemoFailure {
        List<Integer> ports = targets.bundlePorts();
        for (int i = 1; i < ports.size() - 1; i++) {
            Cable cable = fabric.cableAt(targets.bundleSwitch(), ports.get(i));
            cutCables.add(cable);
            fabric.cut(cable);
            manager.await("cutting a bundle", state -> isDown(state, cable));
        }
        if (ports.size() > 1) {
            cutCable("cut the last cable of that bundle", ports.get(ports.size() - 1));
        }
    }

    private void cutCable(String title, int port) throws DemoFailure {
        Cable cable = fabric.cableAt(targets.bundleSwitch(), port);
        cutCables.add(cable);
        step(title, () -> fabric.cut(cable), state -> isDown(state, cable));
    }

    private static boolean isDown(FabricSnapshot state, Cable cable) {
        return !state.isLive(cable.guid(), cable.port());
    }

    private void silenceCable() throws DemoFailure {
        if (fabric.detectionNanos() == 0) {
            return;
        }
        Cable cable = fabric.cableAt(targets.flapSwitch(), targets.flapPort());
        step(
                "a cable carries nothing any more, its ports stay up: only hellos over it can notice",
                () -> fabric.mute(cable),
                state -> isDown(state, cable));
        step("it carries again", () -> fabric.unmute(cable), state -> !isDown(state, cable));
    }

    private void hangAgent() throws DemoFailure {
        Outcome outcome = step(
                "an agent hangs, its switch forwards on",
                () -> fabric.hangAgent(targets.other()),
                state -> condition(state, targets.other()) == Condition.HEADLESS);
        if (outcome.blocks() != 0) {
            throw new DemoFailure("a hung agent caused " + outcome.blocks() + " blocks to be written, expected none");
        }
        step(
                "that agent is started anew",
                () -> restartAgent(targets.other()),
                state -> connected(state, targets.other()));
    }

    private void hangSwitch() throws DemoFailure {
        FabricView view = manager.ask(state -> Objects.requireNonNull(state.view()));
        if (fabric.detectionNanos() == 0 || !DemoTargets.isSeenToHang(view, view.switchOf(targets.other()))) {
            return;
        }
        step(
                "a switch hangs, its ports stay up: only hellos through it can notice",
                () -> fabric.hangSwitch(targets.other()),
                state -> condition(state, targets.other()) == Condition.DEAD);
        step(
                "it goes on, its agent is started anew",
                () -> fabric.resumeSwitch(targets.other()),
                state -> connected(state, targets.other()));
    }

    private void restartAgent(long guid) {
        fabric.killAgent(guid);
        fabric.startAgent(guid);
    }

    private void killSpineSilently() throws DemoFailure {
        step(
                "a spine dies and no port tells: only hellos and the ring can notice",
                () -> fabric.dieSilently(targets.spine()),
                state -> condition(state, targets.spine()) == Condition.DEAD);
    }

    private void killLeaf() throws DemoFailure {
        step(
                "a leaf loses power",
                () -> fabric.powerOff(targets.leaf()),
                state -> condition(state, targets.leaf()) == Condition.DEAD);
    }

    private void flap() throws DemoFailure {
        Cable cable = fabric.cableAt(targets.flapSwitch(), targets.flapPort());
        Outcome outcome = step(
                "a cable flaps " + FLAPS + " times within " + 2 * FLAPS * FLAP_NANOS / 1_000_000 + " ms",
                () -> flap(cable),
                state -> state.isLive(cable.guid(), cable.port()));
        if (outcome.epochs() >= FLAPS) {
            throw new DemoFailure(FLAPS + " flaps caused " + outcome.epochs() + " epochs, expected fewer");
        }
    }

    private void flap(Cable cable) throws DemoFailure {
        for (int i = 0; i < FLAPS; i++) {
            fabric.cut(cable);
            if (i == 0) {
                manager.await("a flap", state -> isDown(state, cable));
            }
            LockSupport.parkNanos(FLAP_NANOS);
            fabric.mend(cable);
            LockSupport.parkNanos(FLAP_NANOS);
        }
    }

    private void cutBurst() throws DemoFailure {
        if (burst == 0) {
            return;
        }
        FabricView view = manager.ask(state -> Objects.requireNonNull(state.view()));
        List<Cable> cables = new ArrayList<>();
        List<Integer> candidates = upperSwitches(view);
        for (int i = 0; i < burst && !candidates.isEmpty(); i++) {
            int s = candidates.get((int) ((long) i * candidates.size() / burst));
            int group = view.groupStart(s);
            cables.add(fabric.cableAt(view.switchGuid(s), view.groupPort(group, 0)));
        }
        cutCables.addAll(cables);
        step(
                "a burst: " + cables.size() + " cables cut at once",
                () -> cables.forEach(fabric::cut),
                state -> cables.stream().allMatch(cable -> isDown(state, cable)));
    }

    private static List<Integer> upperSwitches(FabricView view) {
        List<Integer> upper = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.rank(s) > 0 && view.groupEnd(s) > view.groupStart(s)) {
                upper.add(s);
            }
        }
        return upper;
    }

    private void bringAllBack() throws DemoFailure {
        step(
                "everything comes back",
                () -> {
                    fabric.powerOn(targets.spine());
                    fabric.powerOn(targets.leaf());
                    cutCables.forEach(fabric::mend);
                },
                state -> connected(state, targets.spine())
                        && connected(state, targets.leaf())
                        && state.isLive(targets.flapSwitch(), targets.flapPort())
                        && cutCables.stream().noneMatch(cable -> isDown(state, cable))
                        && Objects.requireNonNull(state.view()).linkCount() == state.learntLinkCount());
    }

    private static Condition condition(FabricSnapshot state, long guid) {
        return Objects.requireNonNull(state.findSwitch(guid)).condition();
    }

    private static boolean connected(FabricSnapshot state, long guid) {
        SwitchSnapshot record = Objects.requireNonNull(state.findSwitch(guid));
        return record.condition() == Condition.CONNECTED && record.agentConnected() && !record.agentSilent();
    }

    private void compare(Tables first) throws DemoFailure {
        Tables last = fabric.tablesHeld(manager.ask(state -> Objects.requireNonNull(state.view())));
        for (int s = 0; s < first.switchCount(); s++) {
            if (!first.row(s).sameEntries(last.row(s))) {
                throw new DemoFailure("the final table of switch " + s + " differs from its first");
            }
        }
        out.println();
        out.println("The final tables of all " + first.switchCount() + " switches equal the first ones.");
    }

    /** Does the fault, waits for calm, tells what happened, checks what the switches hold. */
    private Outcome step(String title, Fault fault, Predicate<FabricSnapshot> known) throws DemoFailure {
        Outcome outcome = steps.play(title, fault, known);
        check(outcome);
        return outcome;
    }

    private void check(Outcome outcome) throws DemoFailure {
        CheckReport report = TableCheck.check(
                outcome.view(), fabric.tablesHeld(outcome.view()).lfts(), Parallel.on(ForkJoinPool.commonPool()));
        if (!report.valid()) {
            throw new DemoFailure("the tables the switches hold do not pass the check: "
                    + String.join("; ", report.lines(outcome.view())));
        }
        out.println("    check of what the switches hold: "
                + report.lines(outcome.view()).get(0));
    }
}
