package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every failure as {@code {"error": "one line"}}; a defect is logged and tells the caller nothing of the inside. */
final class JsonErrors implements ServerErrorHandler {
    private static final Logger LOG = LoggerFactory.getLogger(JsonErrors.class);

    @Override
    public HttpResponse onServiceException(ServiceRequestContext ctx, Throwable thrown) {
        Throwable cause = Exceptions.peel(thrown);
        if (cause instanceof RequestRefused refused) {
            return response(refused.status(), String.valueOf(refused.getMessage()));
        }
        if (cause instanceof TimeoutException || cause instanceof RequestTimeoutException) {
            return response(HttpStatus.SERVICE_UNAVAILABLE, "the manager did not answer in time");
        }
        if (cause instanceof HttpStatusException status) {
            return response(status.httpStatus(), explanation(status.httpStatus(), ctx.path()));
        }
        LOG.error("defect: {} {} failed", ctx.method(), ctx.path(), cause);
        return response(HttpStatus.INTERNAL_SERVER_ERROR, "a defect in the manager; its log tells more");
    }

    @Override
    public AggregatedHttpResponse renderStatus(
            @Nullable ServiceRequestContext ctx,
            ServiceConfig config,
            @Nullable RequestHeaders headers,
            HttpStatus status,
            @Nullable String description,
            @Nullable Throwable cause) {
        String path = headers == null ? "this" : headers.path();
        return AggregatedHttpResponse.of(status, MediaType.JSON_UTF_8, body(explanation(status, path)));
    }

    private static String explanation(HttpStatus status, String path) {
        if (status.equals(HttpStatus.NOT_FOUND)) {
            return path + " does not exist; see docs/openapi.yaml for what does";
        }
        if (status.equals(HttpStatus.METHOD_NOT_ALLOWED)) {
            return path + " can only be read: use GET";
        }
        return path + ": " + status.reasonPhrase();
    }

    private static HttpResponse response(HttpStatus status, String message) {
        return HttpResponse.of(status, MediaType.JSON_UTF_8, body(message));
    }

    private static HttpData body(String message) {
        return HttpData.ofUtf8(Json.text(new Json.Failure(message)));
    }
}
