package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.northbound.answer.EventAnswer;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The event log as server-sent events.
 *
 * <p>A subscriber is a position in the event log, not a queue: what happens only wakes it, and it reads on from where it
 * was. So all see every event in order, and a slow one costs one batch of {@value #BATCH} events, taken again only when
 * the socket took the last. Who falls behind by more than the event log keeps gets one event {@code lost} that says how
 * many. Bounded by {@value #SUBSCRIBERS_MAX} subscribers; the next one gets 503. Who stops reading for a minute is disconnected by the
 * kernel, where Netty's native transport loads; of who has HTTP/2 keep the events back for as long, the stream is ended.
 */
final class EventStreams implements AutoCloseable {
    static final int SUBSCRIBERS_MAX = 64;

    private static final int BATCH = 64;
    private static final ResponseHeaders HEADERS = ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.EVENT_STREAM)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .build();

    private final EventLog eventLog;
    private final Duration keepAlive;
    private final Duration takenWithin;
    private final Set<Subscriber> subscribers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger count = new AtomicInteger();
    private final EventLog.Subscription subscription;
    private volatile boolean closed;

    /**
     * @param keepAlive how often a comment is sent, so that both sides notice a dead connection
     * @param takenWithin after which a stream is ended whose client takes nothing
     */
    EventStreams(EventLog eventLog, Duration keepAlive, Duration takenWithin) {
        this.eventLog = eventLog;
        this.keepAlive = keepAlive;
        this.takenWithin = takenWithin;
        subscription = eventLog.listen(entry -> subscribers.forEach(Subscriber::wake));
    }

    /**
     * Starts a stream.
     *
     * @param after number of the event before the first one wanted; a number that was not reached yet is from a history
     *     that was lost, so all there is is wanted
     */
    HttpResponse open(ServiceRequestContext context, long after) {
        if (count.incrementAndGet() > SUBSCRIBERS_MAX || closed) {
            count.decrementAndGet();
            throw RequestRefused.unavailable(
                    closed ? "the manager is shutting down" : "all " + SUBSCRIBERS_MAX + " event streams are taken");
        }
        if (context.method() == HttpMethod.HEAD) {
            count.decrementAndGet();
            return HttpResponse.of(HEADERS.toBuilder().contentLengthUnknown().build());
        }
        context.clearRequestTimeout();
        HttpResponseWriter writer = HttpResponse.streaming();
        boolean startsOver = after > eventLog.lastNumber();
        Subscriber subscriber = new Subscriber(writer, context.eventLoop(), startsOver ? 0 : after);
        subscribers.add(subscriber);
        writer.whenComplete().handle((done, failed) -> {
            subscriber.end();
            return null;
        });
        writer.write(HEADERS);
        writer.write(HttpData.ofUtf8("retry: 2000\n\n" + (startsOver ? "event: started-over\ndata: {}\n\n" : "")));
        subscriber.start();
        return writer;
    }

    /** Streams open now. */
    int subscriberCount() {
        return count.get();
    }

    @Override
    public void close() {
        closed = true;
        subscription.close();
        subscribers.forEach(subscriber -> subscriber.writer.close());
    }

    /** Lives on its connection's event loop; only {@link #wake} may be called from elsewhere. */
    private final class Subscriber {
        final HttpResponseWriter writer;
        private final EventLoop eventLoop;
        private final AtomicBoolean woken = new AtomicBoolean();
        private final AtomicBoolean ended = new AtomicBoolean();
        private long sent;
        private boolean writing;
        /** How often it was looked and the same still waited to be taken. */
        private int untaken;

        private @Nullable Future<?> keepAliveTimer;

        Subscriber(HttpResponseWriter writer, EventLoop eventLoop, long after) {
            this.writer = writer;
            this.eventLoop = eventLoop;
            this.sent = after;
        }

        void start() {
            eventLoop.execute(() -> {
                if (!ended.get()) {
                    long millis = keepAlive.toMillis();
                    keepAliveTimer =
                            eventLoop.scheduleAtFixedRate(this::stayAlive, millis, millis, TimeUnit.MILLISECONDS);
                }
            });
            wake();
        }

        void wake() {
            if (woken.compareAndSet(false, true)) {
                eventLoop.execute(() -> {
                    woken.set(false);
                    pump();
                });
            }
        }

        private void pump() {
            if (writing || !writer.isOpen()) {
                return;
            }
            List<EventLog.Entry> entries = eventLog.after(sent, BATCH);
            if (entries.isEmpty()) {
                return;
            }
            StringBuilder text = new StringBuilder();
            for (EventLog.Entry entry : entries) {
                long missing = entry.number() - sent - 1;
                if (missing > 0) {
                    text.append("event: lost\ndata: {\"count\":")
                            .append(missing)
                            .append("}\n\n");
                }
                append(text, entry);
                sent = entry.number();
            }
            write(text.toString());
        }

        private static void append(StringBuilder text, EventLog.Entry entry) {
            text.append("id: ").append(entry.number()).append("\nevent: note\ndata: ");
            text.append(Json.text(EventAnswer.of(entry))).append("\n\n");
        }

        private void write(String text) {
            writing = true;
            untaken = 0;
            if (writer.tryWrite(HttpData.ofUtf8(text))) {
                writer.whenConsumed().thenRunAsync(this::written, eventLoop);
            }
        }

        private void written() {
            writing = false;
            pump();
        }

        private void stayAlive() {
            if (writing) {
                untaken++;
                if (keepAlive.multipliedBy(untaken).compareTo(takenWithin) >= 0) {
                    writer.abort();
                }
            } else if (writer.isOpen()) {
                write(": still here\n\n");
            }
        }

        void end() {
            if (ended.compareAndSet(false, true)) {
                subscribers.remove(this);
                count.decrementAndGet();
                eventLoop.execute(() -> {
                    if (keepAliveTimer != null) {
                        keepAliveTimer.cancel(false);
                    }
                });
            }
        }
    }
}
