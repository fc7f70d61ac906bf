package io.dmodc.routing.engines;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.minhop.MinHopEngine;
import io.dmodc.routing.minhop.MinHopTables;
import io.dmodc.routing.minhop.PortAssignment;
import io.dmodc.routing.minhop.TargetChoice;
import io.dmodc.routing.updown.UpDown;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.concurrent.ForkJoinPool;

/**
 * Times of both engines, and the all-to-all congestion risk of their tables: highest min(sources, destinations) of a
 * directed port. Arguments: threads, runs, then shapes.
 */
final class OpenSmEnginesBenchmark {
    private OpenSmEnginesBenchmark() {}

    public static void main(String[] args) {
        ForkJoinPool pool = new ForkJoinPool(Integer.parseInt(args[0]));
        Parallel parallel = args[0].equals("1") ? Parallel.sequential() : Parallel.on(pool);
        System.out.printf(
                "%s, %d processors, %s threads%n",
                System.getProperty("java.vm.version"), Runtime.getRuntime().availableProcessors(), args[0]);
        for (String shape : Arrays.copyOfRange(args, 2, args.length)) {
            FabricView view =
                    PgftGenerator.generate(PgftShape.parse(shape)).build(1, new NodeIndexMap(), new GuidNumbers());
            for (MinHopEngine engine : new MinHopEngine[] {new MinHop(), new UpDown(null)}) {
                measure(engine, view, parallel, Integer.parseInt(args[1]));
            }
        }
        pool.shutdown();
    }

    private static void measure(MinHopEngine engine, FabricView view, Parallel parallel, int runs) {
        double[] rootMillis = new double[runs];
        double[] matrixMillis = new double[runs];
        double[] tableMillis = new double[runs];
        LftSet tables = new LftSet(0, 0, new byte[0][]);
        for (int run = 0; run < runs; run++) {
            long start = System.nanoTime();
            BitSet roots = engine.roots(view, parallel);
            long rooted = System.nanoTime();
            MinHopTables minHops = engine.minHops(view, roots, TargetChoice.ALL, parallel);
            long searched = System.nanoTime();
            tables = PortAssignment.nodes(view, minHops, null, parallel);
            long end = System.nanoTime();
            rootMillis[run] = (rooted - start) / 1e6;
            matrixMillis[run] = (searched - rooted) / 1e6;
            tableMillis[run] = (end - searched) / 1e6;
        }
        System.out.printf(
                "%s %d nodes %d switches: first run %.0f ms; median roots %.1f, min-hop tables %.1f, ports %.1f ms",
                engine.name(),
                view.nodeCount(),
                view.switchCount(),
                rootMillis[0] + matrixMillis[0] + tableMillis[0],
                median(rootMillis),
                median(matrixMillis),
                median(tableMillis));
        System.out.println(view.nodeCount() <= 8640 ? "; A2A " + risk(view, tables) : "");
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    static int risk(FabricView view, LftSet tables) {
        BitSet[][] sources = new BitSet[view.switchCount()][256];
        BitSet[][] destinations = new BitSet[view.switchCount()][256];
        for (int d = 0; d < view.nodeCount(); d++) {
            for (int leaf = 0; leaf < view.leafCount(); leaf++) {
                int at = view.targetSwitch(leaf);
                while (at != view.nodeSwitch(d)) {
                    int port = tables.port(at, d);
                    if (sources[at][port] == null) {
                        sources[at][port] = new BitSet();
                        destinations[at][port] = new BitSet();
                    }
                    sources[at][port].set(leaf);
                    destinations[at][port].set(d);
                    at = view.peerSwitch(at, port);
                }
            }
        }
        int nodesPerLeaf = view.nodeCount() / view.leafCount();
        int risk = 0;
        for (int s = 0; s < sources.length; s++) {
            for (int port = 0; port < 256; port++) {
                if (sources[s][port] != null) {
                    int from = sources[s][port].cardinality() * nodesPerLeaf;
                    risk = Math.max(risk, Math.min(from, destinations[s][port].cardinality()));
                }
            }
        }
        return risk;
    }
}
