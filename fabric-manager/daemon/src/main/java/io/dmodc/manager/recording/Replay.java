package io.dmodc.manager.recording;

import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.FabricStep;
import io.dmodc.manager.loop.TableComputation;
import io.dmodc.manager.recording.proto.Entry;
import io.dmodc.manager.recording.proto.Event;
import io.dmodc.manager.recording.proto.Outcome;
import io.dmodc.manager.recording.proto.Turn;
import io.dmodc.routing.Parallel;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells a core again what another was told, in the same turns and at the same times, computes its tables again, and
 * compares what comes of it: how many effects of each turn, each computation's digest over all tables, and how each epoch ended.
 * Stops at the first difference, as all that follows would be one.
 */
public final class Replay {
    /**
     * An epoch that was replayed.
     *
     * @param at when it came to its end, or the end of the recording came
     * @param stage complete, refused, superseded, pushing or computing
     * @param switches that got its tables, also later, as their agents came back, until the next epoch ended
     * @param verdict of the check; empty when there was none
     * @param digest over all tables; 0 without any
     */
    public record Epoch(
            Instant at,
            long epoch,
            String stage,
            String verdict,
            int switches,
            long blocks,
            long digest,
            String cause) {}

    /**
     * What came of it all.
     *
     * @param end how the recording ends, for people
     * @param difference the first; {@code null} when all was the same
     */
    public record Summary(
            String writer,
            Instant from,
            Duration lasted,
            long leaderEpoch,
            long turns,
            long events,
            int epochs,
            String end,
            @Nullable String difference) {}

    private final Path file;
    private final Consumer<Epoch> told;
    private final RunStart start;
    private final String writer;
    private final FabricState state;
    private final FabricStep step;
    private final TableComputation computation;
    private final EpochOutcomes outcomes = new EpochOutcomes();

    /** Computed and not told to the core yet, by epoch; one at most, as the core asks for one at a time. */
    private final Map<Long, Routed> computed = new HashMap<>();

    /** Of the epochs that the core still keeps open. */
    private final Map<Long, Long> digests = new HashMap<>();

    /** The last epoch that ended, and when; 0 when it was told already. */
    private long last;

    private Instant lastAt = Instant.EPOCH;

    private long nanos;
    private long turns;
    private long events;
    private int epochs;

    private Replay(Path file, Entry first, Parallel parallel, Consumer<Epoch> told) {
        this.file = file;
        this.told = told;
        writer = first.getStart().getWriter();
        start = RunStart.of(first.getStart());
        nanos = start.nowNanos();
        state = start.state();
        step = new FabricStep(state);
        computation = start.engines().computation(parallel);
    }

    /**
     * Replays a recording.
     *
     * @param told hears of each epoch as it ends
     * @throws IOException in one line when the file cannot be read
     * @throws IllegalArgumentException in one line when it is no recording, damaged, or of a later form
     */
    public static Summary run(Path file, Parallel parallel, Consumer<Epoch> told) throws IOException {
        readThrough(file);
        try (FrameReader in = new FrameReader(file)) {
            Entry first = entry(in);
            if (first == null || !first.hasStart()) {
                throw new IllegalArgumentException(
                        file + ": begins with no start; expected the state a manager began with");
            }
            Replay replay;
            try {
                replay = new Replay(file, first, parallel, told);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
            }
            return replay.run(in);
        }
    }

    /** A damaged recording is refused before anything is told. */
    private static void readThrough(Path file) throws IOException {
        try (FrameReader in = new FrameReader(file)) {
            byte[] bytes = in.next();
            while (bytes != null) {
                bytes = in.next();
            }
        }
    }

    private static @Nullable Entry entry(FrameReader in) throws IOException {
        byte[] bytes = in.next();
        if (bytes == null) {
            return null;
        }
        try {
            return Entry.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw in.damaged("an entry");
        }
    }

    private Summary run(FrameReader in) throws IOException {
        String end = null;
        String difference = null;
        Entry entry = entry(in);
        while (entry != null && end == null && difference == null) {
            if (entry.hasEnd()) {
                end = entry.getEnd().getReason();
            } else if (entry.hasTurn()) {
                difference = turn(entry.getTurn());
                entry = entry(in);
            } else {
                throw new IllegalArgumentException(
                        file + ": entry " + (turns + 1) + " is of no kind that this release knows");
            }
        }
        tellLast();
        state.epochs().stream().filter(Replay::isOpen).forEach(epoch -> tell(epoch, at()));
        String how = end != null ? end : in.cutOff() ? "cut off in the middle of an entry" : "cut off";
        return new Summary(
                writer,
                Instant.ofEpochMilli(start.millis()),
                Duration.ofNanos(nanos - start.nowNanos()),
                start.stored().leaderEpoch(),
                turns,
                events,
                epochs,
                how,
                difference);
    }

    private static boolean isOpen(EpochRecord epoch) {
        return epoch.stage() == EpochRecord.Stage.PUSHING || epoch.stage() == EpochRecord.Stage.COMPUTING;
    }

    /** @return the first difference, or {@code null} */
    private @Nullable String turn(Turn turn) {
        turns++;
        nanos = turn.getNanos();
        List<Effect> effects = new ArrayList<>();
        for (Event recorded : turn.getEventsList()) {
            events++;
            FabricEvent event;
            if (recorded.hasRouted()) {
                Routed routed = computed.remove(recorded.getRouted().getEpoch());
                String difference = difference(recorded.getRouted(), routed);
                if (difference != null) {
                    return difference;
                }
                event = at(Objects.requireNonNull(routed), recorded);
            } else {
                event = EventCodec.decode(recorded, nanos);
            }
            accept(event, effects);
        }
        step.settle(nanos, effects);
        List<Outcome> ended = outcomes.ended(state.epochs());
        for (Outcome outcome : ended) {
            tellLast();
            last = outcome.getEpoch();
            lastAt = at();
        }
        if (effects.size() != turn.getEffects()) {
            return where() + ": " + effects.size() + " effects; recorded " + turn.getEffects();
        }
        String difference = difference(turn.getOutcomesList(), ended);
        effects.forEach(this::compute);
        return difference;
    }

    private void accept(FabricEvent event, List<Effect> effects) {
        try {
            step.accept(event, effects);
        } catch (RuntimeException e) {
            // As the loop does: the same mistake was made then.
            step.dropped(event, e, effects);
        }
    }

    private void compute(Effect effect) {
        if (effect instanceof Effect.Compute compute) {
            Routed routed = computation.compute(compute, () -> nanos);
            computed.put(routed.epoch(), routed);
        }
    }

    private Routed at(Routed routed, Event recorded) {
        return new Routed(
                nanos - recorded.getBeforeNanos(),
                routed.epoch(),
                routed.result(),
                routed.digests(),
                routed.report(),
                routed.detours(),
                routed.change(),
                routed.moves(),
                recorded.getRouted().getRouteNanos(),
                recorded.getRouted().getCheckNanos());
    }

    private @Nullable String difference(io.dmodc.manager.recording.proto.Routed recorded, @Nullable Routed routed) {
        String epoch = where() + ": epoch " + recorded.getEpoch();
        if (routed == null) {
            return epoch + " was computed; now nothing asked for it";
        }
        long digest = Tables.digest(routed.digests());
        digests.put(routed.epoch(), routed.digests().length == 0 ? 0 : digest);
        if (Tables.kind(routed) != recorded.getKind()) {
            return epoch + ": tables are " + Tables.kind(routed) + "; recorded " + recorded.getKind();
        }
        return digest == recorded.getDigest()
                ? null
                : epoch + ": tables have digest " + hex(digest) + "; recorded " + hex(recorded.getDigest());
    }

    private @Nullable String difference(List<Outcome> recorded, List<Outcome> now) {
        for (int i = 0; i < Math.max(recorded.size(), now.size()); i++) {
            Outcome was = i < recorded.size() ? recorded.get(i) : null;
            Outcome is = i < now.size() ? now.get(i) : null;
            if (!Objects.equals(was, is)) {
                return where() + ": " + text(is) + "; recorded " + text(was);
            }
        }
        return null;
    }

    private static String text(@Nullable Outcome outcome) {
        return outcome == null
                ? "no epoch ended"
                : "epoch " + outcome.getEpoch() + " " + outcome.getStage() + ", " + outcome.getSwitches()
                        + " switches, " + outcome.getBlocks() + " blocks, '" + outcome.getVerdict() + "', "
                        + outcome.getCause();
    }

    private String where() {
        return "turn " + turns + ", " + at();
    }

    private Instant at() {
        return Instant.ofEpochMilli(start.millis() + (nanos - start.nowNanos()) / 1_000_000);
    }

    private static String hex(long digest) {
        return String.format("0x%016x", digest);
    }

    /** The last epoch that ended is told when the next one does: until then, more switches may get its tables. */
    private void tellLast() {
        state.epochs().stream().filter(epoch -> epoch.epoch() == last).forEach(epoch -> tell(epoch, lastAt));
        last = 0;
    }

    private void tell(EpochRecord epoch, Instant at) {
        epochs++;
        Long digest = digests.remove(epoch.epoch());
        told.accept(new Epoch(
                at,
                epoch.epoch(),
                epoch.stage().name().toLowerCase(Locale.ROOT),
                epoch.verdict(),
                epoch.switchesPushed(),
                epoch.blocksPushed(),
                digest == null ? 0 : digest,
                epoch.cause()));
    }
}
