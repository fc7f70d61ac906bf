package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpResponse;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.northbound.answer.DownCables;
import io.dmodc.manager.northbound.answer.EnumWords;
import io.dmodc.manager.northbound.answer.EpochsAnswer;
import io.dmodc.manager.northbound.answer.LftAnswer;
import io.dmodc.manager.northbound.answer.NodesAnswer;
import io.dmodc.manager.northbound.answer.PathAnswer;
import io.dmodc.manager.northbound.answer.PathWalk;
import io.dmodc.manager.northbound.answer.StatusAnswer;
import io.dmodc.manager.northbound.answer.SwitchDetailAnswer;
import io.dmodc.manager.northbound.answer.SwitchesAnswer;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** {@code /api/v1}: which path asks what. */
final class FabricApi {
    static final String PREFIX = "/api/v1";

    /** Components of the status that change while nothing happens. */
    private static final Set<String> PASSING = Set.of("uptimeSeconds");

    /** Far above any fat tree. */
    private static final int RANK_MAX = 1000;

    private final LoopQuestions inquiry;
    private final EventsApi events;
    private final LinksApi links;
    private final AlarmsApi alarms;
    private final ForgetApi forgetting;
    private final String version;
    private final long startedNanos;

    FabricApi(LoopQuestions inquiry, EventLog eventLog, EventStreams streams, String version) {
        this.inquiry = inquiry;
        this.version = version;
        events = new EventsApi(eventLog, streams);
        links = new LinksApi(inquiry);
        alarms = new AlarmsApi(inquiry);
        forgetting = new ForgetApi(inquiry);
        startedNanos = inquiry.nowNanos();
    }

    /** Makes an answer; {@code elsewhere} is for work that would keep the loop from its own. */
    interface Handler {
        CompletableFuture<?> answer(Parameters parameters, Executor elsewhere);
    }

    void addTo(Routes routes) {
        new ApiIndex(version).addTo(routes);
        get(routes, "/status", Set.of(), (parameters, elsewhere) -> status());
        get(
                routes,
                "/switches",
                Set.of("name", "rank", "leaf", "state", "condition", "limit", "after"),
                this::switches);
        get(routes, "/switches/{switch}", Set.of(), this::switchDetail);
        get(routes, "/links", LinksApi.PARAMETERS, links::list);
        get(routes, "/nodes", Set.of("name", "leaf", "state", "limit", "after"), this::nodes);
        get(routes, "/alarms", AlarmsApi.PARAMETERS, alarms::list);
        get(routes, "/lft/{switch}", Set.of(), this::lft);
        get(routes, "/path", Set.of("from", "to"), this::path);
        get(routes, "/epochs", Set.of("limit", "after"), this::epochs);
        forgetting.addTo(routes);
        new ReplaceApi(inquiry).addTo(routes);
        routes.get(PREFIX + "/events", events::list);
        routes.get(PREFIX + "/events/stream", events::stream);
    }

    private static void get(Routes routes, String path, Set<String> known, Handler handler) {
        routes.get(PREFIX + path, (context, request) -> {
            Executor elsewhere = context.blockingTaskExecutor();
            return HttpResponse.of(handler.answer(new Parameters(context, known), elsewhere)
                    .thenApplyAsync(
                            answer -> answer instanceof StatusAnswer
                                    ? TaggedAnswers.json(request, answer, PASSING)
                                    : TaggedAnswers.json(request, answer),
                            elsewhere));
        });
    }

    private CompletableFuture<StatusAnswer> status() {
        double uptime = (inquiry.nowNanos() - startedNanos) / 1e9;
        return inquiry.ask(state -> StatusAnswer.of(state, version, uptime));
    }

    private CompletableFuture<SwitchesAnswer> switches(Parameters parameters, Executor elsewhere) {
        NameFilter names = parameters.names();
        String after = parameters.text("after");
        SwitchesAnswer.Wanted wanted = new SwitchesAnswer.Wanted(
                names::passes,
                parameters.either("state", "condition", name -> parameters.word(name, Condition.class)),
                parameters.has("rank") ? (Integer) (int) parameters.number("rank", 0, 0, RANK_MAX) : null,
                parameters.flag("leaf"),
                after == null ? 0 : Parameters.guid(after),
                parameters.limit());
        return inquiry.ask(state -> SwitchesAnswer.of(state, wanted));
    }

    private CompletableFuture<SwitchDetailAnswer> switchDetail(Parameters parameters, Executor elsewhere) {
        String text = parameters.inPath("switch");
        return inquiry.ask(state -> SwitchDetailAnswer.of(state, SwitchNames.find(state, text)));
    }

    private CompletableFuture<NodesAnswer> nodes(Parameters parameters, Executor elsewhere) {
        NameFilter names = parameters.names();
        String leaf = parameters.text("leaf");
        long after = parameters.number("after", -1, 0, Integer.MAX_VALUE);
        int limit = parameters.limit();
        NodeState state = parameters.word("state", NodeState.class);
        String wanted = state == null ? "" : EnumWords.of(state);
        return inquiry.ask(fabric -> new Seen(
                        Optional.ofNullable(fabric.view()),
                        DownCables.of(fabric),
                        wanted,
                        leaf == null
                                ? ""
                                : Guid.format(SwitchNames.find(fabric, leaf).guid())))
                .thenApplyAsync(
                        seen -> NodesAnswer.of(seen.view.orElse(null), seen.down)
                                .where(node -> names.passes(node.name()) && seen.isAt(node), after, limit),
                        elsewhere);
    }

    /**
     * The last view and what is down, and which nodes are wanted.
     *
     * @param nodeState how they are; empty: all
     * @param leaf GUID of where they are cabled; empty: all
     */
    private record Seen(Optional<FabricView> view, DownCables down, String nodeState, String leaf) {
        boolean isAt(NodesAnswer.NodeAnswer node) {
            return (leaf.isEmpty() || leaf.equals(node.switchGuid()))
                    && (nodeState.isEmpty() || nodeState.equals(node.state()));
        }
    }

    /** How a node is. */
    private enum NodeState {
        UP,
        DOWN
    }

    private CompletableFuture<LftAnswer> lft(Parameters parameters, Executor elsewhere) {
        String text = parameters.inPath("switch");
        return inquiry.ask(state -> LftAnswer.see(state, SwitchNames.find(state, text)))
                .thenApplyAsync(LftAnswer::of, elsewhere);
    }

    private CompletableFuture<PathAnswer> path(Parameters parameters, Executor elsewhere) {
        String from = parameters.required("from");
        String to = parameters.required("to");
        return inquiry.ask(state -> Optional.ofNullable(PathWalk.prepare(state)))
                .thenApplyAsync(
                        walk -> walk(walk.orElseThrow(() -> RequestRefused.notFound("no tables yet")), from, to),
                        elsewhere);
    }

    private static PathAnswer walk(PathWalk walk, String from, String to) {
        return walk.walk(NodeNames.find(walk.view(), walk.down(), from), NodeNames.find(walk.view(), walk.down(), to));
    }

    private CompletableFuture<EpochsAnswer> epochs(Parameters parameters, Executor elsewhere) {
        long after = parameters.number("after", -1, 0, Long.MAX_VALUE);
        int limit = parameters.limit();
        return inquiry.ask(state -> EpochsAnswer.of(state, after, limit));
    }
}
