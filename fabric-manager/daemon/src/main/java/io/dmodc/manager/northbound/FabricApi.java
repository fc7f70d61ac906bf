package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.dmodc.manager.congestion.CongestionHistory;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.northbound.answer.DownCables;
import io.dmodc.manager.northbound.answer.EnumWords;
import io.dmodc.manager.northbound.answer.EpochsAnswer;
import io.dmodc.manager.northbound.answer.IntentAnswer;
import io.dmodc.manager.northbound.answer.LftAnswer;
import io.dmodc.manager.northbound.answer.NodesAnswer;
import io.dmodc.manager.northbound.answer.PathAnswer;
import io.dmodc.manager.northbound.answer.PathWalk;
import io.dmodc.manager.northbound.answer.StatusAnswer;
import io.dmodc.manager.northbound.answer.SwitchDetailAnswer;
import io.dmodc.manager.northbound.answer.SwitchesAnswer;
import io.dmodc.manager.northbound.answer.WaitingAnswer;
import io.dmodc.topology.Guid;
import java.util.Set;

/** {@code /api/v1}: which path asks what. */
final class FabricApi {
    static final String PREFIX = "/api/v1";

    /** Components of the status that change while nothing happens. */
    private static final Set<String> PASSING = Set.of("uptimeSeconds");

    /** Far above any fat tree. */
    private static final int RANK_MAX = 1000;

    private final LoopClient loop;
    private final CongestionHistory congestion;
    private final EventsApi events;
    private final UnsentAnswers unsent;
    private final DiffApi diffs = new DiffApi();
    private final String version;
    private final ExplainApi explaining;
    private final long startedNanos;

    FabricApi(
            LoopClient loop,
            CongestionHistory congestion,
            EventLog eventLog,
            EventStreams streams,
            UnsentAnswers unsent,
            String version,
            String engine) {
        this.loop = loop;
        this.congestion = congestion;
        this.version = version;
        explaining = new ExplainApi(engine);
        this.unsent = unsent;
        events = new EventsApi(eventLog, streams, unsent);
        startedNanos = loop.nowNanos();
    }

    /** Makes an answer of what is known at one moment. */
    interface Handler {
        Object answer(Parameters parameters, FabricSnapshot fabric);
    }

    void addTo(Routes routes) {
        new ApiIndex(version).addTo(routes);
        routes.get(PREFIX + "/status", this::status);
        get(
                routes,
                "/switches",
                Set.of("name", "rank", "leaf", "state", "condition", "limit", "after"),
                FabricApi::switches);
        get(routes, "/switches/{switch}", Set.of(), FabricApi::switchDetail);
        get(routes, "/links", LinksApi.PARAMETERS, LinksApi::list);
        get(routes, "/nodes", Set.of("name", "leaf", "state", "limit", "after"), FabricApi::nodes);
        get(routes, "/alarms", AlarmsApi.PARAMETERS, AlarmsApi::list);
        get(routes, "/lft/{switch}", Set.of(), FabricApi::lft);
        get(routes, "/path", Set.of("from", "to"), FabricApi::path);
        get(routes, "/intent", Set.of(), (parameters, fabric) -> IntentAnswer.of(fabric.intent()));
        get(routes, "/explain", ExplainApi.PARAMETERS, explaining::explain);
        get(routes, "/epochs", Set.of("limit", "after"), this::epochs);
        get(routes, "/epochs/kept", Set.of(), DiffApi::kept);
        get(routes, "/waiting", Set.of(), (parameters, fabric) -> WaitingAnswer.of(fabric));
        get(routes, "/diff", DiffApi.PARAMETERS, diffs::diff);
        new AcknowledgeApi(loop).addTo(routes);
        routes.get(PREFIX + "/events", events::list);
        routes.get(PREFIX + "/events/stream", events::stream);
    }

    private void get(Routes routes, String path, Set<String> known, Handler handler) {
        routes.get(PREFIX + path, (context, request) -> {
            Parameters parameters = new Parameters(context, known);
            return unsent.of(context, request, () -> handler.answer(parameters, loop.snapshot()));
        });
    }

    /** Also while lists are refused. */
    private HttpResponse status(ServiceRequestContext context, HttpRequest request) {
        Parameters.none(context);
        return HttpResponse.of(
                () -> TaggedAnswers.json(
                        request,
                        StatusAnswer.of(loop.snapshot(), congestion, version, (loop.nowNanos() - startedNanos) / 1e9),
                        PASSING),
                context.blockingTaskExecutor());
    }

    private static SwitchesAnswer switches(Parameters parameters, FabricSnapshot fabric) {
        NameFilter names = parameters.names();
        String after = parameters.text("after");
        SwitchesAnswer.Wanted wanted = new SwitchesAnswer.Wanted(
                names::passes,
                parameters.either("state", "condition", name -> parameters.word(name, Condition.class)),
                parameters.has("rank") ? (Integer) (int) parameters.number("rank", 0, 0, RANK_MAX) : null,
                parameters.flag("leaf"),
                after == null ? 0 : Parameters.guid(after),
                parameters.limit());
        return SwitchesAnswer.of(fabric, wanted);
    }

    private static SwitchDetailAnswer switchDetail(Parameters parameters, FabricSnapshot fabric) {
        return SwitchDetailAnswer.of(fabric, SwitchNames.find(fabric, parameters.inPath("switch")));
    }

    private static NodesAnswer nodes(Parameters parameters, FabricSnapshot fabric) {
        NameFilter names = parameters.names();
        String leaf = parameters.text("leaf");
        long after = parameters.number("after", -1, 0, Integer.MAX_VALUE);
        int limit = parameters.limit();
        NodeState state = parameters.word("state", NodeState.class);
        String wantedState = state == null ? "" : EnumWords.of(state);
        String wantedLeaf =
                leaf == null ? "" : Guid.format(SwitchNames.find(fabric, leaf).guid());
        return NodesAnswer.of(fabric.view(), DownCables.of(fabric))
                .where(
                        node -> names.passes(node.name())
                                && (wantedLeaf.isEmpty() || wantedLeaf.equals(node.switchGuid()))
                                && (wantedState.isEmpty() || wantedState.equals(node.state())),
                        after,
                        limit);
    }

    /** How a node is. */
    private enum NodeState {
        UP,
        DOWN
    }

    private static LftAnswer lft(Parameters parameters, FabricSnapshot fabric) {
        return LftAnswer.of(fabric, SwitchNames.find(fabric, parameters.inPath("switch")));
    }

    private static PathAnswer path(Parameters parameters, FabricSnapshot fabric) {
        String from = parameters.required("from");
        String to = parameters.required("to");
        PathWalk walk = PathWalk.of(fabric);
        if (walk == null) {
            throw RequestRefused.notFound("no tables yet");
        }
        return walk.walk(NodeNames.find(walk.view(), walk.down(), from), NodeNames.find(walk.view(), walk.down(), to));
    }

    private EpochsAnswer epochs(Parameters parameters, FabricSnapshot fabric) {
        return EpochsAnswer.of(
                fabric, congestion, parameters.number("after", -1, 0, Long.MAX_VALUE), parameters.limit());
    }
}
