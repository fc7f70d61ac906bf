package io.dmodc.ctl.study;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.engines.Engines;
import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.Progress;
import io.dmodc.routing.quality.RiskSeries;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Congestion risk of several engines' tables against the share of switches above the leaves that is lost, as in the
 * figures of J. Gliksberg et al., High-Quality Fault-Resiliency in Fat-Tree Networks (HOTI 2019).
 *
 * <p>All engines route the same damaged fabrics. Those that take roots are told the top switches of the whole one.
 */
public final class DamageStudy {
    /**
     * What is studied.
     *
     * @param engines names, see {@link Engines#names}
     * @param percents of the switches above the leaves that are lost, 0..100
     * @param seeds each damage is drawn with the seeds 1 to this; nothing is drawn where nothing is lost
     * @param permutations drawn anew for each fabric, by its seed
     */
    public record Settings(PgftShape shape, List<String> engines, List<Integer> percents, int seeds, int permutations) {
        public Settings {
            engines = List.copyOf(engines);
            percents = List.copyOf(percents);
        }
    }

    /**
     * One engine's tables on one fabric.
     *
     * @param lost switches
     * @param risk {@code null} if it made no tables
     */
    public record Row(
            String engine,
            int percent,
            int lost,
            long seed,
            @Nullable Risk risk) {}

    /**
     * Congestion risk.
     *
     * @param permutations median
     * @param unrouted pairs of hosts without a way
     */
    public record Risk(int allToAll, int permutations, int shiftsMax, double shiftsMean, long unrouted) {}

    /** All rows, by damage, then seed, then engine. */
    public record Answer(Settings settings, List<Row> rows) {
        public Answer {
            rows = List.copyOf(rows);
        }
    }

    private final Settings settings;
    private final FabricView whole;
    private final int upperSwitches;
    private final RootGuids tops;

    public DamageStudy(Settings settings) {
        this.settings = settings;
        whole = PgftGenerator.generate(settings.shape).build(0, new NodeIndexMap(), new GuidNumbers());
        upperSwitches = whole.switchCount() - whole.leafCount();
        tops = RootGuids.parse(
                "tops",
                IntStream.range(0, whole.switchCount())
                        .filter(s -> whole.rank(s) == whole.rankMax())
                        .mapToObj(s -> Guid.format(whole.switchGuid(s)))
                        .toList());
    }

    /** How many rows there will be. */
    public int work() {
        return settings.percents.stream().mapToInt(this::seeds).sum() * settings.engines.size();
    }

    private int seeds(int percent) {
        return lost(percent) == 0 ? 1 : settings.seeds;
    }

    private int lost(int percent) {
        return Math.round(upperSwitches * percent / 100f);
    }

    /**
     * Runs it.
     *
     * @param rowsDone hears after each row how many there are
     */
    public Answer run(Parallel parallel, IntConsumer rowsDone) {
        List<Row> rows = new ArrayList<>();
        for (int percent : settings.percents) {
            for (long seed = 1; seed <= seeds(percent); seed++) {
                FabricView view = damaged(lost(percent), seed);
                for (String engine : settings.engines) {
                    rows.add(new Row(engine, percent, lost(percent), seed, risk(engine, view, seed, parallel)));
                    rowsDone.accept(rows.size());
                }
            }
        }
        return new Answer(settings, rows);
    }

    private FabricView damaged(int lost, long seed) {
        FabricViewBuilder fabric = PgftGenerator.generate(settings.shape);
        NodeIndexMap nodes = new NodeIndexMap();
        fabric.build(0, nodes, new GuidNumbers());
        Degradation.apply(fabric, lost, 0, new SplittableRandom(seed));
        return fabric.build(0, nodes, levels());
    }

    /** Switches keep the level they have in the whole fabric. */
    private GuidNumbers levels() {
        GuidNumbers levels = new GuidNumbers();
        for (int s = 0; s < whole.switchCount(); s++) {
            levels.put(whole.switchGuid(s), whole.rank(s));
        }
        return levels;
    }

    private @Nullable Risk risk(String engine, FabricView view, long seed, Parallel parallel) {
        LftSet tables = Engines.named(engine, settings.shape, tops)
                .route(view, parallel)
                .tables();
        if (tables == null) {
            return null;
        }
        CongestionRisk risk = CongestionRisk.of(view, tables, parallel, Progress.NONE);
        RiskSeries shifts = risk.shifts(Progress.NONE).whole();
        return new Risk(
                risk.allToAll(),
                risk.permutations(settings.permutations, seed, Progress.NONE)
                        .whole()
                        .median(),
                shifts.max(),
                shifts.mean(),
                risk.unroutedPairs());
    }
}
