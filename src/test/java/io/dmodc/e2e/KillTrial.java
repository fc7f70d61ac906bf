package io.dmodc.e2e;

import io.dmodc.e2e.AgentTap.Pushed;
import io.dmodc.e2e.TrialFabric.Damage;
import io.dmodc.e2e.TrialFaults.Fault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Kills a manager again and again while cables are pulled and switches lose power, and looks at what the next one writes. The manager and
 * each agent are processes of their own; an {@link AgentTap} between them keeps book.
 *
 * <p>Afterwards, at rest, each switch must hold the table that a manager which was never killed would want: computed afresh
 * from the cables ({@link TrialFabric}). What was written meanwhile, by the manager that was killed or the next, is
 * <em>needless</em> if that manager would not have written it. Let H be the table a switch held before the fault (none, if
 * it lost power), and W the tables wanted for the fabric as it was, as it is, and as it looks while any part of the cables
 * that changed has been noticed. Blocks are needless when their result is what the switch said to hold already, or
 * is none of W, or W is nothing but H.
 */
final class KillTrial implements AutoCloseable {
    /** Three levels, 16 switches, 12 hosts, parallel cables: the example of the paper. */
    static final String PGFT = "3;2,2,3;1,2,2;1,2,1";

    private static final int AFTER_MAX_MILLIS = 600;
    private static final int START_MAX_MILLIS = 3000;

    /** Kills at a push come at the first or one of the next; 0 stands for kills at a time. */
    private static final int PUSHES_MAX = 8;

    /** When the manager is killed. */
    private enum Moment {
        AFTER_FAULT,
        BEFORE_FAULT,
        FAULT_WHILE_STARTING,
        TWICE
    }

    private final long seed;
    private final Consumer<String> out;
    private final ProcessSite site;
    private final TrialFabric fabric;
    private final AgentTap tap;
    private final TrialFaults faults;

    /** Tables sent before the last start of a manager. */
    private volatile int pushesBeforeStart;

    KillTrial(Path directory, long seed, Consumer<String> out) throws IOException {
        this.seed = seed;
        this.out = out;
        site = new ProcessSite(directory, PGFT);
        fabric = site.fabric();
        tap = site.tap();
        faults = new TrialFaults(site);
    }

    /**
     * Runs the trial.
     *
     * @return how many kills were not followed by equal tables and no needless block
     */
    int run(int kills) throws Exception {
        site.startManager();
        fabric.guids().forEach(site::startAgent);
        site.awaitFirstTables();
        out.accept(String.format(
                "seed %d, %s%nkill  %-32s  %-34s  %-13s  blocks  needless  verdict",
                seed, PGFT, "killed", "fault", "epochs"));
        int bad = 0;
        int blocks = 0;
        int needless = 0;
        for (int number = 1; number <= kills; number++) {
            Outcome outcome = kill(number);
            bad += outcome.good() ? 0 : 1;
            blocks += outcome.blocks;
            needless += outcome.needless;
        }
        out.accept(kills + " kills, seed " + seed + ": " + (kills - bad) + " good, " + bad + " bad; " + blocks
                + " blocks written after the restarts, " + needless + " needless");
        return bad;
    }

    /** What came of one kill. */
    private record Outcome(int blocks, int needless, List<String> different) {
        boolean good() {
            return different.isEmpty() && needless == 0;
        }

        String verdict() {
            return !different.isEmpty() ? "NOT EQUAL: " + different : needless > 0 ? "NEEDLESS" : "good";
        }
    }

    private Outcome kill(int number) throws Exception {
        SplittableRandom random = new SplittableRandom(seed * 1_000_003 + number);
        Damage before = faults.damage();
        Map<Long, Long> heldBefore = tap.held();
        long epochBefore = site.epoch();
        int firstPush = tap.pushCount();
        Fault fault = faults.next(random);
        String moment = carryOut(fault, random);
        List<String> different = site.awaitRest(faults.damage());

        heldBefore.keySet().removeAll(fault.withoutTable());
        int needless = needless(tap.pushesFrom(firstPush), heldBefore, faults.states(before));
        int blocks = tap.pushesFrom(pushesBeforeStart).stream()
                .mapToInt(Pushed::blocks)
                .sum();
        Outcome outcome = new Outcome(blocks, needless, different);
        out.accept(String.format(
                "%4d  %-32s  %-34s  %5d -> %-5d  %5d  %8d  %s",
                number, moment, fault.text(), epochBefore, site.epoch(), blocks, needless, outcome.verdict()));
        if (!outcome.good()) {
            site.manager().text().lines().forEach(line -> out.accept("      | " + line));
        }
        return outcome;
    }

    /** Has the fault happen, and the manager killed and started again; says what came when. */
    private String carryOut(Fault fault, SplittableRandom random) throws Exception {
        Moment moment = Moment.values()[random.nextInt(Moment.values().length)];
        int pushes = random.nextInt(PUSHES_MAX);
        int after = random.nextInt(AFTER_MAX_MILLIS);
        int starting = random.nextInt(START_MAX_MILLIS);
        String text;
        switch (moment) {
            case AFTER_FAULT -> {
                fault.happens();
                text = killAt(pushes, after) + " after the fault";
            }
            case BEFORE_FAULT -> {
                site.killManager();
                fault.happens();
                text = "before the fault";
            }
            case FAULT_WHILE_STARTING -> {
                site.killManager();
                Thread start = startInBackground();
                tap.awaitPushes(Integer.MAX_VALUE, starting);
                fault.happens();
                start.join();
                return starting + " ms before the fault";
            }
            case TWICE -> {
                fault.happens();
                String first = killAt(pushes, after);
                start();
                text = first + ", " + killAt(pushes, starting) + " after the start";
            }
            default -> throw new IllegalStateException("nobody kills at " + moment);
        }
        start();
        return text;
    }

    /** When so many tables more have been sent, 0: never mind, but not later than that. */
    private String killAt(int pushes, int millis) throws InterruptedException {
        int until = pushes == 0 ? Integer.MAX_VALUE : tap.pushCount() + pushes;
        boolean sent = tap.awaitPushes(until, millis);
        site.killManager();
        return sent ? pushes + " pushes" : millis + " ms";
    }

    private void start() throws IOException {
        pushesBeforeStart = tap.pushCount();
        site.startManager();
    }

    private Thread startInBackground() {
        Thread thread = new Thread(() -> {
            try {
                start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        thread.start();
        return thread;
    }

    private int needless(List<Pushed> pushes, Map<Long, Long> heldBefore, Set<Damage> states) {
        int needless = 0;
        for (Pushed push : pushes) {
            Set<Long> wanted = new HashSet<>();
            for (Damage state : states) {
                Long digest = fabric.wanted(state).get(push.guid());
                if (digest != null) {
                    wanted.add(digest);
                }
            }
            boolean asHeld = push.result() == push.held();
            boolean never = !wanted.contains(push.result());
            boolean unchanged = wanted.equals(Set.of(heldBefore.getOrDefault(push.guid(), 0L)));
            if (push.blocks() > 0 && (asHeld || never || unchanged)) {
                needless += push.blocks();
                out.accept("      needless for " + fabric.name(push.guid()) + ": " + push
                        + (asHeld ? ", as held" : "") + (never ? ", never wanted" : "")
                        + (unchanged ? ", nothing changed" : ""));
            }
        }
        return needless;
    }

    @Override
    public void close() throws IOException {
        site.close();
    }
}
