package io.dmodc.demo.linux;

import io.dmodc.demo.linux.FabricPlan.Cable;
import io.dmodc.demo.linux.FabricPlan.SwitchPlace;
import io.dmodc.demo.linux.ManagerProcess.Event;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The steps: what happens to the fabric, which pairs of hosts felt it for how long, who acted when, and that all that can be connected
 * is. Prints as it goes. Used by one thread.
 */
final class LinuxScenario {
    /** Pairs are connected when none of them lost anything for so long. */
    private static final long WHOLE_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Nothing may move for so long, and for so many hellos: longer than anybody waits before he takes somebody for dead. */
    private static final long STILL_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final int STILL_HELLOS = 12;

    /** It ends what would hang, on a machine however busy, and measures nothing. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(300);

    /** Likewise: each process is a JVM of its own, and their number is not that of the processors. One that ends is noticed at once. */
    private static final long START_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(600);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Beyond this part of slots that were not sent, what was measured says little. */
    private static final double UNSENT_MAX = 0.05;

    private static final int EVENTS_SHOWN = 8;

    private final FabricPlan plan;
    private final FabricProcesses processes;
    private final FaultInjector faults;
    private final Probes probes;
    private final LinuxTargets targets;
    private final Set<Scene> scenes;
    private final long stillNanos;
    private final PrintStream out;
    private final List<String> unmet = new ArrayList<>();
    private int steps = 1;
    private long lastEvent;

    LinuxScenario(
            FabricPlan plan,
            FabricProcesses processes,
            FaultInjector faults,
            Probes probes,
            LinuxTargets targets,
            Set<Scene> scenes,
            int helloMillis,
            PrintStream out) {
        this.plan = plan;
        this.processes = processes;
        this.faults = faults;
        this.probes = probes;
        this.targets = targets;
        this.scenes = scenes;
        this.stillNanos = Math.max(STILL_NANOS, TimeUnit.MILLISECONDS.toNanos((long) STILL_HELLOS * helloMillis));
        this.out = out;
    }

    /** Something that happens. */
    private interface Act {
        void run() throws IOException, LinuxFailure;
    }

    /** Something to wait for. */
    private interface Condition {
        boolean holds() throws LinuxFailure;
    }

    /**
     * The first step: waits until the manager knows all agents, cables and hosts. Nobody is probed meanwhile: those who start want the
     * processors.
     *
     * @return seconds that it took
     * @throws LinuxFailure in one line: what is missing when they do not become known
     */
    static double awaitKnown(FabricProcesses processes, PrintStream out) throws LinuxFailure {
        head(1, "all agents start, and all hosts become known", out);
        long started = System.nanoTime();
        awaitThat(processes, "all agents, cables and hosts known", processes::isReady, START_PATIENCE_NANOS);
        return (System.nanoTime() - started) / 1e9;
    }

    /**
     * Plays the scenes, each with its steps; the fabric is as at first in the end.
     *
     * @param knownSeconds what {@link #awaitKnown} took
     * @throws LinuxFailure in one line: what does not heal, or all that moved and should not have
     */
    void play(double knownSeconds) throws IOException, LinuxFailure {
        RouteDump first = firstRoutes(knownSeconds);
        for (Cable cable : targets.cables()) {
            faults.prepare(cable);
        }
        faults.prepare(targets.spine());
        for (Scene scene : scenes) {
            switch (scene) {
                case CUT -> cutCable(first);
                case SILENT -> silenceCable(first);
                case ONEWAY -> silenceOneWay(first);
                case SWITCH -> powerOff(first);
                case AGENT -> killAgent(first);
                case MANAGER -> killManager(first);
            }
        }
        tellEnd(first);
    }

    private void cutCable(RouteDump first) throws IOException, LinuxFailure {
        Cable cut = targets.cables().get(0);
        disturb(
                "a cable is cut: " + cut.text(),
                () -> faults.cut(cut),
                plan.links().size() - 1,
                outages -> tellLeaving(cut, outages));
        comesBack("it is plugged in again", () -> faults.mend(cut), first);
    }

    private void silenceCable(RouteDump first) throws IOException, LinuxFailure {
        Cable deaf = targets.cables().get(1);
        disturb(
                "a cable carries nothing any more, its ports stay up: " + deaf.text(),
                () -> faults.silence(deaf),
                plan.links().size() - 1);
        comesBack("it carries again", () -> faults.unsilence(deaf), first);
    }

    private void silenceOneWay(RouteDump first) throws IOException, LinuxFailure {
        Cable deaf = targets.cables().get(1);
        disturb(
                "a cable carries one way only, to " + deaf.first().text(),
                () -> faults.silenceOneWay(deaf),
                plan.links().size() - 1);
        comesBack("it carries both ways again", () -> faults.unsilence(deaf), first);
    }

    private RouteDump firstRoutes(double knownSeconds) throws IOException, LinuxFailure {
        awaitWhole("all agents start");
        RouteDump routes =
                RouteDump.atRest("all agents start", plan, FabricProcesses.ROUTE_PROTOCOL, START_PATIENCE_NANOS);
        out.printf(
                Locale.ROOT,
                "    known after %.1f s; all %d pairs that are probed are connected; %d routes in the kernel%n",
                knownSeconds,
                probes.pairCount(),
                routes.size());
        skipEvents();
        return routes;
    }

    /** What leaves the lower end of a cable is led over another uplink by that end itself; what arrives has to be led by others. */
    private void tellLeaving(Cable cable, Outages outages) {
        String leaf = cable.first().namespace();
        String name = leaf.substring(FabricPlan.PREFIX.length());
        out.println("    " + outages.leaving(name, host -> probedHostCable(host).touches(leaf)));
    }

    private Cable probedHostCable(int host) {
        return plan.hostCable(plan.hosts().indexOf(probes.host(host)));
    }

    private void disturb(String title, Act fault, int links) throws IOException, LinuxFailure {
        disturb(title, fault, links, outages -> {});
    }

    private void disturb(String title, Act fault, int links, Consumer<Outages> more) throws IOException, LinuxFailure {
        head(title);
        Instant when = Instant.now();
        long begun = System.nanoTime();
        fault.run();
        awaitThat(title, () -> processes.isCalm() && processes.liveLinks() == links, PATIENCE_NANOS);
        awaitWhole(title);
        Outages outages = probes.between(begun, System.nanoTime());
        tell(outages, when);
        more.accept(outages);
    }

    private void comesBack(String title, Act repair, RouteDump first) throws IOException, LinuxFailure {
        head(title);
        Instant when = Instant.now();
        long begun = System.nanoTime();
        repair.run();
        awaitThat(title, processes::isReady, PATIENCE_NANOS);
        first.await(title, plan, FabricProcesses.ROUTE_PROTOCOL, PATIENCE_NANOS);
        awaitWhole(title);
        tell(probes.between(begun, System.nanoTime()), when);
        out.println("    the routes of all switches are the first ones");
    }

    private void powerOff(RouteDump first) throws IOException, LinuxFailure {
        SwitchPlace spine = targets.spine();
        int s = plan.switches().indexOf(spine);
        int cables = (int) plan.links().stream()
                .filter(cable -> cable.touches(spine.namespace()))
                .count();
        disturb(
                "a switch loses power: " + spine.name() + ", all its ports are dead and so is its agent",
                () -> faults.powerOff(spine, processes.processesOf(s)),
                plan.links().size() - cables);
        comesBack(
                "power is back, it starts with an empty table",
                () -> {
                    processes.kill(s);
                    faults.powerOn(spine);
                    processes.restart(s);
                },
                first);
    }

    private void killAgent(RouteDump first) throws IOException, LinuxFailure {
        SwitchPlace other = targets.other();
        int s = plan.switches().indexOf(other);
        nothingMoves(
                "an agent is killed: " + other.name() + ", its switch forwards on", () -> processes.kill(s), first);
        nothingMoves("it is started again, and finds its table as it should be", () -> processes.restart(s), first);
        awaitThat("the agent is back", processes::isReady, PATIENCE_NANOS);
        first.await("the agent is back", plan, FabricProcesses.ROUTE_PROTOCOL, PATIENCE_NANOS);
    }

    private void killManager(RouteDump first) throws IOException, LinuxFailure {
        nothingMoves(
                "the manager is killed", () -> processes.manager().process().kill(), first);
        Cable cut = targets.cables().get(0);
        head("without a manager a cable is cut: " + cut.text());
        Instant when = Instant.now();
        long begun = System.nanoTime();
        faults.cut(cut);
        Probes.pause(stillNanos);
        Outages alone = probes.between(begun, System.nanoTime());
        tell(alone, when);
        long open = alone.hit().stream().filter(Outages.Pair::open).count();
        out.println("    the agents alone "
                + (open == 0
                        ? "have connected all pairs again"
                        : "cannot help " + open + " pairs, which wait for the manager"));
        head("the manager is started again");
        Instant again = Instant.now();
        long restarted = System.nanoTime();
        processes.manager().process().restart();
        awaitThat(
                "the manager is back",
                () -> processes.isCalm()
                        && processes.liveLinks() == plan.links().size() - 1,
                PATIENCE_NANOS);
        awaitWhole("the manager is back");
        tell(probes.between(restarted, System.nanoTime()), again);
        comesBack("the cable is plugged in again", () -> faults.mend(cut), first);
    }

    /** Does it, and watches for a while that no probe is lost and no route changed. */
    private void nothingMoves(String title, Act act, RouteDump first) throws IOException, LinuxFailure {
        head(title);
        Instant when = Instant.now();
        long begun = System.nanoTime();
        act.run();
        Probes.pause(stillNanos);
        Outages outages = probes.between(begun, System.nanoTime());
        tell(outages, when);
        if (!outages.hit().isEmpty()) {
            unmet(title + ": " + outages.text() + "; expected no loss");
        }
        List<String> different = first.different(RouteDump.of(plan, FabricProcesses.ROUTE_PROTOCOL));
        if (different.isEmpty()) {
            out.println("    no route changed in any switch");
        } else {
            unmet(title + ": routes changed in " + String.join(", ", different) + "; expected none to");
        }
    }

    /** Goes on, so that all that does not hold is told. */
    private void unmet(String what) {
        unmet.add(what);
        out.println("    does not hold: " + what);
    }

    private void tellEnd(RouteDump first) throws LinuxFailure {
        List<String> different = first.different(RouteDump.of(plan, FabricProcesses.ROUTE_PROTOCOL));
        if (!different.isEmpty()) {
            throw new LinuxFailure("the last routes of " + String.join(", ", different) + " are not the first ones");
        }
        out.println();
        out.println("The last routes of all " + plan.switches().size() + " switches equal the first ones.");
        if (!unmet.isEmpty()) {
            throw new LinuxFailure(unmet.size() + (unmet.size() == 1 ? " check" : " checks") + " did not hold: "
                    + String.join("; ", unmet));
        }
    }

    private void head(String title) {
        head(++steps, title, out);
    }

    private static void head(int step, String title, PrintStream out) {
        out.printf(Locale.ROOT, "%n%2d  %s%n", step, title);
    }

    private void tell(Outages outages, Instant when) throws LinuxFailure {
        out.println("    " + outages.text());
        if (outages.unsentPart() > UNSENT_MAX || outages.overflows() > 0) {
            out.printf(
                    Locale.ROOT,
                    "    the machine is busy: %.0f %% of the probes were not sent in time, %d found no room in a socket%n",
                    outages.unsentPart() * 100,
                    outages.overflows());
        }
        List<Event> fresh = processes.manager().eventsAfter(lastEvent);
        if (!fresh.isEmpty()) {
            lastEvent = fresh.get(fresh.size() - 1).number();
        }
        List<Event> events =
                fresh.stream().filter(event -> !event.time().isBefore(when)).toList();
        for (Event event : events.subList(0, Math.min(EVENTS_SHOWN, events.size()))) {
            out.printf(
                    Locale.ROOT,
                    "    %+7.1f ms  %s%n",
                    Duration.between(when, event.time()).toNanos() / 1e6,
                    event.text());
        }
        if (events.size() > EVENTS_SHOWN) {
            out.println("    … and " + (events.size() - EVENTS_SHOWN) + " more lines in the event log");
        }
    }

    private void skipEvents() throws LinuxFailure {
        List<Event> events = processes.manager().eventsAfter(lastEvent);
        while (!events.isEmpty()) {
            lastEvent = events.get(events.size() - 1).number();
            events = processes.manager().eventsAfter(lastEvent);
        }
    }

    private void awaitWhole(String title) throws IOException, LinuxFailure {
        probes.awaitWhole(title, WHOLE_NANOS, PATIENCE_NANOS);
    }

    private void awaitThat(String what, Condition condition, long patienceNanos) throws LinuxFailure {
        awaitThat(processes, what, condition, patienceNanos);
    }

    private static void awaitThat(FabricProcesses processes, String what, Condition condition, long patienceNanos)
            throws LinuxFailure {
        long end = System.nanoTime() + patienceNanos;
        while (!condition.holds()) {
            if (System.nanoTime() > end) {
                throw new LinuxFailure(what + ": not done after " + TimeUnit.NANOSECONDS.toSeconds(patienceNanos)
                        + " s; " + processes.state() + "; " + processes.lastWords());
            }
            Probes.pause(POLL_NANOS);
        }
    }
}
