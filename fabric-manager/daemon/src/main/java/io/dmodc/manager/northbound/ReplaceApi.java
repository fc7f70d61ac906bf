package io.dmodc.manager.northbound;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.dmodc.manager.core.FabricEvent.ReplaceAsked;
import io.dmodc.manager.core.FabricEvent.SwitchGuid;
import io.dmodc.manager.core.FabricSnapshot;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * A new switch takes the place of one that is gone. Only for clients on this machine, as {@link ForgetApi}; and only as
 * JSON, which no page of another site can send without asking first.
 */
final class ReplaceApi {
    private static final int BODY_MAX = 1024;
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);

    private final LoopClient loop;

    ReplaceApi(LoopClient loop) {
        this.loop = loop;
    }

    /** What is sent: name or GUID of the switch that is there now. */
    private record By(
            @JsonProperty(value = "with", required = true) String with) {}

    void addTo(Routes routes) {
        routes.add(FabricApi.PREFIX + "/switches/{switch}/replace", this::replace, HttpMethod.POST);
    }

    private HttpResponse replace(ServiceRequestContext context, HttpRequest request) {
        ForgetApi.refuseStrangers(context, request);
        String old = new Parameters(context, Set.of()).inPath("switch");
        MediaType type = request.contentType();
        if (type == null || !type.is(MediaType.JSON)) {
            throw RequestRefused.unsupported("expected a body of type application/json");
        }
        context.setMaxRequestLength(BODY_MAX);
        Executor elsewhere = context.blockingTaskExecutor();
        return HttpResponse.of(request.aggregate()
                .thenApplyAsync(whole -> asked(loop.snapshot(), old, by(whole)), elsewhere)
                .thenCompose(asked -> loop.tell(asked, "not replaced, ").thenApply(fabric -> {
                    if (fabric.knows(new SwitchGuid(asked.oldGuid()))) {
                        throw RequestRefused.conflict("not replaced, it has just come back");
                    }
                    return HttpResponse.of(ResponseHeaders.of(HttpStatus.NO_CONTENT));
                })));
    }

    /** The body may be the word {@code null}, too. */
    private static String by(AggregatedHttpRequest whole) {
        try {
            By by = JSON.readValue(whole.contentUtf8(), By.class);
            if (by != null) {
                return by.with;
            }
        } catch (JsonProcessingException e) {
            // Told below.
        }
        throw RequestRefused.badRequest("body: expected {\"with\": \"name or GUID of the new switch\"}");
    }

    private ReplaceAsked asked(FabricSnapshot fabric, String old, String by) {
        SwitchGuid gone = ForgetApi.aSwitch(fabric, old);
        SwitchGuid there = ForgetApi.aSwitch(fabric, by);
        return new ReplaceAsked(loop.nowNanos(), gone.guid(), there.guid());
    }
}
