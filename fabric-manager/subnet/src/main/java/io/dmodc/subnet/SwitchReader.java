package io.dmodc.subnet;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks switches what they hold, several at a time: a command for each, which prints what {@code ibroute} does. At most
 * {@value #AHEAD} times as many answers wait to be taken as are asked at a time. For one thread.
 *
 * @param <A> what is made of an answer
 */
public final class SwitchReader<A> implements AutoCloseable {
    /** One that takes longer does not answer. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    private static final int AHEAD = 4;
    private static final int PATIENCE_MILLIS = 10;

    /** One that can be asked. */
    public interface Target {
        /** Which it is. */
        long guid();

        /** Its address. */
        int lid();
    }

    /** Makes something of what a command printed; on threads of the reader. */
    public interface Parser<A> {
        /** @throws CommandFailedException if it is not what this switch holds, in one line */
        A parse(byte[] printed, long guid) throws CommandFailedException;
    }

    /**
     * What came of asking a switch.
     *
     * @param said what it holds; null when it does not say
     * @param failure why not, for people; else empty
     */
    public record Answer<S extends Target, A>(
            S of, @Nullable A said, String failure) {}

    private final String command;
    private final Duration timeout;
    private final Parser<A> parser;
    private final int atOnce;
    private final ExecutorService readers;

    public SwitchReader(OpenSmSettings settings, Parser<A> parser) {
        command = settings.readBack();
        timeout = settings.commandTimeout().compareTo(ANSWER_MAX) < 0 ? settings.commandTimeout() : ANSWER_MAX;
        this.parser = parser;
        atOnce = settings.parallel();
        readers = Executors.newFixedThreadPool(atOnce, task -> {
            Thread thread = new Thread(task, "opensm-read-back");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Asks these, in this order.
     *
     * @param enough asked again and again: true when nobody wants to know any more; commands that run then are
     *     left to their end, and the next questions wait for a place of theirs
     * @param taker told what came of each that was asked to the end, in this order, on this thread
     * @return how many that are
     */
    public <S extends Target> int read(
            List<S> switches, DirectedPaths paths, BooleanSupplier enough, Consumer<Answer<S, A>> taker)
            throws InterruptedException {
        Deque<Future<Answer<S, A>>> asked = new ArrayDeque<>();
        Iterator<S> next = switches.iterator();
        int count = 0;
        while (next.hasNext() || !asked.isEmpty()) {
            while (next.hasNext() && asked.size() < AHEAD * atOnce) {
                S each = next.next();
                asked.add(readers.submit(() -> ask(each, paths.to(each.guid()))));
            }
            Answer<S, A> answer = enough.getAsBoolean() ? null : taken(asked.element());
            if (answer != null) {
                asked.remove();
                taker.accept(answer);
                count++;
            } else if (enough.getAsBoolean()) {
                asked.forEach(each -> each.cancel(false));
                return count;
            }
        }
        return count;
    }

    /** Null if there is no answer yet. */
    private static <S extends Target, A> @Nullable Answer<S, A> taken(Future<Answer<S, A>> asked)
            throws InterruptedException {
        try {
            return asked.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException("reading a switch", e.getCause());
        }
    }

    private <S extends Target> Answer<S, A> ask(S of, @Nullable String path) throws InterruptedException {
        try {
            if (path == null && command.contains(OpenSmSettings.PATH)) {
                throw new CommandFailedException("no path from the host that looks at the fabric is known");
            }
            String ask = command.replace(OpenSmSettings.LID, Integer.toString(of.lid()))
                    .replace(OpenSmSettings.PATH, String.valueOf(path));
            return new Answer<>(of, parser.parse(new ChildCommand(ask, timeout).run(), of.guid()), "");
        } catch (CommandFailedException e) {
            return new Answer<>(of, null, Objects.requireNonNullElse(e.getMessage(), "no answer"));
        }
    }

    @Override
    public void close() {
        readers.shutdownNow();
    }
}
