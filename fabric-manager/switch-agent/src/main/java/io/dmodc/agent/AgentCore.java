package io.dmodc.agent;

import io.dmodc.agent.AgentEffect.AskThrough;
import io.dmodc.agent.AgentEffect.Connect;
import io.dmodc.agent.AgentEffect.ConnectAfter;
import io.dmodc.agent.AgentEffect.DecodeMembership;
import io.dmodc.agent.AgentEffect.Disconnect;
import io.dmodc.agent.AgentEffect.Greeted;
import io.dmodc.agent.AgentEffect.JoinRing;
import io.dmodc.agent.AgentEffect.Note;
import io.dmodc.agent.AgentEffect.OverdueAfter;
import io.dmodc.agent.AgentEffect.ReadPorts;
import io.dmodc.agent.AgentEffect.Send;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.PlaneCapabilities;
import io.dmodc.agent.plane.PortState;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.AlternativesCodec;
import io.dmodc.southbound.BoundedText;
import io.dmodc.southbound.Guids;
import io.dmodc.southbound.ManagerCheck;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableCodec;
import io.dmodc.southbound.TableRefusedException;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Destinations;
import io.dmodc.southbound.proto.Endpoint;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.PortQuery;
import io.dmodc.southbound.proto.PortSetTable;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.TablePush;
import io.dmodc.southbound.proto.TableRefusal;
import io.dmodc.southbound.proto.TransitQuery;
import io.dmodc.southbound.proto.Welcome;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * All decisions of an agent, as a step: the same state and event give the same effects.
 *
 * <p>A session is CONNECTING, then GREETING until the Welcome, then SERVING. Whatever ends it, the agent tries again
 * for ever, ever more slowly, and the switch keeps the table it has. A Hello says what is in force, so none is sent while a table is
 * on its way there, except after {@link #INSTALL_PATIENCE_NANOS} without progress, nor while it is not known what is in force; what comes into force later is told in that session. What must not get lost waits here, bounded: the
 * last state of each changed port, and what was repaired there, while the connection takes no bytes, and {@value FaultQueue#MAX_REPORTS} fault
 * reports until the manager acknowledges them, across sessions.
 *
 * <p>Not thread-safe: one event at a time. Memory is O(ports) besides the table.
 */
public final class AgentCore {
    /** So long a new session waits for a table that is on its way into force, since it could not be said what the switch holds. */
    public static final long INSTALL_PATIENCE_NANOS = 10_000_000_000L;

    /** So much is asked through neighbours at a time. */
    static final int QUESTIONS_MAX = 64;

    /** A plane that tells its progress is waited for so many times as long, while that grows. */
    static final int INSTALL_PATIENCES_MAX = 6;

    private enum State {
        OFFLINE,
        CONNECTING,
        GREETING,
        SERVING
    }

    /**
     * Who the agent speaks for.
     *
     * @param guid of the switch
     * @param name for people, at most 64 bytes
     * @param portCount 1..254
     * @param detector where it receives heartbeats, as the Hello says it
     * @param transitHellos whether hellos through its neighbours can be sent, answered and forwarded
     */
    public record Identity(long guid, String name, int portCount, Endpoint detector, boolean transitHellos) {}

    private final Identity identity;
    private final PlaneCapabilities plane;
    private final Backoff backoff;
    private final TableInstaller tables;
    private final DestinationMap destinations = new DestinationMap();
    private final FaultReporting faults;
    private final Map<Integer, PortState> unsentPorts = new TreeMap<>();
    private final List<AgentEffect> effects = new ArrayList<>();

    /** Numbers of what the manager of this session asks through neighbours and was not told yet. */
    private final Set<Long> questions = new HashSet<>();

    /** Those that are being asked yet, for managers of earlier sessions, too. */
    private final Set<Long> questionsUnderWay = new HashSet<>();

    private State state = State.OFFLINE;
    private int incarnation;

    /** It is time to connect, but for what the plane is doing. */
    private boolean awaitingPlane;

    /** How often it was waited for since then, and how far it had come the last time. */
    private int patiences;

    private int writtenBefore;

    /** This table is on its way into force and was waited for long enough; null: none was. */
    private @Nullable TableVersion overdue;

    /** What to say right after the Welcome, because the Hello is not true any more; null: it is. */
    private @Nullable AgentFrame outdatedHello;

    private long leaderEpoch;

    /** Older tables were revoked. */
    private TableVersion floor = TableVersion.NONE;

    private long membershipEpoch;

    /** What differences stand on: the newest ring told, with or without a place for this agent. */
    private @Nullable RingMembership held;

    private long portSequence;
    private boolean writable;

    /** What the switch does for dead ports by itself, by port. */
    private final Map<Integer, AgentEvent.Repaired> repairs = new TreeMap<>();

    /** Those of which the manager of this session is to be told yet. */
    private final Map<Integer, AgentEvent.Repaired> unsentRepairs = new TreeMap<>();

    /** The manager of this session wants to know of it. */
    private boolean repairsTaken;

    /**
     * Starts offline; the first event is {@code ConnectDue}.
     *
     * @param incarnation of this start of the agent, unsigned
     * @param plane what the switch's plane can do
     * @param random spreads the waits between attempts
     */
    public AgentCore(Identity identity, int incarnation, PlaneCapabilities plane, RandomGenerator random) {
        this.identity = identity;
        this.incarnation = incarnation;
        this.plane = plane;
        this.backoff = new Backoff(random);
        tables = new TableInstaller(plane, new TableOutcome());
        faults = new FaultReporting(identity.guid(), new ReportConnection());
    }

    /** Takes one event and returns what to do, in this order. Events that no longer matter have no effects. */
    public List<AgentEffect> step(AgentEvent event) {
        effects.clear();
        dispatch(event);
        return List.copyOf(effects);
    }

    private void dispatch(AgentEvent event) {
        if (event instanceof AgentEvent.ConnectDue) {
            connect();
        } else if (event instanceof AgentEvent.Connected) {
            greet();
        } else if (event instanceof AgentEvent.Disconnected end) {
            disconnected(end.why());
        } else if (event instanceof AgentEvent.Received received) {
            receive(received.frame());
        } else if (event instanceof AgentEvent.Writable change) {
            writable(change.now());
        } else if (event instanceof AgentEvent.PortsChanged change) {
            portsChanged(change.ports());
        } else if (event instanceof AgentEvent.PortsRead read) {
            reportAll(read.ports());
        } else if (event instanceof AgentEvent.MembershipDecoded decoded) {
            join(decoded.ring());
        } else if (event instanceof AgentEvent.MembershipRefused refused) {
            membershipRefused(refused);
        } else if (event instanceof AgentEvent.Installed done) {
            tables.installed(done.version());
        } else if (event instanceof AgentEvent.InstallFailed failed) {
            tables.failed(failed.version(), failed.why());
        } else if (event instanceof AgentEvent.InstallProgressed progress) {
            tables.progressed(progress.version(), progress.done(), progress.total());
        } else if (event instanceof AgentEvent.ProgressDue) {
            tables.progressDue();
        } else if (event instanceof AgentEvent.TableRead read) {
            tables.read(read.table());
        } else if (event instanceof AgentEvent.ReadFailed failed) {
            tables.readFailed(failed.why());
        } else if (event instanceof AgentEvent.TableLost) {
            tables.mayBeLost();
        } else if (event instanceof AgentEvent.PlaneDue) {
            tables.planeDue();
        } else if (event instanceof AgentEvent.InstallOverdue overdue) {
            installOverdue(overdue.version());
        } else if (event instanceof AgentEvent.Repaired news) {
            repaired(news);
        } else if (event instanceof AgentEvent.AskedThrough news) {
            askedThrough(news);
        } else if (event instanceof AgentEvent.RingNews news) {
            faults.report(news.report());
        } else if (event instanceof AgentEvent.RingDeaf news) {
            hears(news.deaf());
        } else if (event instanceof AgentEvent.IncarnationRaised raised) {
            incarnation = raised.incarnation();
        } else if (event instanceof AgentEvent.Revoked revoked) {
            revoked(revoked.below());
        } else if (event instanceof AgentEvent.RetryDue) {
            faults.retryDue();
        } else {
            throw new IllegalStateException("nobody takes events of " + event.getClass());
        }
    }

    private void connect() {
        if (state != State.OFFLINE) {
            return;
        }
        TableVersion underWay = tables.underWay();
        if (tables.known() && (underWay == null || underWay.equals(overdue))) {
            awaitingPlane = false;
            leaderEpoch = Math.max(leaderEpoch, tables.installed().version().leaderEpoch());
            state = State.CONNECTING;
            effects.add(new Connect());
        } else if (!awaitingPlane) {
            awaitingPlane = true;
            patiences = 0;
            awaitPlane(underWay == null ? TableVersion.NONE : underWay);
            tables.start();
        }
    }

    private void awaitPlane(TableVersion underWay) {
        patiences++;
        writtenBefore = tables.written();
        effects.add(new OverdueAfter(INSTALL_PATIENCE_NANOS, underWay));
    }

    private void installOverdue(TableVersion version) {
        if (awaitingPlane && !tables.known()) {
            note(true, "the plane has still not said what the switch forwards with; does not connect before");
        } else if (awaitingPlane && version.equals(tables.underWay())) {
            if (tables.written() > writtenBefore && patiences < INSTALL_PATIENCES_MAX) {
                awaitPlane(version);
                return;
            }
            overdue = version;
            note(
                    true,
                    "table " + version + " is still not in force; connects with "
                            + tables.installed().version());
            connect();
        }
    }

    private void greet() {
        if (state != State.CONNECTING) {
            return;
        }
        state = State.GREETING;
        outdatedHello = null;
        destinations.dropUnfinished();
        writable = true;
        portSequence = 0;
        send(AgentFrame.newBuilder()
                .setHello(Hello.newBuilder()
                        .setProtocolMin(SouthboundProtocol.VERSION_MIN)
                        .setProtocolMax(SouthboundProtocol.VERSION_MAX)
                        .setSwitchGuid(identity.guid())
                        .setName(identity.name())
                        .setPortCount(identity.portCount())
                        .setIncarnation(incarnation)
                        .setTable(FrameBuilder.state(tables.installed()))
                        .setDetector(identity.detector())
                        .setLeaderEpoch(leaderEpoch)
                        .setMembershipDifferences(true)
                        .setMembershipEpoch(held == null ? 0 : held.slots().epoch())
                        .setDestinations(plane.destinations())
                        .setDestinationsDigest(destinations.digest())
                        .setAlternatives(plane.alternatives())
                        .setAlternativesDigest(tables.alternatives().digest())
                        .setTransitHellos(identity.transitHellos()))
                .build());
    }

    private void disconnected(String why) {
        if (state == State.OFFLINE) {
            return;
        }
        state = State.OFFLINE;
        writable = false;
        unsentPorts.clear();
        unsentRepairs.clear();
        questions.clear();
        tables.sessionEnded();
        long wait = backoff.nextNanos();
        note(
                true,
                "no session: " + why + "; table " + tables.installed().version() + " stays, next attempt in "
                        + wait / 1_000_000 + " ms");
        effects.add(new ConnectAfter(wait));
    }

    private void receive(ManagerFrame frame) {
        if (state == State.GREETING) {
            switch (frame.getBodyCase()) {
                case WELCOME -> welcome(frame.getWelcome());
                case REFUSAL -> refused(frame.getRefusal());
                default -> breakOff(frame.getBodyCase() + " before Welcome");
            }
        } else if (state == State.SERVING) {
            switch (frame.getBodyCase()) {
                case REFUSAL -> refused(frame.getRefusal());
                case MEMBERSHIP -> effects.add(new DecodeMembership(frame.getMembership(), held));
                case TABLE_PUSH -> take(frame.getTablePush());
                case DESTINATIONS -> learn(frame.getDestinations());
                case PORT_QUERY -> query(frame.getPortQuery());
                case TRANSIT_QUERY -> askThrough(frame.getTransitQuery());
                case FAULT_ACK -> faults.acknowledged(frame.getFaultAck().getSequence());
                case WELCOME -> breakOff("a second Welcome");
                case KEEP_ALIVE, BODY_NOT_SET -> {}
            }
        }
    }

    private void welcome(Welcome welcome) {
        Optional<String> wrong = ManagerCheck.invalid(welcome);
        if (wrong.isPresent()) {
            breakOff(wrong.get());
        } else if (welcome.getLeaderEpoch() < leaderEpoch) {
            breakOff("manager has leader epoch " + welcome.getLeaderEpoch() + ", this switch obeyed " + leaderEpoch);
        } else {
            state = State.SERVING;
            leaderEpoch = welcome.getLeaderEpoch();
            backoff.reset();
            effects.add(new Greeted(welcome.getKeepAliveMillis()));
            note(false, "in session with the manager of leader epoch " + leaderEpoch);
            effects.add(new ReadPorts(List.of()));
            if (outdatedHello != null) {
                send(outdatedHello);
            }
            faults.sessionBegan(welcome.getHearingReports(), incarnation);
            repairsTaken = welcome.getRepairReports();
            if (repairsTaken) {
                unsentRepairs.putAll(repairs);
                sendRepairs();
            }
        }
    }

    private void query(PortQuery query) {
        List<Integer> asked = query.getPortsList().stream()
                .filter(number -> number >= 1 && number <= identity.portCount())
                .toList();
        if (query.getPortsCount() == 0 || !asked.isEmpty()) {
            effects.add(new ReadPorts(asked));
        }
    }

    /** One that cannot be put is answered with nothing sent: the manager asks somebody else. */
    private void askThrough(TransitQuery query) {
        AskThrough asked = new AskThrough(query.getNumber(), query.getPort(), query.getThere(), query.getBack());
        boolean can = questionsUnderWay.size() < QUESTIONS_MAX
                && asked.port() >= 1
                && asked.port() <= identity.portCount()
                && isIndex(asked.there())
                && isIndex(asked.back());
        if (can && questionsUnderWay.add(asked.number())) {
            questions.add(asked.number());
            effects.add(asked);
        } else {
            send(FrameBuilder.askedThrough(asked.number(), 0, 0));
        }
    }

    private static boolean isIndex(int destination) {
        return destination >= 0 && destination < SouthboundProtocol.MAX_ENTRIES;
    }

    private void askedThrough(AgentEvent.AskedThrough news) {
        questionsUnderWay.remove(news.number());
        if (questions.remove(news.number())) {
            send(FrameBuilder.askedThrough(news.number(), news.sent(), news.answered()));
        }
    }

    /** What holds now counts, so a session begins with it and what was over before is never told. */
    private void repaired(AgentEvent.Repaired news) {
        boolean over = news.moved() == 0 && news.stranded() == 0;
        AgentEvent.Repaired before = over ? repairs.remove(news.port()) : repairs.put(news.port(), news);
        if (state == State.SERVING && repairsTaken && (!over || before != null)) {
            unsentRepairs.put(news.port(), news);
            sendRepairs();
        }
    }

    private void sendRepairs() {
        if (writable) {
            unsentRepairs.values().forEach(repair -> send(FrameBuilder.repaired(repair)));
            unsentRepairs.clear();
        }
    }

    private void refused(Refusal refusal) {
        switch (refusal.getReason()) {
            case GARBAGE, OVERSIZE, WRONG_VERSION, INVALID_HELLO, INVALID_REPORT, NOT_ACKNOWLEDGING ->
                backoff.giveWay();
            default -> {
                // Passing states of the manager or of an older session: the usual wait is right.
            }
        }
        breakOff("refused, " + refusal.getReason() + ": " + BoundedText.shown(refusal.getText()));
    }

    private void breakOff(String why) {
        effects.add(new Disconnect(why));
    }

    /** A session begins with a whole membership for an agent that holds none: the way back into step. */
    private void membershipRefused(AgentEvent.MembershipRefused refused) {
        note(true, "ignored: " + refused.why());
        if (refused.outOfStep()) {
            held = null;
            breakOff("needs the whole membership");
        }
    }

    private void join(RingMembership ring) {
        if (held == null || ring.slots().epoch() > held.slots().epoch()) {
            held = ring;
        }
        int ownSlot = ring.slots().slotOf(identity.guid());
        if (ownSlot < 0) {
            note(true, "ignored: " + ring.slots() + " without " + Guids.text(identity.guid()));
        } else if (ring.slots().epoch() > membershipEpoch) {
            membershipEpoch = ring.slots().epoch();
            effects.add(new JoinRing(ring, ownSlot));
        }
    }

    /** Alternatives are differences that nobody repeats: those of a revoked epoch are taken, and say themselves with which routes they go. */
    private void take(TablePush push) {
        TableVersion version = FrameBuilder.version(push);
        Optional<PortSetTable> alternatives = TableCodec.alternatives(push);
        Optional<String> wrong = ManagerCheck.invalid(push);
        if (wrong.isPresent()) {
            refuse(version, TableRefusal.Reason.MALFORMED, wrong.get());
        } else if (version.leaderEpoch() < leaderEpoch) {
            refuse(version, TableRefusal.Reason.OLD_LEADER, "this switch obeys leader epoch " + leaderEpoch);
        } else if (version.compareTo(floor) < 0 && alternatives.isEmpty()) {
            refuse(version, TableRefusal.Reason.REVOKED, "tables below " + floor + " are revoked");
        } else {
            leaderEpoch = version.leaderEpoch();
            if (alternatives.isPresent()) {
                learn(alternatives.get());
            } else {
                tables.take(push);
            }
        }
    }

    /** As with destinations: what was not asked for, or does not fit, ends the session, and all is told again in the next. */
    private void learn(PortSetTable told) {
        String wrong = "unasked alternatives";
        if (plane.alternatives()) {
            try {
                tables.alternatives(AlternativesCodec.apply(told, tables.alternatives()));
                return;
            } catch (TableRefusedException e) {
                wrong = e.getMessage() + "; needs all of them";
                tables.alternatives(Alternatives.NONE);
            }
        }
        backoff.giveWay();
        breakOff(wrong);
    }

    /** A manager that is not asked for them may not say what indices stand for; one whose word does not fit says it all again. */
    private void learn(Destinations told) {
        Optional<String> wrong =
                plane.destinations() ? ManagerCheck.invalid(told) : Optional.of("unasked destinations");
        if (wrong.isPresent()) {
            destinations.forget();
            backoff.giveWay();
            breakOff(wrong.get());
            return;
        }
        try {
            BitSet changed = destinations.take(told);
            if (changed != null) {
                tables.renamed(destinations.held(), changed);
            }
        } catch (DestinationMap.MismatchException e) {
            backoff.giveWay();
            breakOff(e.getMessage() + "; needs all of them");
        }
    }

    /**
     * Whoever leads under this leader epoch is obeyed from now on, before there is a session with him; the table in
     * force stays. Kept as long as this agent runs: the ring tells it again to one that starts. What no manager says, or
     * is far above all that was heard of, is not believed: it would lock every manager out until this agent starts again.
     */
    private void revoked(TableVersion below) {
        if (!below.isInRange() || below.leaderEpoch() - leaderEpoch > SouthboundProtocol.LEADER_STEP_MAX) {
            note(
                    true,
                    "the ring revokes tables below " + below + ", this switch obeys leader epoch " + leaderEpoch
                            + ": not believed");
        } else if (below.compareTo(floor) > 0) {
            floor = below;
            leaderEpoch = Math.max(leaderEpoch, below.leaderEpoch());
            note(false, "tables below " + below + " are revoked");
        }
    }

    private void refuse(TableVersion version, TableRefusal.Reason reason, String why) {
        refuse(version, reason, why, new BitSet());
    }

    private void refuse(TableVersion version, TableRefusal.Reason reason, String why, BitSet untaken) {
        String text = BoundedText.cut(why);
        note(true, "table " + version + " refused, " + reason + ": " + text);
        send(FrameBuilder.refuse(version, reason, text, tables.installed(), untaken));
    }

    /** What the plane did, told the manager. */
    private final class TableOutcome implements TableInstaller.Outcome {
        @Override
        public void effect(AgentEffect effect) {
            effects.add(effect);
        }

        @Override
        public void tookIt() {
            tell(FrameBuilder.acknowledge(tables.installed()));
        }

        @Override
        public void refused(TableVersion version, TableRefusal.Reason reason, String why, BitSet untaken) {
            refuse(version, reason, why, untaken);
        }

        @Override
        public void lost() {
            tell(FrameBuilder.lost(tables.installed()));
        }

        /** Before the Welcome it would come too early, and right after it would be too late. */
        private void tell(AgentFrame inForce) {
            outdatedHello = state == State.GREETING ? inForce : null;
            send(inForce);
        }

        @Override
        public void progress(TableVersion version, int done, int total) {
            send(FrameBuilder.progress(version, done, total));
        }

        @Override
        public void takeAgain(TablePush push) {
            take(push);
        }

        @Override
        public void note(boolean warning, String text) {
            AgentCore.this.note(warning, text);
        }

        @Override
        public void idle() {
            if (awaitingPlane) {
                connect();
            }
        }
    }

    /** How fault reports leave. */
    private final class ReportConnection implements FaultReporting.Connection {
        @Override
        public boolean serving() {
            return state == State.SERVING;
        }

        @Override
        public boolean writable() {
            return writable;
        }

        @Override
        public void send(AgentFrame frame) {
            AgentCore.this.send(frame);
        }

        @Override
        public void effect(AgentEffect effect) {
            effects.add(effect);
        }
    }

    private void portsChanged(List<PortState> ports) {
        if (state == State.SERVING) {
            ports.forEach(port -> unsentPorts.put(port.number(), port));
            sendPorts();
        }
    }

    private void reportAll(List<PortState> ports) {
        if (state == State.SERVING) {
            unsentPorts.clear();
            send(FrameBuilder.report(++portSequence, true, ports));
        }
    }

    private void writable(boolean now) {
        boolean before = writable;
        writable = now;
        if (now && !before && state == State.SERVING) {
            sendPorts();
            sendRepairs();
            faults.writable();
        }
    }

    private void sendPorts() {
        if (writable && !unsentPorts.isEmpty()) {
            send(FrameBuilder.report(++portSequence, false, unsentPorts.values()));
            unsentPorts.clear();
        }
    }

    private void hears(boolean nobody) {
        note(
                nobody,
                nobody
                        ? "the ring hears no heartbeats: is UDP port "
                                + identity.detector().getPort() + " let in? It takes no part until it hears"
                        : "the ring hears heartbeats again");
        faults.hears(nobody, incarnation);
    }

    /** Before the Welcome nothing but the Hello: what a plane finishes meanwhile is told right after it. */
    private void send(AgentFrame frame) {
        if (state == State.SERVING || (state == State.GREETING && frame.hasHello())) {
            effects.add(new Send(frame));
        }
    }

    private void note(boolean warning, String text) {
        effects.add(new Note(warning, text));
    }

    /** Returns the table the agent believes to be in force. */
    public InstalledTable installed() {
        return tables.installed();
    }

    /** Returns the version below which it refuses tables because the ring revoked them. */
    public TableVersion revokedBelow() {
        return floor;
    }

    /** Returns how many fault reports were given up because {@value FaultQueue#MAX_REPORTS} newer ones waited. */
    public long droppedFaults() {
        return faults.dropped();
    }
}
