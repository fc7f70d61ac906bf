package io.dmodc.agent;

import io.dmodc.agent.AgentCore.Identity;
import io.dmodc.agent.plane.ForwardingPlane;
import io.dmodc.agent.plane.HelloState;
import io.dmodc.agent.plane.InstallProgress;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.agent.plane.PlaneListener;
import io.dmodc.agent.plane.PortState;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.detector.net.RingKey;
import io.dmodc.settings.process.HaltOnDefect;
import io.dmodc.southbound.Guids;
import io.dmodc.southbound.TableVersion;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.security.SecureRandom;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running agent: performs what {@link AgentCore} decides, on one event loop of a group. Its place in the heartbeat
 * ring is on an event loop of another group.
 *
 * <p>It has no thread of its own; a thousand agents share a group of a few loops;
 * each costs two sockets and some kilobytes besides its table. Methods may be called from any thread except {@link #start}, which waits for its socket
 * and must not be called on an event loop.
 */
public final class Agent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

    /** Numbers that nobody guesses. */
    private static final SecureRandom CHANCE = new SecureRandom();

    private final AgentConfig config;
    private final ForwardingPlane plane;
    private final EventLoop loop;
    private final DetectorHost detector;
    private final AgentCore core;
    private final PortChangeQueue portNews;
    private final @Nullable LinkHost links;
    private final @Nullable TransitHost transits;

    /** Ports that the plane was told not to be usable; on the loop alone. */
    private final BitSet unusable = new BitSet();

    /** Ports that the plane was told of at all. */
    private final BitSet judged = new BitSet();

    private volatile TableVersion revokedBelow = TableVersion.NONE;
    private @Nullable Session session;
    private boolean ended;

    private Agent(AgentConfig config, ForwardingPlane plane, EventLoop loop) {
        this.config = config;
        this.plane = plane;
        this.loop = loop;
        detector = DetectorHost.open(config.ring(), plane.guid(), config.incarnation(), this::tellLoop);
        portNews = new PortChangeQueue(this::onLoop, this::portsChanged);
        links = LinkHost.open(loop, plane, config.hello(), config.seed(), portNews);
        transits = TransitHost.open(loop, plane, config.hello(), CHANCE, this::handle);
        Identity identity =
                new Identity(plane.guid(), plane.name(), plane.portCount(), detector.endpoint(), transits != null);
        core = new AgentCore(identity, config.incarnation(), plane.capabilities(), new SplittableRandom(config.seed()));
    }

    /**
     * Starts an agent: from now on it connects, again and again, until it is closed.
     *
     * @param group made by {@link io.dmodc.southbound.Transport#group}; stays the caller's
     * @throws java.io.UncheckedIOException when the detector's address cannot be bound
     */
    public static Agent start(AgentConfig config, ForwardingPlane plane, EventLoopGroup group) {
        Agent agent = new Agent(config, plane, group.next());
        plane.listen(agent.new PlaneEars());
        agent.onLoop(() -> {
            agent.startHellos();
            agent.handle(new AgentEvent.ConnectDue());
        });
        return agent;
    }

    /** Returns the identity of the switch it speaks for. */
    public long guid() {
        return plane.guid();
    }

    /** Returns the version below which its switch takes no table any more, because the ring said so. */
    public TableVersion revokedBelow() {
        return revokedBelow;
    }

    /** Without waiting for a manager: the neighbours want to hear this end. */
    private void startHellos() {
        if (links != null) {
            ports();
        }
    }

    private void portsChanged(BitSet numbers) {
        handle(new AgentEvent.PortsChanged(numbers.stream().mapToObj(this::port).toList()));
    }

    private PortState port(int number) {
        PortState state = plane.portState(number);
        PortState told = links == null ? state : links.see(state);
        tellUsable(told);
        return told;
    }

    /** While a handshake is under way the port is what it was: one that comes back is used when both ends hear each other. */
    private void tellUsable(PortState port) {
        boolean undecided = port.up() && port.hello() == HelloState.PENDING;
        boolean usable = port.up() && port.hello() != HelloState.LOST;
        boolean news = !judged.get(port.number()) || unusable.get(port.number()) == usable;
        if (!undecided && news) {
            judged.set(port.number());
            unusable.set(port.number(), !usable);
            plane.portUsable(port.number(), usable);
        }
    }

    private List<PortState> ports() {
        return IntStream.rangeClosed(1, plane.portCount()).mapToObj(this::port).toList();
    }

    /** Tells the manager how all ports are, as if it had asked. */
    public void refresh() {
        onLoop(() -> handle(new AgentEvent.PortsRead(ports())));
    }

    /** Speaks in the ring under this key from now on, and believes whom it accepts; without a place there, does nothing. */
    public void useRingKey(RingKey key) {
        detector.use(key);
    }

    /**
     * From the ring's event loop, where news is bounded by the members, each once per incarnation; and from the plane's
     * threads, which are asked one thing at a time.
     */
    private void tellLoop(AgentEvent event) {
        onLoop(() -> handle(event));
    }

    /**
     * Decides and acts. An event loop would swallow a mistake, and an agent that lost its next timer would look alive and do
     * nothing: it ends with the process that has a handler for that, and its switch forwards on.
     */
    private void handle(AgentEvent event) {
        HaltOnDefect.guarding(() -> decide(event)).run();
    }

    private void decide(AgentEvent event) {
        if (ended) {
            return;
        }
        if (event instanceof AgentEvent.IncarnationRaised raised) {
            config.incarnationRaised().accept(raised.incarnation());
        }
        core.step(event).forEach(this::perform);
        revokedBelow = core.revokedBelow();
        if (session != null) {
            session.flush();
        }
    }

    void perform(AgentEffect effect) {
        if (effect instanceof AgentEffect.Send send) {
            session().write(send.frame());
        } else if (effect instanceof AgentEffect.Connect) {
            session = Session.open(loop, config, this::handle);
        } else if (effect instanceof AgentEffect.ConnectAfter after) {
            later(after.nanos(), new AgentEvent.ConnectDue());
        } else if (effect instanceof AgentEffect.Disconnect end) {
            session().close(end.why());
        } else if (effect instanceof AgentEffect.Greeted greeted) {
            session().greeted(greeted.keepAliveMillis());
        } else if (effect instanceof AgentEffect.ReadPorts read) {
            handle(
                    read.numbers().isEmpty()
                            ? new AgentEvent.PortsRead(ports())
                            : new AgentEvent.PortsChanged(
                                    read.numbers().stream().map(this::port).toList()));
        } else if (effect instanceof AgentEffect.Install install) {
            install(install.change());
        } else if (effect instanceof AgentEffect.ReadTable) {
            readTable();
        } else if (effect instanceof AgentEffect.ProgressDueAfter after) {
            later(after.nanos(), new AgentEvent.ProgressDue());
        } else if (effect instanceof AgentEffect.PlaneDueAfter after) {
            later(after.nanos(), new AgentEvent.PlaneDue());
        } else if (effect instanceof AgentEffect.OverdueAfter after) {
            later(after.nanos(), new AgentEvent.InstallOverdue(after.version()));
        } else if (effect instanceof AgentEffect.DecodeMembership decode) {
            handle(SharedMemberships.ofProcess().decode(decode.bytes(), decode.held()));
        } else if (effect instanceof AgentEffect.JoinRing join) {
            detector.join(join.ring(), join.ownSlot());
        } else if (effect instanceof AgentEffect.AskThrough asked) {
            askThrough(asked);
        } else if (effect instanceof AgentEffect.RetryAfter after) {
            later(after.nanos(), new AgentEvent.RetryDue());
        } else if (effect instanceof AgentEffect.Note note) {
            tell(note);
        } else {
            throw new IllegalStateException("nobody performs effects of " + effect.getClass());
        }
    }

    private Session session() {
        if (session == null) {
            throw new IllegalStateException("the core speaks before it connected");
        }
        return session;
    }

    private void later(long nanos, AgentEvent event) {
        loop.schedule(() -> handle(event), nanos, TimeUnit.NANOSECONDS);
    }

    private void askThrough(AgentEffect.AskThrough asked) {
        if (transits == null) {
            handle(new AgentEvent.AskedThrough(asked.number(), 0, 0));
        } else {
            transits.ask(asked);
        }
    }

    /** Whatever a plane throws, at once or later, is answered, so that the next table finds the agent ready for it. */
    private void install(TableChange change) {
        TableVersion version = change.table().version();
        Progress progress = new Progress(version);
        asked(() -> plane.install(change, progress))
                .whenComplete((done, failure) -> tellLoop(
                        failure == null
                                ? new AgentEvent.Installed(version)
                                : new AgentEvent.InstallFailed(
                                        version, why(failure, "did not take table " + version))));
    }

    private void readTable() {
        asked(plane::readBack)
                .whenComplete((table, failure) -> tellLoop(
                        failure == null && table != null
                                ? new AgentEvent.TableRead(table)
                                : new AgentEvent.ReadFailed(why(failure, "was not read"))));
    }

    private static <T> CompletionStage<T> asked(Supplier<CompletionStage<T>> question) {
        try {
            return question.get();
        } catch (Throwable e) {
            return CompletableFuture.failedStage(e);
        }
    }

    private String why(@Nullable Throwable failure, String what) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause == null) {
            return "the plane answered nothing";
        }
        if (cause instanceof PlaneException) {
            return String.valueOf(cause.getMessage());
        }
        if (cause instanceof Error) {
            HaltOnDefect.hand(cause);
        } else {
            LOG.error("switch {}: defect: the plane {}", Guids.text(plane.guid()), what, cause);
        }
        return ThrownText.line(cause);
    }

    /** Hands the newest progress to the loop: a plane that tells faster than the loop looks fills no queue. */
    private final class Progress implements InstallProgress {
        private final TableVersion version;
        private final AtomicReference<AgentEvent.@Nullable InstallProgressed> newest = new AtomicReference<>();

        Progress(TableVersion version) {
            this.version = version;
        }

        @Override
        public void written(int done, int total) {
            if (newest.getAndSet(new AgentEvent.InstallProgressed(version, done, total)) == null) {
                onLoop(() -> handle(Objects.requireNonNull(newest.getAndSet(null))));
            }
        }
    }

    /** What the switch does by itself, told the loop once until it looked. */
    private final class PlaneEars implements PlaneListener {
        private final AtomicBoolean lost = new AtomicBoolean();

        @Override
        public void portChanged(int number) {
            portNews.accept(number);
        }

        @Override
        public void portSilent(int number) {
            if (links != null) {
                links.condemn(number);
            }
        }

        @Override
        public void repaired(int number, int moved, int stranded) {
            onLoop(() -> handle(new AgentEvent.Repaired(number, moved, stranded)));
        }

        @Override
        public void tableLost() {
            if (lost.compareAndSet(false, true)) {
                onLoop(() -> {
                    lost.set(false);
                    handle(new AgentEvent.TableLost());
                });
            }
        }
    }

    private void tell(AgentEffect.Note note) {
        LOG.atLevel(note.warning() ? org.slf4j.event.Level.WARN : org.slf4j.event.Level.INFO)
                .log("switch {}: {}", Guids.text(plane.guid()), note.text());
    }

    /**
     * Hangs from now on: neither speaks nor listens, and closes nothing, so that nobody is told. The switch forwards
     * on.
     */
    public void silence() {
        onLoop(() -> {
            ended = true;
            detector.pause();
            endHellos();
            if (session != null) {
                session.deafen();
            }
        });
    }

    /** Ends in an orderly way and waits for it, unless called on an event loop. The switch keeps its table. */
    @Override
    public void close() {
        end(false);
    }

    /** Drops all sockets at once, as a crash does, and waits for it, unless called on an event loop. */
    public void kill() {
        end(true);
    }

    private void end(boolean abruptly) {
        plane.listen(PlaneListener.NOBODY);
        CompletableFuture<Void> closed = new CompletableFuture<>();
        boolean running = onLoop(() -> {
            ended = true;
            endHellos();
            if (session == null) {
                closed.complete(null);
            } else {
                session.abandon(abruptly).addListener(done -> closed.complete(null));
            }
        });
        if (running && !loop.inEventLoop()) {
            closed.join();
        }
        detector.close();
    }

    private void endHellos() {
        if (links != null) {
            links.end();
        }
        if (transits != null) {
            transits.end();
        }
    }

    boolean onLoop(Runnable work) {
        try {
            loop.execute(HaltOnDefect.guarding(work));
            return true;
        } catch (RejectedExecutionException loopHasEnded) {
            // The end of the loop has closed its channels.
            return false;
        }
    }
}
