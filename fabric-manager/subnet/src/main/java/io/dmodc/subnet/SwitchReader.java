package io.dmodc.subnet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
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
 * Asks switches what they hold: by one command for all of them, which prints what {@code dump_fts} does, or by a command
 * for each, several at a time, which prints what {@code ibroute} does. A process for each takes far longer than what it
 * reads. At most {@value #AHEAD} times as many answers wait to be taken as are asked at a time. For one thread.
 *
 * @param <A> what is made of an answer
 */
public final class SwitchReader<A> implements AutoCloseable {
    /** One that takes longer does not answer. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    private static final String UNTOLD = "does not tell all blocks of its table";
    private static final int AHEAD = 4;
    private static final int PATIENCE_MILLIS = 10;

    /** Of all switches: 16 bytes an entry, 49,151 entries, 5,000 switches. */
    private static final long PRINTED_MAX = 4L << 30;

    /** Of one, whose entries may be named: 170 bytes each. */
    private static final int PRINTED_OF_ONE_MAX = 8 << 20;

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
    private final Duration timeoutOfAll;
    private final int atOnce;
    private final ExecutorService readers;

    /** The command for all that was started last. */
    private Future<String> all = CompletableFuture.completedFuture("");

    /** By the settings' command. */
    public SwitchReader(OpenSmSettings settings, Parser<A> parser) {
        this(settings.readBack(), settings, parser);
    }

    /** By this command. */
    public SwitchReader(String command, OpenSmSettings settings, Parser<A> parser) {
        this.command = command;
        timeout = settings.commandTimeout().compareTo(ANSWER_MAX) < 0 ? settings.commandTimeout() : ANSWER_MAX;
        timeoutOfAll = settings.commandTimeout();
        this.parser = parser;
        atOnce = settings.parallel();
        readers = Executors.newFixedThreadPool(atOnce, task -> {
            Thread thread = new Thread(task, "opensm-read-back");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** True if one command reads all. */
    public boolean readsAll() {
        return !OpenSmSettings.readsOne(command);
    }

    /**
     * Asks these; in this order, if each is asked for itself.
     *
     * @param enough asked again and again: true when nobody wants to know any more; commands that run then are
     *     left to their end, and the next questions wait for a place of theirs
     * @param taker told what came of each that was asked to the end, on this thread
     * @return how many that are
     */
    public <S extends Target> int read(
            List<S> switches, DirectedPaths paths, BooleanSupplier enough, Consumer<Answer<S, A>> taker)
            throws InterruptedException {
        return readsAll() ? readAll(switches, enough, taker) : readEach(switches, paths, enough, taker);
    }

    private <S extends Target> int readAll(List<S> switches, BooleanSupplier enough, Consumer<Answer<S, A>> taker)
            throws InterruptedException {
        while (!all.isDone()) {
            if (enough.getAsBoolean()) {
                return 0;
            }
            TimeUnit.MILLISECONDS.sleep(PATIENCE_MILLIS);
        }
        Map<Long, S> asked = new LinkedHashMap<>();
        switches.forEach(each -> asked.put(each.guid(), each));
        Said<S> said = new Said<>(Map.copyOf(asked));
        all = readers.submit(said::readAll);
        int count = 0;
        while (true) {
            boolean over = all.isDone();
            Answer<S, A> answer = said.answers.poll(over ? 0 : PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            if (answer != null && asked.remove(answer.of().guid()) != null) {
                taker.accept(answer);
                count++;
            } else if (answer == null && over) {
                break;
            }
            if (enough.getAsBoolean()) {
                said.unwanted = true;
                return count;
            }
        }
        String failure = whyOthersAreSilent();
        asked.values().forEach(each -> taker.accept(new Answer<>(each, null, failure)));
        return count + asked.size();
    }

    private String whyOthersAreSilent() throws InterruptedException {
        try {
            return all.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("reading switches", e.getCause());
        }
    }

    /** What the command for all prints, switch by switch; read on a thread of the reader. */
    private final class Said<S extends Target> {
        private final Map<Long, S> asked;
        private final UntoldBlocks untold;
        private final BlockingQueue<Answer<S, A>> answers = new ArrayBlockingQueue<>(AHEAD * atOnce);

        /** Once nobody takes answers any more; the command is left to its end all the same. */
        private volatile boolean unwanted;

        Said(Map<Long, S> asked) {
            this.asked = asked;
            untold = new UntoldBlocks(asked::containsKey);
        }

        /** Returns why others did not say anything. */
        String readAll() throws InterruptedException {
            TableSections sections = new TableSections(this::take);
            try {
                new ChildCommand(command, timeoutOfAll).run(sections, PRINTED_MAX, untold);
                sections.end();
                return "not among the switches that '" + command + "' prints";
            } catch (CommandFailedException | IOException e) {
                return Objects.requireNonNullElse(e.getMessage(), "no answer");
            }
        }

        private void take(byte[] section) throws IOException {
            S of = asked.get(IbrouteText.guid(section));
            if (of == null) {
                return;
            }
            Answer<S, A> answer = answer(of, section, untold);
            try {
                boolean taken = false;
                while (!taken && !unwanted) {
                    taken = answers.offer(answer, PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    private <S extends Target> Answer<S, A> answer(S of, byte[] printed, UntoldBlocks untold) {
        if (untold.mayHave(of.guid(), IbrouteText.top(printed), IbrouteText.path(printed))) {
            return new Answer<>(of, null, UNTOLD);
        }
        try {
            return new Answer<>(of, parser.parse(printed, of.guid()), "");
        } catch (CommandFailedException e) {
            return new Answer<>(of, null, Objects.requireNonNullElse(e.getMessage(), "no answer"));
        }
    }

    private <S extends Target> int readEach(
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
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            UntoldBlocks untold = new UntoldBlocks(guid -> guid == of.guid());
            new ChildCommand(ask, timeout).run(printed, PRINTED_OF_ONE_MAX, untold);
            return answer(of, printed.toByteArray(), untold);
        } catch (CommandFailedException e) {
            return new Answer<>(of, null, Objects.requireNonNullElse(e.getMessage(), "no answer"));
        }
    }

    @Override
    public void close() {
        readers.shutdownNow();
    }
}
