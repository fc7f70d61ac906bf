package io.dmodc.manager.opensm;

import io.dmodc.subnet.ChildCommand;
import io.dmodc.subnet.CommandFailedException;
import io.dmodc.subnet.LinkInfoText;
import io.dmodc.subnet.LinkInfoText.SwitchLinks;
import io.dmodc.subnet.OpenSmSettings;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks single switches by {@code switch-look} what their ports lead to, {@code parallel} at a time. There is a limit of a second, or half of what a look at all takes, up to
 * {@value #SECONDS_MAX} s: a command that takes longer is killed. For one thread.
 */
final class SwitchAsker implements AutoCloseable {
    static final int SECONDS_MAX = 5;

    /** Of so many looks at all the quickest counts: any may have been taken while OpenSM swept. */
    static final int LOOKS = 4;

    private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(SECONDS_MAX);

    private final String command;
    private final Duration commandTimeout;
    private final int parallel;
    private final ExecutorService askers;

    /** What the last look at all took; 0 before the first. Read by those who ask as well, which begin later. */
    private volatile long ofAllNanos;

    /** What the last {@value #LOOKS} took, one written over the oldest; those that were not taken yet take for ever. */
    private final long[] looksNanos = new long[LOOKS];

    private int nextLook;

    /** @param command with {@link OpenSmSettings#PATH} in it */
    SwitchAsker(String command, OpenSmSettings settings) {
        this.command = command;
        commandTimeout = settings.commandTimeout();
        parallel = settings.parallel();
        Arrays.fill(looksNanos, Long.MAX_VALUE);
        askers = Executors.newFixedThreadPool(parallel, task -> {
            Thread thread = new Thread(task, "opensm-switch-look");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** How many are asked at a time. */
    int parallel() {
        return parallel;
    }

    /** A look at all took so long: in a large fabric there is more time. */
    void lookAtAllTook(long nanos) {
        ofAllNanos = nanos;
        looksNanos[nextLook] = nanos;
        nextLook = (nextLook + 1) % LOOKS;
    }

    /** What asking a few switches one by one may take where asking all took so long. */
    static long limitNanos(long ofAllNanos) {
        return Math.min(MOST_NANOS, Math.max(LEAST_NANOS, ofAllNanos / 2));
    }

    long limitNanos() {
        return limitNanos(ofAllNanos);
    }

    /** True if one of the last {@value #LOOKS} looks at all took less. */
    boolean isSlowerThanAll(long nanos) {
        return Arrays.stream(looksNanos).anyMatch(look -> look < nanos);
    }

    /** Begins to ask the switches at the ends of these paths, in their order; null comes of one that does not answer. */
    <K> Map<K, Future<@Nullable SwitchLinks>> ask(Map<K, String> paths) {
        Map<K, Future<@Nullable SwitchLinks>> answers = new LinkedHashMap<>();
        paths.forEach((key, path) -> answers.put(key, askers.submit(() -> ask(path))));
        return answers;
    }

    /** Asks them, and waits; without those that do not answer. */
    <K> Map<K, SwitchLinks> answers(Map<K, String> paths) throws InterruptedException {
        Map<K, SwitchLinks> answers = new HashMap<>();
        for (Map.Entry<K, Future<@Nullable SwitchLinks>> each : ask(paths).entrySet()) {
            SwitchLinks links = answer(each.getValue());
            if (links != null) {
                answers.put(each.getKey(), links);
            }
        }
        return answers;
    }

    private @Nullable SwitchLinks ask(String path) throws InterruptedException {
        try {
            Duration limit = Duration.ofNanos(Math.min(limitNanos(), commandTimeout.toNanos()));
            return LinkInfoText.links(new ChildCommand(command.replace(OpenSmSettings.PATH, path), limit).run());
        } catch (CommandFailedException e) {
            return null; // It does not answer, for all that is known.
        }
    }

    static @Nullable SwitchLinks answer(Future<@Nullable SwitchLinks> asked) throws InterruptedException {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("looking at a switch", e.getCause());
        }
    }

    @Override
    public void close() {
        askers.shutdownNow();
    }
}
