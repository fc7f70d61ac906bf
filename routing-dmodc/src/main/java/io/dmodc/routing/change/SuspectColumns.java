package io.dmodc.routing.change;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.ChangeCircles.Part;
import io.dmodc.routing.change.ChangePlan.Delay;
import io.dmodc.routing.change.ChangePlan.Suspects;
import io.dmodc.routing.check.PortPeers;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * How the columns change for which the cabling alone does not prove that no mix turns.
 *
 * <p><b>Idea.</b> A turn is not yet a circle. Columns of which no mix turns change at once. Of the others it is first found out whether each keeps its pairs, and
 * no packet comes back to a switch, by all entries that may be in force together; and whether the channels of all columns, by all of these entries, form a circle
 * ({@link ChangeCircles}). If not they change in any order, and no drain is needed (Theorem 4). Else they are ordered so that none turns ({@link ColumnOrder}),
 * and only for those of which no such order is proven the question is asked again. What is left stands still while it changes, if that is allowed
 * ({@link QuietColumns}); else it may turn, and what works waits for what is broken all the same.
 */
final class SuspectColumns {
    /** After so many columns of which no order is proven, the others are not tried. */
    private static final int UNPROVEN_MAX = 64;

    private final FabricView works;
    private final RowsInForce inForce;
    private final LftSet tables;
    private final BitSet suspects;
    private final ChangeTerms terms;

    /** Columns that are read to find circles of channels: all, or the suspect ones, or none if that takes too long. */
    private final BitSet read;

    private final ColumnOrder order;
    private final QuietColumns quiet;

    private final BitSet drains = new BitSet();
    private final BitSet turning = new BitSet();

    /** Packets of these may turn. */
    private BitSet free = new BitSet();

    /** Packets of these do not. */
    private final BitSet ordered = new BitSet();

    private BitSet quiesced = new BitSet();
    private int rounds;
    private String problem = "";

    SuspectColumns(
            FabricView works, PortPeers peers, RowsInForce inForce, LftSet tables, BitSet suspects, ChangeTerms terms) {
        this.works = works;
        this.inForce = inForce;
        this.tables = tables;
        this.suspects = suspects;
        this.terms = terms;
        read = readable();
        order = new ColumnOrder(works, peers, inForce, tables);
        quiet = new QuietColumns(works, peers, inForce, tables);
    }

    private BitSet readable() {
        BitSet readable = new BitSet();
        if ((long) tables.entryCount() * works.switchCount() <= terms.unionMax()) {
            readable.set(0, tables.entryCount());
        } else if ((long) suspects.cardinality() * works.switchCount() <= terms.unionMax()) {
            readable.or(suspects);
        }
        return readable;
    }

    /** Adds what waits to what switches do later. */
    Suspects order(@Nullable Delay[] delays) {
        boolean orderable = (long) suspects.cardinality() * works.switchCount() <= terms.stepsMax();
        BitSet unsafe = orderable ? addSafe(delays) : (BitSet) suspects.clone();
        if (!unsafe.isEmpty()) {
            orderUnsafe(unsafe, orderable, delays);
        }
        return new Suspects(suspects, turning, free, quiesced);
    }

    private void orderUnsafe(BitSet unsafe, boolean orderable, @Nullable Delay[] delays) {
        boolean askable = !read.isEmpty();
        BitSet loopless = askable ? loopless(unsafe) : new BitSet();
        String circle =
                loopless.isEmpty() ? "" : circle(d -> unsafe.get(d) && !loopless.get(d) ? orderedPart(d) : Part.ALL);
        if (!loopless.isEmpty() && circle.isEmpty()) {
            addFree(loopless, delays);
            unsafe.andNot(loopless);
        }
        if (orderable) {
            orderEach(unsafe, delays);
        } else if (!unsafe.isEmpty()) {
            problem = suspects.cardinality() + " columns would have to be ordered one by one, more than "
                    + terms.stepsMax() / works.switchCount() + " take too long";
        }
        if (unsafe.isEmpty()) {
            String turned = free.isEmpty() && ordered.intersects(turning) ? aroundTurns(askable) : "";
            if (!turned.isEmpty()) {
                fail("packets turn by the tables in force; " + turned, ordered, delays);
            }
            return;
        }
        if (free.isEmpty() && !ordered.isEmpty() && isIn(unsafe, loopless)) {
            circle = circle(this::partOf);
            if (circle.isEmpty()) {
                addFree(unsafe, delays);
                problem = "";
                return;
            }
        }
        fail(
                problem + (!askable ? "; " + unasked() : circle.isEmpty() ? "" : "; by all entries together " + circle),
                unsafe,
                delays);
        if (orderable && !problem.isEmpty()) {
            addTurning(unsafe, delays);
        }
    }

    /** The circle that others close with packets that turn already; empty if they close none, or there is one already. */
    private String aroundTurns(boolean askable) {
        if (!askable) {
            return unasked();
        }
        String circle = circle(this::partOf);
        boolean exact = read.cardinality() == tables.entryCount();
        boolean anyway =
                !circle.isEmpty() && exact && !circle(d -> Part.IN_FORCE).isEmpty();
        return anyway ? "" : circle;
    }

    private void fail(String why, BitSet columns, @Nullable Delay[] delays) {
        problem = why;
        if (terms.quiesce()) {
            quiesce(columns, delays);
        }
    }

    private String unasked() {
        return "not tried whether that closes a circle of channels: " + suspects.cardinality() + " columns of "
                + works.switchCount() + " switches take too long";
    }

    private String circle(IntFunction<Part> parts) {
        return new ChangeCircles(works, inForce, tables).find(read, parts);
    }

    /** Adds those that may change at once; the others are returned. */
    private BitSet addSafe(@Nullable Delay[] delays) {
        BitSet unsafe = new BitSet();
        for (int d = suspects.nextSetBit(0); d >= 0; d = suspects.nextSetBit(d + 1)) {
            if (order.isSafeAtOnce(d)) {
                order.addTo(delays);
            } else {
                unsafe.set(d);
                turning.set(d, order.turnsAlready());
            }
        }
        return unsafe;
    }

    /** Those of which no packet comes back to a switch or is lost, in an order that lets them turn. */
    private BitSet loopless(BitSet columns) {
        BitSet loopless = new BitSet();
        for (int d = columns.nextSetBit(0); d >= 0; d = columns.nextSetBit(d + 1)) {
            order.findTurning(d);
            loopless.set(d, order.problem().isEmpty());
        }
        return loopless;
    }

    private void addFree(BitSet columns, @Nullable Delay[] delays) {
        free = columns;
        addTurning(columns, delays);
    }

    /** Packets of these may turn; what works waits for what is broken. */
    private void addTurning(BitSet columns, @Nullable Delay[] delays) {
        for (int d = columns.nextSetBit(0); d >= 0; d = columns.nextSetBit(d + 1)) {
            order.findTurning(d);
            take(delays);
        }
    }

    /** Orders columns so that none turns; those are left of which that is not proven. */
    private void orderEach(BitSet columns, @Nullable Delay[] delays) {
        int unproven = 0;
        for (int d = columns.nextSetBit(0); d >= 0 && unproven < UNPROVEN_MAX; d = columns.nextSetBit(d + 1)) {
            order.find(d);
            if (order.problem().isEmpty()) {
                take(delays);
                ordered.set(d);
                columns.clear(d);
            } else {
                problem = unproven == 0 ? order.problem() : problem;
                unproven++;
            }
        }
    }

    private void take(@Nullable Delay[] delays) {
        rounds = Math.max(rounds, order.rounds());
        drains.or(order.drains());
        order.addTo(delays);
    }

    private Part partOf(int d) {
        return ordered.get(d) ? orderedPart(d) : Part.ALL;
    }

    /** Of a column that is, or will be, ordered so that none of its packets turns; what turns before goes any way. */
    private Part orderedPart(int d) {
        return turning.get(d) ? Part.ALL : Part.WITHOUT_TURNS;
    }

    private static boolean isIn(BitSet some, BitSet others) {
        BitSet rest = (BitSet) some.clone();
        rest.andNot(others);
        return rest.isEmpty();
    }

    /** Lets columns stand still while they change; if that is not enough because of what the others do meanwhile, all that change. */
    private void quiesce(BitSet columns, @Nullable Delay[] delays) {
        String obstacle = quiet.obstacle(columns);
        if (obstacle.isEmpty()) {
            obstacle = circleAround(columns);
        }
        if (obstacle.isEmpty()) {
            quiesced = columns;
        } else {
            BitSet all = quiet.changing();
            all.or(columns);
            obstacle = quiet.obstacle(all);
            if (obstacle.isEmpty()) {
                obstacle = circle(d -> Part.NEW);
            }
            if (!obstacle.isEmpty()) {
                problem += "; not quiesced: " + obstacle;
                return;
            }
            quiesced = all;
            free = new BitSet();
            Arrays.fill(delays, null);
            drains.clear();
            rounds = 0;
        }
        quiet.addTo(quiesced, delays);
        rounds = Math.max(rounds, QuietColumns.ROUNDS);
        drains.set(QuietColumns.DRAINED);
        problem = "";
    }

    /** Before the drain there is what is in force, after it what is new; and all that the other columns may do. */
    private String circleAround(BitSet columns) {
        String circle = circle(d -> columns.get(d) ? Part.IN_FORCE : partOf(d));
        return circle.isEmpty() ? circle(d -> columns.get(d) ? Part.NEW : partOf(d)) : circle;
    }

    int rounds() {
        return rounds;
    }

    BitSet drains() {
        return drains;
    }

    /** True if some entry that waits for the end leads to where its packets may be lost; the others become no route. */
    boolean movesToLoss() {
        return order.movesToLoss();
    }

    /** Why the change is not proven; else empty. */
    String problem() {
        return problem;
    }
}
