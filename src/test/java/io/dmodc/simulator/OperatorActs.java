package io.dmodc.simulator;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.IntentSnapshot;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.routing.rebalance.RowMoves;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * People who drain, pause, choose engines and move entries at any time, and in the end take all back, or all but the drains, or what is moved. A source of chance of their own keeps
 * histories without them as they are.
 */
final class OperatorActs {
    private static final long SECOND = Simulation.SECOND;

    /** Refused by the check now and then, as its tables may turn; and one that makes none. */
    private static final List<String> ENGINES = List.of("", "updn", "dmodc", "minhop", SimulatedManager.NO_TABLES);

    private static final int OBJECTS_MAX = 4;
    private static final int MOVES_MAX = 60;
    private static final int TRIES_MAX = 30;

    private final Simulation site;
    private final SplittableRandom random;
    private final boolean keepsDrains;
    private final boolean keepsMoves;

    OperatorActs(Simulation site, SplittableRandom random) {
        this.site = site;
        this.random = random;
        keepsDrains = random.nextBoolean();
        keepsMoves = random.nextInt(4) > 0;
    }

    /** Plans what they do until {@code length} from now, some of it at one moment. */
    void plan(long length) {
        int count = 1 + random.nextInt(20);
        long at = random.nextLong(length);
        for (int i = 0; i < count; i++) {
            at = random.nextInt(3) == 0 ? at : random.nextLong(length);
            site.after(at, () -> ask(any()));
        }
    }

    private void ask(Act act) {
        SimulatedManager manager = site.network.listening;
        if (manager == null || !manager.alive()) {
            return;
        }
        long epoch = switch (random.nextInt(6)) {
            case 0 -> manager.state.epoch();
            case 1 -> Math.max(1, manager.state.epoch() - 1);
            default -> 0;
        };
        tell(manager, act, epoch);
    }

    private void tell(SimulatedManager manager, Act act, long epoch) {
        site.trace("act: %s %s %s, planned for epoch %d", act.verb(), names(act.objects()), act.value(), epoch);
        site.mix(act.verb().name().hashCode(), epoch);
        site.fabric.touch();
        manager.tell(new ActAsked(manager.clock(), act, epoch, "somebody", "planned work"));
    }

    private String names(List<PortPlace> places) {
        List<String> names = new ArrayList<>();
        places.forEach(place -> names.add(site.name(place.guid()) + ":" + place.port()));
        return String.join(" ", names);
    }

    private Act any() {
        return switch (random.nextInt(13)) {
            case 0, 1, 2, 3 -> new Act(Verb.DRAIN, objects(), "");
            case 4, 5 -> new Act(Verb.UNDRAIN, drained(), "");
            case 6 ->
                Act.pause(random.nextInt(3) == 0 ? 0 : wallMillis() + random.nextLong(15_000), random.nextInt(3) == 0);
            case 7, 8 -> new Act(Verb.RESUME, List.of(), "");
            case 9, 10, 11 -> Act.rebalance(moves());
            default -> Act.engine(ENGINES.get(random.nextInt(ENGINES.size())), random.nextBoolean());
        };
    }

    /** As managers tell the time; one whose clock jumped ends a pause earlier. */
    private long wallMillis() {
        return site.now() / 1_000_000;
    }

    private List<PortPlace> objects() {
        List<PortPlace> places = new ArrayList<>();
        if (random.nextInt(12) == 0) {
            int level = 1 + random.nextInt(3);
            site.fabric.switches.stream()
                    .filter(s -> s.level == level)
                    .forEach(s -> places.add(new PortPlace(s.guid, 0)));
        }
        int count = places.isEmpty() ? 1 + random.nextInt(1 + random.nextInt(OBJECTS_MAX)) : 0;
        for (int i = 0; i < count; i++) {
            SimulatedSwitch at = site.fabric.switches.get(random.nextInt(site.fabric.switches.size()));
            boolean leaf = at.level == 0 && random.nextInt(4) != 0;
            int port = leaf || random.nextBoolean() ? 1 + random.nextInt(at.portCount) : 0;
            places.add(new PortPlace(at.guid, port));
            if (port != 0 && at.peer[port - 1] >= 0 && random.nextInt(3) == 0) {
                places.add(new PortPlace(site.fabric.far(at, port).guid, at.peerPort[port - 1]));
            }
        }
        return places;
    }

    /** Any choices among the ports that lead closer, and now and then any ports; with those there are, instead of them, or none at all. */
    private EntryMoves moves() {
        SimulatedManager manager = site.network.listening;
        FabricSnapshot now = manager == null ? null : manager.state.snapshot();
        FabricView view = now == null ? null : now.view();
        if (now == null
                || view == null
                || !(now.tables() instanceof LftSet tables)
                || tables.epoch() != view.epoch()
                || random.nextInt(8) == 0) {
            return EntryMoves.NONE;
        }
        Map<Long, NavigableMap<Integer, Integer>> moves = new TreeMap<>();
        if (random.nextBoolean()) {
            now.intent()
                    .moves()
                    .rows()
                    .forEach((guid, row) -> IntStream.range(0, row.size())
                            .forEach(i -> moves.computeIfAbsent(guid, any -> new TreeMap<>())
                                    .put(row.column(i), row.port(i))));
        }
        int count = 1 + random.nextInt(MOVES_MAX);
        for (int i = 0; i < count; i++) {
            int s = random.nextInt(view.switchCount());
            int d = random.nextInt(tables.entryCount());
            byte[] ports = ports(tables.row(s), d);
            int port = ports.length > 0 && random.nextInt(20) > 0
                    ? ports[random.nextInt(ports.length)] & 0xff
                    : 1 + random.nextInt(view.portCount(s));
            moves.computeIfAbsent(view.switchGuid(s), any -> new TreeMap<>()).put(d, port);
        }
        Map<Long, RowMoves> rows = new TreeMap<>();
        moves.forEach((guid, row) -> rows.put(guid, RowMoves.parse(text(row))));
        return EntryMoves.of(rows);
    }

    private static byte[] ports(LftRow row, int column) {
        byte[][] ports = {{}};
        row.forEachRun(column, column + 1, (from, to, pattern) -> {
            if (pattern.interchangeable()) {
                ports[0] = pattern.ports();
            }
        });
        return ports[0];
    }

    private static String text(NavigableMap<Integer, Integer> row) {
        List<String> text = new ArrayList<>();
        row.forEach((column, port) -> text.add(column + "=" + port));
        return String.join(",", text);
    }

    /** Some of what is drained. */
    private List<PortPlace> drained() {
        SimulatedManager manager = site.network.listening;
        Collection<PortPlace> all =
                manager == null ? List.of() : intent(manager.state).drained();
        return all.stream().filter(place -> random.nextInt(3) != 0).toList();
    }

    private static IntentSnapshot intent(FabricState state) {
        return state.snapshot().intent();
    }

    /** Takes back what was asked for, as soon as somebody listens. */
    void takeBack() {
        takeBack(TRIES_MAX);
    }

    private void takeBack(int tries) {
        SimulatedManager manager = site.network.listening;
        if (manager != null && manager.alive()) {
            IntentSnapshot intent = intent(manager.state);
            if (intent.pause() != null) {
                tell(manager, new Act(Verb.RESUME, List.of(), ""), 0);
            }
            if (!intent.engineName().isEmpty()) {
                tell(manager, new Act(Verb.ENGINE, List.of(), ""), 0);
            }
            if (!keepsMoves && !intent.moves().isEmpty()) {
                tell(manager, Act.rebalance(EntryMoves.NONE), 0);
            }
            if (!keepsDrains && !intent.drained().isEmpty()) {
                tell(manager, new Act(Verb.UNDRAIN, List.copyOf(intent.drained()), ""), 0);
            }
        }
        if (tries > 0) {
            site.after(SECOND, () -> takeBack(tries - 1));
        }
    }
}
