package io.dmodc.topology;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.ibnet.IbnetReader;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Prints how long a large fabric takes to draw again after one cut cable, to write and to read; run by hand. The
 * argument is a shape, 65,536 nodes if missing.
 */
public final class LargeFabricTimes {
    private static final int RUNS = 21;

    private LargeFabricTimes() {}

    public static void main(String[] args) throws IOException {
        PgftShape shape = PgftShape.parse(args.length > 0 ? args[0] : "3;32,32,64;1,32,32;1,1,1");
        NodeIndexMap nodes = new NodeIndexMap();
        FabricViewBuilder fabric = PgftGenerator.generate(shape);
        FabricView view = fabric.build(0, nodes, new GuidNumbers());
        System.out.printf("%s: %,d nodes, %,d switches%n", shape, view.nodeCount(), view.switchCount());
        Cable cable = Degradation.cables(view).get(0);
        Path file = Files.createTempFile("fabric", ".txt");
        print("draw again after one cut", () -> {
            boolean up = fabric.saysUp(cable.guid(), cable.port());
            fabric.apply(new PortSeen(cable.guid(), cable.port(), !up, fabric.neighbour(cable.guid(), cable.port())));
            fabric.build(1, nodes, new GuidNumbers());
        });
        print("write", () -> write(view, file));
        print("read", () -> read(file));
        System.out.printf("file: %,d bytes%n", Files.size(file));
        Files.delete(file);
    }

    private static void write(FabricView view, Path file) {
        try (Writer out = Files.newBufferedWriter(file)) {
            IbnetWriter.write(view, new LidMap(), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void read(Path file) {
        try {
            IbnetReader.read(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void print(String what, Runnable work) {
        double[] millis = new double[RUNS];
        for (int i = 0; i < RUNS; i++) {
            long start = System.nanoTime();
            work.run();
            millis[i] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(millis);
        System.out.printf("%s: median %.1f ms, least %.1f ms of %d runs%n", what, millis[RUNS / 2], millis[0], RUNS);
    }
}
