package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.SettleBenchmark.SwitchPush;
import io.dmodc.manager.loop.TableComputation;
import io.dmodc.manager.southbound.AgentFrames;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What planning the change costs whoever waits for a fault to be mended: time from the first news of a fault until the last push of
 * what restores something is a frame, which is processor time of one thread, and the wait for more news. Two managers have the same faults, one with
 * plans and one without, in turns; the one without is the floor, and {@value #BOUND} × that is the bound. Pushes become frames in the order in which they
 * leave, so that what leaves behind others waits for them. Waits for the store, ciphers and the wire are left out. Run by hand: {@code RestoreBenchmark RUNS SHAPE...}.
 */
final class RestoreBenchmark {
    private static final double BOUND = 1.03;
    private static final long LONG_NANOS = 3_600_000L * SimulatedFabric.MILLI;

    /** A manager, and what it planned last. */
    private static final class Manager {
        private final boolean plans;
        private final TableComputation computation =
                new TableComputation(Dmodc.standard(), SurplusEntryRule.FORBIDDEN, Parallel.sequential());
        private final SettledFabric fabric;
        private @Nullable FabricView view;
        private BitSet restoring = new BitSet();

        /** Time to the moment when the tables come in. */
        private long computedNanos;

        private long routedAt;

        /** By switch, since the last fault. */
        private final Map<Long, Long> pushedAt = new HashMap<>();

        /** So that no frame is left unmade. */
        private long frameBytes;

        Manager(PgftShape shape, boolean plans) {
            this.plans = plans;
            fabric = new SettledFabric(shape, this::compute);
        }

        private Routed compute(Effect.Compute asked) {
            Effect.Compute wanted = plans
                    ? asked
                    : new Effect.Compute(
                            asked.view(),
                            asked.works(),
                            asked.frozenRows(),
                            asked.heldCounts(),
                            asked.refused(),
                            null,
                            asked.method(),
                            asked.engine(),
                            asked.terms(),
                            asked.moves());
            Routed routed = computation.compute(wanted, () -> 1);
            view = asked.works();
            restoring = routed.change().restoring();
            return routed;
        }

        /** The fault comes, and tables for it leave. */
        void answer(Runnable fault) {
            long waited = 0;
            long start = SettleBenchmark.processorNanos();
            fault.run();
            for (int i = 0; i < 8 && !fabric.computing(); i++) {
                fabric.pass(SettledFabric.SETTLE_NANOS);
                waited += SettledFabric.SETTLE_NANOS;
                fabric.timePassed();
            }
            fabric.computeTables();
            routedAt = SettleBenchmark.processorNanos();
            computedNanos = waited + routedAt - start;
            fabric.routed();
            if (fabric.keepsRecords()) {
                fabric.recordsKept();
            }
            pushedAt.clear();
            for (SwitchPush push : fabric.pushes()) {
                frameBytes += AgentFrames.push(push.update()).toByteArray().length;
                pushedAt.putIfAbsent(push.update().guid(), SettleBenchmark.processorNanos());
            }
        }

        /** Until the last of these was sent its table. */
        long nanos(List<Long> guids) {
            long last = routedAt;
            for (long guid : guids) {
                last = Math.max(last, pushedAt.getOrDefault(guid, 0L));
            }
            return computedNanos + last - routedAt;
        }

        List<Long> restoring() {
            FabricView of = view;
            return of == null
                    ? List.of()
                    : restoring.stream().mapToObj(of::switchGuid).toList();
        }

        void mend(Runnable repair) {
            repair.run();
            fabric.rest();
            fabric.pass(LONG_NANOS);
            fabric.timePassed();
            fabric.rest();
        }
    }

    private final Manager planning;
    private final Manager plain;
    private final SplittableRandom random = new SplittableRandom(1);
    private boolean planningFirst;

    private RestoreBenchmark(PgftShape shape) {
        planning = new Manager(shape, true);
        plain = new Manager(shape, false);
    }

    public static void main(String[] args) {
        int runs = args.length > 0 ? Integer.parseInt(args[0]) : 100;
        List<String> shapes = args.length > 1
                ? List.of(args).subList(1, args.length)
                : List.of("3;16,8,8;1,8,8;1,1,1", "3;24,12,30;1,12,24;1,2,1");
        System.out.println(System.getProperty("os.arch") + ", Java " + Runtime.version() + ", " + runs
                + " faults of each kind; medians in ms, floor: without plans");
        for (String shape : shapes) {
            RestoreBenchmark benchmark = new RestoreBenchmark(PgftShape.parse(shape));
            FabricView whole = benchmark.plain.fabric.whole();
            System.out.println(shape + ", " + whole.nodeCount() + " nodes");
            for (int round = 0; round < 2; round++) {
                for (int rank = 0; rank < whole.rankMax(); rank++) {
                    benchmark.links(rank, runs, round > 0);
                }
                for (int rank = 1; rank <= whole.rankMax(); rank++) {
                    benchmark.switches(rank, runs, round > 0);
                }
            }
            System.out.println("  " + (benchmark.planning.frameBytes >> 20) + " MiB of frames each");
        }
    }

    private void links(int rank, int runs, boolean prints) {
        FabricView whole = plain.fabric.whole();
        Cable[] cables = Arrays.stream(plain.fabric.cables())
                .filter(cable ->
                        Math.min(whole.rank(whole.switchOf(cable.guid())), whole.rank(whole.switchOf(cable.farGuid())))
                                == rank)
                .toArray(Cable[]::new);
        Times times = new Times("link above rank " + rank + " lost");
        for (int i = 0; i < runs; i++) {
            Cable cable = cables[random.nextInt(cables.length)];
            measure(times, manager -> tell(manager, cable, false), manager -> tell(manager, cable, true));
        }
        times.print(prints);
    }

    private static void tell(Manager manager, Cable cable, boolean up) {
        ToSwitch near = new ToSwitch(cable.guid(), cable.port());
        ToSwitch far = new ToSwitch(cable.farGuid(), cable.farPort());
        manager.fabric.tellPort(near, up, far);
        manager.fabric.tellPort(far, up, near);
    }

    private void switches(int rank, int runs, boolean prints) {
        FabricView whole = plain.fabric.whole();
        int[] some = IntStream.range(0, whole.switchCount())
                .filter(s -> whole.rank(s) == rank)
                .toArray();
        Times times = new Times("switch of rank " + rank + " lost");
        for (int i = 0; i < runs; i++) {
            int s = some[random.nextInt(some.length)];
            measure(times, manager -> manager.fabric.lose(s), manager -> manager.fabric.bringBack(s));
        }
        times.print(prints);
    }

    /** Something that happens to the fabric of a manager. */
    private interface Happening {
        void to(Manager manager);
    }

    private void measure(Times times, Happening fault, Happening repair) {
        planningFirst = !planningFirst;
        Manager first = planningFirst ? planning : plain;
        Manager second = planningFirst ? plain : planning;
        first.answer(() -> fault.to(first));
        second.answer(() -> fault.to(second));
        List<Long> restoring = planning.restoring();
        if (!restoring.isEmpty()) {
            times.add(planning.nanos(restoring), plain.nanos(restoring), restoring.size(), planning.pushedAt.size());
        }
        first.mend(() -> repair.to(first));
        second.mend(() -> repair.to(second));
    }

    /** Of one kind of fault. */
    private static final class Times {
        private final String kind;
        private final List<Long> with = new ArrayList<>();
        private final List<Long> without = new ArrayList<>();
        private long switches;
        private long pushed;

        Times(String kind) {
            this.kind = kind;
        }

        void add(long withPlan, long withoutPlan, int restoring, int all) {
            with.add(withPlan);
            without.add(withoutPlan);
            switches += restoring;
            pushed += all;
        }

        void print(boolean prints) {
            if (!prints || with.isEmpty()) {
                return;
            }
            double[] ratios = new double[with.size()];
            Arrays.setAll(ratios, i -> (double) with.get(i) / without.get(i));
            Arrays.sort(ratios);
            double ratio = median(with) / median(without);
            System.out.printf(
                    Locale.ROOT,
                    "  %-24s with plan %7.3f, without %7.3f: %.3f x (bound %.2f, %s), median of pairs %.3f; %d of %d switches restore%n",
                    kind,
                    median(with) / 1e6,
                    median(without) / 1e6,
                    ratio,
                    BOUND,
                    ratio <= BOUND ? "met" : "missed",
                    ratios[ratios.length / 2],
                    switches / with.size(),
                    pushed / with.size());
        }

        private static double median(List<Long> nanos) {
            long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
            return sorted[sorted.length / 2];
        }
    }
}
