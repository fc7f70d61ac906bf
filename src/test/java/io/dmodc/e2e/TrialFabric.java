package io.dmodc.e2e;

import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.southbound.TableDigest;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cables of a fabric in a file that agents in processes of their own follow, and the tables that a manager which was never
 * killed would want for it: computed from nothing but the cables, and the node indices and levels that were dealt at the first start.
 */
final class TrialFabric {
    private static final Pattern SWITCH = Pattern.compile("Switch\t\\d+ \"S-([0-9a-f]{16})\".*");
    private static final Pattern PORT = Pattern.compile("\\[(\\d+)].*");

    /** A cable by one of its ends; between switches, that with the lower GUID. */
    record TrialCable(long guid, int port, Neighbour far) {
        boolean toHost() {
            return !(far instanceof ToSwitch);
        }

        boolean touches(long someGuid) {
            return guid == someGuid || (far instanceof ToSwitch to && to.guid() == someGuid);
        }
    }

    /**
     * How the fabric is.
     *
     * @param out cables that are out
     * @param dead switches without power
     * @param unseen of the cables that are out, those to hosts that their switch has not seen since it has power: it cannot say
     *     whose they are
     */
    record Damage(Set<TrialCable> out, Set<Long> dead, Set<TrialCable> unseen) {
        /** All is well. */
        static final Damage NONE = new Damage(Set.of(), Set.of(), Set.of());

        Damage {
            out = Set.copyOf(out);
            dead = Set.copyOf(dead);
            unseen = Set.copyOf(unseen);
        }
    }

    private FabricViewBuilder whole;
    private FabricView view;
    private final List<TrialCable> cables = new ArrayList<>();
    private final Path file;
    private List<String> lines = List.of();
    private final Map<Damage, Map<Long, Long>> computed = new HashMap<>();
    private NodeIndexMap nodes = new NodeIndexMap();
    private GuidNumbers levels = new GuidNumbers();

    TrialFabric(String pgft, Path file) throws IOException {
        this.file = file;
        whole = PgftGenerator.generate(PgftShape.parse(pgft));
        view = view(whole);
        list();
        plug(Set.of());
    }

    private static FabricView view(FabricViewBuilder fabric) {
        return fabric.build(0, new NodeIndexMap(), new GuidNumbers());
    }

    /** Lists the cables of {@link #whole} and the lines that say so. */
    private void list() throws IOException {
        cables.clear();
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                addCable(view.switchGuid(s), port);
            }
        }
        StringBuilder text = new StringBuilder();
        IbnetWriter.write(view, new LidMap(), text);
        lines = text.toString().lines().toList();
    }

    private void addCable(long guid, int port) {
        Neighbour far = whole.neighbour(guid, port);
        if (far != null && !(far instanceof ToSwitch to && Long.compareUnsigned(to.guid(), guid) < 0)) {
            cables.add(new TrialCable(guid, port, far));
        }
    }

    List<TrialCable> cables() {
        return cables;
    }

    List<Long> guids() {
        List<Long> guids = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            guids.add(view.switchGuid(s));
        }
        return guids;
    }

    Path file() {
        return file;
    }

    String name(long guid) {
        return whole.name(guid);
    }

    String name(TrialCable cable) {
        return name(cable.guid()) + ":" + cable.port();
    }

    /** A port of this cable's is free from now on, and what was at its other end is nowhere. */
    void remove(TrialCable cable) throws IOException {
        recable(UnaryOperator.identity(), some -> some.equals(cable) ? List.of() : List.of(some));
    }

    /** A host is plugged in at another port, which must be free. */
    TrialCable move(TrialCable host, long guid, int port) throws IOException {
        TrialCable moved = new TrialCable(guid, port, host.far());
        recable(UnaryOperator.identity(), some -> List.of(some.equals(host) ? moved : some));
        return moved;
    }

    /** A switch that was never here takes the place of another: the same cables at the same ports, and the same level. */
    void exchange(long oldGuid, long newGuid) throws IOException {
        UnaryOperator<Long> guids = guid -> guid == oldGuid ? newGuid : guid;
        levels.get(oldGuid).ifPresent(level -> levels.put(newGuid, level));
        recable(guids, some -> {
            Neighbour far =
                    some.far() instanceof ToSwitch to ? new ToSwitch(guids.apply(to.guid()), to.port()) : some.far();
            return List.of(new TrialCable(guids.apply(some.guid()), some.port(), far));
        });
    }

    private void recable(UnaryOperator<Long> guids, Function<TrialCable, List<TrialCable>> change) throws IOException {
        FabricViewBuilder fabric = new FabricViewBuilder();
        for (long guid : guids()) {
            long now = guids.apply(guid);
            fabric.apply(new SwitchSeen(now, now == guid ? name(guid) : name(guid) + "-new", whole.portCount(guid)));
        }
        cables.stream().map(change).flatMap(List::stream).forEach(cable -> apply(fabric, cable, true));
        whole = fabric;
        view = view(whole);
        computed.clear();
        list();
        plug(Set.of());
    }

    private static void apply(FabricViewBuilder fabric, TrialCable cable, boolean up) {
        fabric.apply(new PortSeen(cable.guid(), cable.port(), up, cable.far()));
        if (cable.far() instanceof ToSwitch to) {
            fabric.apply(new PortSeen(to.guid(), to.port(), up, new ToSwitch(cable.guid(), cable.port())));
        }
    }

    /** Plugs all cables in but these: a new file takes the place of the old one at once. */
    void plug(Set<TrialCable> out) throws IOException {
        List<String> text = new ArrayList<>();
        long guid = 0;
        for (String line : lines) {
            Matcher block = SWITCH.matcher(line);
            Matcher port = PORT.matcher(line);
            if (block.matches()) {
                guid = Long.parseUnsignedLong(block.group(1), 16);
            } else if (line.isEmpty()) {
                guid = 0;
            }
            if (guid == 0 || !port.matches() || !isOut(guid, Integer.parseInt(port.group(1)), out)) {
                text.add(line);
            }
        }
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.write(fresh, text);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static boolean isOut(long guid, int port, Set<TrialCable> out) {
        return out.stream()
                .anyMatch(cable -> (cable.guid() == guid && cable.port() == port)
                        || (cable.far() instanceof ToSwitch to && to.guid() == guid && to.port() == port));
    }

    /** Takes node indices and levels over as they were dealt; they never change while no switch or host is added. */
    void dealt(StoredState state) {
        GuidNumbers indices = new GuidNumbers();
        state.all(NodeIndex.class).forEach(node -> indices.put(node.portGuid(), node.index()));
        nodes = NodeIndexMap.of("the first start", indices);
        GuidNumbers dealt = new GuidNumbers();
        state.all(SwitchLevel.class).forEach(level -> dealt.put(level.guid(), level.level()));
        levels = dealt;
        computed.clear();
    }

    /** Digests of the tables wanted then, by switch; of those that have power. */
    Map<Long, Long> wanted(Damage damage) {
        return computed.computeIfAbsent(damage, this::compute);
    }

    private Map<Long, Long> compute(Damage damage) {
        FabricViewBuilder fabric = new FabricViewBuilder();
        guids().forEach(guid -> fabric.apply(new SwitchSeen(guid, whole.name(guid), whole.portCount(guid))));
        for (TrialCable cable : cables) {
            if (damage.unseen().contains(cable)) {
                continue;
            }
            apply(fabric, cable, !damage.out().contains(cable));
        }
        damage.dead().forEach(guid -> fabric.apply(new SwitchState(guid, false)));
        FabricView drawn = fabric.build(1, nodes, levels);
        LftSet tables = Objects.requireNonNull(
                Dmodc.standard().route(drawn, Parallel.sequential()).tables(), () -> "no tables for " + damage);
        Map<Long, Long> digests = new TreeMap<>(Long::compareUnsigned);
        for (int s = 0; s < drawn.switchCount(); s++) {
            if (drawn.alive(s)) {
                digests.put(drawn.switchGuid(s), TableDigest.of(tables.row(s).toBytes()));
            }
        }
        return digests;
    }
}
