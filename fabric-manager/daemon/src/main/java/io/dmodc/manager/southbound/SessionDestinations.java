package io.dmodc.manager.southbound;

import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.ManagerFrame;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Which destinations one agent holds, and so which frames it is sent next. A version that was begun is ended before the newest one
 * is asked for, so at most the frames of one wait here, shared with other sessions. Not thread-safe.
 */
public final class SessionDestinations {
    private final DestinationFrames frames;
    private final boolean wanted;
    private final Deque<ManagerFrame> due = new ArrayDeque<>();
    private long held;

    /** @param hello says whether the agent wants to be told, and what it holds from sessions before */
    public SessionDestinations(DestinationFrames frames, Hello hello) {
        this.frames = frames;
        wanted = hello.getDestinations();
        held = hello.getDestinationsDigest();
    }

    /** Returns the next frame to be sent; null if the agent holds the newest, or wants none. */
    public @Nullable ManagerFrame next() {
        if (wanted && due.isEmpty()) {
            DestinationFrames.News news = frames.after(held);
            held = news.digest();
            due.addAll(news.frames());
        }
        return due.poll();
    }
}
