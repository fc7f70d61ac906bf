package io.dmodc.routing.vtftr.check;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Proves tables of the form {@code vtftr 1}, or says what fails: {@link TurnProperty}.
 *
 * <p>Everything is taken from the text: nothing is known here of how tables are made. For each destination all ways of all
 * sources are gone ({@link PacketWalk}), O(leaves² · spares) steps a set of unannounced faults, and one pass over the
 * channels at the end.
 */
public final class TurnCheck {
    /** Which leaves die unannounced, besides those the text says. */
    public enum Bursts {
        NONE,
        /** Each live leaf, one at a time; and none. */
        SINGLE
    }

    /** Most routings while a fault is not known. */
    private static final int ROUTINGS_WITH_BURST = 4;

    private final TurnDump dump;
    private final SpareRules rules;
    private final List<TurnDump> union;
    private final boolean turnBack;
    private final TurnCheckReport report;
    private final ChannelGraph channels;
    private final List<Integer> roots;

    private TurnCheck(TurnDump dump, List<TurnDump> union, boolean strict, boolean turnBack) {
        this.dump = dump;
        this.rules = new SpareRules(dump);
        this.union = union;
        this.turnBack = turnBack;
        Set<TurnProperty> checked = EnumSet.allOf(TurnProperty.class);
        if (!strict) {
            checked.remove(TurnProperty.STRICT);
        }
        this.report = new TurnCheckReport(checked);
        this.roots = roots(union);
        int vcs = union.stream().mapToInt(TurnDump::vcCount).max().orElseThrow();
        this.channels = new ChannelGraph(Math.max(dump.rows, dump.columns), roots.size(), vcs);
    }

    /**
     * Checks tables.
     *
     * @param others tables of the same grid with which these may be mixed while switches change from one to the other; only
     *     {@link TurnProperty#DEADLOCK_FREE} is asked of the mixture
     * @param strict also asks for {@link TurnProperty#STRICT}
     * @throws IllegalArgumentException if others are of another size
     */
    public static TurnCheckReport check(TurnDump dump, List<TurnDump> others, Bursts bursts, boolean strict) {
        return check(dump, others, bursts, strict, true);
    }

    /** @param turnBack false: roots never send a packet back where it came from, whatever happens to it */
    static TurnCheckReport check(
            TurnDump dump, List<TurnDump> others, Bursts bursts, boolean strict, boolean turnBack) {
        List<TurnDump> union = new ArrayList<>(List.of(dump));
        for (TurnDump other : others) {
            if (other.rows != dump.rows || other.columns != dump.columns) {
                throw new IllegalArgumentException("a grid of " + other.rows + "x" + other.columns
                        + " cannot be mixed with one of " + dump.rows + "x" + dump.columns);
            }
            union.add(other);
        }
        return new TurnCheck(dump, union, strict, turnBack).run(bursts, strict);
    }

    /** Roots to tell apart: those with a number somewhere, and all others as one. */
    static List<Integer> roots(List<TurnDump> dumps) {
        SortedSet<Integer> numbers = new TreeSet<>();
        for (TurnDump dump : dumps) {
            numbers.addAll(dump.rowRoots.numbers());
            numbers.addAll(dump.columnRoots.numbers());
        }
        List<Integer> roots = new ArrayList<>(numbers);
        roots.add(RootTables.EVERY);
        return roots;
    }

    private TurnCheckReport run(Bursts bursts, boolean strict) {
        checkDeclared();
        followAll(new BitSet());
        for (int leaf = 0; bursts == Bursts.SINGLE && leaf < dump.leafCount(); leaf++) {
            if (!dump.faults.get(leaf) && !dump.bursts.get(leaf)) {
                BitSet burst = new BitSet();
                burst.set(leaf);
                followAll(burst);
            }
        }
        List<String> circle = channels.circle();
        if (!circle.isEmpty()) {
            report.fail(TurnProperty.DEADLOCK_FREE, String.join(" → ", circle));
        }
        if (strict) {
            new StrictCheck(dump, rules, report).run();
        }
        return report;
    }

    private void checkDeclared() {
        for (int source = 0; source < dump.leafCount(); source++) {
            for (int destination = 0; destination < dump.leafCount(); destination++) {
                boolean live = !dump.faults.get(source) && !dump.faults.get(destination) && source != destination;
                if (live && declared(source, destination)) {
                    report.countDeclared();
                    if (rules.servable(source, destination)) {
                        report.fail(TurnProperty.HONEST, pair(source, destination, "has a way") + " by the spares");
                    }
                }
            }
        }
    }

    private boolean declared(int source, int destination) {
        return dump.turn(0, source, destination) == '-';
    }

    private void followAll(BitSet burst) {
        report.countCase();
        List<BitSet> dead = new ArrayList<>();
        for (TurnDump tables : union) {
            BitSet of = (BitSet) tables.faults.clone();
            of.or(tables.bursts);
            of.or(burst);
            dead.add(of);
        }
        boolean announced = dump.bursts.isEmpty() && burst.isEmpty();
        PacketWalk alone = new PacketWalk(List.of(dump), dead.subList(0, 1), roots, channels, turnBack);
        for (int destination = 0; destination < dump.leafCount(); destination++) {
            alone.towards(destination);
            for (int source = 0; source < dump.leafCount(); source++) {
                if (!dead.get(0).get(source) && source != destination && !declared(source, destination)) {
                    alone.follow(source);
                    judge(alone, source, destination, dead.get(0).get(destination), announced);
                }
            }
        }
        if (union.size() > 1) {
            followMixed(dead);
        }
    }

    private void judge(PacketWalk walk, int source, int destination, boolean destinationDead, boolean announced) {
        if (walk.loops(source)) {
            report.fail(TurnProperty.LOOP_FREE, pair(source, destination, "comes to the same place twice"));
        }
        if (walk.changes(source) > 1) {
            report.fail(
                    TurnProperty.ONE_CHANGE, pair(source, destination, "changes " + walk.changes(source) + " times"));
        }
        if (destinationDead) {
            return;
        }
        if (!walk.arrives(source)) {
            report.fail(TurnProperty.REACH, pair(source, destination, "is lost on some choice"));
            return;
        }
        int routings = walk.routings(source);
        if (announced) {
            report.countPair(routings);
        }
        int expected = expectedRoutings(source, destination);
        if (announced ? routings != expected : routings > ROUTINGS_WITH_BURST) {
            report.fail(
                    TurnProperty.HOPS,
                    pair(
                            source,
                            destination,
                            "takes " + routings + " routings, expected "
                                    + (announced ? expected : "at most " + ROUTINGS_WITH_BURST)));
        }
    }

    private int expectedRoutings(int source, int destination) {
        boolean inLine = source / dump.columns == destination / dump.columns
                || source % dump.columns == destination % dump.columns;
        return inLine ? 1 : rules.bothCornersDead(source, destination) ? 3 : 2;
    }

    private void followMixed(List<BitSet> dead) {
        PacketWalk mixed = new PacketWalk(union, dead, roots, channels, turnBack);
        for (int destination = 0; destination < dump.leafCount(); destination++) {
            mixed.towards(destination);
            for (int source = 0; source < dump.leafCount(); source++) {
                mixed.follow(source);
            }
        }
    }

    private String pair(int source, int destination, String what) {
        return "from " + name(source) + " to " + name(destination) + ": " + what;
    }

    private String name(int leaf) {
        return leaf / dump.columns + "," + leaf % dump.columns;
    }
}
