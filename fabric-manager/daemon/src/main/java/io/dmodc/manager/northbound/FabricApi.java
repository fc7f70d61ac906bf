package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.northbound.answer.EpochsAnswer;
import io.dmodc.manager.northbound.answer.EventsAnswer;
import io.dmodc.manager.northbound.answer.LftAnswer;
import io.dmodc.manager.northbound.answer.LinksAnswer;
import io.dmodc.manager.northbound.answer.NodesAnswer;
import io.dmodc.manager.northbound.answer.PathAnswer;
import io.dmodc.manager.northbound.answer.PathWalk;
import io.dmodc.manager.northbound.answer.StatusAnswer;
import io.dmodc.manager.northbound.answer.SwitchDetailAnswer;
import io.dmodc.manager.northbound.answer.SwitchesAnswer;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1}: which path asks what. */
final class FabricApi {
    private static final String PREFIX = "/api/v1";

    /** Most events in one answer. */
    static final int EVENTS_MAX = 1000;

    private static final int EVENTS_USUAL = 100;

    /** Switches whose cables one question looks at, so that a large fabric does not keep the loop from its work. */
    private static final int LINK_SLICE = 128;

    private final Inquiry inquiry;
    private final EventLog eventLog;
    private final EventStreams streams;
    private final String version;
    private final long startedNanos;

    FabricApi(Inquiry inquiry, EventLog eventLog, EventStreams streams, String version) {
        this.inquiry = inquiry;
        this.eventLog = eventLog;
        this.streams = streams;
        this.version = version;
        startedNanos = inquiry.nowNanos();
    }

    /** Makes an answer; {@code elsewhere} is for work that would keep the loop from its own. */
    private interface Handler {
        CompletableFuture<?> answer(Parameters parameters, Executor elsewhere);
    }

    void addTo(ServerBuilder server) {
        get(server, "/status", Set.of(), (parameters, elsewhere) -> status());
        get(server, "/switches", Set.of("condition"), this::switches);
        get(server, "/switches/{guid}", Set.of(), this::switchDetail);
        get(server, "/links", Set.of("live"), this::links);
        get(server, "/nodes", Set.of(), this::nodes);
        get(server, "/lft/{guid}", Set.of(), this::lft);
        get(server, "/path", Set.of("from", "to"), this::path);
        get(server, "/epochs", Set.of(), (parameters, elsewhere) -> inquiry.ask(EpochsAnswer::of));
        server.route().get(PREFIX + "/events").build(this::events);
        server.route().get(PREFIX + "/events/stream").build(this::eventStream);
    }

    private static void get(ServerBuilder server, String path, Set<String> known, Handler handler) {
        server.route().get(PREFIX + path).build((context, request) -> {
            Executor elsewhere = context.blockingTaskExecutor();
            return HttpResponse.of(handler.answer(new Parameters(context, known), elsewhere)
                    .thenApplyAsync(Json::response, elsewhere));
        });
    }

    private CompletableFuture<StatusAnswer> status() {
        double uptime = (inquiry.nowNanos() - startedNanos) / 1e9;
        return inquiry.ask(state -> StatusAnswer.of(state, version, uptime));
    }

    private CompletableFuture<SwitchesAnswer> switches(Parameters parameters, Executor elsewhere) {
        Condition condition = parameters.word("condition", Condition.class);
        return inquiry.ask(state -> SwitchesAnswer.of(state, condition));
    }

    private CompletableFuture<SwitchDetailAnswer> switchDetail(Parameters parameters, Executor elsewhere) {
        long guid = parameters.guid();
        return inquiry.ask(state -> SwitchDetailAnswer.of(state, known(state, guid)));
    }

    private CompletableFuture<LinksAnswer> links(Parameters parameters, Executor elsewhere) {
        Boolean live = parameters.flag("live");
        return inquiry.ask(LinkWalk::of).thenCompose(walk -> nextSlice(walk, live));
    }

    /** Where a walk over all cables is. */
    private record LinkWalk(long epoch, List<Long> guids, List<LinksAnswer.Part> parts) {
        static LinkWalk of(FabricState state) {
            List<Long> guids = state.switches().stream().map(SwitchRecord::guid).toList();
            return new LinkWalk(state.epoch(), guids, new ArrayList<>());
        }
    }

    /** Slices are taken one after the other: a cable that changes meanwhile is shown before or after, never torn. */
    private CompletableFuture<LinksAnswer> nextSlice(LinkWalk walk, @Nullable Boolean live) {
        int from = walk.parts.size() * LINK_SLICE;
        if (from >= walk.guids.size()) {
            return CompletableFuture.completedFuture(LinksAnswer.of(walk.epoch, walk.parts));
        }
        List<Long> slice = walk.guids.subList(from, Math.min(from + LINK_SLICE, walk.guids.size()));
        return inquiry.ask(state -> LinksAnswer.part(state, slice, live)).thenCompose(part -> {
            walk.parts.add(part);
            return nextSlice(walk, live);
        });
    }

    private CompletableFuture<NodesAnswer> nodes(Parameters parameters, Executor elsewhere) {
        return inquiry.ask(state -> Optional.ofNullable(state.view()))
                .thenApplyAsync(view -> NodesAnswer.of(view.orElse(null)), elsewhere);
    }

    private CompletableFuture<LftAnswer> lft(Parameters parameters, Executor elsewhere) {
        long guid = parameters.guid();
        return inquiry.ask(state -> LftAnswer.see(state, known(state, guid))).thenApplyAsync(LftAnswer::of, elsewhere);
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
        return walk.walk(NodeNames.find(walk.view(), from), NodeNames.find(walk.view(), to));
    }

    private static SwitchRecord known(FabricState state, long guid) {
        SwitchRecord record = state.findSwitch(guid);
        if (record == null) {
            throw RequestRefused.notFound("no switch " + Guid.format(guid));
        }
        return record;
    }

    private HttpResponse events(ServiceRequestContext context, HttpRequest request) {
        String accepted = request.headers().get(HttpHeaderNames.ACCEPT, "");
        if (accepted.contains(MediaType.EVENT_STREAM.nameWithoutParameters())) {
            return eventStream(context, request);
        }
        Parameters parameters = new Parameters(context, Set.of("after", "limit"));
        int limit = (int) parameters.number("limit", EVENTS_USUAL, 1, EVENTS_MAX);
        long after = parameters.number("after", -1, 0, Long.MAX_VALUE);
        return Json.response(
                after < 0 ? EventsAnswer.last(eventLog, limit) : EventsAnswer.after(eventLog, after, limit));
    }

    /** A browser that lost its connection says itself what it had last. */
    private HttpResponse eventStream(ServiceRequestContext context, HttpRequest request) {
        Parameters parameters = new Parameters(context, Set.of("after"));
        long after = parameters.number("after", eventLog.lastNumber(), 0, Long.MAX_VALUE);
        String lastSeen = request.headers().get("last-event-id", "");
        boolean number = lastSeen.matches("\\d{1,18}");
        return streams.open(context, number ? Long.parseLong(lastSeen) : after);
    }
}
