package io.dmodc.agent;

import io.dmodc.agent.AgentCore.Identity;
import io.dmodc.agent.plane.ForwardingPlane;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.agent.plane.PortState;
import io.dmodc.settings.process.HaltOnDefect;
import io.dmodc.southbound.Guids;
import io.dmodc.southbound.TableVersion;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running agent: performs what {@link AgentCore} decides, on one event loop of a group. Its place in the heartbeat
 * ring is on an event loop of another group.
 *
 * <p>It has no thread of its own; a thousand agents share a group of a few loops, and a few threads that wait for planes;
 * each costs two sockets and some kilobytes besides its table. Methods may be called from any thread except {@link #start}, which waits for its socket
 * and must not be called on an event loop.
 */
public final class Agent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);

    private final AgentConfig config;
    private final ForwardingPlane plane;
    private final EventLoop loop;
    private final DetectorHost detector;
    private final AgentCore core;
    private final PortChangeQueue portNews;
    private final @Nullable LinkHost links;

    private volatile TableVersion revokedBelow = TableVersion.NONE;
    private @Nullable Session session;
    private boolean ended;

    private Agent(AgentConfig config, ForwardingPlane plane, EventLoop loop) {
        this.config = config;
        this.plane = plane;
        this.loop = loop;
        detector = DetectorHost.open(config.ring(), plane.guid(), config.incarnation(), this::tellLoop);
        Identity identity = new Identity(plane.guid(), plane.name(), plane.portCount(), detector.endpoint());
        portNews = new PortChangeQueue(this::onLoop, this::portsChanged);
        links = LinkHost.open(loop, plane, config.hello(), config.seed(), portNews);
        core = new AgentCore(identity, config.incarnation(), plane.installed(), new SplittableRandom(config.seed()));
    }

    /**
     * Starts an agent: from now on it connects, again and again, until it is closed.
     *
     * @param group made by {@link io.dmodc.southbound.Transport#group}; stays the caller's
     * @throws java.io.UncheckedIOException when the detector's address cannot be bound
     */
    public static Agent start(AgentConfig config, ForwardingPlane plane, EventLoopGroup group) {
        Agent agent = new Agent(config, plane, group.next());
        plane.listen(agent.portNews);
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
            plane.ports().forEach(links::see);
        }
    }

    private void portsChanged(BitSet numbers) {
        handle(new AgentEvent.PortsChanged(numbers.stream().mapToObj(this::port).toList()));
    }

    private PortState port(int number) {
        PortState state = plane.portState(number);
        return links == null ? state : links.see(state);
    }

    private List<PortState> ports() {
        return IntStream.rangeClosed(1, plane.portCount()).mapToObj(this::port).toList();
    }

    /** Tells the manager how all ports are, as if it had asked. */
    public void refresh() {
        onLoop(() -> handle(new AgentEvent.PortsRead(ports())));
    }

    /**
     * From the ring's event loop, where news is bounded by the members, each once per incarnation; and from the plane's
     * thread, where there is one table at a time.
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
            PlaneThreads.run(() -> tellLoop(install(install)));
        } else if (effect instanceof AgentEffect.OverdueAfter after) {
            later(after.nanos(), new AgentEvent.InstallOverdue(after.version()));
        } else if (effect instanceof AgentEffect.DecodeMembership decode) {
            handle(SharedMemberships.ofProcess().decode(decode.bytes(), decode.held()));
        } else if (effect instanceof AgentEffect.JoinRing join) {
            detector.join(join.ring(), join.ownSlot());
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

    /** Not on the event loop. Whatever a plane throws is answered, so that the next table finds the agent ready for it. */
    private AgentEvent install(AgentEffect.Install install) {
        TableVersion version = install.table().version();
        try {
            plane.install(install.table());
            return new AgentEvent.Installed(version);
        } catch (PlaneException e) {
            return new AgentEvent.InstallFailed(version, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("switch {}: defect: the plane did not take table {}", Guids.text(plane.guid()), version, e);
            return new AgentEvent.InstallFailed(version, ThrownText.line(e));
        } catch (Error e) {
            HaltOnDefect.hand(e);
            return new AgentEvent.InstallFailed(version, ThrownText.line(e));
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
        plane.listen(number -> {});
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
