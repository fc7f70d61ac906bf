package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.encoding.EncodingService;
import io.dmodc.manager.congestion.CongestionHistory;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.loop.ActPlanning;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.southbound.AgentServer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletionException;

/**
 * Serves people and their tools over HTTP: REST, events, metrics, health, the web page. Without passwords; to change something is for
 * clients on this machine ({@link Command}).
 *
 * <p>Bounds: {@value #CONNECTIONS_MAX} connections with {@value #STREAMS_MAX} requests each under way, so at most
 * {@code CONNECTIONS_MAX · STREAMS_MAX} commands wait for the loop, a sixteenth of its queue; one that is not
 * taken in within a second becomes 503; what is only read does not wait for the loop; bodies are a few kilobytes at most. Answers that
 * clients do not read are bounded ({@link UnsentAnswers}, {@link ReadsPaused}), and so is how long they may do so ({@link ConnectionBounds},
 * {@link EventStreams}). Connections on which nothing is asked make room for others ({@link OpenConnections}). Thread-safe.
 */
public final class NorthboundServer implements AutoCloseable {
    static final int CONNECTIONS_MAX = 512;
    static final int STREAMS_MAX = 8;

    private static final int REQUEST_BYTES_MAX = 1024;
    private static final int CLOSE_MILLIS = 500;
    private static final int IO_THREADS = 2;
    private static final int WORKERS = 4;

    static {
        // Answers are packed with gzip. Armeria would unpack Brotli, too, into a directory that stays when the daemon
        // is killed.
        System.setProperty("brotli4j.library.path", "none");
    }

    private record Health(String health) {}

    /**
     * What tests have otherwise.
     *
     * @param answerWithin how long the loop has
     * @param streamKeepAlive how often a stream of events shows that it lives
     * @param takenWithin how long a client may take nothing of what is sent to it: then the kernel closes its connection, where
     *     Netty's native transport loads; a stream of events whose client has HTTP/2 keep them back is ended
     * @param sentWithin how long after it was asked for an answer may be on its way until the connection is closed; not of streams of
     *     events
     * @param unsentBytesMax of lists that clients have not taken; beyond, further ones are refused
     */
    record Limits(
            Duration answerWithin,
            Duration streamKeepAlive,
            Duration takenWithin,
            Duration sentWithin,
            long unsentBytesMax) {
        static final Limits STANDARD = new Limits(
                Duration.ofSeconds(1),
                Duration.ofSeconds(15),
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Runtime.getRuntime().maxMemory() / 16);
    }

    private final LoopClient client;
    private final EventStreams streams;
    private final FabricMetrics metrics;
    private final UnsentAnswers unsent;
    private final OpenConnections connections;
    private final ActsApi acts;
    private final Server server;

    /**
     * Starts listening.
     *
     * @param planning predicts what acts would do, and knows the engine of the settings
     * @throws IOException in one line when the address cannot be listened on
     */
    public NorthboundServer(
            InetSocketAddress listen,
            FabricLoop loop,
            CongestionHistory congestion,
            EventLog eventLog,
            AgentServer agents,
            ActPlanning planning)
            throws IOException {
        this(listen, loop, congestion, eventLog, agents, planning, Limits.STANDARD);
    }

    /** With other limits, for tests. */
    NorthboundServer(
            InetSocketAddress listen,
            FabricLoop loop,
            CongestionHistory congestion,
            EventLog eventLog,
            AgentServer agents,
            ActPlanning planning,
            Limits limits)
            throws IOException {
        client = new LoopClient(loop, limits.answerWithin);
        streams = new EventStreams(eventLog, limits.streamKeepAlive, limits.takenWithin);
        Build build = Build.read();
        unsent = new UnsentAnswers(limits.unsentBytesMax);
        connections = new OpenConnections(CONNECTIONS_MAX, loop::nowNanos);
        metrics = new FabricMetrics(loop, congestion, eventLog, agents, streams, unsent, connections, build.version());
        acts = new ActsApi(client, planning, unsent);
        server = server(listen, congestion, eventLog, build, planning.engine(), limits);
        try {
            server.start().join();
        } catch (CompletionException e) {
            closeParts();
            Throwable cause = Exceptions.peel(e);
            throw cannotListen(listen, cause);
        }
    }

    /**
     * The address can be listened on now. That takes no time, while the server takes a second of the processor before it tries.
     *
     * @throws IOException in one line if it cannot
     */
    public static void requireFree(InetSocketAddress listen) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(listen);
        } catch (IOException e) {
            throw cannotListen(listen, e);
        }
    }

    private static IOException cannotListen(InetSocketAddress listen, Throwable cause) {
        return new IOException("northbound.listen: cannot listen on " + listen + ": " + cause.getMessage(), cause);
    }

    private Server server(
            InetSocketAddress listen,
            CongestionHistory congestion,
            EventLog eventLog,
            Build build,
            String engine,
            Limits limits) {
        var builder = Server.builder()
                .http(listen)
                .workerGroup(new QuickEventLoops(IO_THREADS, "northbound", CLOSE_MILLIS), true)
                .bossGroupFactory(name -> new QuickEventLoops(1, "northbound-accept", CLOSE_MILLIS))
                .blockingTaskExecutor(WORKERS)
                .meterRegistry(NoopMeterRegistry.get())
                // With those that are being closed to make room.
                .maxNumConnections(2 * CONNECTIONS_MAX)
                .http2MaxStreamsPerConnection(STREAMS_MAX)
                .maxRequestLength(REQUEST_BYTES_MAX)
                .childChannelPipelineCustomizer(pipeline -> {
                    ReadsPaused.on(pipeline.channel());
                    connections.accepted(pipeline.channel());
                })
                // With any time at all Armeria waits a whole second for HTTP/1 connections that may be idle.
                .gracefulShutdownTimeout(Duration.ZERO, Duration.ZERO)
                .errorHandler(new Problems())
                // Refusals are no news, and defects are logged where they are answered.
                .unloggedExceptionsReportInterval(Duration.ZERO)
                .decorator(new ConnectionBounds(connections, STREAMS_MAX, limits.sentWithin))
                .decorator(WebPage::guarded)
                .decorator(EncodingService.builder()
                        .encodableContentTypes(NorthboundServer::worthPacking)
                        .newDecorator());
        if (Epoll.isAvailable()) {
            // Who stopped reading would keep its answer, or one of the few streams of events, for as long as its
            // machine runs.
            builder.childChannelOption(EpollChannelOption.TCP_USER_TIMEOUT, (int) limits.takenWithin.toMillis());
        }
        builder.serviceUnder("/api", WebPage::nothing);
        Routes routes = new Routes(builder);
        new FabricApi(client, congestion, eventLog, streams, unsent, build.version(), engine).addTo(routes);
        acts.addTo(routes);
        routes.get("/metrics", (context, request) -> metrics.scrape(context));
        routes.get("/health", this::health);
        routes.refuseTheRest();
        WebPage.addTo(builder, build);
        return builder.build();
    }

    /** Long lists shrink to a tenth; a stream of events must not wait in a packer for more. */
    private static boolean worthPacking(MediaType type) {
        return !type.belongsTo(MediaType.EVENT_STREAM);
    }

    /** The one question that is about the loop itself: whether it still takes in what it is told. */
    private HttpResponse health(ServiceRequestContext context, HttpRequest request) {
        return HttpResponse.of(client.tell(new TimePassed(client.nowNanos()), "")
                .thenApplyAsync(fabric -> TaggedAnswers.passing(new Health("ok")), context.blockingTaskExecutor()));
    }

    /** Lets {@code /metrics} show these, too. */
    public void show(MeterBinder meters) {
        metrics.show(meters);
    }

    /** Where administrators connect to. */
    public InetSocketAddress localAddress() {
        return Objects.requireNonNull(server.activePort()).localAddress();
    }

    /** Ends event streams and closes all connections; a request under way may lose its answer. */
    @Override
    public void close() {
        streams.close();
        server.stop().join();
        unsent.close();
        acts.close();
        metrics.close();
    }

    private void closeParts() {
        streams.close();
        unsent.close();
        acts.close();
        metrics.close();
    }
}
