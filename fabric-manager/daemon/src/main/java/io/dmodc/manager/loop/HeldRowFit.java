package io.dmodc.manager.loop;

import io.dmodc.manager.core.Detours;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.check.HeldRowWalk;
import io.dmodc.routing.check.HeldRows;
import io.dmodc.topology.FabricView;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes tables fit switches that cannot be told anything and hold other rows than they should.
 *
 * <p>Packets to different destinations never meet in a table, so each destination is looked at by itself. Where a held row
 * differs, its packets are followed over what the switches hold ({@link HeldRowWalk}). If some would turn or get lost, the column is
 * replaced by that of tables that lead around the switches in whose hands they were last, then also around the next such ones, and
 * at last around all misfits; the column with the fewest turned sources, then the fewest lost ones, is taken, the least
 * changed of equals. So no pair is led around a switch that serves it well, and none is given up that some of these tables would serve.
 *
 * <p>Up to {@value #VARIANTS_MAX} sets of switches are led around, then all misfits at once: as many more runs of the engine at
 * most, and walks of O(switches) for each destination in which a held row differs.
 */
final class HeldRowFit {
    /** Tables and what became of them. */
    record Fitted(LftSet tables, Detours detours) {}

    private static final int VARIANTS_MAX = 8;
    private static final int ROUNDS_MAX = 4;

    /** Tables by an engine for a fabric without some switches. */
    private record Variant(BitSet without, LftSet tables) {}

    private final FabricView view;
    private final LftSet wanted;
    private final Function<FabricView, @Nullable LftSet> engine;
    private final Map<BitSet, Variant> variants = new HashMap<>();
    private final BitSet misfits = new BitSet();
    private final BitSet differing;
    private final HeldRowWalk walk;

    /** The variant of each destination that has another than the wanted one. */
    private final Map<Integer, Variant> chosen = new HashMap<>();

    private long lostPairs;

    private HeldRowFit(
            FabricView view,
            LftSet wanted,
            Map<Integer, List<LftRow>> held,
            Function<FabricView, @Nullable LftSet> engine) {
        this.view = view;
        this.wanted = wanted;
        this.engine = engine;
        HeldRows rows = new HeldRows(view, held, wanted.entryCount());
        differing = rows.differing(wanted, misfits);
        walk = new HeldRowWalk(view, rows);
    }

    /**
     * @param wanted tables that are right where every switch holds its own
     * @param held by switch index: what those may hold that cannot be told anything
     * @param engine makes tables of a view with the same indices; {@code null} where it cannot
     */
    static Fitted fit(
            FabricView view,
            LftSet wanted,
            Map<Integer, List<LftRow>> held,
            Function<FabricView, @Nullable LftSet> engine) {
        HeldRowFit fit = new HeldRowFit(view, wanted, held, engine);
        fit.differing.stream().filter(fit::isSomewhere).forEach(fit::choose);
        return fit.compose();
    }

    private boolean isSomewhere(int d) {
        return view.nodeSwitch(d) >= 0 && view.alive(view.nodeSwitch(d));
    }

    private void choose(int d) {
        Variant best = new Variant(new BitSet(), wanted);
        walk.walk(d, wanted, wanted);
        int turned = walk.turned();
        int lost = walk.lost();
        BitSet around = walk.culprits();
        BitSet tried = best.without;
        for (int round = 1; lost > 0 && !tried.equals(misfits); round++) {
            boolean last = round >= ROUNDS_MAX || around.isEmpty();
            Variant next = variant(last ? misfits : around);
            if (next == null) {
                break;
            }
            walk.walk(d, next.tables, wanted);
            if (walk.turned() < turned || (walk.turned() == turned && walk.lost() < lost)) {
                best = next;
                turned = walk.turned();
                lost = walk.lost();
            }
            tried = next.without;
            around = walk.culprits();
            around = subset(around, tried) ? new BitSet() : union(around, tried);
        }
        lostPairs += lost;
        if (!best.without.isEmpty()) {
            chosen.put(d, best);
        }
    }

    private static boolean subset(BitSet some, BitSet of) {
        return union(some, of).equals(of);
    }

    private static BitSet union(BitSet some, BitSet more) {
        BitSet all = (BitSet) some.clone();
        all.or(more);
        return all;
    }

    private @Nullable Variant variant(BitSet around) {
        BitSet without = variants.containsKey(around) || variants.size() < VARIANTS_MAX ? around : misfits;
        Variant known = variants.get(without);
        if (known == null) {
            LftSet tables = engine.apply(view.without(without));
            known = tables == null ? null : new Variant((BitSet) without.clone(), tables);
            if (known != null) {
                variants.put(known.without, known);
            }
        }
        return known;
    }

    private Fitted compose() {
        int[] columns =
                chosen.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
        LftRow[] rows = new LftRow[wanted.switchCount()];
        for (int s = 0; s < rows.length; s++) {
            rows[s] = columns.length == 0 ? wanted.row(s) : row(s, columns);
        }
        BitSet avoided = new BitSet();
        chosen.values().forEach(variant -> avoided.or(variant.without));
        LftSet tables = new LftSet(wanted.epoch(), wanted.entryCount(), rows);
        return new Fitted(tables, new Detours(avoided.stream().boxed().toList(), columns.length, lostPairs));
    }

    /** A switch that a destination is led around is wanted to hold for it what it should if it could. */
    private LftRow row(int s, int[] columns) {
        LftRow row = wanted.row(s);
        byte[] entries = null;
        for (int d : columns) {
            Variant variant = chosen.get(d);
            if (variant != null && !variant.without.get(s) && variant.tables.port(s, d) != row.port(d)) {
                entries = entries == null ? row.toBytes() : entries;
                entries[d] = (byte) variant.tables.port(s, d);
            }
        }
        return entries == null ? row : LftRow.of(entries);
    }
}
