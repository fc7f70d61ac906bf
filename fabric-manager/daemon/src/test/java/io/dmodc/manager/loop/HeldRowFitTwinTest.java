package io.dmodc.manager.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.RefusedEntries;
import io.dmodc.manager.loop.HeldRowFit.Fitted;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.engines.Engines;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fabrics in which cables and switches come and go, are drained, and hold whatever; tables of all engines, some of them spoilt. */
class HeldRowFitTwinTest {
    private static final int SEEDS = 500 * Integer.getInteger("more", 1);

    /** One case: what is asked of both. */
    private static final class Drawn {
        private final SplittableRandom random;
        private final PgftShape shape;
        private final FabricViewBuilder fabric;
        private final NodeIndexMap nodes = new NodeIndexMap();
        private final GuidNumbers levels = new GuidNumbers();
        private final FabricView whole;
        private final String engine;
        private final FabricView works;
        private final FabricView view;
        private final LftSet wanted;
        private final Map<Integer, List<LftRow>> held = new TreeMap<>();
        private final Map<Integer, RefusedEntries> refused = new TreeMap<>();
        private final Map<Integer, List<LftRow>> drained = new TreeMap<>();

        Drawn(String text, long seed) {
            random = new SplittableRandom(seed);
            shape = PgftShape.parse(text);
            fabric = PgftGenerator.generate(shape);
            whole = fabric.build(1, nodes, levels);
            for (int s = 0; s < whole.switchCount(); s++) {
                levels.put(whole.switchGuid(s), whole.rank(s));
            }
            engine = random.nextInt(3) == 0
                    ? Engines.names().get(random.nextInt(Engines.names().size()))
                    : Engines.DEFAULT;
            List<LftSet> former = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                former.add(route(next()));
            }
            works = next();
            BitSet switches = new BitSet();
            switches.set(random.nextInt(works.switchCount()), random.nextInt(4) == 0);
            List<PortPlace> links = new ArrayList<>();
            for (int i = random.nextInt(8); i > 5; i--) {
                int s = random.nextInt(works.switchCount());
                links.add(new PortPlace(works.switchGuid(s), 1 + random.nextInt(works.portCount(s))));
            }
            view = works.without(switches, links);
            LftSet routed = route(view);
            wanted = random.nextInt(8) == 0 ? spoilt(routed) : routed;
            for (int i = random.nextInt(4); i >= 0; i--) {
                int s = random.nextInt(view.switchCount());
                if (view.alive(s) && random.nextInt(8) > 0) {
                    held.put(s, rows(former, s));
                } else if (works.alive(s)) {
                    drained.put(s, rows(former, s));
                }
            }
            for (int i = random.nextInt(4); i > 2; i--) {
                int s = random.nextInt(view.switchCount());
                if (!held.containsKey(s)) {
                    refused.put(s, entries(former.get(0), s));
                }
            }
        }

        private FabricView next() {
            for (int i = random.nextInt(6); i > 0; i--) {
                int s = random.nextInt(whole.switchCount());
                long guid = whole.switchGuid(s);
                int port = 1 + random.nextInt(whole.portCount(s));
                if (random.nextInt(8) == 0) {
                    fabric.apply(new SwitchState(guid, random.nextBoolean()));
                } else if (whole.peerSwitch(s, port) >= 0) {
                    boolean up = !fabric.saysUp(guid, port);
                    fabric.apply(new PortSeen(guid, port, up, Objects.requireNonNull(fabric.neighbour(guid, port))));
                }
            }
            return fabric.build(2, nodes, levels);
        }

        /** No routes at all where the engine finds none. */
        private LftSet route(FabricView of) {
            if (Engines.named(engine, shape).route(of, Parallel.sequential()).made() instanceof LftSet tables) {
                return tables;
            }
            LftRow[] none = new LftRow[of.switchCount()];
            Arrays.fill(none, LftRow.noRoutes(of.nodeCount()));
            return new LftSet(of.epoch(), of.nodeCount(), none);
        }

        private LftSet spoilt(LftSet tables) {
            byte[][] entries = new byte[tables.switchCount()][];
            for (int s = 0; s < entries.length; s++) {
                entries[s] = tables.row(s).toBytes();
            }
            for (int i = random.nextInt(8); i >= 0; i--) {
                int s = random.nextInt(entries.length);
                entries[s][random.nextInt(entries[s].length)] = port(s);
            }
            return new LftSet(tables.epoch(), tables.entryCount(), entries);
        }

        private byte port(int s) {
            int port = random.nextInt(whole.portCount(s) + 2);
            return (byte) (port > whole.portCount(s) ? LftSet.NO_ROUTE : port);
        }

        private List<LftRow> rows(List<LftSet> former, int s) {
            List<LftRow> rows = new ArrayList<>();
            for (int i = random.nextInt(3); i >= 0; i--) {
                switch (random.nextInt(6)) {
                    case 0 -> rows.add(LftRow.noRoutes(random.nextInt(2) * wanted.entryCount()));
                    case 1 -> {
                        byte[] any = new byte[wanted.entryCount()];
                        for (int d = 0; d < any.length; d++) {
                            any[d] = port(s);
                        }
                        rows.add(LftRow.of(any));
                    }
                    case 2 -> rows.add(entries(wanted, s).in(wanted.row(s)));
                    case 3 -> rows.add(wanted.row(s));
                    default ->
                        rows.add(former.get(random.nextInt(former.size())).row(s));
                }
            }
            return rows;
        }

        private RefusedEntries entries(LftSet like, int s) {
            TreeMap<Integer, Integer> ports = new TreeMap<>();
            for (int i = random.nextInt(4); i >= 0; i--) {
                int d = random.nextInt(wanted.entryCount());
                boolean known = random.nextBoolean() && d < like.entryCount();
                ports.put(d, known ? like.port(s, d) : port(s) & 0xff);
            }
            return new RefusedEntries(ports);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2;3,4;1,3;1,1",
                "2;2,3;1,3;1,2",
                "3;2,2,3;1,2,2;1,2,1",
                "3;2,3,3;1,2,3;1,1,1",
                "3;1,3,4;1,3,2;1,1,1",
                "4;1,2,2,3;1,2,2,2;1,1,1,1"
            })
    void shouldSayWhatFollowingEveryPacketSays(String shape) {
        int changed = 0;
        long lost = 0;
        int right = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Drawn drawn = new Drawn(shape, seed);
            FabricView view = drawn.view;
            LftSet wanted = drawn.wanted;
            BitSet notRight = TableCheck.notRight(view, wanted, Parallel.sequential());

            Fitted fitted =
                    HeldRowFit.fit(view, drawn.works, wanted, notRight, drawn.held, drawn.refused, drawn.drained);

            String what = shape + " seed " + seed + " " + drawn.engine;
            Fitted slow = SlowHeldRowFit.fit(view, drawn.works, wanted, drawn.held, drawn.refused, drawn.drained);
            assertThat(fitted.detours()).as(what).isEqualTo(slow.detours());
            assertThat(fitted.changed()).as(what).isEqualTo(slow.changed());
            for (int s = 0; s < view.switchCount(); s++) {
                assertThat(fitted.tables().row(s).toBytes())
                        .as("%s switch %d", what, s)
                        .isEqualTo(slow.tables().row(s).toBytes());
            }
            assertThat(fitted.asWanted().keySet())
                    .as(what)
                    .isEqualTo(slow.asWanted().keySet());
            fitted.asWanted()
                    .forEach((s, row) -> assertThat(row.toBytes())
                            .as("%s switch %d as wanted", what, s)
                            .isEqualTo(Objects.requireNonNull(slow.asWanted().get(s))
                                    .toBytes()));
            changed += slow.detours().destinations();
            lost += slow.detours().lost().count();
            right += wanted.entryCount() - notRight.cardinality();
        }
        assertThat(changed).isGreaterThan(SEEDS / 5);
        assertThat(lost).isGreaterThan(SEEDS);
        assertThat(right).isGreaterThan(SEEDS);
    }
}
