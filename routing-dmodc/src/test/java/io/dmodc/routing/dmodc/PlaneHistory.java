package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchForgotten;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A small site with directors over many years: cables and switches go and come back, switches are new, replaced and
 * forgotten, cables swapped, levels learnt anew, and the manager starts again, at times with groups by GUID. GUIDs are any
 * 64 bits.
 */
final class PlaneHistory {
    private static final int PORTS = 40;

    /** One cable between switches. */
    private record Cable(long guid, int port, long farGuid, int farPort) {}

    private final SplittableRandom random;
    private final FabricViewBuilder fabric = new FabricViewBuilder();
    private final NodeIndexMap nodes = new NodeIndexMap();
    private final SlowPlaneRecord twin = new SlowPlaneRecord();
    private final List<List<Long>> levelsOfSwitches = new ArrayList<>();
    private final List<Cable> cables = new ArrayList<>();
    private GuidNumbers levels = new GuidNumbers();
    private PlaneNumbers planes = new PlaneNumbers();
    private boolean byGuid;
    private long hosts;
    private long epoch;

    PlaneHistory(long seed) {
        random = new SplittableRandom(seed);
        int directors = random.nextInt(1, 4);
        levelsOfSwitches.add(newSwitches(random.nextInt(3, 7)));
        levelsOfSwitches.add(new ArrayList<>());
        levelsOfSwitches.add(new ArrayList<>());
        for (int d = 0; d < directors; d++) {
            List<Long> cards = newSwitches(random.nextInt(1, 4));
            List<Long> spines = newSwitches(random.nextInt(1, 4));
            for (long leaf : levelsOfSwitches.get(0)) {
                cards.stream()
                        .filter(card -> card.equals(cards.get(0)) || random.nextInt(3) > 0)
                        .forEach(card -> cable(leaf, card));
            }
            cards.forEach(card -> spines.forEach(spine -> cable(card, spine)));
            levelsOfSwitches.get(1).addAll(cards);
            levelsOfSwitches.get(2).addAll(spines);
        }
        if (random.nextInt(4) == 0) {
            List<Long> cores = newSwitches(2);
            cores.forEach(core -> levelsOfSwitches.get(2).forEach(spine -> cable(spine, core)));
        }
        for (long leaf : levelsOfSwitches.get(0)) {
            for (int host = random.nextInt(1, 4); host > 0; host--) {
                long guid = 0x1000 + hosts++;
                fabric.apply(new PortSeen(leaf, freePort(leaf), true, new ToHost(new Host(guid, guid, 1, "h"))));
            }
        }
        if (random.nextInt(3) > 0) {
            learnLevels();
        }
    }

    private List<Long> newSwitches(int count) {
        List<Long> guids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            guids.add(newSwitch());
        }
        return guids;
    }

    private long newSwitch() {
        long guid = random.nextLong();
        fabric.apply(new SwitchSeen(guid, Long.toHexString(guid), PORTS));
        return guid;
    }

    private int freePort(long guid) {
        return IntStream.rangeClosed(1, PORTS)
                .filter(port -> fabric.claim(guid, port) == null)
                .findFirst()
                .orElseThrow();
    }

    private void cable(long guid, long far) {
        for (int parallel = random.nextInt(4) == 0 ? 2 : 1; parallel > 0; parallel--) {
            connect(new Cable(guid, freePort(guid), far, freePort(far)));
        }
    }

    private void connect(Cable cable) {
        cables.add(cable);
        set(cable, true);
    }

    private void set(Cable cable, boolean up) {
        fabric.apply(new PortSeen(cable.guid, cable.port, up, new ToSwitch(cable.farGuid, cable.farPort)));
        fabric.apply(new PortSeen(cable.farGuid, cable.farPort, up, new ToSwitch(cable.guid, cable.port)));
    }

    private void learnLevels() {
        FabricView view = fabric.build(++epoch, nodes, new GuidNumbers());
        levels = new GuidNumbers();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.rank(s) >= 0) {
                levels.put(view.switchGuid(s), view.rank(s));
            }
        }
    }

    /** Something happens, as long as there is a cable left. */
    void next() {
        if (cables.isEmpty()) {
            return;
        }
        switch (random.nextInt(14)) {
            case 0, 1, 2 -> repeat(() -> set(any(cables), false));
            case 3, 4 -> repeat(() -> set(any(cables), true));
            case 5 -> fabric.apply(new SwitchState(anySwitch(), false));
            case 6, 7 -> fabric.apply(new SwitchState(anySwitch(), true));
            case 8 -> swapCables();
            case 9 -> replace(anySwitch(), newSwitch(), random.nextBoolean());
            case 10 -> addBeside(anySwitch());
            case 11 -> forget(anySwitch());
            case 12 -> startAgain();
            default -> {
                learnLevels();
                guids().forEach(this::forgetPlane);
            }
        }
    }

    private void repeat(Runnable event) {
        IntStream.rangeClosed(0, random.nextInt(5)).forEach(i -> event.run());
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private List<Long> guids() {
        TreeSet<Long> guids = new TreeSet<>();
        cables.forEach(cable -> guids.addAll(List.of(cable.guid, cable.farGuid)));
        return List.copyOf(guids);
    }

    private long anySwitch() {
        return any(guids());
    }

    private void swapCables() {
        Cable one = any(cables);
        Cable other = any(cables);
        if (!one.equals(other)) {
            cables.removeAll(List.of(one, other));
            connect(new Cable(one.guid, one.port, other.farGuid, other.farPort));
            connect(new Cable(other.guid, other.port, one.farGuid, one.farPort));
        }
    }

    /** Takes over the cables, and the number if somebody says so. */
    private void replace(long old, long fresh, boolean told) {
        List<Cable> moved = List.copyOf(cables);
        int level = levels.getOrDefault(old, -1);
        if (level >= 0) {
            levels.put(fresh, level);
        }
        if (told) {
            planes.handOver(old, fresh);
            twin.handOver(old, fresh);
        }
        moveHosts(old, fresh);
        forget(old);
        for (Cable cable : moved) {
            if (cable.guid == old || cable.farGuid == old) {
                long near = cable.guid == old ? fresh : cable.guid;
                long far = cable.farGuid == old ? fresh : cable.farGuid;
                connect(new Cable(near, cable.port, far, cable.farPort));
            }
        }
    }

    private void moveHosts(long old, long fresh) {
        for (int port = 1; port <= PORTS; port++) {
            if (fabric.claim(old, port) instanceof ToHost host) {
                fabric.apply(new PortSeen(fresh, port, true, host));
            }
        }
    }

    /** Another line card, spine or core, with cables where that one has its cables. */
    private void addBeside(long guid) {
        if (guids().size() < 30) {
            long fresh = newSwitch();
            for (Cable cable : List.copyOf(cables)) {
                long far = cable.guid == guid ? cable.farGuid : cable.farGuid == guid ? cable.guid : 0;
                if (far != 0 && random.nextInt(6) > 0 && hasFreePort(far) && hasFreePort(fresh)) {
                    connect(new Cable(fresh, freePort(fresh), far, freePort(far)));
                }
            }
            int level = levels.getOrDefault(guid, -1);
            if (level >= 0) {
                levels.put(fresh, level);
            }
        }
    }

    private boolean hasFreePort(long guid) {
        return IntStream.rangeClosed(1, PORTS).anyMatch(port -> fabric.claim(guid, port) == null);
    }

    private void forget(long guid) {
        if (guids().size() < 4) {
            return;
        }
        fabric.apply(new SwitchForgotten(guid));
        cables.removeIf(cable -> {
            boolean gone = cable.guid == guid || cable.farGuid == guid;
            if (gone) {
                long stays = cable.guid == guid ? cable.farGuid : cable.guid;
                int port = cable.guid == guid ? cable.farPort : cable.port;
                if (fabric.knows(stays)) {
                    fabric.apply(new PortSeen(stays, port, false, null));
                }
            }
            return gone;
        });
        levels.remove(guid);
        forgetPlane(guid);
    }

    private void forgetPlane(long guid) {
        planes.forget(guid);
        twin.forget(guid);
    }

    /** With what was written; half of all times the settings are others. */
    private void startAgain() {
        byGuid = random.nextBoolean() && !byGuid;
        GuidNumbers kept = GuidNumbers.parse("kept", planes.lines(), PlaneNumbers.NUMBER_MAX);
        planes = byGuid ? PlaneNumbers.unused(kept) : PlaneNumbers.of(kept);
        fabric.forgetLastView();
    }

    /** The fabric as it is, numbered by the engine's record. */
    FabricView view() {
        FabricView view = fabric.build(++epoch, nodes, levels);
        if (!byGuid) {
            twin.see(view);
        }
        return planes.number(view);
    }

    /** The same with switches that nothing leads to, so that all indices are others. */
    FabricView viewWithOtherIndices() {
        List<Long> lone = List.of(random.nextLong(), random.nextLong(), 1L, -1L);
        lone.forEach(guid -> fabric.apply(new SwitchSeen(guid, "lone", 4)));
        FabricView view = planes.number(fabric.build(epoch, nodes, levels));
        lone.forEach(guid -> fabric.apply(new SwitchForgotten(guid)));
        return view;
    }

    PlaneNumbers planes() {
        return planes;
    }

    SlowPlaneRecord twin() {
        return twin;
    }

    /** True while groups are ordered by GUID. */
    boolean byGuid() {
        return byGuid;
    }
}
