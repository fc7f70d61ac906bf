package io.dmodc.demo;

import io.dmodc.manager.core.EpochRecord;
import io.dmodc.routing.Tables;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;

/** The last steps: the manager is started again over a settled fabric, with all agents and while some stay away. */
final class DemoRestart {
    /** One agent of so many stays away. */
    static final int AWAY_ONE_OF = 20;

    private final DemoManager manager;
    private final DemoFabric fabric;
    private final FabricView view;
    private final PrintStream out;

    DemoRestart(DemoManager manager, DemoFabric fabric, FabricView view, PrintStream out) {
        this.manager = manager;
        this.fabric = fabric;
        this.view = view;
        this.out = out;
    }

    /** Plays both steps; all agents are back in the end. */
    void play() throws DemoFailure, IOException {
        out.printf(Locale.ROOT, "%nThe manager ends and is started again%n");
        restart(List.of());
        List<Long> away = IntStream.range(0, view.switchCount())
                .filter(s -> s % AWAY_ONE_OF == AWAY_ONE_OF / 2)
                .mapToObj(view::switchGuid)
                .toList();
        out.printf(Locale.ROOT, "%nThe same, and %,d agents stay away%n", away.size());
        restart(away);
        away.forEach(fabric::startAgent);
        DemoObserver observer = new DemoObserver(manager.running());
        observer.await("all agents back", state -> state.counts().connected() == view.switchCount());
        tellBlocks(observer, "they come back");
    }

    private void restart(List<Long> away) throws DemoFailure, IOException {
        DemoObserver before = new DemoObserver(manager.running());
        Tables held = fabric.tablesHeld(before.ask(state -> Objects.requireNonNull(state.view())));
        manager.stop();
        away.forEach(fabric::killAgent);
        long started = System.nanoTime();
        manager.startAgain();
        DemoObserver observer = new DemoObserver(manager.running());
        int here = view.switchCount() - away.size();
        observer.awaitSoon("agents return", state -> state.counts().connected() >= here);
        long lastIn = System.nanoTime();
        observer.awaitSoon("tables after the start", state -> state.tables() != null);
        long ready = System.nanoTime();
        observer.await("rest after the start", state -> true);
        out.printf(
                Locale.ROOT,
                "    %,d agents in after %.2f s, tables accepted %.2f s after the last%n",
                here,
                (lastIn - started) / 1e9,
                (ready - lastIn) / 1e9);
        tellBlocks(observer, "the start");
        Tables after = fabric.tablesHeld(observer.ask(state -> Objects.requireNonNull(state.view())));
        for (int s = 0; s < held.switchCount(); s++) {
            if (!held.row(s).sameEntries(after.row(s))) {
                throw new DemoFailure("the start changed the table of switch " + s);
            }
        }
    }

    private void tellBlocks(DemoObserver observer, String what) throws DemoFailure {
        long blocks = observer.ask(state ->
                state.epochs().stream().mapToLong(EpochRecord::blocksPushed).sum());
        if (blocks != 0) {
            throw new DemoFailure(what + ": " + blocks + " blocks were written, expected none");
        }
        out.println("    " + what + ": no table had to change, 0 blocks");
    }
}
