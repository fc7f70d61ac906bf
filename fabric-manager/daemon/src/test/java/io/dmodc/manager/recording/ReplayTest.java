package io.dmodc.manager.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.recording.proto.Entry;
import io.dmodc.manager.recording.proto.Event;
import io.dmodc.manager.recording.proto.Turn;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.routing.rebalance.RowMoves;
import io.dmodc.topology.PortPlace;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a loop was told is replayed to the same epochs, or the first difference is named. */
class ReplayTest {
    private static final String PGFT = "2;4,4;1,2;1,2";
    private static final long MANY_BYTES = 1 << 30;
    private static final int FILES = 4;

    @TempDir
    Path directory;

    private final List<Replay.Epoch> epochs = new ArrayList<>();

    private Replay.Summary replay(Path file) throws IOException {
        epochs.clear();
        return Replay.run(file, Parallel.sequential(), epochs::add);
    }

    private record Recorded(Path file, List<StateRecord> stored, List<EpochRecord> epochs) {}

    private Recorded record(RunStart start, long seed, int faults, long bytesMax) throws IOException {
        try (EventRecorder recorder = EventRecorder.open(directory, start, bytesMax, FILES);
                RecordedFabric fabric = new RecordedFabric(start, PGFT, recorder)) {
            fabric.joinAll();
            fabric.faults(seed, faults);
            return new Recorded(recorder.file(), fabric.stored(), fabric.known().epochs());
        }
    }

    private Recorded record(int faults) throws IOException {
        return record(RecordedFabric.firstStart(PGFT), 1, faults, MANY_BYTES);
    }

    @Test
    void shouldReplayTheSameEpochsWithTheSameTables() throws Exception {
        Recorded recorded = record(16);

        Replay.Summary summary = replay(recorded.file());

        assertThat(summary.difference()).isNull();
        assertThat(summary.end()).isEqualTo("closed");
        assertThat(epochs)
                .extracting(Replay.Epoch::epoch, Replay.Epoch::blocks, Replay.Epoch::cause)
                .hasSizeGreaterThan(5)
                .containsExactlyElementsOf(recorded.epochs().stream()
                        .map(epoch ->
                                org.assertj.core.groups.Tuple.tuple(epoch.epoch(), epoch.blocksPushed(), epoch.cause()))
                        .toList());
        assertThat(epochs.stream().map(Replay.Epoch::digest).distinct())
                .hasSizeGreaterThan(3)
                .doesNotContain(0L);
        assertThat(summary.leaderEpoch()).isEqualTo(1);
    }

    @Test
    void shouldReplayTheRunAfterARestart() throws Exception {
        Recorded first = record(6);
        List<StateRecord> kept = new ArrayList<>(first.stored());
        kept.removeIf(LeaderEpoch.class::isInstance);
        kept.add(new LeaderEpoch(2));

        Recorded second = record(RecordedFabric.start(kept, Set.of()), 2, 6, MANY_BYTES);
        Replay.Summary summary = replay(second.file());

        assertThat(summary.difference()).isNull();
        assertThat(summary.leaderEpoch()).isEqualTo(2);
        assertThat(epochs.get(0).epoch())
                .isGreaterThan(first.epochs().get(first.epochs().size() - 1).epoch());
    }

    @Test
    void shouldReplayWhatOperatorsAskedFor() throws Exception {
        List<EpochRecord> recorded;
        Path file;
        RunStart start = RecordedFabric.firstStart(PGFT);
        try (EventRecorder recorder = EventRecorder.open(directory, start, MANY_BYTES, FILES);
                RecordedFabric fabric = new RecordedFabric(start, PGFT, recorder)) {
            fabric.joinAll();
            List<PortPlace> spine = List.of(new PortPlace(fabric.anySpine(), 0));
            fabric.act(Act.rebalance(anyMoves(fabric.known())));
            fabric.act(new Act(Verb.DRAIN, spine, ""));
            fabric.faults(1, 6);
            assertThat(fabric.known().intent().moves().isEmpty()).isFalse();
            fabric.act(new Act(Verb.ENGINE, List.of(), "updn"));
            fabric.pause(300);
            fabric.faults(2, 4);
            fabric.act(new Act(Verb.UNDRAIN, spine, ""));
            recorded = List.copyOf(fabric.known().epochs());
            file = recorder.file();
        }

        Replay.Summary summary = replay(file);

        assertThat(summary.difference()).isNull();
        assertThat(epochs)
                .extracting(Replay.Epoch::epoch, Replay.Epoch::blocks, Replay.Epoch::cause)
                .hasSizeGreaterThan(5)
                .containsExactlyElementsOf(recorded.stream()
                        .map(epoch ->
                                org.assertj.core.groups.Tuple.tuple(epoch.epoch(), epoch.blocksPushed(), epoch.cause()))
                        .toList());
    }

    /** Of each switch the first entry that may lead elsewhere, some port that serves as well. */
    private static EntryMoves anyMoves(FabricSnapshot known) {
        Map<Long, RowMoves> moves = new HashMap<>();
        for (SwitchSnapshot record : known.switches()) {
            LftRow row = Objects.requireNonNull(record.desiredRow());
            row.forEachRun(0, row.entryCount(), (from, to, pattern) -> {
                int other = pattern.ports()[pattern.portCount() - 1];
                if (pattern.interchangeable() && row.port(from) != other) {
                    moves.putIfAbsent(record.guid(), RowMoves.parse(from + "=" + other));
                }
            });
        }
        assertThat(moves).isNotEmpty();
        return EntryMoves.of(moves);
    }

    /** Writes the recording anew, each turn changed as told. */
    private Path changed(Path file, UnaryOperator<Turn> change) throws IOException {
        Path to = directory.resolve("changed");
        try (FrameReader in = new FrameReader(file);
                FrameWriter out = new FrameWriter(to)) {
            for (byte[] bytes = in.next(); bytes != null; bytes = in.next()) {
                Entry entry = Entry.parseFrom(bytes);
                out.write(
                        entry.hasTurn()
                                ? entry.toBuilder()
                                        .setTurn(change.apply(entry.getTurn()))
                                        .build()
                                : entry);
            }
        }
        return to;
    }

    private static Turn withDigests(Turn turn, long epoch, long xor) {
        Turn.Builder changed = turn.toBuilder();
        for (Event.Builder event : changed.getEventsBuilderList()) {
            if (event.hasRouted() && event.getRouted().getEpoch() == epoch) {
                event.getRoutedBuilder().setDigest(event.getRouted().getDigest() ^ xor);
            }
        }
        return changed.build();
    }

    @Test
    void shouldNameTheFirstDifference() throws Exception {
        Recorded recorded = record(8);
        long epoch = recorded.epochs().get(2).epoch();

        Replay.Summary tables = replay(changed(recorded.file(), turn -> withDigests(turn, epoch, 1)));
        assertThat(tables.difference())
                .matches("turn \\d+, .*Z: epoch " + epoch
                        + ": tables have digest 0x[0-9a-f]{16}; recorded 0x[0-9a-f]{16}");

        Replay.Summary outcome = replay(changed(recorded.file(), turn -> {
            Turn.Builder changed = turn.toBuilder();
            changed.getOutcomesBuilderList().forEach(it -> it.setBlocks(it.getBlocks() + 1));
            return changed.build();
        }));
        assertThat(outcome.difference())
                .matches("turn \\d+, .*: epoch 1 complete, 6 switches, 6 blocks, 'ok', .*"
                        + "; recorded epoch 1 complete, 6 switches, 7 blocks, .*");

        Replay.Summary unheard = replay(changed(recorded.file(), turn -> {
            Turn.Builder changed = turn.toBuilder().clearEvents();
            turn.getEventsList().stream().filter(it -> !it.hasAgentLeft()).forEach(changed::addEvents);
            return changed.build();
        }));
        assertThat(unheard.difference()).matches("turn \\d+, .*: \\d+ effects; recorded \\d+");
    }

    @Test
    void shouldReplayWhatIsThereOfARecordingThatWasCutOff() throws Exception {
        Path file = record(4).file();
        byte[] whole = Files.readAllBytes(file);
        int first = FrameFile.MAGIC.length + FrameFile.HEADER_BYTES + length(whole);

        for (int length : new int[] {whole.length - 1, whole.length / 2, whole.length / 3, first + 5, first}) {
            Files.write(file, Arrays.copyOf(whole, length));

            Replay.Summary summary = replay(file);

            assertThat(summary.difference())
                    .as("%d of %d bytes", length, whole.length)
                    .isNull();
            assertThat(summary.end()).startsWith("cut off");
        }
        // A power cut can leave zeros where bytes should be.
        Files.write(file, Arrays.copyOf(Arrays.copyOf(whole, first), first + 4096));
        assertThat(replay(file).end()).startsWith("cut off");
    }

    private static int length(byte[] file) {
        return java.nio.ByteBuffer.wrap(file, FrameFile.MAGIC.length, Integer.BYTES)
                .getInt();
    }

    @Test
    void shouldRefuseAFlippedByteWhereverItIs() throws Exception {
        Path file = record(1).file();
        byte[] bytes = Files.readAllBytes(file);
        Path damaged = directory.resolve("damaged");

        for (int i = 0; i < bytes.length; i += 1 + i / 300) {
            bytes[i] ^= 0x20;
            Files.write(damaged, bytes);
            assertThatThrownBy(() -> replay(damaged))
                    .as("byte %d of %d", i, bytes.length)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith(damaged + ": is ")
                    .hasMessageNotContaining("\n");
            assertThat(epochs).isEmpty();
            bytes[i] ^= 0x20;
        }
    }

    @Test
    void shouldRefuseWhatIsNoRecordingAndWhatALaterReleaseWrote() throws Exception {
        Path file = Files.writeString(directory.resolve("text"), "some text\n");
        assertThatThrownBy(() -> replay(file))
                .hasMessage(file + ": is no recording of events; expected one that a manager wrote");

        Path later = directory.resolve("later");
        try (FrameWriter out = new FrameWriter(later)) {
            out.write(Entry.newBuilder()
                    .setStart(RecordedFabric.firstStart(PGFT).message().toBuilder()
                            .setFormat(2)
                            .setWriter("9.9"))
                    .build());
        }
        assertThatThrownBy(() -> replay(later))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(later
                        + ": form 2, written by fabric-manager 9.9; expected up to 1: replay it with that release");
    }

    @Test
    void shouldEndAtItsLengthAndReplayUpToThere() throws Exception {
        Path file = record(RecordedFabric.firstStart(PGFT), 1, 8, 4096).file();

        Replay.Summary summary = replay(file);

        assertThat(summary.end()).matches("it is \\d+ bytes long");
        assertThat(summary.difference()).isNull();
        assertThat(Files.size(file)).isBetween(4096L, 16384L);
    }

    @Test
    void shouldEndWithAWordWhenTheDiskDoesNotKeepUpAndHurtNothing() throws Exception {
        RunStart start = RecordedFabric.firstStart(PGFT);
        PipedInputStream disk = new PipedInputStream(64);
        FrameWriter slow = new FrameWriter(new PipedOutputStream(disk));
        EventRecorder recorder = new EventRecorder(directory.resolve("slow"), slow, MANY_BYTES);
        try (RecordedFabric fabric = new RecordedFabric(start, PGFT, recorder)) {
            fabric.joinAll();
            Awaitility.await("the recording given up")
                    .atMost(Duration.ofSeconds(60))
                    .pollDelay(Duration.ZERO)
                    .until(() -> {
                        for (int i = 0; i < 1000; i++) {
                            fabric.known();
                        }
                        return recorder.ended() != null;
                    });
            fabric.faults(1, 2);
            assertThat(recorder.ended()).isEqualTo("the disk did not keep up");
            List<EpochRecord> served = fabric.known().epochs();
            assertThat(served)
                    .filteredOn(epoch -> epoch.stage() == Stage.COMPLETE)
                    .isNotEmpty();
        } finally {
            disk.close();
            recorder.close();
        }
    }

    @Test
    void shouldKeepTheNewestRecordingsAndOtherFiles() throws Exception {
        Path other = Files.writeString(directory.resolve("notes.txt"), "mine");
        RunStart first = RecordedFabric.firstStart(PGFT);
        for (int i = 0; i < FILES + 2; i++) {
            RunStart start = new RunStart(
                    first.rules(),
                    first.nowNanos(),
                    first.millis() + i,
                    first.stored(),
                    Set.of(),
                    List.of(),
                    null,
                    first.managerNumber(),
                    first.engines());
            EventRecorder.open(directory, start, MANY_BYTES, FILES).close();
        }

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()).sorted())
                    .containsExactly(
                            "20270115T080000.002Z-1.events",
                            "20270115T080000.003Z-1.events",
                            "20270115T080000.004Z-1.events",
                            "20270115T080000.005Z-1.events",
                            other.getFileName().toString());
        }
    }
}
