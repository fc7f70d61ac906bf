package io.dmodc.topology;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.design.DesignCheck;
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
 * Prints how long a large fabric takes to draw again after a fault, to compare with its
 * design, to write and to read; run by hand. The
 * argument is a shape, 65,536 nodes if missing.
 */
public final class LargeFabricTimes {
    private static final int RUNS = 41;

    private LargeFabricTimes() {}

    public static void main(String[] args) throws IOException {
        PgftShape shape = PgftShape.parse(args.length > 0 ? args[0] : "3;32,32,64;1,32,32;1,1,1");
        NodeIndexMap nodes = new NodeIndexMap();
        FabricViewBuilder fabric = PgftGenerator.generate(shape);
        FabricView view = fabric.build(0, nodes, new GuidNumbers());
        System.out.printf("%s: %,d nodes, %,d switches%n", shape, view.nodeCount(), view.switchCount());
        Cable cable = Degradation.cables(view).get(0);
        Path file = Files.createTempFile("fabric", ".txt");
        GuidNumbers levels = levels(view);
        System.out.println("levels found again by hops to the leaves:");
        printDraws(fabric, nodes, new GuidNumbers(), cable);
        System.out.println("levels known:");
        printDraws(fabric, nodes, levels, cable);
        print("find its design and compare", () -> DesignCheck.verify(view));
        print("write", () -> write(view, file));
        print("read", () -> read(file));
        System.out.printf("file: %,d bytes%n", Files.size(file));
        Files.delete(file);
    }

    private static GuidNumbers levels(FabricView view) {
        GuidNumbers levels = new GuidNumbers();
        for (int s = 0; s < view.switchCount(); s++) {
            levels.put(view.switchGuid(s), view.rank(s));
        }
        return levels;
    }

    private static void printDraws(FabricViewBuilder fabric, NodeIndexMap nodes, GuidNumbers levels, Cable cable) {
        print("draw afresh", () -> {
            fabric.apply(new PortSeen(cable.guid(), cable.port(), true, null));
            fabric.apply(
                    new PortSeen(cable.guid(), cable.port(), true, new ToSwitch(cable.farGuid(), cable.farPort())));
            fabric.build(1, nodes, levels);
        });
        print("draw again after one cable was cut or mended", () -> {
            boolean up = fabric.saysUp(cable.guid(), cable.port());
            fabric.apply(new PortSeen(cable.guid(), cable.port(), !up, fabric.neighbour(cable.guid(), cable.port())));
            fabric.build(1, nodes, levels);
        });
        print("draw again after one switch died or came back", () -> {
            fabric.apply(new SwitchState(cable.farGuid(), !fabric.alive(cable.farGuid())));
            fabric.build(1, nodes, levels);
        });
        FabricView before = fabric.build(1, nodes, levels);
        fabric.apply(new SwitchState(cable.farGuid(), !fabric.alive(cable.farGuid())));
        FabricView after = fabric.build(2, nodes, levels);
        print("compare two views", () -> after.switchesChangedSince(before));
        fabric.apply(new SwitchState(cable.farGuid(), true));
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
        System.out.printf("%s: median %.2f ms, least %.2f ms of %d runs%n", what, millis[RUNS / 2], millis[0], RUNS);
    }
}
