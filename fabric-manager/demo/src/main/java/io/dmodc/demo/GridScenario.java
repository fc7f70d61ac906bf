package io.dmodc.demo;

import io.dmodc.demo.DemoObserver.Outcome;
import io.dmodc.demo.GridPackets.Walked;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Tables;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.TurnTableCheck;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridRecognition;
import io.dmodc.topology.grid.RecognisedGrid;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * The steps for a grid (VTFTR paper, section 2): leaves die one by one and at once, roots lead around them before anybody told them, the
 * manager masks them in all tables. Packets are sent between all leaves right after each fault, and when the tables are in force.
 */
final class GridScenario {
    /** Leaves on the diagonal that die one after the other. */
    private static final int SINGLE_FAULTS = 3;

    /** So many die at once at most. */
    private static final int BURST_MAX = 4;

    private static final int BURST_MIN = 2;

    private final DemoFabric fabric;
    private final DemoManager manager;
    private final FabricView whole;
    private final RecognisedGrid grid;
    private final GridPackets packets;
    private final PrintStream out;
    private final int burst;
    private final List<Long> dead = new ArrayList<>();
    private DemoObserver observer;
    private DemoSteps steps;

    GridScenario(DemoFabric fabric, DemoManager manager, FabricView whole, PrintStream out) {
        this.fabric = fabric;
        this.manager = manager;
        this.whole = whole;
        this.out = out;
        grid = grid(whole);
        burst = Math.min(BURST_MAX, Math.min(grid.rows(), grid.columns()) - SINGLE_FAULTS - 2);
        packets = new GridPackets(fabric, whole);
        observer = new DemoObserver(manager.running());
        steps = new DemoSteps(observer, out);
    }

    /** @throws IllegalArgumentException in one line when there is no grid, or one too small to lose leaves */
    static RecognisedGrid grid(FabricView whole) {
        RecognisedGrid grid = GridRecognition.recognise(whole);
        int least = SINGLE_FAULTS + 1 + BURST_MIN + 1;
        int size = Math.min(grid.rows(), grid.columns());
        if (size < least) {
            throw new IllegalArgumentException(
                    "a grid of " + grid.rows() + "x" + grid.columns() + " leaves; expected at least " + least + "x"
                            + least + ", as " + (least - 1) + " die and a row and a column have to stay whole");
        }
        return grid;
    }

    /** Plays all steps; the fabric is as at first in the end. */
    void play() throws DemoFailure, IOException {
        Tables first = firstTables();
        for (int i = 0; i < SINGLE_FAULTS; i++) {
            killLeaf(i);
        }
        killRoot();
        hangAgent();
        killLeafWithoutManager();
        killLeavesAtOnce();
        bringAllBack();
        compare(first);
    }

    private Tables firstTables() throws DemoFailure {
        Outcome outcome = steps.play(
                "all agents start", fabric::startAgents, state -> state.outstanding() == 0 && state.tables() != null);
        observer.awaitWarm();
        observer.awaitSoon("alternatives", state -> fabric.allHaveAlternatives());
        check(outcome.view());
        Walked walked = walk();
        require(walked.byRoutings()[3] + walked.byRoutings()[4] == 0, "no fault, and some packets went a detour");
        return fabric.tablesHeld(outcome.view());
    }

    private long leaf(int place) {
        return whole.switchGuid(grid.leaf(place, place));
    }

    /** It is the corner of pairs, which its root does not know yet when the next packet comes. */
    private void killLeaf(int place) throws DemoFailure {
        long guid = leaf(place);
        dead.add(guid);
        String others = place == 0 ? "none is dead" : place == 1 ? "another is dead" : place + " others are dead";
        String title = "leaf " + place + "," + place + " loses power; " + others;
        Outcome outcome = steps.play(
                title,
                () -> {
                    fabric.powerOff(guid);
                    out.println("    at once: " + lossless(packets.walk()).text());
                },
                state -> condition(state, guid) == Condition.DEAD);
        settled(outcome);
    }

    private void killRoot() throws DemoFailure {
        long guid = whole.switchGuid(grid.rowRoot(grid.rows() - 1, 0));
        dead.add(guid);
        Outcome outcome = steps.play(
                "a root of a row loses power: the others of its row take over",
                () -> fabric.powerOff(guid),
                state -> condition(state, guid) == Condition.DEAD);
        settled(outcome);
    }

    private void hangAgent() throws DemoFailure {
        long guid = whole.switchGuid(grid.rowRoot(0, 0));
        Outcome hung = steps.play(
                "the agent of a root hangs, its switch forwards on",
                () -> fabric.hangAgent(guid),
                state -> condition(state, guid) == Condition.HEADLESS);
        require(hung.blocks() == 0, "a hung agent caused " + hung.blocks() + " blocks to be written");
        settled(hung);
        Outcome back = steps.play(
                "that agent is started anew",
                () -> {
                    fabric.killAgent(guid);
                    fabric.startAgent(guid);
                },
                state -> connected(state, guid));
        settled(back);
    }

    private void killLeafWithoutManager() throws DemoFailure, IOException {
        long guid = leaf(SINGLE_FAULTS);
        dead.add(guid);
        steps.title("the manager ends, and a leaf dies: nobody but the roots leads around it");
        manager.stop();
        fabric.powerOff(guid);
        Walked alone = lossless(packets.walk());
        out.println("    without a manager: " + alone.text());
        manager.startAgain();
        observer = new DemoObserver(manager.running());
        int switches = whole.switchCount();
        observer.await(
                "tables after the start",
                state -> state.tables() != null
                        && condition(state, guid) == Condition.DEAD
                        && state.counts().connected() == switches - dead.size());
        steps = steps.continued(observer);
        out.println("    the manager is back");
        FabricView view = observer.ask(state -> Objects.requireNonNull(state.view()));
        check(view);
        walk();
    }

    private void killLeavesAtOnce() throws DemoFailure {
        List<Long> dying = new ArrayList<>();
        for (int i = 0; i < burst; i++) {
            dying.add(leaf(SINGLE_FAULTS + 1 + i));
        }
        dead.addAll(dying);
        Outcome outcome = steps.play(
                burst + " leaves lose power at once: packets may be lost that meet two of them, until tables are there",
                () -> {
                    dying.forEach(fabric::powerOff);
                    out.println("    at once: " + packets.walk().text());
                },
                state -> dying.stream().allMatch(guid -> condition(state, guid) == Condition.DEAD));
        settled(outcome);
    }

    private void bringAllBack() throws DemoFailure {
        Outcome outcome = steps.play(
                "everything comes back",
                () -> dead.forEach(fabric::powerOn),
                state -> dead.stream().allMatch(guid -> connected(state, guid))
                        && Objects.requireNonNull(state.view()).linkCount() == whole.linkCount());
        settled(outcome);
    }

    private void settled(Outcome outcome) throws DemoFailure {
        check(outcome.view());
        walk();
    }

    private void check(FabricView view) throws DemoFailure {
        TurnTableSet held = (TurnTableSet) fabric.tablesHeld(view);
        CheckReport report = TurnTableCheck.check(view, held, Parallel.on(ForkJoinPool.commonPool()));
        if (!report.valid()) {
            throw new DemoFailure(
                    "the tables the switches hold do not pass the check: " + String.join("; ", report.lines(view)));
        }
        out.println("    check of what the switches hold: " + report.lines(view).get(0));
    }

    private Walked walk() throws DemoFailure {
        Walked walked = lossless(packets.walk());
        out.println("    " + walked.text());
        return walked;
    }

    private static Walked lossless(Walked walked) throws DemoFailure {
        require(walked.lost() == 0, walked.lost() + " packets were lost: " + String.join("; ", walked.examples()));
        return walked;
    }

    private static void require(boolean held, String otherwise) throws DemoFailure {
        if (!held) {
            throw new DemoFailure(otherwise);
        }
    }

    private void compare(Tables first) throws DemoFailure {
        Tables last = fabric.tablesHeld(observer.ask(state -> Objects.requireNonNull(state.view())));
        for (int s = 0; s < first.switchCount(); s++) {
            if (!first.row(s).sameEntries(last.row(s))) {
                throw new DemoFailure("the final table of switch " + s + " differs from its first");
            }
        }
        out.printf(Locale.ROOT, "%nThe final tables of all %,d switches equal the first ones.%n", first.switchCount());
    }

    private static @Nullable Condition condition(FabricSnapshot state, long guid) {
        SwitchSnapshot record = state.findSwitch(guid);
        return record == null ? null : record.condition();
    }

    private static boolean connected(FabricSnapshot state, long guid) {
        SwitchSnapshot record = state.findSwitch(guid);
        return record != null
                && record.condition() == Condition.CONNECTED
                && record.agentConnected()
                && !record.agentSilent();
    }
}
