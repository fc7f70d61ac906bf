package io.dmodc.manager.recording;

import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.loop.TurnListener;
import io.dmodc.manager.recording.proto.End;
import io.dmodc.manager.recording.proto.Entry;
import io.dmodc.manager.recording.proto.Event;
import io.dmodc.manager.recording.proto.Outcome;
import io.dmodc.manager.recording.proto.Turn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down what a manager's core begins with and is told, on a thread of its own, into one file for each run.
 *
 * <p>A recording with a gap is worth nothing, so it ends at the first: when the writer is {@value #TURNS_MAX} turns or
 * {@value #EVENTS_MAX} events behind, when the file is as long as allowed, when the disk does not take it. The log says so, and the
 * end of the file if it can; the manager goes on as before. Nothing is forced to disk: a power cut costs the last seconds.
 */
public final class EventRecorder implements TurnListener, AutoCloseable {
    /** Most turns that wait to be written. */
    static final int TURNS_MAX = 1 << 12;

    /** Most events in them; a turn more may come to the last. */
    static final int EVENTS_MAX = 1 << 16;

    private static final long LOOK_MILLIS = 100;
    private static final long CLOSING_MILLIS = 5_000;
    private static final String CLOSED = "closed";
    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

    /** What waits of a computation until it is written; not its tables. */
    private record Computed(
            long nowNanos,
            long epoch,
            long routeNanos,
            long checkNanos,
            io.dmodc.manager.recording.proto.Routed.Kind kind,
            long[] digests) {}

    /** @param events {@link FabricEvent} or {@link Computed} */
    private record Turned(List<Object> events, long nanos, int effects, List<Outcome> outcomes) {}

    private final Path file;
    private final FrameWriter out;
    private final long bytesMax;
    private final BlockingQueue<Turned> queue = new ArrayBlockingQueue<>(TURNS_MAX);
    private final AtomicInteger waitingEvents = new AtomicInteger();
    private final AtomicReference<@Nullable String> ended = new AtomicReference<>();
    private final Thread writer = new Thread(this::write, "event-recorder");

    /** On the loop's thread. */
    private final EpochOutcomes outcomes = new EpochOutcomes();

    /** @param out holds the start already */
    EventRecorder(Path file, FrameWriter out, long bytesMax) {
        this.file = file;
        this.out = out;
        this.bytesMax = bytesMax;
        writer.setDaemon(true);
        writer.start();
    }

    /**
     * Begins a recording. The oldest in the directory are thrown away.
     *
     * @param bytesMax where the recording ends
     * @param files most recordings in the directory, this one included
     * @throws IOException in one line when the directory or the file cannot be written
     */
    public static EventRecorder open(Path directory, RunStart start, long bytesMax, int files) throws IOException {
        Path file = RecordingFiles.of(directory, start);
        try {
            Files.createDirectories(directory);
            FrameWriter out = new FrameWriter(file);
            try {
                out.write(Entry.newBuilder().setStart(start.message()).build());
                out.flush();
                RecordingFiles.keepNewest(directory, files);
            } catch (IOException e) {
                out.close();
                throw e;
            }
            return new EventRecorder(file, out, bytesMax);
        } catch (IOException e) {
            throw new IOException("recording.directory: " + file + ": cannot be written (" + e + ")", e);
        }
    }

    /** Where this run is written down. */
    public Path file() {
        return file;
    }

    @Override
    public void turned(List<FabricEvent> events, long settledNanos, int effects, FabricState state) {
        if (ended.get() != null) {
            return;
        }
        List<Object> kept = new ArrayList<>(events.size());
        events.forEach(event -> kept.add(event instanceof Routed routed ? computed(routed) : event));
        Turned turned = new Turned(kept, settledNanos, effects, outcomes.ended(state.epochs()));
        if (waitingEvents.addAndGet(events.size()) > EVENTS_MAX || !queue.offer(turned)) {
            end("the disk did not keep up");
        }
    }

    private static Computed computed(Routed routed) {
        return new Computed(
                routed.nowNanos(),
                routed.epoch(),
                routed.routeNanos(),
                routed.checkNanos(),
                Tables.kind(routed),
                routed.digests());
    }

    @Override
    public void toldOtherwise(String what) {
        end(what);
    }

    /** Why it has ended; {@code null} while it goes on. */
    @Nullable
    String ended() {
        return ended.get();
    }

    private void end(String why) {
        ended.compareAndSet(null, why);
    }

    private void write() {
        try (out) {
            writeTurns();
            out.write(Entry.newBuilder()
                    .setEnd(End.newBuilder().setReason(String.valueOf(ended.get())))
                    .build());
        } catch (IOException e) {
            end(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            end("interrupted");
        } catch (RuntimeException e) {
            LOG.error("defect: the recording of events", e);
            end("a defect: " + e);
        }
        queue.clear();
        String why = ended.get();
        if (!CLOSED.equals(why)) {
            LOG.warn("the recording of events {} has ended: {}; the next start begins a new one", file, why);
        }
    }

    /** Until there is no more to come, and nothing waits. */
    private void writeTurns() throws IOException, InterruptedException {
        boolean last = false;
        while (!last) {
            last = ended.get() != null;
            Turned turned = queue.poll(last ? 0 : LOOK_MILLIS, TimeUnit.MILLISECONDS);
            if (turned == null) {
                out.flush();
                continue;
            }
            last = false;
            waitingEvents.addAndGet(-turned.events.size());
            out.write(Entry.newBuilder().setTurn(message(turned)).build());
            if (out.length() >= bytesMax) {
                end("it is " + out.length() + " bytes long");
                queue.clear();
            }
        }
    }

    private static Turn message(Turned turned) {
        Turn.Builder message = Turn.newBuilder()
                .setNanos(turned.nanos)
                .setEffects(turned.effects)
                .addAllOutcomes(turned.outcomes);
        for (Object event : turned.events) {
            message.addEvents(
                    event instanceof Computed computed
                            ? message(computed, turned.nanos)
                            : EventCodec.encode((FabricEvent) event, turned.nanos));
        }
        return message.build();
    }

    private static Event message(Computed computed, long turnNanos) {
        Event.Builder event = Event.newBuilder().setBeforeNanos(turnNanos - computed.nowNanos);
        event.getRoutedBuilder()
                .setEpoch(computed.epoch)
                .setRouteNanos(computed.routeNanos)
                .setCheckNanos(computed.checkNanos)
                .setKind(computed.kind)
                .setDigest(Tables.digest(computed.digests));
        return event.build();
    }

    /** Writes what waits, and the end. */
    @Override
    public void close() {
        end(CLOSED);
        try {
            writer.join(CLOSING_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
