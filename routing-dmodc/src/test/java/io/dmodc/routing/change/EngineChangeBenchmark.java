package io.dmodc.routing.change;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.check.Fabrics;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.BitSet;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;

/** How long the plan of a change of engines takes, on one thread. Run by hand: {@code EngineChangeBenchmark SHAPE PERCENT RUNS}. */
final class EngineChangeBenchmark {
    private EngineChangeBenchmark() {}

    public static void main(String[] args) {
        PgftShape shape = PgftShape.parse(args.length > 0 ? args[0] : "3;24,12,30;1,12,24;1,2,1");
        int percent = args.length > 1 ? Integer.parseInt(args[1]) : 3;
        int runs = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        for (int run = 0; run < runs; run++) {
            FabricViewBuilder fabric = PgftGenerator.generate(shape);
            FabricView whole = Fabrics.view(fabric);
            GuidNumbers levels = new GuidNumbers();
            for (int s = 0; s < whole.switchCount(); s++) {
                levels.put(whole.switchGuid(s), whole.rank(s));
            }
            int cables = Degradation.cables(whole).size();
            Degradation.apply(fabric, 0, cables * percent / 100, new SplittableRandom(run));
            FabricView view = fabric.build(1, new NodeIndexMap(), levels);
            LftSet dmodc = tables(Dmodc.standard(), view);
            LftSet minhop = tables(new MinHop(), view);
            time(view, minhop, dmodc, ChangeTerms.UNBOUNDED, "minhop → dmodc");
            time(view, dmodc, minhop, ChangeTerms.UNBOUNDED, "dmodc → minhop");
            time(view, dmodc, minhop, ChangeTerms.UNBOUNDED.withQuiesce(true), "dmodc → minhop, quiesced if need be");
        }
    }

    private static LftSet tables(RoutingEngine engine, FabricView view) {
        return Objects.requireNonNull(engine.route(view, Parallel.sequential()).tables());
    }

    private static void time(FabricView view, LftSet before, LftSet after, ChangeTerms terms, String what) {
        BitSet notRight = TableCheck.notRight(view, before, Parallel.sequential());
        BitSet notRightAfter = TableCheck.notRight(view, after, Parallel.sequential());
        ChangeWatch watch = new ChangeWatch(view, before, notRight);
        long start = System.nanoTime();
        ChangePlan plan = watch.plan(view, RowsInForce.of(before), after, notRightAfter, terms);
        System.out.printf(
                Locale.ROOT,
                "%d nodes, %d switches, %s: %,.0f ms; %d suspect columns; %s%n",
                view.nodeCount(),
                view.switchCount(),
                what,
                (System.nanoTime() - start) / 1e6,
                plan.suspects().cardinality(),
                plan.text());
    }
}
