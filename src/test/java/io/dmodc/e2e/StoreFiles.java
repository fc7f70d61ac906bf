package io.dmodc.e2e;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.store.StateStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files of a state directory, to be copied, damaged and put back while no manager runs. */
final class StoreFiles {
    private static final String RECORDS = "state.mv";
    private static final String HEAD = "state.head";

    /** Says which process worked here last. */
    private static final String LOCK = "lock";

    /** How many bytes of the file are flipped, one by one, from end to end. */
    private static final int FLIPS = 150;

    private final Path directory;

    StoreFiles(Path directory) {
        this.directory = directory;
    }

    /** The bytes of all files, by name. */
    static final class Content {
        private final Map<String, byte[]> files;

        private Content(Map<String, byte[]> files) {
            this.files = new TreeMap<>(files);
        }

        byte[] records() {
            return Objects.requireNonNull(files.get(RECORDS));
        }

        byte[] half() {
            return Arrays.copyOf(records(), records().length / 2);
        }

        Content withRecords(byte @Nullable [] bytes) {
            return with(RECORDS, bytes);
        }

        Content withHead(byte[] bytes) {
            return with(HEAD, bytes);
        }

        Content flipped(int position) {
            byte[] bytes = records().clone();
            bytes[position] ^= (byte) 0xff;
            return withRecords(bytes);
        }

        private Content with(String file, byte @Nullable [] bytes) {
            Map<String, byte[]> changed = new TreeMap<>(files);
            if (bytes == null) {
                changed.remove(file);
            } else {
                changed.put(file, bytes);
            }
            return new Content(changed);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Content it
                    && it.files.keySet().equals(files.keySet())
                    && files.keySet().stream().allMatch(name -> Arrays.equals(files.get(name), it.files.get(name)));
        }

        @Override
        public int hashCode() {
            return files.keySet().hashCode();
        }

        /** Name and length of each. */
        @Override
        public String toString() {
            Map<String, Integer> lengths = new TreeMap<>();
            files.forEach((name, bytes) -> lengths.put(name, bytes.length));
            return lengths.toString();
        }
    }

    /**
     * What came of flipping bytes.
     *
     * @param live positions of those that were noticed
     * @param unread positions of those that change nothing that counts
     */
    record Flips(int length, List<Integer> live, List<Integer> unread) {
        int tried() {
            return live.size() + unread.size();
        }

        int nearestToTheMiddle() {
            return live.stream()
                    .min(Comparator.comparingInt(at -> Math.abs(at - length / 2)))
                    .orElseThrow(() -> new AssertionError("no flipped byte is noticed"));
        }

        @Nullable
        Integer free() {
            return unread.isEmpty() ? null : unread.get(unread.size() / 2);
        }
    }

    /** Everything that is there but for the lock. */
    Content read() throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        for (Path file : all()) {
            files.put(directory.relativize(file).toString(), Files.readAllBytes(file));
        }
        return new Content(files);
    }

    private List<Path> all() throws IOException {
        try (Stream<Path> walk = Files.walk(directory)) {
            return walk.filter(Files::isRegularFile)
                    .filter(file -> !file.equals(directory.resolve(LOCK)))
                    .toList();
        }
    }

    /** Puts exactly these files there. */
    void write(Content content) throws IOException {
        for (Path file : all()) {
            Files.delete(file);
        }
        for (Map.Entry<String, byte[]> file : content.files.entrySet()) {
            Path target = directory.resolve(file.getKey());
            Files.createDirectories(Objects.requireNonNull(target.getParent()));
            Files.write(target, file.getValue());
        }
    }

    /**
     * Flips bytes from end to end of the records, one by one: what is read then must be the same state, or nothing.
     *
     * @param scratch an empty directory to do it in
     */
    Flips flips(Content good, Path scratch) throws IOException {
        StoreFiles copy = new StoreFiles(scratch);
        copy.write(good);
        Set<StateRecord> whole = copy.state();
        int length = good.records().length;
        List<Integer> live = new ArrayList<>();
        List<Integer> unread = new ArrayList<>();
        for (int i = 0; i < FLIPS; i++) {
            int position = (int) ((long) i * length / FLIPS);
            copy.write(good.flipped(position));
            try {
                if (!copy.state().equals(whole)) {
                    throw new AssertionError("byte " + position + " of " + RECORDS + " flipped: another state is read");
                }
                unread.add(position);
            } catch (IllegalArgumentException e) {
                live.add(position);
            }
        }
        return new Flips(length, List.copyOf(live), List.copyOf(unread));
    }

    private Set<StateRecord> state() throws IOException {
        return Set.copyOf(Objects.requireNonNull(StateStore.read(directory)).records());
    }
}
