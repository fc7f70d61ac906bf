package io.dmodc.manager.store;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.LastAlarm;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.SwitchClaims;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The files in which releases before {@link StateStore} kept state, read once into records.
 *
 * <p>{@code node-map}: lines {@code guid index}. {@code levels}: lines {@code guid level} after {@code links N}. {@code
 * leader-epoch}: one number. {@code inventory}: lines {@code +entry} and {@code -entry}, of which a line {@code =} ends those
 * made together; entries are {@code switch GUID PORTS NAME}, {@code link GUID PORT GUID PORT}, {@code host GUID PORT PORTGUID
 * HOSTGUID HOSTPORT NAME}, {@code alarm ID SINCE EPOCH SUBJECT GUID PORT} and {@code last-alarm ID}. They say what worked
 * last, so each cable in them is taken as expected and, until an agent says otherwise, as up.
 */
final class FormerFiles {
    private static final List<String> NAMES = List.of("node-map", "levels", "leader-epoch", "inventory");
    private static final int SHOWN_MAX = 60;

    private final Path directory;

    FormerFiles(Path directory) {
        this.directory = directory;
    }

    /** None of the files is there. */
    boolean isMissing() {
        return NAMES.stream().noneMatch(name -> Files.exists(directory.resolve(name)));
    }

    /**
     * What the files say; empty where there are none.
     *
     * @throws IllegalArgumentException in one line when a file is damaged: file, line, value, what was expected
     */
    List<StateRecord> records() throws IOException {
        List<StateRecord> records = new ArrayList<>();
        Path epoch = directory.resolve("leader-epoch");
        List<String> epochs = lines(epoch);
        if (!epochs.isEmpty()) {
            if (!epochs.get(0).matches("\\d{1,18}")) {
                throw new IllegalArgumentException(epoch + ":1: '" + shown(epochs.get(0)) + "'; expected a number");
            }
            records.add(new LeaderEpoch(Long.parseLong(epochs.get(0))));
        }
        Path map = directory.resolve("node-map");
        List<String> nodes = NodeIndexMap.parse(map.toString(), lines(map)).lines();
        GuidNumbers.parse(map.toString(), nodes, NodeIndexMap.TABLE_INDEX_MAX)
                .forEach((guid, index) -> records.add(new NodeIndex(guid, index)));
        levels().forEach((guid, level) -> records.add(new SwitchLevel(guid, level)));
        new Inventory(directory.resolve("inventory")).addTo(records);
        return records;
    }

    private GuidNumbers levels() throws IOException {
        Path file = directory.resolve("levels");
        List<String> lines = new ArrayList<>(lines(file));
        if (!lines.isEmpty()) {
            if (!lines.get(0).matches("links \\d{1,9}")) {
                throw new IllegalArgumentException(file + ":1: '" + shown(lines.get(0)) + "'; expected 'links N'");
            }
            lines.set(0, "");
        }
        return GuidNumbers.parse(file.toString(), lines);
    }

    /**
     * What was taken over once is not taken over again, and not passed over either.
     *
     * @throws IllegalArgumentException in one line when an earlier release wrote files after that
     */
    void refuseLateOnes() {
        for (String name : NAMES) {
            if (Files.exists(directory.resolve(name)) && Files.exists(old(name))) {
                throw new IllegalArgumentException("state file " + directory.resolve(name)
                        + " was written by an earlier release after its state was taken over into " + StateFiles.RECORDS
                        + "; remove it to go on with that, or move " + StateFiles.RECORDS + ", " + StateFiles.HEAD
                        + " and the files *" + StateFiles.OLD + " away to take over the files of the earlier release");
            }
        }
    }

    /** Gives the files, which are in the store by now, other names. */
    void retire() throws IOException {
        for (String name : NAMES) {
            if (Files.exists(directory.resolve(name))) {
                DurableFiles.rename(directory.resolve(name), old(name));
            }
        }
    }

    private Path old(String name) {
        return directory.resolve(name + StateFiles.OLD);
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.exists(file) ? text(file, Files.readAllBytes(file)).lines().toList() : List.of();
    }

    private static String text(Path file, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(file + ": not UTF-8 text; expected what a manager wrote there", e);
        }
    }

    private static String shown(String line) {
        return line.length() <= SHOWN_MAX ? line : line.substring(0, SHOWN_MAX) + "…";
    }

    /** The journal of what has worked, and of alarms. */
    private static final class Inventory {
        /** A switch and what is at its ports. */
        private record Known(String name, int portCount, Map<Integer, Neighbour> ports) {}

        private final Path file;
        private final Map<Long, Known> switches = new TreeMap<>(Long::compareUnsigned);
        private final List<StateRecord> others = new ArrayList<>();

        Inventory(Path file) throws IOException {
            this.file = file;
            Set<String> entries = entries();
            // Both ends of a cable must be known first.
            entries.stream().filter(entry -> !isCable(entry)).forEach(this::take);
            entries.stream().filter(Inventory::isCable).forEach(this::take);
        }

        private static boolean isCable(String entry) {
            return entry.startsWith("link ") || entry.startsWith("host ");
        }

        /** What is left of the changes; those after the last {@code =} were cut short and were never made. */
        private Set<String> entries() throws IOException {
            Set<String> entries = new LinkedHashSet<>();
            if (!Files.exists(file)) {
                return entries;
            }
            byte[] bytes = Files.readAllBytes(file);
            int whole = bytes.length;
            while (whole > 0 && bytes[whole - 1] != '\n') {
                whole--;
            }
            List<String> lines = text(file, Arrays.copyOf(bytes, whole)).lines().toList();
            int end = lines.lastIndexOf("=");
            // A file of a release before changes had an end has no such line.
            for (int i = 0; i < (end < 0 ? lines.size() : end); i++) {
                String line = lines.get(i);
                if (line.startsWith("+")) {
                    entries.add(line.substring(1));
                } else if (line.startsWith("-")) {
                    entries.remove(line.substring(1));
                } else if (!line.equals("=")) {
                    throw new IllegalArgumentException(
                            file + ":" + (i + 1) + ": '" + shown(line) + "'; expected + or - and an entry");
                }
            }
            return entries;
        }

        private void take(String entry) {
            try {
                take(entry.split(" ", 7));
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw new IllegalArgumentException(
                        file + ": '" + shown(entry)
                                + "'; expected 'switch', 'link', 'host', 'alarm' or 'last-alarm' and what belongs to it",
                        e);
            }
        }

        private void take(String[] words) {
            switch (words[0]) {
                case "switch" -> {
                    String name = String.join(" ", List.of(words).subList(3, words.length));
                    int count = bounded(words[2], 1, FabricView.PORT_MAX);
                    switches.put(Guid.parse(words[1]), new Known(name, count, new TreeMap<>()));
                }
                case "link" -> {
                    ToSwitch near = new ToSwitch(Guid.parse(words[1]), Integer.parseInt(words[2]));
                    ToSwitch far = new ToSwitch(Guid.parse(words[3]), Integer.parseInt(words[4]));
                    if (near.guid() == far.guid()) {
                        throw new IllegalArgumentException("leads to its own switch");
                    }
                    place(near, far);
                    place(far, near);
                }
                case "host" -> {
                    int hostPort = bounded(words[5], 0, Integer.MAX_VALUE);
                    Host host = new Host(Guid.parse(words[3]), Guid.parse(words[4]), hostPort, words[6]);
                    place(new ToSwitch(Guid.parse(words[1]), Integer.parseInt(words[2])), new ToHost(host));
                }
                case "alarm" ->
                    others.add(new OpenAlarm(
                            words[4],
                            Guid.parse(words[5]),
                            bounded(words[6], 0, FabricView.PORT_MAX),
                            natural(words[1]),
                            natural(words[2]),
                            natural(words[3])));
                case "last-alarm" -> others.add(new LastAlarm(natural(words[1])));
                default -> throw new IllegalArgumentException(words[0]);
            }
        }

        private static int bounded(String text, int min, int max) {
            int number = Integer.parseInt(text);
            if (number < min || number > max) {
                throw new IllegalArgumentException(text);
            }
            return number;
        }

        private static long natural(String text) {
            long number = Long.parseLong(text);
            if (number < 0) {
                throw new IllegalArgumentException(text);
            }
            return number;
        }

        private void place(ToSwitch at, Neighbour far) {
            Known known = switches.get(at.guid());
            if (known == null || at.port() < 1 || at.port() > known.portCount) {
                throw new IllegalArgumentException("no such switch or port");
            }
            known.ports.put(at.port(), far);
        }

        void addTo(List<StateRecord> records) {
            switches.forEach((guid, known) -> {
                List<SwitchClaims.PortClaim> claims = new ArrayList<>();
                List<ExpectedPort> expected = new ArrayList<>();
                known.ports.forEach((port, far) -> {
                    claims.add(new SwitchClaims.PortClaim(port, true, far, far instanceof ToHost));
                    expected.add(new ExpectedPort(port, far));
                });
                records.add(new KnownSwitch(new SwitchClaims(guid, known.name, known.portCount, claims), true));
                records.add(new ExpectedSwitch(guid, known.name, known.portCount, expected));
            });
            records.addAll(others);
        }
    }
}
