package io.dmodc.ctl.client;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** The text of an answer, of which no more is kept than so many bytes: something that answers without end shall not fill the memory. */
final class BoundedText implements BodySubscriber<String> {
    private final BodySubscriber<String> text = BodySubscribers.ofString(StandardCharsets.UTF_8);
    private final int bytesMax;
    private long bytes;
    private @Nullable Subscription subscription;

    BoundedText(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** The answer is longer than any answer may be. */
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLongException(String message) {
            super(message);
        }
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        this.subscription = subscription;
        text.onSubscribe(subscription);
    }

    @Override
    public void onNext(List<ByteBuffer> more) {
        if (bytes > bytesMax) {
            return; // What was on its way when it was cancelled.
        }
        more.forEach(buffer -> bytes += buffer.remaining());
        if (bytes <= bytesMax) {
            text.onNext(more);
            return;
        }
        Objects.requireNonNull(subscription).cancel();
        text.onError(new TooLongException("longer than " + (bytesMax >> 20) + " MiB"));
    }

    @Override
    public void onError(Throwable thrown) {
        text.onError(thrown);
    }

    @Override
    public void onComplete() {
        text.onComplete();
    }

    @Override
    public CompletionStage<String> getBody() {
        return text.getBody();
    }
}
