package io.dmodc.simulator;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.agent.AgentCore;
import io.dmodc.agent.AgentCore.Identity;
import io.dmodc.agent.AgentEffect;
import io.dmodc.agent.AgentEvent;
import io.dmodc.agent.SharedMemberships;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.PlaneCapabilities;
import io.dmodc.agent.plane.PortState;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.ManagerFrame;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The process beside a switch: the real core, with a life that can end anywhere and begin again. */
final class SimulatedAgent implements Peer {
    /** Where the process dies when a table comes in. */
    enum CrashPoint {
        NONE,
        BEFORE_INSTALL,
        AFTER_INSTALL
    }

    private static final long NEVER_NANOS = Long.MIN_VALUE / 2;
    private static final long PLANE_SHORTEST_NANOS = Simulation.SECOND / 10;
    private static final long PLANE_LONGEST_NANOS = 5 * Simulation.SECOND;

    /** A plane that tells its progress may take as long. */
    private static final long WRITING_LONGEST_NANOS = 45 * Simulation.SECOND;

    /** As long as the real ones take for the hellos of a question. */
    private static final long HELLOS_NANOS = 180_000_000;

    /** The longest wait of a manager, and once more a second where something else went first. */
    private static final long OFFERED_AGAIN_NANOS = 33 * Simulation.SECOND;

    private final Simulation site;
    final SimulatedSwitch at;
    private final SplittableRandom random;
    private final BitSet changedPorts = new BitSet();
    private final ByteString address;
    private @Nullable AgentCore core;
    private @Nullable SimulatedSession session;
    private int life;
    int incarnation;
    boolean serving;

    /** The leader epoch its last Hello said it obeys. */
    long obeyed;

    /** Nothing happens in the process before. */
    long pausedUntil;

    /** Installs tables and never says so. */
    boolean deaf;

    /** Says Hello and nothing more. */
    boolean mute;

    /** Its place in the ring hears nobody. */
    boolean hearsNobody;

    CrashPoint crashPoint = CrashPoint.NONE;

    /**
     * Until then each table takes its plane a tenth of a second to five seconds, or many more while it tells how it goes on.
     */
    long slowPlaneUntil;

    /** Until then its plane takes no table: the one in force stays, or half of both is. */
    long failingPlaneUntil;

    /** Until then somebody else's route stands in the place of one entry, which its plane does not take; all others it does. */
    private long foreignUntil;

    private int foreignIndex;

    /** When its plane last refused that entry, unless it took it since. */
    private long foreignRefusedNanos = NEVER_NANOS;

    /** When its plane last refused an entry of a table of which it wrote half, by index, unless it took that since. */
    private final Map<Integer, Long> unwrittenNanos = new HashMap<>();

    /** True while its plane is at work on a table. */
    private boolean installing;

    /** When its plane last wrote some of a table that it has not given up. */
    long wroteNanos = NEVER_NANOS;

    SimulatedAgent(Simulation site, SimulatedSwitch at, SplittableRandom random) {
        this.site = site;
        this.at = at;
        this.random = random;
        address = ByteString.copyFrom(new byte[] {10, 0, (byte) (at.index >> 8), (byte) at.index});
    }

    @Override
    public long guid() {
        return at.guid;
    }

    boolean running() {
        return core != null;
    }

    /** Starts the process, if it does not run and its switch has power. */
    void start() {
        if (core == null && at.powered) {
            life++;
            incarnation++;
            hearsNobody = false;
            Endpoint detector =
                    Endpoint.newBuilder().setAddress(address).setPort(7472).build();
            Identity identity = new Identity(at.guid, at.name, at.portCount, detector, carriesTransits());
            core = new AgentCore(identity, incarnation, capabilities(), random.split());
            handle(new AgentEvent.ConnectDue());
        }
    }

    /** Some write all or nothing, some half; some want to know what indices stand for, or by which other ports they are reached. */
    PlaneCapabilities capabilities() {
        return new PlaneCapabilities(
                SouthboundProtocol.MAX_ENTRIES, at.index % 3 != 0, at.index % 2 == 0, at.index % 4 < 2, false);
    }

    /** Some planes carry no hellos through neighbours. */
    boolean carriesTransits() {
        return at.index % 7 != 3;
    }

    /** Whether it answers who says hello through a neighbour. */
    boolean answersTransits() {
        return running() && !paused() && carriesTransits();
    }

    /** Some of the hellos are lost on the way. */
    private void askThrough(AgentEffect.AskThrough asked) {
        later(HELLOS_NANOS, () -> {
            boolean comeBack = site.fabric.comesBack(at, asked.port(), asked.there(), asked.back());
            int answered = comeBack ? 1 + random.nextInt(5) : 0;
            handle(new AgentEvent.AskedThrough(asked.number(), carriesTransits() ? 5 : 0, answered));
        });
    }

    /** The switch loses its table, and says so soon. */
    void forget() {
        at.plane.force(InstalledTable.NONE);
        at.loses();
        site.fabric.changes++;
        site.laws.installed(at);
        later(random.nextLong(Simulation.SECOND), () -> handle(new AgentEvent.TableLost()));
    }

    /** Ends the process; its connection is reset. */
    void crash() {
        if (core != null) {
            life++;
            core = null;
            serving = false;
            installing = false;
            changedPorts.clear();
            if (session != null) {
                session.cut(site.network.delayNanos(), 0);
                session = null;
            }
            site.trace("agent of %s dies", at);
        }
    }

    void pause(long nanos) {
        pausedUntil = Math.max(pausedUntil, site.now() + nanos);
        if (nanos > 6 * Simulation.SECOND && session != null) {
            session.cut(site.network.keepAliveNanos(), nanos);
        }
    }

    boolean paused() {
        return pausedUntil > site.now();
    }

    /** True while it is in session and does all it should. */
    boolean well() {
        return serving && session != null && session.open() && !paused() && !deaf && !mute;
    }

    /** True while it is well, and so is its plane: a table sent now is soon in force. */
    boolean takesTables() {
        return well() && !installing && failingPlaneUntil <= site.now() && foreignUntil <= site.now();
    }

    /** The same of one entry. */
    boolean takesEntry(int index) {
        return takesTables() || (well() && !installing && failingPlaneUntil <= site.now() && index != foreignIndex);
    }

    /** True if it was refused so lately that it need not have been offered again: nobody tells when somebody else's route is gone, or a plane works again. */
    boolean refusedLately(int index) {
        long refused = Math.max(
                index == foreignIndex ? foreignRefusedNanos : NEVER_NANOS,
                unwrittenNanos.getOrDefault(index, NEVER_NANOS));
        return site.now() - refused <= OFFERED_AGAIN_NANOS;
    }

    /** Somebody writes a route of his own in the place of an entry, which is noticed within a second. */
    void foreign(int index, long nanos) {
        foreignIndex = index;
        foreignRefusedNanos = NEVER_NANOS;
        foreignUntil = site.now() + nanos;
        InstalledTable table = at.plane.installed();
        if (isForeign(table)) {
            site.laws.installing(at);
            at.plane.force(without(table));
            at.loses();
            site.fabric.changes++;
            site.laws.installed(at);
        }
        later(random.nextLong(Simulation.SECOND), () -> handle(new AgentEvent.TableLost()));
    }

    void endForeign() {
        foreignUntil = 0;
    }

    private boolean isForeign(InstalledTable table) {
        return foreignUntil > site.now() && leadsOn(table);
    }

    /** True if this table has a route in the place of somebody else's. */
    private boolean leadsOn(InstalledTable table) {
        return foreignIndex < table.entries().length && table.entries()[foreignIndex] != SouthboundProtocol.NO_ROUTE;
    }

    private InstalledTable without(InstalledTable table) {
        byte[] entries = table.entries().clone();
        entries[foreignIndex] = SouthboundProtocol.NO_ROUTE;
        return new InstalledTable(table.version(), entries);
    }

    @Nullable
    SimulatedSession session() {
        return session;
    }

    /** It speaks again, in a new session: what it swallowed in the old one is missing there. */
    void endMute() {
        if (mute) {
            mute = false;
            if (session != null) {
                session.cut(site.network.delayNanos(), site.network.delayNanos());
            }
        }
    }

    void portChanged(int port) {
        if (core != null) {
            boolean first = changedPorts.isEmpty();
            changedPorts.set(port);
            if (first) {
                later(random.nextLong(2_000_000), this::tellPorts);
            }
        }
    }

    private void tellPorts() {
        List<PortState> ports =
                changedPorts.stream().mapToObj(at.plane::portState).toList();
        changedPorts.clear();
        handle(new AgentEvent.PortsChanged(ports));
    }

    void ringNews(FaultReport report) {
        handle(new AgentEvent.RingNews(report));
    }

    void hears(boolean nobody) {
        if (core != null && hearsNobody != nobody) {
            hearsNobody = nobody;
            handle(new AgentEvent.RingDeaf(nobody));
        }
    }

    void raiseIncarnation() {
        incarnation++;
        handle(new AgentEvent.IncarnationRaised(incarnation));
    }

    void revoked(TableVersion below) {
        handle(new AgentEvent.Revoked(below));
    }

    /** Runs in this life of the process only, and not while it is paused. */
    private void later(long nanos, Runnable task) {
        int born = life;
        site.after(nanos, () -> {
            if (born == life) {
                if (paused()) {
                    later(pausedUntil - site.now() + 1, task);
                } else {
                    task.run();
                }
            }
        });
    }

    private void handle(AgentEvent event) {
        if (core != null) {
            int born = life;
            for (AgentEffect effect : core.step(event)) {
                if (born == life) {
                    perform(effect);
                }
            }
        }
    }

    private void perform(AgentEffect effect) {
        if (effect instanceof AgentEffect.Send send) {
            send(send.frame());
        } else if (effect instanceof AgentEffect.Connect) {
            later(site.network.delayNanos(), this::connect);
        } else if (effect instanceof AgentEffect.ConnectAfter after) {
            later(after.nanos(), () -> handle(new AgentEvent.ConnectDue()));
        } else if (effect instanceof AgentEffect.Disconnect end) {
            site.trace("agent of %s disconnects: %s", at, end.why());
            if (session != null) {
                session.closeAtPeer(end.why());
            }
        } else if (effect instanceof AgentEffect.Greeted) {
            serving = true;
        } else if (effect instanceof AgentEffect.ReadPorts read) {
            readPorts(read.numbers());
        } else if (effect instanceof AgentEffect.Install install) {
            install(install.change());
        } else if (effect instanceof AgentEffect.ReadTable) {
            later(random.nextLong(2_000_000), () -> handle(new AgentEvent.TableRead(at.plane.installed())));
        } else if (effect instanceof AgentEffect.ProgressDueAfter after) {
            later(after.nanos(), () -> handle(new AgentEvent.ProgressDue()));
        } else if (effect instanceof AgentEffect.PlaneDueAfter after) {
            later(after.nanos(), () -> handle(new AgentEvent.PlaneDue()));
        } else if (effect instanceof AgentEffect.OverdueAfter after) {
            later(after.nanos(), () -> handle(new AgentEvent.InstallOverdue(after.version())));
        } else if (effect instanceof AgentEffect.DecodeMembership decode) {
            handle(SharedMemberships.ofProcess().decode(decode.bytes(), decode.held()));
        } else if (effect instanceof AgentEffect.AskThrough asked) {
            askThrough(asked);
        } else if (effect instanceof AgentEffect.RetryAfter after) {
            later(after.nanos(), () -> handle(new AgentEvent.RetryDue()));
        } else if (effect instanceof AgentEffect.Note note && note.warning()) {
            site.trace("agent of %s: %s", at, note.text());
        }
    }

    private void send(AgentFrame frame) {
        if (frame.hasHello()) {
            obeyed = frame.getHello().getLeaderEpoch();
        }
        boolean swallowed = (mute && !frame.hasHello()) || (deaf && frame.hasTableAck());
        if (session != null && !swallowed) {
            session.toManager(frame);
        }
    }

    private void connect() {
        session = site.network.connect(this);
        if (session == null) {
            handle(new AgentEvent.Disconnected("cannot connect"));
        } else {
            handle(new AgentEvent.Connected());
        }
    }

    private void readPorts(List<Integer> numbers) {
        if (numbers.isEmpty()) {
            handle(new AgentEvent.PortsRead(at.plane.ports()));
        } else {
            handle(new AgentEvent.PortsChanged(
                    numbers.stream().map(at.plane::portState).toList()));
        }
    }

    private void install(TableChange change) {
        installing = true;
        if (slowPlaneUntil <= site.now()) {
            end(change);
        } else if (random.nextInt(4) == 0) {
            write(change, 0, 1 + random.nextInt((int) (WRITING_LONGEST_NANOS / Simulation.SECOND)));
        } else {
            long nanos = PLANE_SHORTEST_NANOS + random.nextLong(PLANE_LONGEST_NANOS - PLANE_SHORTEST_NANOS);
            later(nanos, () -> end(change));
        }
    }

    /** An entry a second. */
    private void write(TableChange change, int done, int total) {
        if (done == total) {
            end(change);
        } else {
            later(Simulation.SECOND, () -> {
                wroteNanos = site.now();
                handle(new AgentEvent.InstallProgressed(change.table().version(), done + 1, total));
                write(change, done + 1, total);
            });
        }
    }

    private void end(TableChange change) {
        installing = false;
        if (failingPlaneUntil > site.now()) {
            wroteNanos = NEVER_NANOS;
            if (!capabilities().allOrNothing()) {
                writeHalf(change);
            }
            handle(new AgentEvent.InstallFailed(change.table().version(), "the plane takes no table"));
        } else {
            putInForce(change);
        }
    }

    private void writeHalf(TableChange change) {
        byte[] table = change.table().entries();
        byte[] mixed = Arrays.copyOf(at.plane.installed().entries(), table.length);
        Arrays.fill(
                mixed,
                Math.min(mixed.length, at.plane.installed().entries().length),
                mixed.length,
                SouthboundProtocol.NO_ROUTE);
        for (int index = 0; index < table.length; index++) {
            mixed[index] = random.nextBoolean() ? table[index] : mixed[index];
            if (mixed[index] == table[index]) {
                unwrittenNanos.remove(index);
            } else {
                unwrittenNanos.put(index, site.now());
            }
        }
        site.laws.installing(at);
        at.plane.force(new InstalledTable(TableVersion.NONE, mixed));
        at.loses();
        site.laws.installed(at);
    }

    /** An entry that is as the switch has it was not offered. */
    private void takeUnwritten(byte[] entries) {
        unwrittenNanos
                .keySet()
                .removeIf(index -> index >= entries.length || entries[index] != (byte) at.plane.port(index));
    }

    private void putInForce(TableChange change) {
        CrashPoint point = crashPoint;
        crashPoint = CrashPoint.NONE;
        if (point != CrashPoint.BEFORE_INSTALL) {
            takeUnwritten(change.table().entries());
            site.laws.installing(at);
            at.plane.force(isForeign(change.table()) ? without(change.table()) : change.table());
            change.changed().stream()
                    .forEach(index ->
                            at.alternatives.put(index, change.alternatives().at(index)));
            at.lost = false;
            site.laws.installed(at);
            if (capabilities().destinations()) {
                site.laws.installed(at, change);
            }
        }
        if (isForeign(change.table())) {
            foreignRefusedNanos = site.now();
        } else if (leadsOn(change.table())) {
            foreignRefusedNanos = NEVER_NANOS;
        }
        if (point == CrashPoint.NONE && isForeign(change.table())) {
            handle(new AgentEvent.InstallFailed(
                    change.table().version(), "entry " + foreignIndex + ": the plane has another route for it"));
        } else if (point == CrashPoint.NONE) {
            handle(new AgentEvent.Installed(change.table().version()));
        } else {
            crash();
            site.after(2 * Simulation.SECOND + site.faults.absenceNanos(), this::start);
        }
    }

    @Override
    public void received(SimulatedSession from, byte[] frame) {
        if (from == session && paused()) {
            later(pausedUntil - site.now() + 1, () -> received(from, frame));
        } else if (from == session) {
            try {
                handle(new AgentEvent.Received(ManagerFrame.parseFrom(frame)));
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalStateException("a manager sent what is no frame", e);
            }
        }
    }

    @Override
    public void ended(SimulatedSession ended, String why) {
        if (ended == session && paused()) {
            later(pausedUntil - site.now() + 1, () -> ended(ended, why));
        } else if (ended == session) {
            session = null;
            serving = false;
            handle(new AgentEvent.Disconnected(why));
        }
    }
}
