package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.stream.ClosedStreamException;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every failure as {@code application/problem+json} (RFC 9457) with one line that says why; a defect is logged and tells
 * the caller nothing of the inside.
 */
final class Problems implements ServerErrorHandler {
    static final MediaType TYPE = MediaType.parse("application/problem+json");

    /** What may be done where nothing else is said. */
    static final String READING = "GET, HEAD";

    private static final int DETAIL_MAX = 500;
    private static final String AGAIN_AFTER_SECONDS = "1";
    private static final Pattern BREAKS = Pattern.compile("[\\p{Cntrl}\\u0085\\u2028\\u2029]");
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    /** What every failed request gets; the type says that the status tells all there is to the kind of problem. */
    record Problem(String type, String title, int status, String detail) {
        Problem(HttpStatus status, String detail) {
            this("about:blank", status.reasonPhrase(), status.code(), line(detail));
        }

        /** What was asked is repeated in it, so it may have anything in it, and any length. */
        private static String line(String detail) {
            String line = BREAKS.matcher(detail).replaceAll("?");
            return line.length() <= DETAIL_MAX ? line : line.substring(0, DETAIL_MAX) + "…";
        }
    }

    /** A method this path does not understand. */
    static HttpResponse notAllowed(ServiceRequestContext context, String allow) {
        return HttpResponse.of(
                headers(HttpStatus.METHOD_NOT_ALLOWED)
                        .set(HttpHeaderNames.ALLOW, allow)
                        .build(),
                body(HttpStatus.METHOD_NOT_ALLOWED, notAllowed(context.path(), allow)));
    }

    private static String notAllowed(String path, String allow) {
        return path + " can only be asked with " + allow.replace(", ", " or ");
    }

    @Override
    public HttpResponse onServiceException(ServiceRequestContext ctx, Throwable thrown) {
        Throwable cause = Exceptions.peel(thrown);
        if (cause instanceof RequestRefused refused) {
            ResponseHeadersBuilder answer = headers(refused.status());
            if (refused.notBegun()) {
                answer.set(HttpHeaderNames.RETRY_AFTER, AGAIN_AFTER_SECONDS);
            }
            return HttpResponse.of(answer.build(), body(refused.status(), String.valueOf(refused.getMessage())));
        }
        if (cause instanceof TimeoutException || cause instanceof RequestTimeoutException) {
            return response(HttpStatus.SERVICE_UNAVAILABLE, "the manager did not answer in time");
        }
        if (cause instanceof HttpStatusException status) {
            return response(status.httpStatus(), explanation(status.httpStatus(), ctx.path(), ctx.maxRequestLength()));
        }
        if (cause instanceof ClosedStreamException) {
            // Who asked went away before all of it was sent, and reads no answer.
            return response(HttpStatus.BAD_REQUEST, "the request ended too early");
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
        String path = headers == null ? "the request" : headers.path();
        ResponseHeadersBuilder answer = headers(status);
        if (status.equals(HttpStatus.METHOD_NOT_ALLOWED)) {
            answer.set(HttpHeaderNames.ALLOW, READING);
        }
        return AggregatedHttpResponse.of(
                answer.build(), body(status, explanation(status, path, config.maxRequestLength())));
    }

    private static String explanation(HttpStatus status, String path, long bodyMax) {
        if (status.equals(HttpStatus.NOT_FOUND)) {
            return path + " does not exist; see " + FabricApi.PREFIX + "/openapi.yaml for what does";
        }
        if (status.equals(HttpStatus.METHOD_NOT_ALLOWED)) {
            return notAllowed(path, READING);
        }
        if (status.equals(HttpStatus.BAD_REQUEST)) {
            return path + " cannot be read: its path or its headers are malformed";
        }
        if (status.equals(HttpStatus.REQUEST_ENTITY_TOO_LARGE)) {
            return path + " takes a body of " + bodyMax + " bytes at most";
        }
        return path + ": " + status.reasonPhrase();
    }

    private static HttpResponse response(HttpStatus status, String detail) {
        return HttpResponse.of(headers(status).build(), body(status, detail));
    }

    /** A failure is of this moment: the next try may well succeed. */
    private static ResponseHeadersBuilder headers(HttpStatus status) {
        return ResponseHeaders.builder(status).contentType(TYPE).set(HttpHeaderNames.CACHE_CONTROL, "no-store");
    }

    private static HttpData body(HttpStatus status, String detail) {
        return HttpData.wrap(Json.bytes(new Problem(status, detail)));
    }
}
