package io.dmodc.manager.southbound;

import io.dmodc.southbound.SouthboundProtocol;
import io.netty.channel.Channel;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes one agent has not read yet, bounded: every frame goes through here.
 *
 * <p>Between Netty's water marks the session neither reads nor repeats itself. A frame that finds
 * {@link SessionBounds#unsentMaxBytes} waiting ends the connection instead of joining them, and so does a peer that does
 * not get below the low mark within {@link SessionBounds#unsentTimeout}. So a peer that does not read costs
 * {@code unsentMaxBytes} and one frame, for that long. On the channel's event loop only, unless stated.
 */
final class SessionOutput {
    private final Channel channel;
    private final SessionBounds bounds;
    private final Consumer<String> unread;
    private @Nullable Future<?> timer;
    private boolean ended;

    /** @param unread told once, in one line, before the connection of a peer that does not read is closed */
    SessionOutput(Channel channel, SessionBounds bounds, Consumer<String> unread) {
        this.channel = channel;
        this.bounds = bounds;
        this.unread = unread;
    }

    boolean isWritable() {
        return channel.isWritable();
    }

    /** Bytes queued in this process; below Netty's high mark not counted exactly, and said to be none. Any thread. */
    long unsentBytes() {
        return channel.isWritable() ? 0 : channel.bytesBeforeWritable() + SouthboundProtocol.WRITE_LOW_WATER_BYTES;
    }

    /** Sends a message or the bytes of one; releases them if the connection has ended or ends here. */
    void send(Object frame) {
        sendLater(frame);
        flush();
    }

    /** As {@link #send}, but {@link #flush} lets it go: answers to one read leave together. */
    void sendLater(Object frame) {
        if (!ended && unsentBytes() >= bounds.unsentMaxBytes()) {
            giveUp("more than " + bounds.unsentMaxBytes() + " bytes unsent");
        }
        if (ended) {
            ReferenceCountUtil.release(frame);
        } else {
            channel.write(frame, channel.voidPromise());
        }
    }

    void flush() {
        if (!ended) {
            channel.flush();
        }
    }

    void writabilityChanged() {
        if (isWritable()) {
            cancelTimer();
        } else if (timer == null && !ended) {
            long millis = bounds.unsentTimeout().toMillis();
            timer = channel.eventLoop()
                    .schedule(
                            () -> giveUp(unsentBytes() + " bytes unsent for " + millis + " ms"),
                            millis,
                            TimeUnit.MILLISECONDS);
        }
    }

    private void giveUp(String why) {
        end();
        unread.accept("the agent does not read: " + why);
        channel.close();
    }

    /** Nothing is sent from now on. */
    void end() {
        ended = true;
        cancelTimer();
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
