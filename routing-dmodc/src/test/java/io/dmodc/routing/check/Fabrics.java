package io.dmodc.routing.check;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.random.RandomGenerator;

/** Small fabrics, whole and spoilt. */
public final class Fabrics {
    private Fabrics() {}

    public static FabricView view(FabricViewBuilder fabric) {
        return fabric.build(1, new NodeIndexMap(), new GuidNumbers());
    }

    public static FabricView pgft(String shape) {
        return view(PgftGenerator.generate(PgftShape.parse(shape)));
    }

    /**
     * A fabric damaged at random: switches and cables lost, leaves dead, cable ends swapped, hosts on upper switches;
     * half of them with the levels they were designed with.
     */
    public static FabricView spoiltView(PgftShape shape, RandomGenerator random) {
        GuidNumbers levels = new GuidNumbers();
        FabricViewBuilder fabric = spoilt(shape, levels, random);
        return fabric.build(1, new NodeIndexMap(), random.nextBoolean() ? levels : new GuidNumbers());
    }

    /** The same, to be damaged further; {@code levels} takes the levels it was designed with. */
    static FabricViewBuilder spoilt(PgftShape shape, GuidNumbers levels, RandomGenerator random) {
        FabricViewBuilder fabric =
                random.nextBoolean() ? PgftGenerator.generate(shape) : PgftGenerator.generateShuffled(shape, random);
        FabricView whole = view(fabric);
        for (int s = 0; s < whole.switchCount(); s++) {
            levels.put(whole.switchGuid(s), whole.rank(s));
        }
        if (random.nextInt(4) == 0) {
            int upper = random.nextInt(whole.switchCount());
            int port = 1 + random.nextInt(whole.portCount(upper));
            addHost(fabric, whole.switchGuid(upper), port, 0xabc);
        }
        if (random.nextInt(3) == 0) {
            swapCables(fabric, 1 + random.nextInt(4), random);
        }
        int upper = whole.switchCount() - whole.leafCount();
        int lostSwitches = random.nextInt(Math.max(1, upper / 3));
        Degradation.apply(fabric, lostSwitches, 0, random);
        int cables = Degradation.cables(view(fabric)).size();
        Degradation.apply(fabric, 0, random.nextInt(Math.max(1, cables / 3)), random);
        if (random.nextInt(4) == 0) {
            int leaf = random.nextInt(whole.leafCount());
            fabric.apply(new SwitchState(whole.switchGuid(whole.targetSwitch(leaf)), false));
        }
        return fabric;
    }

    /** Crosses pairs of cables: each of two keeps one end and takes over the other's far end. */
    public static void swapCables(FabricViewBuilder fabric, int count, RandomGenerator random) {
        for (int i = 0; i < count; i++) {
            List<Cable> cables = Degradation.cables(view(fabric));
            Cable one = cables.get(random.nextInt(cables.size()));
            Cable other = cables.get(random.nextInt(cables.size()));
            boolean distinct = one.guid() != other.farGuid() && other.guid() != one.farGuid() && !one.equals(other);
            if (distinct && random.nextBoolean()) {
                connect(fabric, one.guid(), one.port(), other.farGuid(), other.farPort());
                connect(fabric, other.guid(), other.port(), one.farGuid(), one.farPort());
            } else if (distinct && one.guid() != other.guid() && one.farGuid() != other.farGuid()) {
                connect(fabric, one.guid(), one.port(), other.guid(), other.port());
                connect(fabric, one.farGuid(), one.farPort(), other.farGuid(), other.farPort());
            }
        }
    }

    public static void connect(FabricViewBuilder fabric, long guid, int port, long farGuid, int farPort) {
        fabric.apply(new PortSeen(guid, port, true, new ToSwitch(farGuid, farPort)));
        fabric.apply(new PortSeen(farGuid, farPort, true, new ToSwitch(guid, port)));
    }

    public static void addSwitch(FabricViewBuilder fabric, long guid, String name, int ports) {
        fabric.apply(new SwitchSeen(guid, name, ports));
    }

    /** Gives every switch one more port and behind it an aggregation node. */
    public static void addAggregation(FabricViewBuilder fabric) {
        FabricView view = view(fabric);
        for (int s = 0; s < view.switchCount(); s++) {
            long guid = view.switchGuid(s);
            int port = view.portCount(s) + 1;
            SwitchClaims claims = fabric.claims(guid);
            addSwitch(fabric, guid, claims.name(), port);
            claims.ports()
                    .forEach(claim -> fabric.apply(new PortSeen(guid, claim.port(), claim.up(), claim.neighbour())));
            fabric.apply(new SwitchState(guid, view.alive(s)));
            Host node = new Host(0xa99_0000 + s, 0xa99_0000 + s, 1, "agg", HostAddresses.NONE, Host.Kind.AGGREGATION);
            fabric.apply(new PortSeen(guid, port, true, new ToHost(node)));
        }
    }

    public static void addHost(FabricViewBuilder fabric, long guid, int port, long hostGuid) {
        Neighbour host = new ToHost(new Host(hostGuid, hostGuid, 1, "host" + hostGuid));
        fabric.apply(new PortSeen(guid, port, true, host));
    }
}
