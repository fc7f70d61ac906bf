package io.dmodc.simulator;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One history of a whole site: a fabric starts, faults happen for half a minute to a minute, all that can be mended is,
 * and after a quiet time everything must be as a manager that starts afresh would have it. The seed decides everything.
 */
final class Simulation {
    static final long SECOND = 1_000_000_000L;

    /** Most switches a history ever sees: those of the shape and their replacements. */
    static final int SWITCHES_MAX = 96;

    private static final long START_NANOS = 8 * SECOND;
    private static final long QUIET_NANOS = 60 * SECOND;

    /** A history that has more is spinning. */
    private static final long EVENTS_MAX = 400_000;

    /** What to run. */
    record Options(
            Set<FaultKind> faults,
            boolean acts,
            boolean plans,
            boolean exchanges,
            @Nullable Consumer<String> trace) {
        /** All faults, nothing printed. */
        static Options all() {
            return new Options(EnumSet.allOf(FaultKind.class), false, false, false, null);
        }

        /** All faults, and operators act meanwhile. */
        static Options acting() {
            return new Options(EnumSet.allOf(FaultKind.class), true, false, false, null);
        }

        /** All faults, and operators also apply what they had planned. */
        static Options planning() {
            return new Options(EnumSet.allOf(FaultKind.class), true, true, false, null);
        }

        /** All faults, and adapters are exchanged meanwhile; with one manager: each numbers new hosts on its own. */
        static Options exchanging() {
            return new Options(EnumSet.complementOf(EnumSet.of(FaultKind.SECOND_MANAGER)), false, false, true, null);
        }

        /**
         * By the word for it.
         *
         * @throws IllegalArgumentException if it is none of {@code all}, {@code acts}, {@code plans} and {@code exchanges}
         */
        static Options named(String kind) {
            return switch (kind) {
                case "all" -> all();
                case "acts" -> acting();
                case "plans" -> planning();
                case "exchanges" -> exchanging();
                default ->
                    throw new IllegalArgumentException(
                            "histories of kind '" + kind + "'; expected all, acts, plans or exchanges");
            };
        }

        /** Faults that break no law that is not kept yet. */
        static Options plain() {
            return new Options(FaultKind.plain(), false, false, false, null);
        }

        /** The same history, told line by line. */
        Options printing(Consumer<String> lines) {
            return new Options(faults, acts, plans, exchanges, lines);
        }
    }

    /**
     * How a history went.
     *
     * @param violations the first one of each law
     * @param hash of all events and their times
     * @param virtualNanos how long it lasted
     */
    record Outcome(
            long seed,
            List<Violation> violations,
            long hash,
            long events,
            long virtualNanos,
            long plansCompared,
            Map<FaultKind, Integer> faults) {}

    private final EventHeap heap = new EventHeap();
    private final @Nullable Consumer<String> trace;
    private final Map<Law, Violation> violations = new EnumMap<>(Law.class);
    private final SplittableRandom random;
    private long hash = 0xcbf2_9ce4_8422_2325L;
    final SimulatedFabric fabric = new SimulatedFabric(this);
    final FabricFactory boxed;
    final SimulatedNetwork network;
    final SimulatedRing ring;
    final Faults faults;
    final Laws laws;
    private final @Nullable OperatorActs acts;
    private final @Nullable PlannedActs plans;
    private final @Nullable AdapterExchanges exchanges;
    final List<SimulatedManager> managers = new ArrayList<>();

    /** Of the manager that is started again when it dies. */
    SimulatedDisk disk = new SimulatedDisk(this);

    private Simulation(long seed, Options options) {
        trace = options.trace();
        random = new SplittableRandom(seed);
        boxed = new FabricFactory(fabric, random.split());
        network = new SimulatedNetwork(this, random.split());
        ring = new SimulatedRing(this, random.split());
        faults = new Faults(this, random.split());
        laws = new Laws(this, random.split());
        acts = options.acts() ? new OperatorActs(this, new SplittableRandom(~seed)) : null;
        plans = options.plans() ? new PlannedActs(this, new SplittableRandom(Long.reverse(seed))) : null;
        exchanges = options.exchanges() ? new AdapterExchanges(this, new SplittableRandom(-seed)) : null;
    }

    /** A site nothing happens at, of which only the fabric is used: whoever asks for it adds switches of his own. */
    static SimulatedFabric emptyFabric() {
        return new SimulatedFabric(new Simulation(0, Options.all()));
    }

    /** Runs one history. */
    static Outcome run(long seed, Options options) {
        Simulation site = new Simulation(seed, options);
        site.live(options.faults());
        return new Outcome(
                seed,
                List.copyOf(site.violations.values()),
                site.hash,
                site.heap.count(),
                site.heap.now(),
                site.laws.plansCompared(),
                site.faults.injected);
    }

    private void live(Set<FaultKind> allowed) {
        trace("PGFT %s, %d switches, %d hosts", boxed.shape, fabric.switches.size(), fabric.hosts.size());
        startManager(disk);
        for (SimulatedSwitch s : fabric.switches) {
            if (s.powered) {
                after(random.nextLong(500_000_000), () -> startAgent(s));
            }
        }
        pass(START_NANOS);
        long length = faults.plan(allowed);
        if (acts != null) {
            acts.plan(length);
        }
        if (plans != null) {
            plans.plan(length);
        }
        if (exchanges != null) {
            exchanges.plan(length);
        }
        pass(length);
        faults.mendAll();
        trace("mended");
        if (acts != null) {
            acts.takeBack();
            pass(QUIET_NANOS);
        }
        pass(QUIET_NANOS);
        laws.quiet();
    }

    private void pass(long nanos) {
        long end = now() + nanos;
        while (heap.runNext(end)) {
            if (heap.count() > EVENTS_MAX) {
                violated(Law.NOTHING_THROWS, "more than " + EVENTS_MAX + " events: something spins");
                return;
            }
        }
    }

    SimulatedManager startManager(SimulatedDisk on) {
        SimulatedManager manager = new SimulatedManager(this, on, random.split());
        trace("a manager starts with leader epoch %d", manager.state.leaderEpoch());
        managers.add(manager);
        managers.removeIf(m -> !m.alive());
        network.listening = manager;
        return manager;
    }

    void startAgent(SimulatedSwitch at) {
        if (at.agent == null) {
            at.agent = new SimulatedAgent(this, at, random.split());
        }
        at.agent().start();
    }

    long now() {
        return heap.now();
    }

    void after(long nanos, Runnable task) {
        heap.after(nanos, task);
    }

    /** Takes something that happened now into the hash. */
    void mix(long what, long more) {
        hash = (hash ^ heap.now()) * 0x100_0000_01b3L;
        hash = (hash ^ what) * 0x100_0000_01b3L;
        hash = (hash ^ more) * 0x100_0000_01b3L;
        hash ^= hash >>> 29;
    }

    void violated(Law law, String text) {
        if (violations.putIfAbsent(law, new Violation(law, now(), text)) == null) {
            trace("VIOLATION of %s: %s", law, text);
        }
    }

    boolean traced() {
        return trace != null;
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is in no library that tests have
    void trace(String format, @Nullable Object... values) {
        Consumer<String> lines = trace;
        if (lines != null) {
            lines.accept(String.format("%11.6f ", now() / 1e9) + String.format(format, values));
        }
    }

    /** What people call the switch with this GUID. */
    String name(long guid) {
        for (SimulatedSwitch s : fabric.switches) {
            if (s.guid == guid) {
                return s.name;
            }
        }
        return "stranger " + Long.toHexString(guid);
    }
}
