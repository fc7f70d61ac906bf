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
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.Forgetting;
import io.dmodc.manager.core.Replacement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A new switch takes the place of one that is gone. Only for clients on this machine, as {@link ForgetApi}; and only as
 * JSON, which no page of another site can send without asking first.
 */
final class ReplaceApi {
    private static final int BODY_MAX = 1024;
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);

    private final LoopQuestions inquiry;

    ReplaceApi(LoopQuestions inquiry) {
        this.inquiry = inquiry;
    }

    /** What is sent: name or GUID of the switch that is there now. */
    private record By(
            @JsonProperty(value = "with", required = true) String with) {}

    /** Both switches. */
    private record Pair(long oldGuid, long newGuid) {}

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
        return HttpResponse.of(request.aggregate()
                .thenCompose(whole -> {
                    String by = by(whole);
                    return inquiry.ask(state -> pair(state, old, by));
                })
                .thenCompose(pair -> {
                    inquiry.tell(new ReplaceAsked(inquiry.nowNanos(), pair.oldGuid, pair.newGuid));
                    return inquiry.ask(state -> done(state, pair));
                }));
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

    private static Pair pair(FabricState state, String old, String by) {
        SwitchGuid gone = ForgetApi.aSwitch(state, old);
        SwitchGuid there = ForgetApi.aSwitch(state, by);
        refuse(Replacement.obstacle(state, gone.guid(), there.guid()));
        return new Pair(gone.guid(), there.guid());
    }

    private static HttpResponse done(FabricState state, Pair pair) {
        if (Forgetting.knows(state, new SwitchGuid(pair.oldGuid))) {
            String obstacle = Replacement.obstacle(state, pair.oldGuid, pair.newGuid);
            refuse(obstacle == null ? "it has just come back" : obstacle);
        }
        return HttpResponse.of(ResponseHeaders.of(HttpStatus.NO_CONTENT));
    }

    private static void refuse(@Nullable String obstacle) {
        if (obstacle != null) {
            throw RequestRefused.conflict("not replaced, " + obstacle);
        }
    }
}
