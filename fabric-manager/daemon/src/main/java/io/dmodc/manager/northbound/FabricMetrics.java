package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.dmodc.manager.congestion.CongestionHistory;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.SwitchCounts;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.northbound.answer.AlarmsAnswer;
import io.dmodc.manager.northbound.answer.CongestionAnswer;
import io.dmodc.manager.northbound.answer.EnumWords;
import io.dmodc.manager.northbound.answer.IntentAnswer.Drained;
import io.dmodc.manager.northbound.answer.IntentAnswer.Moved;
import io.dmodc.manager.northbound.answer.StatusAnswer;
import io.dmodc.manager.southbound.AgentServer;
import io.dmodc.manager.southbound.SouthboundCounters;
import io.dmodc.routing.change.ChangePlan.Verdict;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * {@code /metrics}: the fabric in numbers, for Prometheus.
 *
 * <p>Gauges show one moment: each scrape takes one snapshot, and all of them speak of that. When the loop has made no turn for
 * {@value #STUCK_SECONDS} s they are NaN and {@code fabric_manager_answering} is 0, so a stuck manager never looks healthy.
 * Finished epochs are looked for when the event log says that one ended, so none is missed between two scrapes.
 */
final class FabricMetrics implements AutoCloseable {
    /** The loop makes a turn at least once a second. */
    static final long STUCK_SECONDS = 3;

    private static final MediaType TEXT = MediaType.parse("text/plain; version=0.0.4; charset=utf-8");
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(20),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(200),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(2),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(20),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60),
        Duration.ofSeconds(120)
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collectors = new JvmGcMetrics();
    private final FabricLoop loop;
    private final CongestionHistory congestion;
    private final EventLog.Subscription subscription;
    private final Timer route = timer("fabric.epoch.route", "Time in the routing engine, per finished epoch");
    private final Timer check = timer("fabric.epoch.check", "Time in the check of the tables, per finished epoch");
    private final Timer plan = timer("fabric.epoch.plan", "Time in planning the order of pushes, per finished epoch");
    private final Timer noticeToRestored = timer(
            "fabric.epoch.notice.to.restored",
            "First news to the acknowledgement of the last switch that mends something, per complete epoch");
    private final Timer noticeToAcked =
            timer("fabric.epoch.notice.to.acked", "First news to last acknowledgement, per complete epoch");

    /** Epochs among those kept whose end was counted. */
    private final Set<Long> counted = new HashSet<>();

    private final AlarmMeters alarms = new AlarmMeters(registry);
    private volatile @Nullable StatusAnswer latest;
    private volatile SwitchCounts counts;
    private volatile long flaps;
    private volatile long foreignSources;

    /** When the last complete epoch was, 0 before the first. */
    private volatile long complete;

    FabricMetrics(
            FabricLoop loop,
            CongestionHistory congestion,
            EventLog eventLog,
            AgentServer agents,
            EventStreams streams,
            UnsentAnswers unsent,
            OpenConnections connections,
            String version) {
        this.loop = loop;
        this.congestion = congestion;
        counts = loop.snapshot().counts();
        addFabric();
        addIntent();
        addCongestion();
        addBuild(version);
        Gauge.builder("fabric.epoch.since.complete", this, FabricMetrics::sinceComplete)
                .baseUnit("seconds")
                .description("Time since all switches last held what they should; NaN before the first time")
                .register(registry);
        addSouthbound(agents);
        gauge("fabric.loop.queue", "Events waiting for the loop", loop, FabricLoop::queued);
        gauge("fabric.event.streams", "Open event streams", streams, EventStreams::subscriberCount);
        Gauge.builder("fabric.lists.unsent", unsent, UnsentAnswers::bytes)
                .baseUnit("bytes")
                .description("Lists that clients asked for and have not taken")
                .register(registry);
        counter(
                "fabric.rest.connections.closed",
                "Connections closed because there were as many as there may be",
                connections,
                OpenConnections::closed);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        collectors.bindTo(registry);
        for (LoggedEvent.Severity severity : LoggedEvent.Severity.values()) {
            events(severity);
        }
        subscription = eventLog.listen(this::noted);
    }

    private void addFabric() {
        status("fabric.manager.answering", "1 while the manager's loop answers", "", status -> 1);
        totals("fabric.switches", "Switches that should be there", s -> {
            var all = s.switches();
            return new int[] {all.expected(), all.live(), all.down(), all.held()};
        });
        totals("fabric.links", "Cables between switches that should be there", s -> {
            var all = s.links();
            return new int[] {all.expected(), all.live(), all.down(), all.held()};
        });
        totals("fabric.hosts", "Hosts that should be there", s -> {
            var all = s.hosts();
            return new int[] {all.expected(), all.live(), all.down(), all.held()};
        });
        status(
                "fabric.switches.headless",
                "Switches without an agent that forward by the table they have",
                "",
                s -> s.switches().headless());
        status(
                "fabric.switches.unproved",
                "Headless switches that are not shown to forward by hellos through them",
                "",
                s -> s.switches().unproved());
        agents("connected", status -> counts.agents() - counts.silent() - counts.heedless());
        agents("silent", status -> counts.silent());
        agents("flagged", status -> counts.heedless());
        agents("gone", status -> status.switches().total() - counts.agents());
        status("fabric.epoch", "Number of the last view drawn", "", StatusAnswer::epoch);
        status(
                "fabric.switches.unattached",
                "Switches that came in and that nothing ties to the fabric",
                "",
                s -> s.switches().unattached());
        status(
                "fabric.manager.leading",
                "0 once another manager took over and this one pushes nothing",
                "",
                s -> s.role().equals("leading") ? 1 : 0);
        status("fabric.leader.epoch", "Number of this manager's term", "", StatusAnswer::leaderEpoch);
        status("fabric.discovering", "1 until the first tables may be computed", "", s -> s.discovering() ? 1 : 0);
        status("fabric.outstanding", "Switches that do not hold what they should yet", "", StatusAnswer::outstanding);
        status(
                "fabric.ports.held.down",
                "Ports up on the metal but not used because they flapped",
                "",
                s -> s.links().heldDownPorts());
        counter(
                "fabric.ring.foreign.sources",
                "Times a member of the ring told that another one speaks from an address that is not its own",
                this,
                metrics -> metrics.foreignSources);
        counter("fabric.link.flaps", "Times a cable went down after it had been up", this, metrics -> metrics.flaps);
        status("fabric.nodes", "Destinations", "", StatusAnswer::nodes);
        status(
                "fabric.leaves.cut.off",
                "Leaves that some other cannot reach",
                "",
                s -> s.cutOff().size());
        status(
                "fabric.ring.members",
                "Members of the heartbeat ring",
                "",
                s -> s.ring().members());
        status(
                "fabric.ring.sharing.neighbours",
                "Ring neighbours in one failure domain",
                "",
                s -> s.ring().sharingNeighbours());
        for (String severity : List.of("warning", "alarm")) {
            status(
                    "fabric.alarms",
                    "Open alarms that no other explains and nobody takes care of",
                    "severity:" + severity,
                    s -> s.alarmsBySeverity().getOrDefault(severity, 0));
        }
        status("fabric.alarms.acknowledged", "Open alarms that somebody takes care of", "", StatusAnswer::acknowledged);
    }

    private void addIntent() {
        drained("switch", drained -> drained.port() == null);
        drained("link", drained -> drained.port() != null);
        status(
                "fabric.drained.safe",
                "Switches and cables that operators drained and that are safe to unplug",
                "",
                status -> count(status, Drained::safe));
        status(
                "fabric.paused",
                "1 while no tables are sent, because an operator wants it",
                "",
                status -> status.intent().pause() == null ? 0 : 1);
        status("fabric.moved.entries", "Table entries moved to where shifts press less", "", status -> {
            Moved moved = status.intent().rebalance();
            return moved == null ? 0 : moved.entries();
        });
    }

    private void drained(String kind, Predicate<Drained> which) {
        status(
                "fabric.drained",
                "Switches and cables that operators drained",
                "kind:" + kind,
                status -> count(status, which));
    }

    private static long count(StatusAnswer status, Predicate<Drained> which) {
        return status.intent().drained().stream().filter(which).count();
    }

    private void addCongestion() {
        congestion("all-to-all", "max", CongestionAnswer::allToAll);
        congestion("permutation", "mean", c -> c.permutations().mean());
        congestion("permutation", "max", c -> c.permutations().max());
        congestion("shift", "mean", c -> c.shifts().mean());
        congestion("shift", "max", c -> c.shifts().max());
        status(
                "fabric.congestion.epoch",
                "Epoch whose congestion was measured last; NaN before the first",
                "",
                measured(CongestionAnswer::epoch));
    }

    private void congestion(String pattern, String figure, ToDoubleFunction<CongestionAnswer> value) {
        status(
                "fabric.congestion.risk",
                "Flows that can meet at the worst port, by the tables measured last: 1 is the best; NaN before the first",
                "pattern:" + pattern + ":figure:" + figure,
                measured(value));
    }

    private static ToDoubleFunction<StatusAnswer> measured(ToDoubleFunction<CongestionAnswer> value) {
        return status -> status.congestion() == null ? Double.NaN : value.applyAsDouble(status.congestion());
    }

    private void totals(String name, String text, Function<StatusAnswer, int[]> counts) {
        status(name + ".expected", text, "", s -> counts.apply(s)[0]);
        status(name, text + ", by how they are", "state:live", s -> counts.apply(s)[1]);
        status(name, text + ", by how they are", "state:down", s -> counts.apply(s)[2]);
        status(name, text + ", by how they are", "state:held", s -> counts.apply(s)[3]);
    }

    private void agents(String state, ToDoubleFunction<StatusAnswer> count) {
        status(
                "fabric.agents",
                "Agents of switches that came in since the start, each in one state",
                "state:" + state,
                count);
    }

    private void addBuild(String version) {
        Gauge.builder("fabric.build.info", () -> 1)
                .tags("version", version, "java", Runtime.version().toString())
                .description("1; what runs")
                .register(registry);
    }

    private double sinceComplete() {
        return latest == null || complete == 0 ? Double.NaN : (loop.nowNanos() - complete) / 1e9;
    }

    private void addSouthbound(AgentServer agents) {
        SouthboundCounters counters = agents.counters();
        counter("fabric.pushes", "Tables sent, repeated ones included", counters, SouthboundCounters::pushes);
        counter("fabric.pushed.bytes", "Bytes of these", counters, SouthboundCounters::pushedBytes);
        counter("fabric.refusals", "Agents refused", counters, SouthboundCounters::refusals);
        counter("fabric.agent.connections", "Connections accepted", counters, SouthboundCounters::connections);
        counter("fabric.agent.frames", "Frames received", counters, SouthboundCounters::frames);
        counter(
                "fabric.agent.pauses",
                "Reading had to wait, for the loop or the agent",
                counters,
                SouthboundCounters::pauses);
        counter(
                "fabric.agent.unproved",
                "Connections whose TLS handshake failed, most for a certificate",
                counters,
                SouthboundCounters::unproved);
        certificate("manager", agents, AgentServer::certificateSeconds);
        certificate("agents", agents, AgentServer::agentCertificateSeconds);
        certificate("authority", agents, AgentServer::authorityCertificateSeconds);
        gauge("fabric.agent.sessions", "Connections open", agents, AgentServer::sessionCount);
    }

    private void certificate(String whose, AgentServer agents, ToDoubleFunction<AgentServer> seconds) {
        Gauge.builder("fabric.certificate.valid", agents, seconds)
                .tag("of", whose)
                .baseUnit("seconds")
                .description(
                        "How long certificates are still valid; of agents, of those connected the shortest; of authorities the shortest;"
                                + " NaN without")
                .register(registry);
    }

    void show(MeterBinder meters) {
        meters.bindTo(registry);
    }

    /** A gauge of the latest answer; {@code tags} are {@code key:value}, {@code key:value:key:value} or empty. */
    private void status(String name, String text, String tags, ToDoubleFunction<StatusAnswer> value) {
        double silent = name.equals("fabric.manager.answering") ? 0 : Double.NaN;
        Gauge.builder(name, this, metrics -> {
                    StatusAnswer status = metrics.latest;
                    return status == null ? silent : value.applyAsDouble(status);
                })
                .tags(tags.isEmpty() ? new String[0] : tags.split(":"))
                .description(text)
                .register(registry);
    }

    private <T> void gauge(String name, String text, T of, ToDoubleFunction<T> value) {
        Gauge.builder(name, of, value).description(text).register(registry);
    }

    private <T> void counter(String name, String text, T of, ToDoubleFunction<T> value) {
        FunctionCounter.builder(name, of, value).description(text).register(registry);
    }

    private Timer timer(String name, String text) {
        return Timer.builder(name)
                .description(text)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    private Counter events(LoggedEvent.Severity severity) {
        return Counter.builder("fabric.events")
                .tag("severity", EnumWords.of(severity))
                .description("Events, by severity")
                .register(registry);
    }

    /** On the writer's thread, often the loop: never blocks. */
    private void noted(EventLog.Entry entry) {
        events(entry.note().severity()).increment();
        switch (entry.note().kind()) {
            case EPOCH_COMPLETE, EPOCH_SUPERSEDED, EPOCH_REFUSED -> countEpochs(loop.snapshot());
            default -> {}
        }
    }

    /** Two scrapes may come at a time, and an event meanwhile. */
    private synchronized void countEpochs(FabricSnapshot fabric) {
        Set<Long> kept = new HashSet<>();
        for (EpochRecord epoch : fabric.epochs()) {
            kept.add(epoch.epoch());
            boolean ended = epoch.stage() != Stage.COMPUTING && epoch.stage() != Stage.PUSHING;
            if (ended && counted.add(epoch.epoch())) {
                count(epoch);
            }
        }
        counted.retainAll(kept);
    }

    private void count(EpochRecord epoch) {
        Counter.builder("fabric.epochs")
                .tag("stage", EnumWords.of(epoch.stage()))
                .description("Epochs that ended, by how")
                .register(registry)
                .increment();
        route.record(epoch.routeNanos(), TimeUnit.NANOSECONDS);
        check.record(epoch.checkNanos(), TimeUnit.NANOSECONDS);
        plan.record(epoch.planNanos(), TimeUnit.NANOSECONDS);
        Verdict verdict = epoch.changeVerdict();
        if (verdict != null) {
            Counter.builder("fabric.changes")
                    .tag("verdict", EnumWords.of(verdict))
                    .description("Changes of tables, by what was proven of them")
                    .register(registry)
                    .increment();
        }
        if (epoch.stage() == Stage.COMPLETE) {
            complete = Math.max(complete, epoch.completeNanos());
            if (epoch.restoredNanos() != 0) {
                noticeToRestored.record(epoch.restoredNanos() - epoch.noticedNanos(), TimeUnit.NANOSECONDS);
            }
            noticeToAcked.record(epoch.completeNanos() - epoch.noticedNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Answers a scrape. */
    HttpResponse scrape(ServiceRequestContext context) {
        return HttpResponse.of(this::scraped, context.blockingTaskExecutor());
    }

    private HttpResponse scraped() {
        FabricSnapshot fabric = loop.snapshot();
        boolean stuck = loop.isClosed() || loop.sinceTurnNanos() > STUCK_SECONDS * 1_000_000_000L;
        countEpochs(fabric);
        counts = fabric.counts();
        flaps = fabric.linkFlaps();
        foreignSources = fabric.foreignSources();
        latest = stuck ? null : StatusAnswer.of(fabric, congestion, "", 0);
        alarms.show(stuck ? List.of() : AlarmsAnswer.alone(fabric, AlarmMeters.SERIES_MAX));
        return HttpResponse.of(HttpStatus.OK, TEXT, registry.scrape());
    }

    @Override
    public void close() {
        subscription.close();
        collectors.close();
        registry.close();
    }
}
