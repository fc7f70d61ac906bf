package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Makes what is read, on {@value #WORKERS} threads of its own, so that the status, {@code /health} and acts never wait behind long lists, and
 * counts what was not taken yet: who asks for a list and does not read it has it in this process's memory until the connection is
 * over. Beyond a bound no more is made until some is taken; above it there are as many answers at most as there are threads. Each request
 * under way waits here once at most. Thread-safe.
 */
final class UnsentAnswers implements AutoCloseable {
    private static final int WORKERS = 3;

    private final long bytesMax;
    private final AtomicLong bytes = new AtomicLong();
    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS, work -> {
        Thread thread = new Thread(work, "answers");
        thread.setDaemon(true);
        return thread;
    });

    /** @param bytesMax beyond, lists are refused */
    UnsentAnswers(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** As JSON. */
    HttpResponse of(ServiceRequestContext context, HttpRequest request, Supplier<Object> answer) {
        return HttpResponse.of(
                () -> {
                    requireRoom(context);
                    byte[] body = Json.bytes(answer.get());
                    int length = body.length;
                    bytes.addAndGet(length);
                    context.log().whenComplete().thenRun(() -> bytes.addAndGet(-length));
                    return TaggedAnswers.of(request.headers(), MediaType.JSON_UTF_8, body, TaggedAnswers.tag(body));
                },
                workers);
    }

    /** Made, and not taken yet. */
    long bytes() {
        return bytes.get();
    }

    private void requireRoom(ServiceRequestContext context) {
        if (context.isCancelled()) {
            throw RequestRefused.busy("it took too long until this could be begun");
        }
        long unsent = bytes.get();
        if (unsent > bytesMax) {
            throw RequestRefused.busy((unsent >> 10) + " KiB of lists wait for clients that asked for them; ask again");
        }
    }

    /** What waits is not made. */
    @Override
    public void close() {
        workers.shutdownNow();
    }
}
