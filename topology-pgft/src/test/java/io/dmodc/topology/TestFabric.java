package io.dmodc.topology;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.SplittableRandom;

/** A small fabric for tests, spoken of by the names of its switches. */
public final class TestFabric {
    private final FabricViewBuilder builder;
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private long epoch;

    private TestFabric(FabricViewBuilder builder) {
        this.builder = builder;
    }

    /** A whole PGFT: switches {@code leaf0…}, {@code l2s0…}, {@code l3s0…}; nodes {@code node0…}. */
    public static TestFabric fabric(String pgft) {
        return new TestFabric(PgftGenerator.generate(PgftShape.parse(pgft)));
    }

    public static TestFabric shuffled(String pgft, long seed) {
        return new TestFabric(PgftGenerator.generateShuffled(PgftShape.parse(pgft), new SplittableRandom(seed)));
    }

    /** Remembers the present ranks as the designed levels. */
    public TestFabric keepingLevels() {
        FabricView view = view();
        for (int s = 0; s < view.switchCount(); s++) {
            levels.put(view.switchGuid(s), view.rank(s));
        }
        return this;
    }

    /** Cuts the cable at a port: both ends say down. */
    public TestFabric without(String switchName, int port) {
        FabricView view = view();
        int s = index(switchName);
        Cable cable =
                new Cable(view.switchGuid(s), port, view.switchGuid(view.peerSwitch(s, port)), view.peerPort(s, port));
        Degradation.cut(builder, cable);
        return this;
    }

    public TestFabric without(String switchName) {
        return apply(new SwitchState(guid(switchName), false));
    }

    /** One end of a cable changes what it says; the other end stays as it was. */
    public TestFabric says(String switchName, int port, boolean up) {
        long guid = guid(switchName);
        return apply(new PortSeen(guid, port, up, builder.neighbour(guid, port)));
    }

    /** Gives every switch one more port and behind it an aggregation node of the port GUID {@code 0x02e… + switch index}. */
    public TestFabric withAggregation() {
        FabricView view = view();
        for (int s = 0; s < view.switchCount(); s++) {
            long guid = view.switchGuid(s);
            int port = view.portCount(s) + 1;
            SwitchClaims claims = builder.claims(guid);
            builder.apply(new SwitchSeen(guid, claims.name(), port));
            claims.ports()
                    .forEach(claim -> builder.apply(new PortSeen(guid, claim.port(), claim.up(), claim.neighbour())));
            long own = 0x02e0_0000_0000_0000L + s;
            Host node = new Host(own, own, 1, "Aggregation Node", HostAddresses.NONE, Host.Kind.AGGREGATION);
            builder.apply(new PortSeen(guid, port, true, new ToHost(node)));
        }
        return this;
    }

    public TestFabric damaged(int switches, int cables, long seed) {
        Degradation.apply(builder, switches, cables, new SplittableRandom(seed));
        return this;
    }

    public TestFabric apply(FabricChange change) {
        builder.apply(change);
        return this;
    }

    public FabricView view() {
        return builder.build(++epoch, nodes, levels);
    }

    public FabricViewBuilder builder() {
        return builder;
    }

    public NodeIndexMap nodes() {
        return nodes;
    }

    /** Switch index of a name. */
    public int index(String switchName) {
        FabricView view = view();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.switchName(s).equals(switchName)) {
                return s;
            }
        }
        throw new AssertionError("no switch " + switchName);
    }

    public long guid(String switchName) {
        return view().switchGuid(index(switchName));
    }
}
