package io.dmodc.agent.exec;

import io.dmodc.agent.exec.Operation.Installing;
import io.dmodc.agent.exec.Operation.Reading;
import io.dmodc.agent.plane.ForwardingPlane;
import io.dmodc.agent.plane.HelloChannel;
import io.dmodc.agent.plane.InstallProgress;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.PlaneCapabilities;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.agent.plane.PlaneListener;
import io.dmodc.agent.plane.PortState;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.agent.plane.TransitChannel;
import io.dmodc.southbound.Guids;
import io.dmodc.southbound.SouthboundProtocol;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A switch that a program of the site's writes to: a child process, told and heard in lines ({@link ProgramLines}).
 *
 * <p>The program is trusted with the switch and with nothing else: one that stays silent, says what it may not, or ends is
 * ended with its children and started again, after 1 s and then after ever twice as long, up to 60 s. The operation under way
 * fails then, and the table is read back before another is written. It cannot fill memory, hold up the agent's loop, or fill its log.
 *
 * <p>{@link ProgramKeeper} has a thread, and each run of the program three more. All state here is guarded by this object, and nobody
 * but the keeper is told anything while it is held. Memory besides the program's is a table while it is read, and some lines.
 */
public final class ExecPlane implements ForwardingPlane, AutoCloseable {
    private enum Phase {
        /** No program runs. */
        DOWN,
        /** Started, and has not said hello. */
        GREETING,
        /** Asked for its ports. */
        TELLING_PORTS,
        /** Takes operations. */
        READY
    }

    private final MemoryPlane ports;
    private final ExecSettings settings;
    private final ProgramLines lines;
    private final ProgramKeeper keeper;

    private Phase phase = Phase.DOWN;
    private @Nullable ProgramRun run;
    private boolean closed;

    /** The last word or other sign of life while something is asked of the program. */
    private long lastSign;

    private long lastId;
    private long portsId;
    private int entriesMax;

    /** The program has said its table since its start. */
    private boolean read;

    private boolean everReady;
    private @Nullable Operation<?> operation;

    /** What it says of its ports until it has said all. */
    private final Map<Integer, PortState> told = new TreeMap<>();

    /**
     * Makes a plane whose program is not started yet.
     *
     * @param ports identity of the switch, and its ports; who else plugs cables into it is the caller's business
     */
    public ExecPlane(MemoryPlane ports, ExecSettings settings) {
        this.ports = ports;
        this.settings = settings;
        lines = new ProgramLines(ports.guid(), ports.portCount());
        String who =
                "switch " + Guids.text(ports.guid()) + ": " + settings.command().get(0);
        keeper = new ProgramKeeper(who, settings, lines, new Speaking());
    }

    /** Starts the program, and again whenever it ends. */
    public void start() {
        keeper.start();
    }

    @Override
    public long guid() {
        return ports.guid();
    }

    @Override
    public String name() {
        return ports.name();
    }

    @Override
    public int portCount() {
        return ports.portCount();
    }

    @Override
    public PortState portState(int number) {
        return ports.portState(number);
    }

    @Override
    public List<PortState> ports() {
        return ports.ports();
    }

    /** What a program can refuse it may have written in part; where it leads to is for the program to know. */
    @Override
    public PlaneCapabilities capabilities() {
        return new PlaneCapabilities(SouthboundProtocol.MAX_ENTRIES, false, true, settings.takesAlternatives(), false);
    }

    @Override
    public void listen(PlaneListener listener) {
        ports.listen(listener);
    }

    @Override
    public @Nullable HelloChannel hellos() {
        return null;
    }

    @Override
    public @Nullable TransitChannel transits() {
        return null;
    }

    /** While no program runs, waits for the next. */
    @Override
    public CompletionStage<InstalledTable> readBack() {
        synchronized (this) {
            if (closed) {
                return failed("the agent ends");
            }
            Reading reading = new Reading(++lastId);
            take(reading);
            if (phase == Phase.READY) {
                begin(reading);
            }
            return reading.result;
        }
    }

    /** Only after {@link #readBack} of the same run: what a program that was started again holds is not known. */
    @Override
    public CompletionStage<Void> install(TableChange change, InstallProgress progress) {
        synchronized (this) {
            int entries = change.table().entries().length;
            if (phase != Phase.READY) {
                return failed("the program is not running");
            }
            if (!read) {
                return failed("the program was started again, and its table was not read yet");
            }
            if (entries > entriesMax) {
                return failed("table of " + entries + " entries, the program takes " + entriesMax);
            }
            Installing installing = new Installing(++lastId, change, progress);
            take(installing);
            begin(installing);
            return installing.result;
        }
    }

    private static <T> CompletionStage<T> failed(String why) {
        return CompletableFuture.failedStage(new PlaneException(why));
    }

    private void take(Operation<?> asked) {
        if (operation != null) {
            throw new IllegalStateException("asked for something else before the answer");
        }
        operation = asked;
    }

    private void begin(Operation<?> asked) {
        lastSign = System.nanoTime();
        asked.begun = true;
        tell(out -> asked.writeTo(out, lines));
    }

    private void tell(ProgramRun.Text text) {
        if (run != null && !run.send(text)) {
            keeper.giveUp(run, "it answers what it was not told yet");
        }
        keeper.turned();
    }

    /** Both ways with the program's keeper. */
    private final class Speaking implements ProgramKeeper.Speaker {
        @Override
        public void began(ProgramRun started) {
            synchronized (ExecPlane.this) {
                run = started;
                phase = Phase.GREETING;
                read = false;
                lastSign = System.nanoTime();
                tell(out -> out.write(lines.hello(ports.name())));
            }
        }

        @Override
        public long silenceLeftNanos(long nowNanos) {
            synchronized (ExecPlane.this) {
                boolean asked = phase != Phase.READY || operation != null;
                return settings.answerTimeout().toNanos() - (asked ? nowNanos - lastSign : 0);
            }
        }

        @Override
        public void over(String why) {
            Operation<?> failed;
            synchronized (ExecPlane.this) {
                run = null;
                phase = Phase.DOWN;
                failed = operation;
                operation = null;
            }
            if (failed != null) {
                failed.fail("the program: " + why);
            }
        }

        @Override
        public void said(ProgramRun from, ProgramWord word) throws GarbageException {
            Runnable consequence;
            synchronized (ExecPlane.this) {
                consequence = from == run ? hear(word) : () -> {};
            }
            consequence.run();
        }

        @Override
        public void took(ProgramRun from) {
            synchronized (ExecPlane.this) {
                if (from == run) {
                    lastSign = System.nanoTime();
                }
            }
        }
    }

    /** Returns what to do once the lock is given back. */
    private Runnable hear(ProgramWord word) throws GarbageException {
        if (word instanceof ProgramWord.Hello hello) {
            return greeted(hello);
        }
        if (phase == Phase.GREETING) {
            throw new GarbageException("it said " + word + " before hello");
        }
        if (word instanceof ProgramWord.Port port) {
            return port(new PortState(port.number(), port.up(), port.far(), port.rate()));
        }
        if (word instanceof ProgramWord.Ports all) {
            return allPorts(all);
        }
        if (word instanceof ProgramWord.Lost) {
            return ports::tellLost;
        }
        if (word instanceof ProgramWord.Entry entry) {
            lastSign = System.nanoTime();
            asked(Reading.class, word, null).table.take(entry);
            return () -> {};
        }
        if (word instanceof ProgramWord.Read end) {
            return read(asked(Reading.class, word, end.id()), end);
        }
        if (word instanceof ProgramWord.Progress progress) {
            return progressed(asked(Installing.class, word, progress.id()), progress);
        }
        if (word instanceof ProgramWord.Installed done) {
            return installed(asked(Installing.class, word, done.id()));
        }
        if (word instanceof ProgramWord.Failed failure) {
            return refused(asked(Operation.class, word, failure.id()), failure.why());
        }
        throw new IllegalStateException("nobody hears words of " + word.getClass());
    }

    /** Returns the operation that a word answers. */
    private <T extends Operation<?>> T asked(Class<T> kind, ProgramWord word, @Nullable Long id)
            throws GarbageException {
        if (operation == null || !operation.begun || !kind.isInstance(operation)) {
            throw new GarbageException("it said " + word + ", which answers nothing");
        }
        if (id != null && id != operation.id) {
            throw new GarbageException("it said " + word + "; expected id " + operation.id);
        }
        return kind.cast(operation);
    }

    private Runnable greeted(ProgramWord.Hello hello) throws GarbageException {
        if (phase != Phase.GREETING) {
            throw new GarbageException("it said hello again");
        }
        entriesMax = hello.entries();
        if (!settings.tellsPorts()) {
            return ready();
        }
        phase = Phase.TELLING_PORTS;
        lastSign = System.nanoTime();
        portsId = ++lastId;
        byte[] question = lines.ports(portsId);
        told.clear();
        tell(out -> out.write(question));
        return () -> {};
    }

    private Runnable port(PortState port) {
        if (!settings.tellsPorts()) {
            return () -> {};
        }
        if (phase == Phase.TELLING_PORTS) {
            told.put(port.number(), port);
            return () -> {};
        }
        return ports.set(port) ? () -> ports.tell(port.number()) : () -> {};
    }

    private Runnable allPorts(ProgramWord.Ports all) throws GarbageException {
        if (phase != Phase.TELLING_PORTS || all.id() != portsId) {
            throw new GarbageException("it said " + all + ", which answers nothing");
        }
        List<Integer> changed = ports.plug(List.copyOf(told.values()));
        told.clear();
        Runnable next = ready();
        return () -> {
            changed.forEach(ports::tell);
            next.run();
        };
    }

    /** Takes what waited; a table that nobody asks for is told lost, as another run of the program has it now. */
    private Runnable ready() {
        boolean again = everReady;
        phase = Phase.READY;
        everReady = true;
        keeper.turned();
        if (operation != null) {
            begin(operation);
            return () -> {};
        }
        return again ? ports::tellLost : () -> {};
    }

    private Runnable read(Reading reading, ProgramWord.Read end) throws GarbageException {
        InstalledTable table = reading.table.table(end);
        operation = null;
        read = true;
        keeper.turned();
        return () -> reading.result.complete(table);
    }

    /** One that does not grow is no sign of life. */
    private Runnable progressed(Installing installing, ProgramWord.Progress progress) {
        if (progress.done() <= installing.done) {
            return () -> {};
        }
        installing.done = progress.done();
        lastSign = System.nanoTime();
        return () -> installing.progress.written(progress.done(), progress.total());
    }

    private Runnable installed(Installing installing) throws GarbageException {
        if (!installing.committed()) {
            throw new GarbageException("it said that it has a table which was not told to its end");
        }
        operation = null;
        keeper.turned();
        return () -> installing.result.complete(null);
    }

    private Runnable refused(Operation<?> failed, String why) {
        operation = null;
        keeper.turned();
        return () -> failed.fail(why);
    }

    /** Ends the input of the program, and it with its children when it does not end by itself within 2 s; waits for that. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        keeper.close();
    }
}
