package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.agent.plane.ForwardingPlane;
import io.dmodc.agent.plane.HelloChannel;
import io.dmodc.agent.plane.InstallProgress;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PlaneCapabilities;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.agent.plane.PlaneListener;
import io.dmodc.agent.plane.PortState;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.agent.plane.TransitChannel;
import io.dmodc.southbound.Guids;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.LinkRate;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A switch that is the Linux kernel: entry d over port n is a route to each address of destination d by way of whoever is at the far
 * end of the port's interface.
 *
 * <p>A table is written as what differs: first routes that are new, then those that lead elsewhere, last those that go. A packet in the
 * middle of that goes by the old entry of its destination or by the new one; it finds no route only where there was none before, or
 * is to be none. When a port dies, the entries over it go first, even within a table ({@link LocalRepair}), and neighbours are told at once of those
 * that have nowhere to go ({@link WithdrawalExchange}). A second route of a worse metric stands behind each entry that can lead over another port: the
 * kernel takes it when carrier is lost, before anybody wrote ({@link StandingRoutes}).
 *
 * <p>One thread of its own writes and decides; another compares the kernel with what it should hold, as a repair cannot wait for that; one hears of
 * interfaces, and one what {@code ip} answers. Methods may be called from any thread and wait for none of them. The routes outlive it.
 */
public final class LinuxPlane implements ForwardingPlane, AutoCloseable {
    /** So often a port is looked at of which a run before knew that it carries nothing, or nothing for some. */
    private static final long RESTORED_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** After the start, which is for greeting. */
    private static final long REHEARSAL_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A repair is remembered so much later: who leads packets around what died, here or beside this switch, goes first. */
    private static final long REMEMBER_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Longer than the auditor waits for the worker within an audit. */
    private static final long AUDITOR_REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Takes nothing away: no host has that address. */
    private static final String TAKES_NOTHING = "route del 192.0.2.255/32 proto ";

    /** So many of the other hosts that say the address of one are named. */
    private static final int SHARERS_TOLD = 3;

    private static final Pattern MAC = Pattern.compile("[0-9a-f]{2}(:[0-9a-f]{2}){5}");
    private static final Logger LOG = LoggerFactory.getLogger(LinuxPlane.class);

    private final LinuxSettings settings;
    private final StateLock lock;
    private final Cabling cabling;
    private final IpProgram program;
    private final PortTable ports;
    private final PortSpeeds speeds;
    private final BitSet speedsDue = new BitSet();
    private final HeldTableFile file;
    private final RouteBook book;
    private final NextHops nextHops = new NextHops();
    private final RoutesWriter writer;
    private final RoutesWriter.Host host = new WriterHost();
    private final StandingWriter standing;
    private final PlaneWorker worker = new PlaneWorker(UrgentThreads.PLANE, Thread.MAX_PRIORITY);

    /** For what takes long and can wait. Seldom, so that its thread is worth no memory in between. */
    private final PlaneWorker auditor = PlaneWorker.resting("linux-audit", Thread.NORM_PRIORITY, AUDITOR_REST_NANOS);

    private final SilentPorts silent;
    private final WithdrawalExchange withdrawals;
    private final RestoredPorts restored = new RestoredPorts();
    private final InterfaceWatch interfaces;
    private final KernelAudit audit;
    private final KernelSettings kernelSettings;
    private final AtomicBoolean portsMoved = new AtomicBoolean();

    private volatile PlaneListener listener = PlaneListener.NOBODY;

    /** Of the worker alone, as all that follows. */
    private final PortTable.@Nullable Port[] settled;

    private final BitSet unprepared = new BitSet();
    private final int[] toldMoved;
    private final int[] toldStranded;
    private boolean rememberDue;
    private TableVersion version = TableVersion.NONE;
    private String lastTrouble = "";
    private String toldShared = "";

    /** Why the table was not remembered the last time; empty: it was. */
    private String toldForgotten = "";

    /** What the kernel does not hold as wanted, and why: as whoever has to know was told last. */
    private Map<RouteAddress, String> toldRefused = Map.of();

    private LinuxPlane(LinuxSettings settings, Cabling cabling, StateLock lock) {
        this.settings = settings;
        this.lock = lock;
        this.cabling = cabling;
        program = new IpProgram(settings.command());
        ports = new PortTable(settings);
        kernelSettings = new KernelSettings(who(), program, settings, ports);
        speeds = new PortSpeeds(PortSpeeds.KERNEL, settings);
        file = new HeldTableFile(settings.stateDir());
        book = new RouteBook(settings.portCount(), settings.standingRoutes());
        writer = new RoutesWriter(settings, program, book, nextHops);
        settled = new PortTable.Port[settings.portCount() + 1];
        toldMoved = new int[settings.portCount() + 1];
        toldStranded = new int[settings.portCount() + 1];
        silent = new SilentPorts(who(), settings.portCount(), cabling, worker, this::judged);
        withdrawals = new WithdrawalExchange(who(), settings, cabling, worker, this::settleSoon);
        standing = new StandingWriter(who(), worker, book.standing(), writer, new StandingHost());
        audit = new KernelAudit(
                who(),
                worker::later,
                auditor::later,
                book,
                nextHops,
                () -> KernelRoutes.read(program, settings),
                new AuditHost());
        interfaces = new InterfaceWatch(who(), program, ports, worker, auditor, this::changed, audit::audit);
    }

    /**
     * Looks whether the kernel can be written to, has it forward, and begins to watch its interfaces.
     *
     * @param cabling who is at the far ends; stays the caller's, and is not used by this any more after {@link #close}
     * @throws PlaneException in one line, when there is no {@code ip}, it may not change routes, or another plane has the state directory
     */
    public static LinuxPlane open(LinuxSettings settings, Cabling cabling) throws PlaneException {
        LinuxPlane plane = new LinuxPlane(settings, cabling, StateLock.of(settings.stateDir()));
        CompletableFuture<Void> begun = new CompletableFuture<>();
        plane.worker.submit(begun, () -> {
            plane.begin();
            begun.complete(null);
        });
        try {
            begun.join();
            return plane;
        } catch (CompletionException e) {
            plane.close();
            if (e.getCause() instanceof PlaneException refused) {
                throw refused;
            }
            throw e;
        }
    }

    /** On the worker, so that programs which run as long as this one get the priority of its thread. */
    private void begin() throws PlaneException {
        UrgentThreads.raise();
        program.text("ip", "-V");
        try {
            // A kernel without an address of its own refuses all IPv4 routes.
            Map<Integer, String> failures = writer.tell(TAKES_NOTHING + settings.routeProtocol(), "link set dev lo up");
            if (failures.getOrDefault(0, "").contains("not permitted")) {
                throw new PlaneException("ip may not change routes: needs CAP_NET_ADMIN");
            }
        } catch (IOException e) {
            throw new PlaneException(String.valueOf(e.getMessage()));
        }
        interfaces.start();
        if (!ports.hasInterface()) {
            LOG.warn(
                    "{}: no interface {}..{} is there; expected plane.interface-prefix of this switch's ports",
                    who(),
                    settings.interfaceOf(1),
                    settings.interfaceOf(portCount()));
        }
        readSpeeds(all());
        kernelSettings.see();
        cabling.listen(this::farEndChanged);
        withdrawals.start();
        worker.every(KernelAudit.PERIOD_NANOS, audit::ask);
        worker.later(REHEARSAL_NANOS, () -> {
            UrgentThreads.raise();
            RepairRehearsal.start(worker, this::rehearse);
        });
    }

    /** As when a port died, but that none did: settles what is settled, and has {@code ip} do what changes nothing. */
    private void rehearse() {
        if (audit.isKnown()) {
            settle(true);
            try {
                writer.write(host, (done, total) -> {});
                writer.tell(TAKES_NOTHING + settings.routeProtocol());
            } catch (IOException e) {
                audit.lost(e);
            }
        }
    }

    private String who() {
        return "switch " + Guids.text(settings.guid());
    }

    @Override
    public long guid() {
        return settings.guid();
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public int portCount() {
        return settings.portCount();
    }

    @Override
    public PortState portState(int number) {
        FarEnd far = cabling.farEnd(number);
        boolean carrier = ports.port(number).carrier();
        LinkRate rate = carrier ? speeds.of(number) : null;
        return new PortState(number, carrier, far == null ? null : far.neighbour(), rate);
    }

    @Override
    public List<PortState> ports() {
        return IntStream.rangeClosed(1, portCount()).mapToObj(this::portState).toList();
    }

    /** Routes that the kernel refuses stay as they were, and the others of a table are written all the same. */
    @Override
    public PlaneCapabilities capabilities() {
        return new PlaneCapabilities(SouthboundProtocol.MAX_ENTRIES, false, true, true, false);
    }

    @Override
    public void listen(PlaneListener planeListener) {
        listener = planeListener;
    }

    @Override
    public @Nullable HelloChannel hellos() {
        return cabling.hellos();
    }

    @Override
    public @Nullable TransitChannel transits() {
        return null;
    }

    @Override
    public CompletionStage<InstalledTable> readBack() {
        CompletableFuture<InstalledTable> result = new CompletableFuture<>();
        worker.submit(result, () -> result.complete(read()));
        return result;
    }

    /** Progress counts routes; a table that changes none tells none. */
    @Override
    public CompletionStage<Void> install(TableChange change, InstallProgress progress) {
        CompletableFuture<Void> result = new CompletableFuture<>();
        worker.submit(result, () -> {
            install(change, progress, result);
        });
        return result;
    }

    @Override
    public void portUsable(int number, boolean usable) {
        silent.say(number, usable, ports.port(number).carrier());
    }

    @Override
    public void portDoubted(int number) {
        silent.doubt(number, () -> listener.portSilent(number));
    }

    private void judged(int number, boolean usable) {
        if (ports.usable(number, usable)) {
            settleSoon();
        }
    }

    private InstalledTable read() throws PlaneException {
        if (!audit.everRead()) {
            try {
                HeldTable last = file.read();
                if (last != null) {
                    book.restore(last);
                    version = last.version();
                    withdrawals.begunAnew();
                    worker.later(RESTORED_NANOS, this::lookAtRestored);
                }
            } catch (IOException e) {
                LOG.warn("{}: {}: begins without a table", who(), e.getMessage());
            }
        }
        settle(false);
        audit.readNow();
        byte[] entries = book.adoptKernel();
        worker.later(0, this::settleAndWrite);
        return entries.length == 0 ? InstalledTable.NONE : new InstalledTable(version, entries);
    }

    private void install(TableChange change, InstallProgress progress, CompletableFuture<Void> result)
            throws PlaneException {
        if (!audit.isKnown()) {
            throw new PlaneException("ip had ended, and what the kernel holds was not read since");
        }
        long start = System.nanoTime();
        long before = writer.linesWritten();
        book.table(change);
        version = change.table().version();
        try {
            writer.write(host, progress);
        } catch (IOException e) {
            audit.lost(e);
            throw new PlaneException("what the kernel holds is not known: " + e.getMessage());
        }
        remember();
        tellTrouble(change);
        toldRefused = Map.copyOf(book.refused());
        String refusal = refusal(toldRefused, change.destinations());
        long written = writer.linesWritten() - before;
        LOG.debug("{}: table {}: {} lines in {} us", who(), version, written, (System.nanoTime() - start) / 1_000);
        if (refusal == null) {
            result.complete(null);
        } else {
            result.completeExceptionally(new PlaneException(refusal));
        }
        afterWriting();
    }

    /** Returns which entry the kernel does not hold as the table says, of those that were refused; null when there is none. */
    private @Nullable String refusal(Map<RouteAddress, String> refused, Destinations destinations) {
        RouteAddress first = null;
        for (RouteAddress address : refused.keySet()) {
            first = first == null || book.ownerOf(address) < book.ownerOf(first) ? address : first;
        }
        if (first == null) {
            return null;
        }
        int index = book.ownerOf(first);
        Destination destination = index < 0 ? null : destinations.at(index);
        String more = refused.size() == 1 ? "" : "; and " + (refused.size() - 1) + " more";
        return (index < 0 ? "" : "entry " + index + ", ")
                + (destination == null ? "" : destination.name() + ", ")
                + first + ": " + refused.get(first) + more;
    }

    private void tellTrouble(TableChange change) {
        String shared = shared(change.destinations());
        if (!shared.isEmpty() && !shared.equals(toldShared)) {
            LOG.warn("{}: {}", who(), shared);
        }
        toldShared = shared;
        String neighbours = writer.neighbourTrouble();
        if (neighbours != null && !neighbours.equals(lastTrouble)) {
            LOG.warn("{}: {}", who(), neighbours);
            lastTrouble = neighbours;
        }
    }

    /** Returns which hosts say the same address, and whose it is; empty: none do. */
    private String shared(Destinations destinations) {
        Set<RouteAddress> all = book.shared();
        if (all.isEmpty()) {
            return "";
        }
        RouteAddress address = all.iterator().next();
        int owner = book.ownerOf(address);
        String others = Arrays.stream(book.claimers(address))
                .filter(index -> index != owner)
                .limit(SHARERS_TOLD)
                .mapToObj(index -> entry(index, destinations))
                .collect(Collectors.joining(" and "));
        int untold = book.claimers(address).length - 1 - SHARERS_TOLD;
        return entry(owner, destinations) + " gets the packets to " + address + ", which is also said by " + others
                + (untold > 0 ? " and " + untold + " more" : "") + "; expected one host of an address"
                + (all.size() > 1 ? "; likewise " + (all.size() - 1) + " more addresses" : "");
    }

    private static String entry(int index, Destinations destinations) {
        Destination destination = index < 0 ? null : destinations.at(index);
        return "entry " + index + (destination == null ? "" : " (" + destination.name() + ")");
    }

    private void remember() {
        rememberDue = false;
        try {
            file.write(book.remembered(version));
            toldForgotten = "";
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            if (!why.equals(toldForgotten)) {
                LOG.warn("{}: a restart will begin with an older table, or none: {}", who(), why);
            }
            toldForgotten = why;
        }
    }

    private void settleSoon() {
        if (portsMoved.compareAndSet(false, true)) {
            worker.later(0, this::settleAndWrite);
        }
    }

    private void settleAndWrite() {
        portsMoved.set(false);
        settle(true);
        if (!audit.isKnown()) {
            return;
        }
        try {
            writer.write(host, (done, total) -> {});
        } catch (IOException e) {
            audit.lost(e);
            return;
        }
        rememberSoon();
        tellRefused();
        afterWriting();
    }

    private void rememberSoon() {
        if (!rememberDue) {
            rememberDue = true;
            worker.later(REMEMBER_NANOS, this::rememberIfDue);
        }
    }

    private void rememberIfDue() {
        if (rememberDue) {
            remember();
        }
    }

    /** Nobody waits for an answer to what a repair or an audit wrote: what is new of it is in the log, and the table is read by whoever installed it. */
    private void tellRefused() {
        if (writer.awaitsIpv6()) {
            return; // It is tried again in a second, and what is refused then is told.
        }
        Map<RouteAddress, String> refused = Map.copyOf(book.refused());
        Map<RouteAddress, String> fresh = new HashMap<>(refused);
        fresh.entrySet().removeAll(toldRefused.entrySet());
        if (!fresh.isEmpty()) {
            LOG.warn("{}: {}", who(), refusal(fresh, Destinations.NONE));
            listener.tableLost();
        }
        toldRefused = refused;
    }

    /** Takes in what happened to ports; dead ones move their entries only where the kernel is known to hold what it should. */
    private void settle(boolean withRepair) {
        BitSet dead = new BitSet();
        for (int number = 1; number <= portCount(); number++) {
            PortTable.Port now = ports.port(number);
            PortTable.Port before = settled[number];
            settled[number] = now;
            if (before != null && before.generation() != now.generation()) {
                book.flushed(number);
                nextHops.flushed(number);
            } else if (before != null && before.addresses() != now.addresses()) {
                nextHops.flushed(number);
            }
            if (before != null && before.index() != 0 && before.index() != now.index()) {
                writer.forgetInterfaces();
            }
            boolean came = now.up() && (before == null || !before.up() || before.generation() != now.generation());
            unprepared.set(number, came || unprepared.get(number));
            book.writable(number, now.up() && !writer.isBlocked(number));
            dead.set(number, now.isDead());
            if (before != null && before.isDead() != now.isDead()) {
                withdrawals.portChanged(number, now.isDead());
            }
        }
        if (withRepair) {
            book.dead(dead, withdrawals.heard());
            trust(dead);
            if (audit.everRead()) {
                withdrawals.tell(book);
            }
        }
    }

    private void trust(BitSet dead) {
        long now = System.nanoTime();
        BitSet due = book.restoredPorts();
        for (int number = due.nextSetBit(0); number >= 0; number = due.nextSetBit(number + 1)) {
            if (restored.trusts(number, !dead.get(number) && cabling.farEnd(number) != null, now)) {
                book.trust(number);
            }
        }
    }

    private void lookAtRestored() {
        if (!book.restoredPorts().isEmpty()) {
            settleSoon();
            worker.later(RESTORED_NANOS, this::lookAtRestored);
        }
    }

    /** What can wait until packets flow. */
    private void afterWriting() {
        standing.begin();
        if (writer.hasBlocked()) {
            audit.again();
        }
        for (int number = 1; number <= portCount(); number++) {
            FarEnd far = cabling.farEnd(number);
            boolean toSwitch = far != null && far.neighbour() instanceof SwitchPort;
            LocalRepair.Count count = toSwitch ? book.repaired(number) : LocalRepair.Count.NONE;
            if (count.moved() != toldMoved[number] || count.stranded() != toldStranded[number]) {
                toldMoved[number] = count.moved();
                toldStranded[number] = count.stranded();
                LOG.info(
                        "{}: port {}: {} entries moved to other ports, {} have none",
                        who(),
                        number,
                        count.moved(),
                        count.stranded());
                listener.repaired(number, count.moved(), count.stranded());
            }
        }
        if (!unprepared.isEmpty()) {
            BitSet came = (BitSet) unprepared.clone();
            unprepared.clear();
            auditor.later(0, () -> kernelSettings.seeOrTell(came));
        }
    }

    /** Repairs first, then tells. */
    private void changed(BitSet numbers) {
        if (numbers.isEmpty()) {
            return;
        }
        settleSoon();
        numbers.stream().forEach(number -> {
            boolean carrier = ports.port(number).carrier();
            cabling.carrier(number, carrier ? settings.interfaceOf(number) : null);
            listener.portChanged(number);
        });
        readSpeedsSoon(numbers);
    }

    /** However often a port changes, at most one look waits for the auditor. */
    private void readSpeedsSoon(BitSet numbers) {
        synchronized (speedsDue) {
            boolean waits = !speedsDue.isEmpty();
            speedsDue.or(numbers);
            if (waits) {
                return;
            }
        }
        auditor.later(0, () -> {
            BitSet due;
            synchronized (speedsDue) {
                due = (BitSet) speedsDue.clone();
                speedsDue.clear();
            }
            readSpeeds(due);
        });
    }

    private BitSet all() {
        BitSet all = new BitSet();
        all.set(1, portCount() + 1);
        return all;
    }

    /** A link may have trained to another speed than before, also without going down that anybody heard of. */
    private void readSpeeds(BitSet numbers) {
        speeds.read(numbers, number -> ports.port(number).carrier()).stream().forEach(listener::portChanged);
    }

    private void farEndChanged(int number) {
        withdrawals.farEndChanged(number);
        settleSoon();
        listener.portChanged(number);
    }

    /** Both ways with the writer, on the worker. */
    private final class WriterHost implements RoutesWriter.Host {
        @Override
        public void settlePorts() {
            settle(true);
        }

        @Override
        public @Nullable String mac(int port) {
            PortTable.Port state = settled[port];
            FarEnd far = state == null || !state.up() ? null : cabling.farEnd(port);
            String mac = far == null || far.mac() == null ? "" : far.mac().toLowerCase(Locale.ROOT);
            return MAC.matcher(mac).matches() ? mac : null;
        }

        @Override
        public void readKernel() throws IOException {
            try {
                audit.readNow();
            } catch (PlaneException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
    }

    private final class AuditHost implements KernelAudit.Host {
        @Override
        public void readPorts() {
            interfaces.readOrTell();
            readSpeeds(all());
            kernelSettings.seeOrTell();
        }

        @Override
        public void unblock() {
            writer.unblock();
        }

        @Override
        public void settleAndWrite() {
            LinuxPlane.this.settleAndWrite();
        }
    }

    /** With what stands behind the routes, on the worker. */
    private final class StandingHost implements StandingWriter.Host {
        @Override
        public boolean ready() {
            settle(true);
            if (audit.isKnown() && book.dueCount() > 0) {
                settleAndWrite();
            }
            return audit.isKnown();
        }

        @Override
        public void surprised() {
            audit.again();
        }

        @Override
        public void lost(IOException why) {
            audit.lost(why);
        }
    }

    /** Returns how many routes stand behind others, once all were looked at; negative before; for tests. */
    int standingRoutes() throws PlaneException {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        StandingRoutes routes = book.standing();
        worker.submit(result, () -> result.complete(routes.isSettled() ? routes.heldCount() : -1));
        return result.join();
    }

    /** Returns how many lines the kernel was told since the start; for tests. */
    long linesWritten() throws PlaneException {
        CompletableFuture<Long> result = new CompletableFuture<>();
        worker.submit(result, () -> result.complete(writer.linesWritten()));
        return result.join();
    }

    /** Ends its programs; the routes stay. Waits for what is being written. */
    @Override
    public void close() {
        interfaces.close();
        auditor.close();
        worker.close();
        rememberIfDue();
        writer.close();
        lock.close();
    }
}
