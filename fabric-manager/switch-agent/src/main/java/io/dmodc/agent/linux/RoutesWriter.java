package io.dmodc.agent.linux;

import io.dmodc.agent.plane.InstallProgress;
import java.io.IOException;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Has the kernel hold what the book wants, in batches so short that a port that dies meanwhile waits some {@value #PIECE_MILLIS} ms at
 * most. Used by one thread.
 */
final class RoutesWriter implements AutoCloseable {
    /** So long one batch should take; by how long the ones before took. */
    static final long PIECE_MILLIS = 20;

    /** So long neighbours are written one by one before ports and routes are looked at again. */
    private static final long SINGLY_NANOS = TimeUnit.MILLISECONDS.toNanos(PIECE_MILLIS);

    static final int PIECE_MIN = 128;
    static final int PIECE_MAX = 4096;

    /** Lines of standing routes at a time: 1 ms, where others take {@value #PIECE_MILLIS}. */
    static final int STANDING_PIECE = 64;

    /** A child that ended is started again at once, and when it ends again, after this and then ever twice as long, up to 64 s. */
    static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int AGAIN_DOUBLINGS_MAX = 6;

    /** So many routes that are to be written yet are worth starting a second child for, which ends with them. */
    static final int LARGE = 4096;

    /** Fewer lines are done by one child though there are two. */
    private static final int SHARED_MIN = 256;

    private static final long ALONE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final LinuxSettings settings;
    private final IpProgram program;
    private final RouteBook book;
    private final NextHops nextHops;

    private @Nullable IpBatch batch;

    /** Does half of the lines while a large table is written: what ip does itself takes longer than the kernel's part, in which one waits for the other. */
    private @Nullable IpBatch second;

    /** Until then there is no second one, as one failed: one does it, too. */
    private long aloneUntil = System.nanoTime();

    private int losses;
    private long notBefore = System.nanoTime();
    private int piece = PIECE_MIN;

    /** Ports whose interface refused a route though it seemed to be up. */
    private final BitSet blocked = new BitSet();

    /** Ports of which a neighbour was refused. */
    private final BitSet neighbourless = new BitSet();

    /** Ports whose interface takes no IPv6 route, as one that has just been made. */
    private final BitSet withoutIpv6 = new BitSet();

    /** Of these, those that were tried again and have taken none since: they wait until the kernel is compared. */
    private final BitSet triedIpv6 = new BitSet();

    private long linesWritten;
    private @Nullable String neighbourTrouble;
    private String standingTrouble = "";
    private boolean standingSurprised;

    RoutesWriter(LinuxSettings settings, IpProgram program, RouteBook book, NextHops nextHops) {
        this.settings = settings;
        this.program = program;
        this.book = book;
        this.nextHops = nextHops;
    }

    /** Told between batches, and answers. */
    interface Host {
        /** Takes in what happened to ports. */
        void settlePorts();

        /** Returns the MAC address of a port's far end, while its interface is up; null: none is known. */
        @Nullable
        String mac(int port);

        /** Reads what the kernel holds: it has a route that it should not. */
        void readKernel() throws IOException;
    }

    /**
     * Writes all there is to be written.
     *
     * @throws IOException when {@code ip} ended, or does not answer: what the kernel holds is not known then
     */
    void write(Host host, InstallProgress progress) throws IOException {
        try {
            writeAll(host, progress);
        } finally {
            second = retired(second);
        }
    }

    private void writeAll(Host host, InstallProgress progress) throws IOException {
        int done = 0;
        boolean read = false;
        while (true) {
            host.settlePorts();
            boolean all = writeNeighbours(host);
            int total = done + book.dueCount();
            List<RouteOp> ops = book.next(piece);
            if (ops.isEmpty() && all) {
                return;
            }
            boolean surprised = !ops.isEmpty() && writePiece(ops);
            done += ops.size();
            progress.written(done, Math.max(total, done));
            if (surprised && !read) {
                read = true;
                host.readKernel();
            }
        }
    }

    /**
     * Writes some of what is to stand behind the routes; nothing else may be due.
     *
     * @return whether there may be more
     * @throws IOException as {@link #write}
     */
    boolean writeStanding() throws IOException {
        StandingRoutes standing = book.standing();
        List<RouteOp> ops = standing.next(STANDING_PIECE);
        if (!ops.isEmpty()) {
            standingSurprised |= tell(ops);
        }
        return !ops.isEmpty() || !standing.isSettled();
    }

    /** Returns whether the kernel had a route where none was known. */
    private boolean writePiece(List<RouteOp> ops) throws IOException {
        long start = System.nanoTime();
        boolean surprised = tell(ops);
        long took = Math.max(1, System.nanoTime() - start);
        long fitting = ops.size() * TimeUnit.MILLISECONDS.toNanos(PIECE_MILLIS) / took;
        piece = (int) Math.max(PIECE_MIN, Math.min(PIECE_MAX, Math.min(fitting, 2L * piece)));
        return surprised;
    }

    private boolean tell(List<RouteOp> ops) throws IOException {
        Map<Integer, String> failures = run(ops);
        linesWritten += ops.size();
        boolean surprised = false;
        for (int line = 0; line < ops.size(); line++) {
            String why = failures.get(line);
            if (why == null) {
                done(ops.get(line));
            } else {
                surprised |= failed(ops.get(line), why);
            }
        }
        return surprised;
    }

    private void done(RouteOp op) {
        if (!op.address().isIpv4() && op.kind() != RouteOp.Kind.DELETE) {
            triedIpv6.clear(op.port());
        }
        book.done(op);
    }

    private boolean failed(RouteOp op, String why) {
        boolean gone = op.kind() == RouteOp.Kind.DELETE && why.contains("No such process");
        // Of an IPv6 route, the kernel says so of an interface that takes no IPv6, too.
        boolean noDevice = why.contains("No such device");
        boolean down = why.contains("device is not up")
                || why.contains("Network is down")
                || why.contains("Cannot find device")
                || (noDevice && op.address().isIpv4());
        if (noDevice) {
            forgetInterfaces();
        }
        if (gone) {
            book.done(op);
        } else if (down && op.kind() != RouteOp.Kind.DELETE) {
            forgetInterfaces();
            blocked.set(op.port());
            book.writable(op.port(), false);
        } else if (noDevice && op.kind() != RouteOp.Kind.DELETE) {
            withoutIpv6.set(op.port(), !triedIpv6.get(op.port()));
            refused(op, why);
        } else if (op.kind() == RouteOp.Kind.ADD && why.contains("File exists")) {
            refused(op, "the kernel has another route for it, which is not touched");
            return true;
        } else {
            refused(op, IpProgram.withNeed(why));
        }
        return false;
    }

    private void refused(RouteOp op, String why) {
        book.refused(op, why);
        standingTrouble = op.standing() ? op.address() + ": " + why : standingTrouble;
    }

    /**
     * One by one where one is refused: which it was is not told, and those behind it were not looked at. Not for long at a time, as ports may
     * die meanwhile, and not where {@code ip} hangs.
     *
     * @return false where there may be more
     */
    private boolean writeNeighbours(Host host) {
        Map<NextHops.Key, String> due = new LinkedHashMap<>();
        for (int port = 1; port <= settings.portCount(); port++) {
            String mac = neighbourless.get(port) ? null : host.mac(port);
            nextHops.missing(port, mac, book.hasIpv6()).forEach(key -> due.put(key, Objects.requireNonNull(mac)));
        }
        long begun = System.nanoTime();
        String problem = due.isEmpty() ? null : writeNeighbours(due);
        if (problem == null) {
            return true;
        }
        long asked = System.nanoTime();
        boolean singly = due.size() > 1 && asked - begun < IpBatch.ANSWER_NANOS / 2;
        for (Map.Entry<NextHops.Key, String> one : due.entrySet()) {
            String why = singly ? writeNeighbours(Map.of(one.getKey(), one.getValue())) : problem;
            if (why != null) {
                int port = one.getKey().port();
                neighbourless.set(port);
                neighbourTrouble = settings.interfaceOf(port) + ": no neighbour: " + why;
            }
            if (singly && System.nanoTime() - asked > SINGLY_NANOS) {
                return false;
            }
        }
        return true;
    }

    /**
     * Writes neighbours by a program of their own, because {@code ip} ends when the kernel refuses one, whatever it was told of failures.
     *
     * @param some MAC addresses
     * @return why not all are written; null: they are
     */
    private @Nullable String writeNeighbours(Map<NextHops.Key, String> some) {
        StringBuilder lines = new StringBuilder();
        some.forEach((key, mac) -> lines.append(NextHops.line(key, mac, settings)));
        try (IpBatch child = IpBatch.start(command())) {
            Map<Integer, String> failures = child.run(lines, some.size());
            if (!failures.isEmpty()) {
                return failures.values().iterator().next();
            }
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
        some.forEach(nextHops::done);
        return null;
    }

    /** Returns what was wrong with neighbours since the last time; null: nothing. */
    @Nullable
    String neighbourTrouble() {
        String trouble = neighbourTrouble;
        neighbourTrouble = null;
        return trouble;
    }

    /** Returns what was wrong with a standing route since the last time; empty: nothing. */
    String standingTrouble() {
        String trouble = standingTrouble;
        standingTrouble = "";
        return trouble;
    }

    /** Returns whether the kernel had a standing route where none was known since the last time. */
    boolean standingSurprised() {
        boolean surprised = standingSurprised;
        standingSurprised = false;
        return surprised;
    }

    /** Half of them by the second one, where they are many; each may take its time to be told, and to answer. */
    private Map<Integer, String> run(List<RouteOp> ops) throws IOException {
        IpBatch child = batch();
        IpBatch other = ops.size() < SHARED_MIN ? null : second();
        int split = other == null ? ops.size() : ops.size() / 2;
        Map<Integer, String> failures;
        try {
            child.begin(lines(ops.subList(0, split)), split);
            if (other != null) {
                other.begin(lines(ops.subList(split, ops.size())), ops.size() - split);
            }
            failures = child.awaitDone();
            if (other != null) {
                other.awaitDone().forEach((line, why) -> failures.put(split + line, why));
            }
        } catch (IOException e) {
            throw lost(e);
        }
        replaceWornOut();
        return failures;
    }

    private StringBuilder lines(List<RouteOp> ops) {
        StringBuilder lines = new StringBuilder(96 * ops.size());
        for (RouteOp op : ops) {
            op.appendTo(lines, settings);
        }
        return lines;
    }

    /** Ends the children, of which one has failed. */
    private IOException lost(IOException why) {
        for (IpBatch each : new IpBatch[] {batch, second}) {
            if (each != null) {
                each.kill();
            }
        }
        aloneUntil = second == null ? aloneUntil : System.nanoTime() + ALONE_NANOS;
        batch = null;
        second = null;
        long wait = losses == 0 ? 0 : AGAIN_NANOS << Math.min(losses - 1, AGAIN_DOUBLINGS_MAX);
        notBefore = System.nanoTime() + wait;
        losses++;
        return why;
    }

    /** Replaces children that were told enough: at once, so that what comes next, a repair perhaps, does not wait for a start. */
    private void replaceWornOut() {
        losses = 0;
        if (batch != null && batch.isWornOut()) {
            batch = retired(batch);
            try {
                batch();
            } catch (IOException e) {
                // What was told is done; it is started with what is told next.
            }
        }
        if (second != null && second.isWornOut()) {
            second = retired(second);
        }
    }

    private static @Nullable IpBatch retired(@Nullable IpBatch child) {
        if (child != null) {
            child.retire();
        }
        return null;
    }

    private @Nullable IpBatch second() {
        if (second != null && !second.isAlive()) {
            second = retired(second);
        }
        if (second == null && PROCESSORS > 1 && book.dueCount() >= LARGE && aloneUntil - System.nanoTime() <= 0) {
            try {
                second = IpBatch.start(command());
            } catch (IOException e) {
                aloneUntil = System.nanoTime() + ALONE_NANOS;
            }
        }
        return second;
    }

    private IpBatch batch() throws IOException {
        IpBatch child = batch;
        if (child != null && !child.isAlive()) {
            child = retired(child);
        }
        if (child == null) {
            long wait = notBefore - System.nanoTime();
            if (wait > 0) {
                throw new IOException(
                        "ip ended again, and is started in " + TimeUnit.NANOSECONDS.toMillis(wait) + " ms");
            }
            child = IpBatch.start(command());
            batch = child;
        }
        return child;
    }

    private List<String> command() {
        return program.command("ip", "-force", "-batch", "-");
    }

    /** Begins with a new child: one remembers for ever which number an interface of a name has. */
    void forgetInterfaces() {
        batch = retired(batch);
        second = retired(second);
    }

    /** Returns whether the interface of a port refused a route; it is tried again when {@link #unblock} was called. */
    boolean isBlocked(int port) {
        return blocked.get(port);
    }

    /** Returns whether an interface refused something that it may take a moment later. */
    boolean hasBlocked() {
        return !blocked.isEmpty() || !neighbourless.isEmpty() || !withoutIpv6.isEmpty();
    }

    /** Returns whether an IPv6 route was refused that is tried again a moment later. */
    boolean awaitsIpv6() {
        return !withoutIpv6.isEmpty();
    }

    void unblock() {
        blocked.clear();
        neighbourless.clear();
        triedIpv6.or(withoutIpv6);
        withoutIpv6.clear();
    }

    /** Returns how many lines of routes the kernel was told. */
    long linesWritten() {
        return linesWritten;
    }

    /** Has the kernel do lines that are no routes, and returns why they failed, by number. */
    Map<Integer, String> tell(String... lines) throws IOException {
        StringBuilder all = new StringBuilder();
        for (String line : lines) {
            all.append(line).append('\n');
        }
        IpBatch child = batch();
        Map<Integer, String> failures;
        try {
            failures = child.run(all, lines.length);
        } catch (IOException e) {
            throw lost(e);
        }
        replaceWornOut();
        return failures;
    }

    @Override
    public void close() {
        if (batch != null) {
            batch.close();
        }
    }
}
