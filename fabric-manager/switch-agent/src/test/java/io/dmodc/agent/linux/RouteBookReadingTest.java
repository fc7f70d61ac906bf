package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.HostAddresses;
import java.util.BitSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RouteBookReadingTest {
    private static final RouteAddress HOST = RouteAddress.ipv4(0x0a640001);

    private final RouteBook book = new RouteBook(3, false);

    private void dead(int... ports) {
        BitSet dead = new BitSet();
        for (int port : ports) {
            dead.set(port);
        }
        book.dead(dead, Map.of());
    }

    /** The program ended while a repair was written: the table is as it was, and so are its alternatives. */
    @Test
    void shouldKeepAlternativesWhenARepairIsStillToBeWritten() {
        byte[] entries = {1};
        BitSet changed = new BitSet();
        changed.set(0);
        for (int port = 1; port <= 3; port++) {
            book.writable(port, true);
        }
        book.table(new TableChange(
                InstalledTable.NONE,
                new InstalledTable(new TableVersion(1, 1), entries),
                changed,
                Destinations.of(1, d -> new Destination(1, "node", new HostAddresses(0, 0x0a640001, 0, 0, 0))),
                new Alternatives.Builder(TableDigest.of(entries))
                        .run(1, new byte[] {1, 2, 3})
                        .build()));
        book.next(10).forEach(book::done);
        dead(1);

        book.kernelHolds(Map.of(HOST, 1), Map.of(), Map.of());
        assertThat(book.adoptKernel()).containsExactly(1);

        assertThat(book.next(10)).containsExactly(RouteOp.own(RouteOp.Kind.REPLACE, HOST, 2));
        dead(1, 2);
        assertThat(book.next(10)).containsExactly(RouteOp.own(RouteOp.Kind.REPLACE, HOST, 3));
    }

    /** Somebody else has a route for the first host: nothing is known of the second one that was not before. */
    @Test
    void shouldGoOnRepairingOthersWhenAnEntryIsLost() {
        RouteAddress second = RouteAddress.ipv4(0x0a640002);
        byte[] entries = {1, 2};
        BitSet changed = new BitSet();
        changed.set(0, 2);
        for (int port = 1; port <= 3; port++) {
            book.writable(port, true);
        }
        book.table(new TableChange(
                InstalledTable.NONE,
                new InstalledTable(new TableVersion(1, 1), entries),
                changed,
                Destinations.of(2, d -> new Destination(1 + d, "node", new HostAddresses(0, 0x0a640001 + d, 0, 0, 0))),
                new Alternatives.Builder(TableDigest.of(entries))
                        .run(1, new byte[] {1, 3})
                        .run(2, new byte[] {2, 3})
                        .build()));
        book.next(10).forEach(book::done);

        book.kernelHolds(Map.of(second, 2), Map.of(), Map.of(HOST, "somebody's"));
        assertThat(book.adoptKernel()).containsExactly(255, 2);
        dead(1, 2);

        assertThat(book.next(10)).containsExactly(RouteOp.own(RouteOp.Kind.REPLACE, second, 3));
    }

    /** The program ended between the addresses of a host, or the kernel refused one of them: the other forwards on. */
    @Test
    void shouldLeaveWhatThereIsOfAnEntryThatIsNotWhole() {
        RouteAddress six = new RouteAddress(0xfdL << 56, 1);
        Destinations host = Destinations.of(
                1, d -> new Destination(1, "node", new HostAddresses(0, 0x0a640001, six.high(), six.low(), 0)));
        book.writable(1, true);
        InstalledTable table = install(InstalledTable.NONE, host, 1);
        assertThat(book.next(10)).hasSize(2);

        for (int reading = 1; reading <= 2; reading++) {
            book.kernelHolds(Map.of(HOST, 1), Map.of(HOST, 2), Map.of());
            assertThat(book.adoptKernel()).as("reading %d", reading).containsExactly(255);
            assertThat(book.next(10)).as("reading %d", reading).isEmpty();
        }

        RouteBook later = new RouteBook(3, false);
        later.restore(book.remembered(table.version()));
        later.writable(1, true);
        later.kernelHolds(Map.of(HOST, 1), Map.of(), Map.of());
        assertThat(later.adoptKernel()).as("by a run that follows").containsExactly(255);
        assertThat(later.next(10)).isEmpty();

        InstalledTable read = new InstalledTable(table.version(), new byte[] {(byte) 255});
        install(read, host, 1);
        assertThat(book.next(10)).containsExactly(RouteOp.own(RouteOp.Kind.ADD, six, 1));
        install(read, host, 255);
        assertThat(book.next(10)).containsExactly(RouteOp.standing(RouteOp.Kind.DELETE, HOST, 2));
    }

    /** Its withdrawal would be taken back, and neighbours would send what this switch still leads to a dead port. */
    @Test
    void shouldNotSayThatARefusedRouteIsWritten() {
        Destinations host =
                Destinations.of(1, d -> new Destination(1, "node", new HostAddresses(0, 0x0a640001, 0, 0, 0)));
        book.writable(1, true);
        book.writable(2, true);
        InstalledTable table = install(InstalledTable.NONE, host, 1);
        book.next(10).forEach(book::done);
        dead(1);
        assertThat(book.unreached(port -> true, 10)).containsExactly(HOST);

        install(table, host, 2);
        book.next(10).forEach(op -> book.refused(op, "the kernel is out of memory"));

        assertThat(book.unreached(port -> true, 10)).isEmpty();
        assertThat(book.routeState(HOST)).isEqualTo(RouteBook.RouteState.DUE);
    }

    /** Where IPv6 routes go while the kernel tells them, it may leave out one that is there; it does not of IPv4. */
    @Test
    void shouldKnowThatAnIpv6RouteWentWhileTheKernelWasRead() {
        RouteAddress six = new RouteAddress(0xfdL << 56, 1);
        Destinations both = Destinations.of(
                1, d -> new Destination(1, "node", new HostAddresses(0, 0x0a640001, six.high(), six.low(), 0)));
        book.writable(1, true);
        book.writable(2, true);
        InstalledTable table = install(InstalledTable.NONE, both, 1);
        book.beginReading();
        book.next(10).forEach(book::done);
        table = install(table, both, 2);
        book.next(10).forEach(book::done);
        assertThat(book.isRemovedMeanwhile()).isFalse();

        book.flushed(2);
        assertThat(book.isRemovedMeanwhile()).isTrue();

        book.beginReading();
        assertThat(book.isRemovedMeanwhile()).isFalse();
        book.next(10).forEach(book::done);
        install(table, both, 255);
        book.next(10).stream().filter(op -> op.address().isIpv4()).forEach(book::done);
        assertThat(book.isRemovedMeanwhile()).isFalse();
        book.next(10).forEach(book::done);
        assertThat(book.isRemovedMeanwhile()).isTrue();
    }

    /** A table of one entry that follows what the agent takes for the one in force. */
    private InstalledTable install(InstalledTable before, Destinations host, int port) {
        byte[] entries = {(byte) port};
        InstalledTable table =
                new InstalledTable(new TableVersion(1, before.version().fabricEpoch() + 1), entries);
        BitSet changed = new BitSet();
        changed.set(0, before.entries().length == 0 || before.entries()[0] != entries[0]);
        book.table(new TableChange(before, table, changed, host, Alternatives.NONE));
        return table;
    }
}
