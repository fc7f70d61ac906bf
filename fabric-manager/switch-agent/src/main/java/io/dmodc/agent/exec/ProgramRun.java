package io.dmodc.agent.exec;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One run of the program, from its start to its end: a process, and a daemon thread for each of its three streams, so that
 * nobody else ever waits for it.
 *
 * <p>All but {@link #send} is for the thread that started it.
 */
final class ProgramRun {
    /** From SIGTERM to SIGKILL, and from the end of the input to SIGTERM when the agent ends. */
    static final long GRACE_NANOS = 2_000_000_000L;

    /** A program that ends by itself says its last words within that, and after its last word has ended within that. */
    static final long LAST_WORDS_MILLIS = 500;

    /** A greeting, a question for ports, one operation, and the end. */
    private static final int UNSENT_MAX = 4;

    /** Children of the program's that are remembered, to end them with it. */
    private static final int CHILDREN_MAX = 1024;

    private static final int CHUNK_BYTES = 1 << 15;

    /** Told on the run's threads. */
    interface Ears {
        /** @throws GarbageException when the program may not say that now; nothing more is read then */
        void said(ProgramRun run, ProgramWord word) throws GarbageException;

        /** It took something of what it was told. */
        void took(ProgramRun run);

        /** It said what it may not. */
        void garbage(ProgramRun run, String why);

        /** Nothing more is heard of it, or it hears nothing more; perhaps it has ended. */
        void closed(ProgramRun run, String why);

        /** A line of its standard error. */
        void complained(byte[] line);

        /** Its standard error is at its end. */
        void complainedAll();
    }

    /** Something to be told, written as the program takes it. */
    interface Text {
        void writeTo(OutputStream out) throws IOException;
    }

    private static final Text END = out -> {};

    private final Process process;
    private final ProgramLines lines;
    private final Ears ears;
    private final BlockingQueue<Text> unsent = new ArrayBlockingQueue<>(UNSENT_MAX);
    private final List<Thread> threads = new ArrayList<>();
    private final Thread reader;
    private final Thread writer;
    private final Set<ProcessHandle> children = ConcurrentHashMap.newKeySet();

    private ProgramRun(Process process, ProgramLines lines, Ears ears) {
        this.process = process;
        this.lines = lines;
        this.ears = ears;
        reader = thread("plane-reader", this::read);
        writer = thread("plane-writer", this::write);
        thread("plane-errors", this::readErrors);
    }

    /** @throws IOException when there is no such program, or it may not be started */
    static ProgramRun start(List<String> command, ProgramLines lines, Ears ears) throws IOException {
        return new ProgramRun(new ProcessBuilder(command).start(), lines, ears);
    }

    private Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        threads.add(thread);
        return thread;
    }

    /** Begins to listen and to speak. */
    void open(Runnable exited) {
        threads.forEach(Thread::start);
        process.onExit().thenRun(exited);
    }

    long pid() {
        return process.pid();
    }

    /** Has this told when all before it is; from any thread. False when more is unsent already than can ever be. */
    boolean send(Text text) {
        return unsent.offer(text);
    }

    private void read() {
        try {
            BoundedLines said = new BoundedLines(process.getInputStream(), ProgramLines.MAX_BYTES);
            for (BoundedLines.Line line = said.next(); line != null; line = said.next()) {
                if (!line.whole()) {
                    throw new GarbageException("it said a line of more than " + ProgramLines.MAX_BYTES + " bytes");
                }
                ProgramWord word = lines.word(line.bytes());
                if (word instanceof ProgramWord.Hello) {
                    // Those that it starts first are known before it can end by anything that is asked of it.
                    lookForChildren();
                }
                ears.said(this, word);
            }
            ears.closed(this, "it closed its output");
        } catch (GarbageException e) {
            ears.garbage(this, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            ears.closed(this, "its output cannot be read: " + e.getMessage());
        }
    }

    private void readErrors() {
        try {
            BoundedLines written = new BoundedLines(process.getErrorStream(), ErrorLines.MAX_BYTES);
            for (BoundedLines.Line line = written.next(); line != null; line = written.next()) {
                ears.complained(line.bytes());
                if (!line.whole() && !written.skipRest()) {
                    break;
                }
            }
        } catch (IOException e) {
            // As at its end: what it has to say in earnest it says on its output.
        }
        ears.complainedAll();
    }

    private void write() {
        try (OutputStream out = new BufferedOutputStream(new Taken(process.getOutputStream()), CHUNK_BYTES)) {
            for (Text text = unsent.take(); text != END; text = unsent.take()) {
                text.writeTo(out);
                out.flush();
            }
        } catch (IOException e) {
            ears.closed(this, "it closed its input");
        } catch (InterruptedException e) {
            // The run is over.
        }
    }

    /** Tells when the program, or the pipe before it, took something. */
    private final class Taken extends OutputStream {
        private final OutputStream out;

        Taken(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            out.flush();
            ears.took(ProgramRun.this);
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    /** Remembers the children it has now: one whose parent has ended is not found any more. */
    void lookForChildren() {
        children.removeIf(child -> !runs(child));
        process.descendants().limit(Math.max(0, CHILDREN_MAX - children.size())).forEach(children::add);
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Waits shortly for its last words; a child of its own may keep its output open for ever. */
    void awaitLastWords() throws InterruptedException {
        reader.join(LAST_WORDS_MILLIS);
    }

    /** Returns how it ended by itself; null: it has not, even after a short wait. */
    @Nullable
    String awaitExit() throws InterruptedException {
        return process.waitFor(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)
                ? "it ended with exit code " + process.exitValue()
                : null;
    }

    /** Ends it with all its children that are known: SIGTERM, and SIGKILL for those that are there still after a while. */
    void end() throws InterruptedException {
        lookForChildren();
        // Not Process.destroy: it closes the streams, and would wait there for a writer that waits for the program.
        process.toHandle().destroy();
        children.forEach(ProcessHandle::destroy);
        long deadline = System.nanoTime() + GRACE_NANOS;
        awaitAll(deadline);
        lookForChildren();
        process.toHandle().destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        process.waitFor();
        writer.interrupt();
    }

    private void awaitAll(long deadline) throws InterruptedException {
        process.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        for (ProcessHandle child : children) {
            while (runs(child) && System.nanoTime() < deadline) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
        }
    }

    /** One that has ended and is waited for by nobody, as in many containers, is there still, and has no command any more. */
    private static boolean runs(ProcessHandle child) {
        return child.isAlive() && child.info().command().isPresent();
    }

    /** Ends its input and gives it a while to end by itself. */
    void endByItself() throws InterruptedException {
        lookForChildren();
        send(END);
        process.waitFor(GRACE_NANOS, TimeUnit.NANOSECONDS);
    }

    /** False while somebody holds its streams open though it has ended, and a thread of ours waits there. */
    boolean settled() {
        return threads.stream().noneMatch(Thread::isAlive);
    }
}
