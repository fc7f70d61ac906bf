package io.dmodc.manager.northbound;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.util.AsciiString;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Who may have something changed over HTTP, and how it is asked for: only clients on this machine may, and only if they call it by a
 * name no web page elsewhere can have; what there is to say comes as JSON, which no page of another site can send
 * without asking first.
 */
final class Command {
    /** Bytes of what is asked for: some hundred names. */
    static final int BODY_MAX = 16 * 1024;

    private static final List<AsciiString> FORWARDED =
            List.of(HttpHeaderNames.FORWARDED, HttpHeaderNames.X_FORWARDED_FOR, HttpHeaderNames.VIA);
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES);

    private Command() {}

    /**
     * A page of another site may have a name that leads to this machine; then that name is in the request. A proxy on
     * this machine says for whom it asks.
     */
    static void refuseStrangers(ServiceRequestContext context, HttpRequest request) {
        boolean local = isOwnMachine(
                context.remoteAddress().getAddress(), context.localAddress().getAddress());
        String host = String.valueOf(request.authority()).replaceFirst(":\\d+$", "");
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        boolean named =
                !bare.equals("localhost") && !NetUtil.isValidIpV4Address(bare) && !NetUtil.isValidIpV6Address(bare);
        boolean passedOn = FORWARDED.stream().anyMatch(request.headers()::contains);
        if (!local || named || passedOn) {
            throw RequestRefused.forbidden("only a client on the manager's own machine may do this");
        }
    }

    /**
     * Where only an address of a network is listened on, clients there have that address themselves; whoever says so elsewhere gets no answer, as it is sent to
     * this machine.
     *
     * @param local that the client connected to
     */
    static boolean isOwnMachine(InetAddress remote, InetAddress local) {
        return remote.isLoopbackAddress() || remote.equals(local);
    }

    /**
     * Reads what is asked for.
     *
     * @param expected how the body should look, for people
     * @return fails with {@link RequestRefused}, of status 400 when it does not look so
     * @throws RequestRefused of status 403 for who may not, of status 415 for what is no JSON
     */
    static <T> CompletableFuture<T> body(
            ServiceRequestContext context, HttpRequest request, Class<T> type, String expected) {
        refuseStrangers(context, request);
        MediaType media = request.contentType();
        if (media == null || !media.is(MediaType.JSON)) {
            throw RequestRefused.unsupported("expected a body of type application/json");
        }
        return request.aggregate().thenApplyAsync(whole -> read(whole, type, expected), context.blockingTaskExecutor());
    }

    /** The body may be the word {@code null}, too. */
    private static <T> T read(AggregatedHttpRequest whole, Class<T> type, String expected) {
        try {
            @Nullable T body = JSON.readValue(whole.contentUtf8(), type);
            if (body != null) {
                return body;
            }
        } catch (JsonProcessingException e) {
            // Told below.
        }
        throw RequestRefused.badRequest("body: expected " + expected);
    }

    /** It is done, and there is nothing to say. */
    static HttpResponse done() {
        return HttpResponse.of(ResponseHeaders.of(HttpStatus.NO_CONTENT));
    }
}
