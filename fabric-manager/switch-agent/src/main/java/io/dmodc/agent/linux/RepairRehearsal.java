package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.agent.plane.HelloChannel;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.HostAddresses;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Has a switch that is none lose its ports, lead entries over others, and tell and hear withdrawals, and throws all of it away; and has the plane's worker
 * go the way of a dead port without one. So the first cable that dies meets compiled code, instead of some 20 ms of linking and interpreting for each switch
 * that has to do with it. No route is written, and nothing is sent.
 */
final class RepairRehearsal {
    private static final int ROUNDS = 600;

    /** Between two rounds of the worker, which may have something to do. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    private static final int PORTS = 8;
    private static final int ENTRIES = 24;
    private static final int FIRST_ADDRESS = 0x0a640001;
    private static final long NEIGHBOUR = 2;
    private static final String NEWS =
            "9: p1@if8: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500 qdisc noqueue state DOWN group default";

    private final LinuxSettings settings =
            new LinuxSettings(1, "rehearsal", PORTS, "p", LinuxSettings.PROTOCOL_MAX, true, null, List.of());
    private final Cabling cabling = new ImaginedCabling();
    private final PortTable ports = new PortTable(settings);
    private final RouteBook book = new RouteBook(PORTS, true);
    private final NextHops nextHops = new NextHops();
    private final Withdrawals heard = new Withdrawals("rehearsal", cabling);
    private final WithdrawalTeller teller = new WithdrawalTeller(settings.guid(), PORTS, 0, cabling);
    private final Set<RouteAddress> some = new HashSet<>();
    private int lines;

    /**
     * Begins it beside all else: the imagined switch behind everything that wants the processor.
     *
     * @param round what the worker does when a port died
     */
    @SuppressWarnings("ThreadPriorityCheck") // a hint: nothing rests on it
    static void start(PlaneWorker worker, Runnable round) {
        Thread thread = new Thread(() -> new RepairRehearsal().run(), "rehearsal");
        thread.setDaemon(true);
        thread.setPriority(Thread.MIN_PRIORITY);
        thread.start();
        rehearse(worker, round, ROUNDS);
    }

    private static void rehearse(PlaneWorker worker, Runnable round, int rounds) {
        round.run();
        if (rounds > 1) {
            worker.later(PAUSE_NANOS, () -> rehearse(worker, round, rounds - 1));
        }
    }

    /** Returns how many lines a kernel would have been told. */
    int run() {
        install();
        for (int round = 0; round < ROUNDS; round++) {
            ports.see(Objects.requireNonNull(LinkState.parse(NEWS)));
            long now = TimeUnit.SECONDS.toNanos(round);
            Set<RouteAddress> said = round % 2 == 0 ? some : Set.of();
            WithdrawalCodec.write(round, NEIGHBOUR, said).forEach(frame -> heard.arrived(1, frame, now));
            BitSet dead = new BitSet();
            dead.set(1 + round % PORTS, round % 3 == 0 ? PORTS + 1 : 2 + round % PORTS);
            settle(dead, now);
            heard.nextDeadline(now);
            book.flushed(1 + round % PORTS);
            nextHops.flushed(1 + round % PORTS);
            settle(new BitSet(), now);
        }
        return lines;
    }

    /** Each entry may lead over all ports. */
    private void install() {
        byte[] entries = new byte[ENTRIES];
        BitSet changed = new BitSet();
        byte[] all = new byte[PORTS];
        for (int port = 1; port <= PORTS; port++) {
            all[port - 1] = (byte) port;
            book.writable(port, true);
        }
        for (int index = 0; index < ENTRIES; index++) {
            entries[index] = (byte) (1 + index % PORTS);
            changed.set(index);
            if (index % 3 == 0) {
                some.add(RouteAddress.ipv4(FIRST_ADDRESS + index));
            }
        }
        Alternatives.Builder alternatives = new Alternatives.Builder(TableDigest.of(entries));
        for (int index = 0; index < ENTRIES; index++) {
            alternatives.run(index + 1, all);
        }
        book.table(new TableChange(
                InstalledTable.NONE,
                new InstalledTable(new TableVersion(1, 1), entries),
                changed,
                Destinations.of(ENTRIES, RepairRehearsal::destination),
                alternatives.build()));
    }

    private static Destination destination(int index) {
        return new Destination(index + 1, "", new HostAddresses(0, FIRST_ADDRESS + index, 0, 0, 0));
    }

    private void settle(BitSet dead, long now) {
        book.dead(dead, heard.byPort());
        teller.withdraw(book.unreached(port -> true, ENTRIES), book::routeState, now);
        teller.tick(now);
        StringBuilder text = new StringBuilder();
        for (List<RouteOp> ops = book.next(ENTRIES); !ops.isEmpty(); ops = book.next(ENTRIES)) {
            lines += ops.size();
            ops.forEach(op -> {
                op.appendTo(text, settings);
                book.done(op);
            });
        }
        for (int port = 1; port <= PORTS; port++) {
            book.repaired(port);
        }
    }

    /** The same switch at the far end of all ports, to which nothing leads. */
    private static final class ImaginedCabling implements Cabling {
        private static final FarEnd FAR = new FarEnd(new SwitchPort(NEIGHBOUR, 1), null);

        @Override
        public void carrier(int port, @Nullable String interfaceName) {}

        @Override
        public FarEnd farEnd(int port) {
            return FAR;
        }

        @Override
        public boolean answers(int port) {
            return true;
        }

        @Override
        public HelloChannel hellos() {
            throw new IllegalStateException("nobody says hello here");
        }

        @Override
        public void listen(IntConsumer changed) {}

        @Override
        public void close() {}
    }
}
