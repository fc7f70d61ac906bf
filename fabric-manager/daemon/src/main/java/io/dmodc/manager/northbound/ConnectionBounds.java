package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * What a client can have on its way over one connection, as all of it is in this process's memory until it was sent: a bounded number of
 * requests, each for a bounded time.
 *
 * <p>HTTP/2 has a bound of its own on requests. Over HTTP/1 a client may send any number without waiting for answers: the first beyond the
 * bound is refused, which ends the connection once those before it were answered; the next one ends it at once.
 */
final class ConnectionBounds implements DecoratingHttpServiceFunction {
    private final OpenConnections connections;
    private final int requestsMax;
    private final Duration sentWithin;

    /** @param sentWithin after which a connection is closed whose client has not taken an answer, since it asked for it */
    ConnectionBounds(OpenConnections connections, int requestsMax, Duration sentWithin) {
        this.connections = connections;
        this.requestsMax = requestsMax;
        this.sentWithin = sentWithin;
    }

    @Override
    public HttpResponse serve(HttpService service, ServiceRequestContext context, HttpRequest request)
            throws Exception {
        Channel channel = Objects.requireNonNull(context.log().partial().channel());
        int underWay = connections.begun(channel);
        context.log().whenComplete().thenRun(() -> connections.ended(channel));
        if (underWay > requestsMax && !context.sessionProtocol().isMultiplex()) {
            context.initiateConnectionShutdown();
            if (underWay > requestsMax + 1) {
                channel.close();
            }
            throw RequestRefused.unavailable(
                    requestsMax + " requests of this connection wait for their answers, or for these to be read");
        }
        HttpResponse response = service.serve(context, request);
        // A stream of events has no end, and keeps little.
        if (context.requestTimeoutMillis() > 0) {
            closeUnlessSent(channel, context);
        }
        return response;
    }

    private void closeUnlessSent(Channel channel, ServiceRequestContext context) {
        Future<?> closing =
                channel.eventLoop().schedule(() -> channel.close(), sentWithin.toMillis(), TimeUnit.MILLISECONDS);
        context.log().whenComplete().thenRun(() -> closing.cancel(false));
    }
}
