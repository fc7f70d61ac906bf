package io.dmodc.manager.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.TellAlternatives;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftRowBuilder;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.PortPattern;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.routing.dmodc.CostsAndDividers;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.VtftrEngine;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.AlternativesCodec;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.PortSetTable;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.grid.GridGenerator;
import io.dmodc.topology.grid.GridShape;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What agents are told of alternatives adds up to equation (2), whenever they were told last. */
class SessionAlternativesTest {
    private static final long LEADER = 3;
    private static final PgftShape SHAPE = PgftShape.parse("3;2,3,4;1,3,2;1,2,2");

    private final NodeIndexMap nodes = new NodeIndexMap();
    private final GuidNumbers levels = new GuidNumbers();
    private final FabricView whole = fabric(0, 0, new Random(0));

    private FabricView fabric(int switches, int cables, Random random) {
        FabricViewBuilder fabric = PgftGenerator.generate(SHAPE);
        Degradation.apply(fabric, switches, cables, random);
        FabricView view = fabric.build(1, nodes, levels);
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.rank(s) >= 0) {
                levels.put(view.switchGuid(s), view.rank(s));
            }
        }
        return view;
    }

    private static TellAlternatives news(FabricView view, int... unsure) {
        LftSet tables = Objects.requireNonNull(
                Dmodc.standard().route(view, Parallel.sequential()).tables());
        long[] digests = new long[view.switchCount()];
        Arrays.setAll(digests, s -> TableDigest.of(tables.row(s).toBytes()));
        BitSet set = new BitSet();
        Arrays.stream(unsure).forEach(set::set);
        return new TellAlternatives(view, tables, digests, set, new BitSet());
    }

    /** An agent that asks. */
    private static final class Listener {
        private final long guid;
        private Alternatives held = Alternatives.NONE;
        private SessionAlternatives session;
        private @Nullable PortSetTable last;

        Listener(long guid) {
            this.guid = guid;
            session = session();
        }

        private SessionAlternatives session() {
            SessionAlternatives greeted = new SessionAlternatives(Hello.newBuilder()
                    .setSwitchGuid(guid)
                    .setAlternatives(true)
                    .setAlternativesDigest(held.digest())
                    .build());
            greeted.leads(LEADER);
            return greeted;
        }

        void greetAgain() {
            session = session();
        }

        boolean hear(TellAlternatives news) {
            ManagerFrame frame = session.next(news);
            if (frame == null) {
                return false;
            }
            assertThat(frame.getTablePush().getLeaderEpoch()).isEqualTo(LEADER);
            assertThat(frame.getTablePush().getFabricEpoch())
                    .isEqualTo(news.tables().epoch());
            last = frame.getTablePush().getTables(0).getAlternatives();
            held = AlternativesCodec.apply(last, held);
            return true;
        }
    }

    private static void assertEquation2(Listener agent, TellAlternatives news) {
        FabricView view = news.view();
        int s = view.switchOf(agent.guid);
        CostsAndDividers known = Dmodc.standard().costsAndDividers(view, Parallel.sequential());
        assertThat(agent.held.routesDigest()).isEqualTo(news.digests()[s]);
        for (int d = 0; d < view.nodeCount(); d++) {
            int[] ports = Arrays.stream(known.alternatives(s, d))
                    .filter(port ->
                            view.peerSwitch(s, port) < 0 || !news.unsure().get(view.peerSwitch(s, port)))
                    .sorted()
                    .toArray();
            if (news.apart().get(d)) {
                ports = new int[0];
            }
            byte[] told = agent.held.at(d);
            assertThat(told)
                    .as("switch %d, node %d, expected %s", s, d, Arrays.toString(ports))
                    .hasSize(ports.length < 2 ? 0 : ports.length);
            for (int i = 0; i < told.length; i++) {
                assertThat(Byte.toUnsignedInt(told[i])).isEqualTo(ports[i]);
            }
        }
    }

    /** Some switch does not take the entry for them: whoever led there by another port could lead to that one. */
    @Test
    void shouldTellNoneOfDestinationsThatAreSetApart() {
        TellAlternatives all = news(whole);
        BitSet apart = new BitSet();
        for (int d : new int[] {0, 3, 4, whole.nodeCount() - 1}) {
            apart.set(d);
        }
        TellAlternatives some = new TellAlternatives(whole, all.tables(), all.digests(), all.unsure(), apart);
        for (int s = 0; s < whole.switchCount(); s++) {
            Listener agent = new Listener(whole.switchGuid(s));

            agent.hear(some);

            assertEquation2(agent, some);
            agent.hear(all);
            assertEquation2(agent, all);
        }
    }

    @Test
    void shouldTellEquation2AfterEveryChangeOfTheFabric() {
        Random random = new Random(4);
        Listener[] agents = new Listener[whole.switchCount()];
        Arrays.setAll(agents, s -> new Listener(whole.switchGuid(s)));
        for (int round = 0; round < 40; round++) {
            FabricView view = round % 4 == 0 ? whole : fabric(random.nextInt(3), random.nextInt(6), random);
            int[] unsure = round % 3 == 0 ? new int[] {random.nextInt(view.switchCount())} : new int[0];
            TellAlternatives news = news(view, unsure);
            for (Listener agent : agents) {
                if (random.nextInt(5) == 0) {
                    agent.greetAgain();
                }
                if (view.alive(view.switchOf(agent.guid))) {
                    agent.hear(news);
                    assertEquation2(agent, news);
                    assertThat(agent.hear(news)).as("twice").isFalse();
                }
            }
        }
    }

    @Test
    void shouldTellNothingThatIsHeldFromASessionBefore() {
        Listener leaf = new Listener(whole.switchGuid(0));
        assertThat(leaf.hear(news(whole))).isTrue();

        leaf.greetAgain();

        assertThat(leaf.hear(news(whole))).as("of the manager's next run").isFalse();
    }

    @Test
    void shouldTellADifferenceWithinASession() {
        Listener leaf = new Listener(whole.switchGuid(0));
        leaf.hear(news(whole));

        leaf.hear(news(whole, whole.groupRemote(whole.groupStart(0))));

        assertThat(Objects.requireNonNull(leaf.last).getComplete()).isFalse();
    }

    @Test
    void shouldSpeakForTheLeaderEpochThatTheAgentWasToldLast() {
        Listener leaf = new Listener(whole.switchGuid(0));
        leaf.session.leads(LEADER + 1);

        ManagerFrame frame = Objects.requireNonNull(leaf.session.next(news(whole)));

        assertThat(frame.getTablePush().getLeaderEpoch()).isEqualTo(LEADER + 1);
    }

    @Test
    void shouldTellNobodyWhoDoesNotAsk() {

        assertThat(new SessionAlternatives(Hello.newBuilder()
                                .setSwitchGuid(whole.switchGuid(0))
                                .build())
                        .next(news(whole)))
                .isNull();
        assertThat(new Listener(0x7777).hear(news(whole)))
                .as("a switch of another fabric")
                .isFalse();
    }

    /** As many sets as destinations: more than a frame can say. */
    @Test
    void shouldTellNoneWhereTheyAreTooManyForAFrame() {
        int entries = 40_000;
        LftRowBuilder builder = new LftRowBuilder();
        builder.begin(LftRow.noRoutes(entries));
        for (int d = 0; d < entries; d++) {
            byte[] ports = new byte[40];
            for (int i = 0; i < 16; i++) {
                ports[i] = (byte) (1 + 2 * i + (d >> i & 1));
            }
            for (int i = 16; i < ports.length; i++) {
                ports[i] = (byte) (20 + i);
            }
            builder.put(d, d + 1, PortPattern.ofCandidates(1, 0, ports));
        }
        LftRow[] rows = new LftRow[whole.switchCount()];
        Arrays.fill(rows, builder.build());
        LftSet tables = new LftSet(7, entries, rows);
        TellAlternatives tooMany =
                new TellAlternatives(whole, tables, new long[whole.switchCount()], new BitSet(), new BitSet());
        Listener leaf = new Listener(whole.switchGuid(0));
        leaf.hear(news(whole));

        assertThat(leaf.hear(tooMany)).isTrue();
        assertThat(Objects.requireNonNull(leaf.last).getSerializedSize())
                .isLessThan(SouthboundProtocol.MAX_ALTERNATIVES_BYTES);
        assertThat(leaf.held.at(5)).isEmpty();
        assertThat(leaf.held.entryCount()).isEqualTo(entries);
        TellAlternatives again = news(whole);
        assertThat(leaf.hear(again)).isTrue();
        assertEquation2(leaf, again);
    }

    /** Also of leaves that may not have their table yet: a root needs its spares just then. */
    @Test
    void shouldTellRootsOfAGridTheirSparesAndLeavesNone() {
        FabricView view = GridGenerator.generate(GridShape.parse("4x3;hosts=1;roots=1,2"))
                .build(1, new NodeIndexMap(), new GuidNumbers());
        TurnTableSet tables = (TurnTableSet) Objects.requireNonNull(new VtftrEngine(SpareMode.PAPER)
                .route(view, Parallel.sequential())
                .made());
        BitSet unsure = new BitSet();
        unsure.set(0, view.switchCount());
        TellAlternatives news = new TellAlternatives(view, tables, new long[view.switchCount()], unsure, new BitSet());
        for (int s = 0; s < view.switchCount(); s++) {
            Listener agent = new Listener(view.switchGuid(s));
            agent.hear(news);
            for (int d = 0; d < view.nodeCount(); d++) {
                assertThat(agent.held.at(d))
                        .as("switch %d, node %d", s, d)
                        .isEqualTo(view.isLeaf(s) ? new byte[0] : allPorts(view, s));
            }
            assertThat(agent.hear(news)).as("twice").isFalse();
        }
    }

    /** Without a fault every leaf of a line is a spare, or the primary one. */
    private static byte[] allPorts(FabricView view, int s) {
        byte[] ports = new byte[view.portCount(s)];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = (byte) (i + 1);
        }
        return ports;
    }
}
