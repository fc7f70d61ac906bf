package io.dmodc.ctl.export;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.LinkRates;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.ibnet.LidMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/** Fabrics for the tests of exports. */
final class Fabrics {
    /** Names that mean something in one format or another. */
    static final List<String> NASTY = List.of(
            "a b",
            "say \"hi\"",
            "x,y;z",
            "<b>&amp;'",
            "back\\slash\\N",
            "knöten – 節点 \uD83D\uDE00",
            "=1+1",
            "]]>",
            "[1-3]",
            "tab\there",
            "--> */ //",
            "DEFAULT");

    private static final List<String> SHAPES = List.of(
            "1;6;1;1",
            "2;3,4;1,2;1,1",
            "2;2,3;1,2;1,3",
            "3;2,2,3;1,2,2;1,2,1",
            "3;3,2,4;1,3,2;1,1,2",
            "4;2,2,2,2;1,2,1,2;1,1,1,1");

    private Fabrics() {}

    static ExportedFabric of(FabricViewBuilder fabric) {
        return new ExportedFabric(
                fabric.build(0, new NodeIndexMap(), new GuidNumbers()), new LidMap(), new LinkRates(), Set.of());
    }

    static FabricViewBuilder whole(String shape) {
        return PgftGenerator.generate(PgftShape.parse(shape));
    }

    /** Any shape, shuffled, damaged, some switches and hosts with odd names. */
    static FabricViewBuilder any(SplittableRandom random) {
        PgftShape shape = PgftShape.parse(SHAPES.get(random.nextInt(SHAPES.size())));
        FabricViewBuilder fabric = PgftGenerator.generateShuffled(shape, random);
        var view = of(fabric).view();
        for (int s = 0; s < view.switchCount(); s++) {
            if (random.nextInt(4) == 0) {
                fabric.apply(new SwitchSeen(view.switchGuid(s), nasty(random), view.portCount(s)));
            }
        }
        for (int node = 0; node < view.nodeCount(); node++) {
            if (random.nextInt(4) == 0) {
                Host host = host(view, node);
                Host renamed = new Host(host.portGuid(), host.hostGuid(), host.hostPort(), nasty(random));
                fabric.apply(new PortSeen(
                        view.switchGuid(view.nodeSwitch(node)), view.nodePort(node), true, new ToHost(renamed)));
            }
        }
        int upper = view.switchCount() - view.leafCount();
        Degradation.apply(fabric, upper == 0 ? 0 : random.nextInt(upper), 0, random);
        int left = Degradation.cables(of(fabric).view()).size();
        Degradation.apply(fabric, 0, random.nextInt(left + 1), random);
        return fabric;
    }

    static Host host(FabricView view, int node) {
        return Objects.requireNonNull(view.host(node));
    }

    private static String nasty(SplittableRandom random) {
        return NASTY.get(random.nextInt(NASTY.size()));
    }

    static void addSwitch(FabricViewBuilder fabric, long guid, String name) {
        fabric.apply(new SwitchSeen(guid, name, 36));
    }

    static void addHost(FabricViewBuilder fabric, long guid, int port, long portGuid, String name) {
        fabric.apply(new PortSeen(guid, port, true, new ToHost(new Host(portGuid, portGuid, 1, name))));
    }

    static void connect(FabricViewBuilder fabric, long a, int aPort, long b, int bPort) {
        fabric.apply(new PortSeen(a, aPort, true, new ToSwitch(b, bPort)));
        fabric.apply(new PortSeen(b, bPort, true, new ToSwitch(a, aPort)));
    }

    /** Writes to a text. */
    interface Content {
        void writeTo(Appendable out) throws IOException;
    }

    static String text(Content content) throws IOException {
        StringBuilder out = new StringBuilder();
        content.writeTo(out);
        return out.toString();
    }
}
