package io.dmodc.demo.linux;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Manager and agents beside FRR, in turns: the same namespaces, faults and probes, the same interval of hellos. Each has the fabric for
 * itself, for a few rounds of all faults, and goes first as often as second. Prints medians side by side, and which bounds hold.
 */
final class PeerContest {
    /** Who goes first, and then who: both as often. */
    private static final int[] TURNS = {0, 1, 1, 0};

    private static final long WHOLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long WATCHED_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final double UNSENT_MAX = 0.05;

    private final PgftShape shape;
    private final int intervalMillis;
    private final int rounds;
    private final FabricPlan plan;
    private final List<ContestScores> scores;

    private PeerContest(PgftShape shape, int intervalMillis, int rounds) {
        this.shape = shape;
        this.intervalMillis = intervalMillis;
        this.rounds = rounds;
        FabricView view = PgftGenerator.generate(shape).build(0, new NodeIndexMap(), new GuidNumbers());
        plan = FabricPlan.of(view);
        scores = List.of(new ContestScores("ours"), new ContestScores("FRR"));
    }

    /** Arguments: shapes, separated by spaces; milliseconds between hellos, separated by commas; rounds of faults in a turn. */
    public static void main(String[] arguments) throws Exception {
        boolean whole = true;
        for (String shape : arguments[0].split(" ")) {
            for (String interval : arguments[1].split(",")) {
                PeerContest contest = new PeerContest(
                        PgftShape.parse(shape), Integer.parseInt(interval), Integer.parseInt(arguments[2]));
                whole &= contest.run();
                contest.print();
            }
        }
        System.exit(whole ? 0 : 1);
    }

    private boolean run() throws IOException {
        boolean whole = true;
        for (int turn = 0; turn < TURNS.length; turn++) {
            int who = TURNS[turn];
            try {
                turn(who, turn * rounds);
            } catch (LinuxFailure e) {
                System.out.println(scores.get(who).name() + ", turn " + turn + ": broken off: " + e.getMessage());
                whole = false;
            }
        }
        return whole;
    }

    private void turn(int who, int firstRound) throws IOException, LinuxFailure {
        FabricPlan own = who == 0 ? plan : FrrDaemons.planOf(plan);
        try (NamespaceFabric fabric = NamespaceFabric.build(own);
                ControlPlane contestant = who == 0
                        ? new FabricProcesses(own, fabric.directory(), "certificate", shape.toString(), intervalMillis)
                        : new FrrDaemons(own, fabric.directory(), intervalMillis)) {
            contestant.start();
            awaitReady(contestant);
            Probes.pause(REST_NANOS);
            idle(who, own, contestant);
            try (Probes probes = Probes.start(own);
                    FaultInjector faults = new FaultInjector(fabric)) {
                probes.awaitWhole(contestant.name(), WHOLE_NANOS, PATIENCE_NANOS);
                RouteDump first = RouteDump.atRest(contestant.name(), own, contestant.routeProtocol(), PATIENCE_NANOS);
                for (int round = firstRound; round < firstRound + rounds; round++) {
                    for (ContestFault fault : ContestFault.values()) {
                        measure(who, round, fault, own, contestant, probes, faults);
                        first.await(
                                contestant.name() + " after " + fault.text(),
                                own,
                                contestant.routeProtocol(),
                                PATIENCE_NANOS);
                        awaitReady(contestant);
                        Probes.pause(REST_NANOS);
                    }
                }
            }
        }
    }

    private void idle(int who, FabricPlan own, ControlPlane contestant) throws IOException, LinuxFailure {
        List<Process> all = new ArrayList<>();
        for (int s = 0; s < own.switches().size(); s++) {
            all.addAll(contestant.processesOf(s));
        }
        long before = SwitchLoad.processorMillis(all);
        long begun = System.nanoTime();
        Probes.pause(IDLE_NANOS);
        double share = (SwitchLoad.processorMillis(all) - before) * 1e6 / (System.nanoTime() - begun);
        scores.get(who)
                .addIdle(
                        100 * share / own.switches().size(),
                        SwitchLoad.memoryKib(all) / 1024.0 / own.switches().size());
    }

    private void measure(
            int who,
            int round,
            ContestFault fault,
            FabricPlan own,
            ControlPlane contestant,
            Probes probes,
            FaultInjector faults)
            throws IOException, LinuxFailure {
        fault.prepare(own, round, faults);
        long begun = System.nanoTime();
        fault.inject(own, round, faults, contestant);
        Probes.pause(WATCHED_NANOS);
        Outages outages = probes.between(begun, System.nanoTime());
        scores.get(who).add(fault, outages);
        System.out.printf(
                Locale.ROOT,
                "%-4s  round %d  %-12s  %s%s%n",
                scores.get(who).name(),
                round,
                fault.text(),
                outages.text(),
                outages.unsentPart() > UNSENT_MAX ? " (busy: many probes were not sent in time)" : "");
        fault.mend(own, round, faults, contestant);
    }

    private static void awaitReady(ControlPlane contestant) throws LinuxFailure {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (!contestant.isReady()) {
            if (System.nanoTime() > end) {
                throw new LinuxFailure(contestant.name() + " is not ready after "
                        + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s; " + contestant.lastWords());
            }
            Probes.pause(POLL_NANOS);
        }
    }

    private void print() {
        System.out.printf(
                Locale.ROOT,
                "%nPGFT(%s), %d switches, %d hosts, hellos 3 x %d ms; medians of %d faults of each kind%n%-14s%-24s%12s%12s%8s%n",
                shape,
                plan.switches().size(),
                plan.hosts().size(),
                intervalMillis,
                scores.get(0).pairsHit(ContestFault.CUT).size(),
                "",
                "",
                "ours",
                "FRR",
                "ratio");
        for (ContestFault fault : ContestFault.values()) {
            row(fault.text(), "pairs hit", score -> score.pairsHit(fault), 0);
            row("", "outage, median ms", score -> score.outageMedian(fault), fault == ContestFault.SILENT ? 0.7 : 1);
            row("", "outage, most ms", score -> score.outageMost(fault), 0);
            row("", "lost pair-ms", score -> score.lostPairMillis(fault), fault == ContestFault.SILENT ? 0 : 1);
        }
        row("idle switch", "% of a core", ContestScores::processorPercent, 1);
        row("", "MiB (PSS)", ContestScores::memoryMib, 0);
    }

    /** @param bound most that ours may be of theirs; 0: none is set */
    private void row(String head, String what, Function<ContestScores, List<Double>> values, double bound) {
        double ours = ContestScores.median(values.apply(scores.get(0)));
        double theirs = ContestScores.median(values.apply(scores.get(1)));
        String verdict = bound == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "  bound %.1f x theirs: %s",
                        bound,
                        ours <= bound * theirs ? "holds" : "does not hold");
        System.out.printf(
                Locale.ROOT,
                "%-14s%-24s%12.1f%12.1f%8s%s%n",
                head,
                what,
                ours,
                theirs,
                theirs == 0 ? "–" : String.format(Locale.ROOT, "%.2f", ours / theirs),
                verdict);
    }
}
