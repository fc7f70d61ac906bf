package io.dmodc.agent.plane;

import static io.dmodc.southbound.TurnTable.FROM_BELOW;
import static io.dmodc.southbound.TurnTable.FROM_COLUMN;
import static io.dmodc.southbound.TurnTable.FROM_ROW;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Forwarding.Drop;
import io.dmodc.agent.plane.Forwarding.Hop;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableKind;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.TurnTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rule by which the switches of a grid forward, case by case. */
class MemoryPlaneTest {
    private static final TableVersion VERSION = new TableVersion(1, 1);

    /** A row root of four columns: destination d is below column d at port d + 1, and spares of 0 and 1 are the others. */
    private final MemoryPlane root = MemoryPlane.ofGrid(0x30, "row0", 4);

    /** A leaf: hosts at ports 1 and 2, the root of its row at 3, that of its column at 4. Destination 0 is at port 1. */
    private final MemoryPlane leaf = MemoryPlane.ofGrid(0x10, "leaf0", 6);

    private final Random random = new Random(7);
    private final List<String> repairs = new ArrayList<>();

    private final PlaneListener listener = new PlaneListener() {
        @Override
        public void portChanged(int number) {}

        @Override
        public void repaired(int number, int moved, int stranded) {
            repairs.add(number + ": " + moved + " moved, " + stranded + " stranded");
        }
    };

    private static byte[] rootEntries() {
        TurnEntries entries = new TurnEntries(4)
                .ports(FROM_BELOW, 1, 2, 3, 4)
                .channel(FROM_BELOW, 0, 0)
                .channel(FROM_BELOW, 1, 1);
        for (int d = 0; d < 4; d++) {
            entries.route(d, FROM_BELOW, d + 1);
        }
        return entries.bytes();
    }

    /** Which goes with the routes of a root of any table. */
    private static Alternatives spares(byte[] entries) {
        return new Alternatives.Builder(TableDigest.of(entries))
                .run(1, new byte[] {2, 3, 4})
                .run(2, new byte[] {1, 3})
                .run(4, new byte[0])
                .build();
    }

    private static byte[] leafEntries() {
        return new TurnEntries(2)
                .ports(FROM_BELOW, 1, 2)
                .ports(FROM_ROW, 3)
                .ports(FROM_COLUMN, 4)
                .channel(FROM_BELOW, 0, 0)
                .channel(FROM_ROW, 0, 0)
                .channel(FROM_ROW, 1, 1)
                .channel(FROM_COLUMN, 0, 1)
                .route(0, FROM_BELOW, 1)
                .route(0, FROM_ROW, 1)
                .route(0, FROM_COLUMN, 1)
                .route(1, FROM_BELOW, 3)
                .route(1, FROM_ROW, 4)
                .route(1, FROM_COLUMN, 3)
                .bytes();
    }

    private static void install(MemoryPlane plane, TableKind kind, byte[] entries, Alternatives told) {
        InstalledTable table = new InstalledTable(VERSION, kind, entries);
        plane.install(
                        new TableChange(plane.installed(), table, new BitSet(), Destinations.NONE, told),
                        (done, total) -> {})
                .toCompletableFuture()
                .join();
    }

    private static void turns(MemoryPlane plane, byte[] entries, Alternatives told) {
        install(plane, TableKind.TURNS, entries, told);
    }

    private static void up(MemoryPlane plane, int port, boolean up) {
        plane.set(new PortState(port, up, new SwitchPort(0x100 + port, 1)));
        plane.tell(port);
    }

    @BeforeEach
    void plug() {
        for (int port = 1; port <= 4; port++) {
            up(root, port, true);
            up(leaf, port, true);
        }
        turns(root, rootEntries(), spares(rootEntries()));
        turns(leaf, leafEntries(), Alternatives.NONE);
        root.listen(listener);
        leaf.listen(listener);
    }

    private Forwarding forward(MemoryPlane plane, int inPort, int vc, int destination) {
        return plane.forward(inPort, vc, destination, random);
    }

    /** All that becomes of a packet, whatever is picked. */
    private Set<Forwarding> all(int inPort, int vc, int destination) {
        Set<Forwarding> seen = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            seen.add(forward(root, inPort, vc, destination));
        }
        return seen;
    }

    @Test
    void shouldTakeThePortOfTheTableWhileItIsUp() {
        assertThat(all(4, 0, 0)).containsExactly(new Hop(1, 0));
        assertThat(all(4, 1, 0)).as("a root keeps the channel").containsExactly(new Hop(1, 1));
    }

    @Test
    void shouldTakeAnyLivingAlternativeButTheWayItCameAtOnceWhenThePortIsDown() {
        up(root, 1, false);

        assertThat(all(4, 0, 0)).containsExactlyInAnyOrder(new Hop(2, 0), new Hop(3, 0));
        assertThat(all(2, 1, 0)).containsExactlyInAnyOrder(new Hop(3, 1), new Hop(4, 1));
        up(root, 3, false);
        assertThat(all(4, 0, 0)).containsExactly(new Hop(2, 0));
        up(root, 1, true);
        assertThat(all(4, 0, 0)).containsExactly(new Hop(1, 0));
    }

    @Test
    void shouldTakeAnAlternativeForWhatCameByThePortOfTheTable() {
        assertThat(all(1, 0, 0)).containsExactlyInAnyOrder(new Hop(2, 0), new Hop(3, 0), new Hop(4, 0));
    }

    @Test
    void shouldTurnBackOnlyWhenNothingElseLives() {
        up(root, 1, false);
        up(root, 3, false);
        up(root, 4, false);

        assertThat(all(2, 0, 0)).as("the way it came is an alternative").containsExactly(new Hop(2, 0));
        up(root, 1, true);
        up(root, 2, false);
        assertThat(all(1, 0, 0)).as("it is that of the table").containsExactly(new Hop(1, 0));
    }

    @Test
    void shouldDropWhatNothingLeadsTo() {
        up(root, 1, false);
        up(root, 3, false);
        up(root, 4, false);

        assertThat(all(4, 0, 1)).as("its own port lives").containsExactly(new Hop(2, 0));
        assertThat(all(2, 0, 3)).as("no alternatives, and its port is down").containsExactly(Drop.NO_PORT);
        assertThat(all(2, 0, 9)).as("behind the table").containsExactly(Drop.NO_PORT);
        up(root, 2, false);
        assertThat(all(2, 0, 0)).as("the way it came is down, too").containsExactly(Drop.NO_PORT);
    }

    @Test
    void shouldTakeAnAlternativeWhereTheTableHasNoPort() {
        byte[] masked = rootEntries();
        masked[TurnTable.portEntry(1, FROM_BELOW)] = (byte) 255;
        turns(root, masked, spares(masked));

        assertThat(all(4, 0, 1)).containsExactlyInAnyOrder(new Hop(1, 0), new Hop(3, 0));
        assertThat(all(3, 0, 1)).containsExactly(new Hop(1, 0));
    }

    @Test
    void shouldDropWhatComesWhereNothingIsExpected() {
        up(leaf, 5, true);

        assertThat(forward(leaf, 5, 0, 0)).isEqualTo(Drop.UNEXPECTED);
    }

    @Test
    void shouldForwardByInputClassAndChangeTheChannelOnATurn() {
        assertThat(forward(leaf, 2, 0, 1)).as("from a host").isEqualTo(new Hop(3, 0));
        assertThat(forward(leaf, 3, 0, 1)).as("from its row").isEqualTo(new Hop(4, 0));
        assertThat(forward(leaf, 3, 1, 1)).isEqualTo(new Hop(4, 1));
        assertThat(forward(leaf, 4, 0, 1)).as("from its column to its row").isEqualTo(new Hop(3, 1));
    }

    @Test
    void shouldDropWhereTheChannelsEndAndDeliverToAHostAllTheSame() {
        assertThat(forward(leaf, 4, 1, 1)).isEqualTo(Drop.NO_CHANNEL);
        assertThat(forward(leaf, 4, 1, 0)).isEqualTo(new Hop(1, 1));
        up(leaf, 1, false);
        assertThat(forward(leaf, 4, 1, 0)).isEqualTo(Drop.NO_PORT);
    }

    @Test
    void shouldUseAlternativesUntilItIsToldOthers() {
        byte[] next = rootEntries();
        next[TurnTable.portEntry(3, FROM_BELOW)] = (byte) 255;
        up(root, 1, false);

        turns(root, next, spares(rootEntries()));
        assertThat(all(4, 0, 0))
                .as("those of the table before")
                .containsExactlyInAnyOrder(new Hop(2, 0), new Hop(3, 0));
        assertThat(root.hasAlternativesOfItsTurns()).isFalse();
        Alternatives others =
                new Alternatives.Builder(1).run(1, new byte[] {3, 4}).build();
        turns(root, next, others);
        assertThat(all(4, 0, 0)).as("of no table it had").containsExactlyInAnyOrder(new Hop(2, 0), new Hop(3, 0));
        Alternatives none = new Alternatives.Builder(TableDigest.of(next))
                .run(4, new byte[0])
                .build();
        turns(root, next, none);
        assertThat(all(4, 0, 0)).containsExactly(Drop.NO_PORT);
        assertThat(root.hasAlternativesOfItsTurns()).isTrue();
    }

    @Test
    void shouldForgetAlternativesOfTurnsWithRoutes() {
        up(root, 1, false);
        install(root, TableKind.ROUTES, new byte[] {1, 2}, spares(new byte[] {1, 2}));

        assertThat(all(4, 1, 0)).as("routes alone").containsExactly(Drop.NO_PORT);
        assertThat(all(4, 1, 1)).containsExactly(new Hop(2, 1));
        turns(root, rootEntries(), Alternatives.NONE);
        assertThat(all(4, 0, 0)).containsExactly(Drop.NO_PORT);
    }

    @Test
    void shouldLookUpByTheTableAlone() {
        up(leaf, 3, false);

        assertThat(leaf.port(1)).as("from below").isEqualTo(3);
        assertThat(leaf.port(2, 1)).isEqualTo(3);
        assertThat(leaf.port(3, 1)).isEqualTo(4);
        assertThat(leaf.port(5, 1)).as("nothing is expected").isEqualTo(MemoryPlane.NO_ROUTE);
        assertThat(leaf.port(3, 2)).as("behind the table").isEqualTo(MemoryPlane.NO_ROUTE);
        assertThat(leaf.port(2)).isEqualTo(MemoryPlane.NO_ROUTE);
        byte[] ended = leafEntries();
        ended[TurnTable.channelEntry(FROM_ROW, 0)] = (byte) 255;
        leaf.force(new InstalledTable(VERSION, TableKind.TURNS, ended));
        assertThat(leaf.port(3, 1)).as("channel ends").isEqualTo(MemoryPlane.NO_ROUTE);
        assertThat(leaf.port(3, 0)).as("a host").isEqualTo(1);
    }

    /** The hello of a leaf to another row comes out of the far leaf by the turn that a packet takes there. */
    @Test
    void shouldCarryHellosThroughALeafByItsTurns() {
        MemoryPlane column = MemoryPlane.ofGrid(0x40, "column0", 2);
        PatchPanel panel = PatchPanel.of(
                List.of(new Cable(0x10, 3, new SwitchPort(0x30, 1)), new Cable(0x10, 4, new SwitchPort(0x40, 2))));
        List.of(leaf, root, column).forEach(panel::attach);
        List<Integer> arrived = new ArrayList<>();
        Objects.requireNonNull(column.transits()).listen((port, hello) -> arrived.add(port));

        Objects.requireNonNull(root.transits()).send(1, 1, ByteBuffer.allocate(1));
        assertThat(arrived).containsExactly(2);
        Objects.requireNonNull(root.transits()).send(1, 0, ByteBuffer.allocate(1));
        assertThat(arrived).as("to a host").containsExactly(2);
    }

    @Test
    void shouldTellWhichEntriesItLedOverAlternativesAndWhenThatIsOver() {
        assertThat(repairs).as("nothing is down").isEmpty();
        up(root, 1, false);
        assertThat(repairs).containsExactly("1: 1 moved, 0 stranded");
        up(root, 4, false);
        assertThat(repairs).containsExactly("1: 1 moved, 0 stranded", "4: 0 moved, 1 stranded");
        repairs.clear();

        up(root, 2, false);
        up(root, 3, false);
        assertThat(repairs)
                .as("whatever else changes by it")
                .containsExactly(
                        "2: 1 moved, 0 stranded",
                        "1: 0 moved, 1 stranded",
                        "2: 0 moved, 1 stranded",
                        "3: 0 moved, 1 stranded");
        repairs.clear();
        root.listen(listener);
        assertThat(repairs).as("whoever listens now is told all").hasSize(4).contains("1: 0 moved, 1 stranded");
        repairs.clear();
        up(root, 1, true);
        assertThat(repairs).containsExactly("1: 0 moved, 0 stranded", "2: 1 moved, 0 stranded");
    }

    @Test
    void shouldTellThatARepairIsOverWithTheNextTable() {
        up(root, 1, false);
        repairs.clear();
        byte[] without = rootEntries();
        without[TurnTable.portEntry(0, FROM_BELOW)] = (byte) 255;

        turns(root, without, spares(without));

        assertThat(repairs).containsExactly("1: 0 moved, 0 stranded");
    }

    @Test
    void shouldTellNothingOfPortsOfHostsAndOfRoutes() {
        leaf.set(new PortState(1, false, new Neighbour.HostPort(0xa0, 0xa1, 1, "node0")));
        leaf.tell(1);
        install(root, TableKind.ROUTES, new byte[] {1, 2}, Alternatives.NONE);
        up(root, 1, false);

        assertThat(repairs).isEmpty();
    }
}
