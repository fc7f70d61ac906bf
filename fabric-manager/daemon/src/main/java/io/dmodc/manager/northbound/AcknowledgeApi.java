package io.dmodc.manager.northbound;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.AcknowledgeAsked;
import io.dmodc.manager.core.FabricEvent.WithdrawAsked;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Somebody takes care of an alarm, or does not any more. */
final class AcknowledgeApi {
    private final LoopClient loop;

    AcknowledgeApi(LoopClient loop) {
        this.loop = loop;
    }

    /** What is sent: who, and why nobody else needs to be called. */
    private record Given(
            @JsonProperty(value = "by", required = true) String by,
            @JsonProperty(value = "why", required = true) String why) {}

    /** What is sent to take it back. */
    private record Withdrawn(
            @JsonProperty(value = "by", required = true) String by) {}

    void addTo(Routes routes) {
        routes.add(FabricApi.PREFIX + "/alarms/{alarm}/acknowledge", this::acknowledge, HttpMethod.POST);
        routes.add(FabricApi.PREFIX + "/alarms/{alarm}/withdraw", this::withdraw, HttpMethod.POST);
    }

    private HttpResponse acknowledge(ServiceRequestContext context, HttpRequest request) {
        long alarm = number(context);
        return tell(
                alarm,
                "not acknowledged, ",
                Command.body(context, request, Given.class, "{\"by\": \"who\", \"why\": \"one line\"}")
                        .thenApply(given -> new AcknowledgeAsked(
                                loop.nowNanos(), alarm, OneLine.by(given.by), OneLine.needed(given.why))));
    }

    private HttpResponse withdraw(ServiceRequestContext context, HttpRequest request) {
        long alarm = number(context);
        return tell(
                alarm,
                "not withdrawn, ",
                Command.body(context, request, Withdrawn.class, "{\"by\": \"who\"}")
                        .thenApply(given -> new WithdrawAsked(loop.nowNanos(), alarm, OneLine.by(given.by))));
    }

    private HttpResponse tell(long alarm, String declined, CompletableFuture<? extends FabricEvent> asked) {
        return HttpResponse.of(asked.thenCompose(event -> {
            if (loop.snapshot().findAlarm(alarm) == null) {
                throw RequestRefused.notFound("no open alarm " + alarm);
            }
            return loop.tellKept(event, declined).thenApply(fabric -> Command.done());
        }));
    }

    private static long number(ServiceRequestContext context) {
        String text = new Parameters(context, Set.of()).inPath("alarm");
        try {
            long number = Long.parseLong(text);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, like a number that no alarm can have.
        }
        throw RequestRefused.badRequest("'" + text + "' is no number of an alarm");
    }
}
