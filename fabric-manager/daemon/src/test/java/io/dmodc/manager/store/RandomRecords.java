package io.dmodc.manager.store;

import io.dmodc.manager.state.ChangedRows;
import io.dmodc.manager.state.KeptRow;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Acknowledgement;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.manager.state.StateRecord.KnownSwitch;
import io.dmodc.manager.state.StateRecord.LastAlarm;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.manager.state.StateRecord.SwitchPlane;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.SwitchClaims;
import io.dmodc.topology.SwitchClaims.PortClaim;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Records of all kinds at random, of a small fabric, so that keys come again. */
final class RandomRecords {
    private static final int KINDS = StateRecord.Kind.values().length;
    private static final int GUIDS = 24;

    private final Random random;
    private int fresh;

    RandomRecords(long seed) {
        random = new Random(seed);
    }

    /** One of each kind. */
    static List<StateRecord> oneOfEach() {
        RandomRecords records = new RandomRecords(7);
        List<StateRecord> all = new ArrayList<>();
        for (int kind = 0; kind < KINDS; kind++) {
            all.add(records.ofKind(kind));
        }
        return all;
    }

    List<StateRecord> batch(int max) {
        List<StateRecord> batch = new ArrayList<>();
        for (int i = random.nextInt(max) + 1; i > 0; i--) {
            StateRecord record = ofKind(random.nextInt(KINDS));
            batch.add(random.nextInt(4) == 0 ? new Removed(record.key()) : record);
        }
        return batch;
    }

    private StateRecord ofKind(int kind) {
        return switch (kind) {
            case 0 -> new LeaderEpoch(++fresh);
            case 1 ->
                new FabricEpoch(
                        ++fresh,
                        places(0),
                        places(1),
                        random.nextBoolean() ? "" : "minhop",
                        random.nextBoolean() ? 0 : random.nextLong(),
                        random.nextInt(3) == 0 ? 64 : 0,
                        random.nextBoolean());
            case 2 -> new NodeIndex(guid(), ++fresh);
            case 3 -> new SwitchLevel(guid(), random.nextInt(4));
            case 11 -> new SwitchPlane(guid(), ++fresh);
            case 4 -> new KnownSwitch(new SwitchClaims(guid(), name(), 36, claims()), random.nextBoolean());
            case 5 -> new ExpectedSwitch(guid(), name(), 36, expected());
            case 6 -> new HeldTable(guid(), ++fresh, fresh, 5, random.nextLong(), random.nextBoolean(), rows());
            case 7 ->
                new OpenAlarm(
                        random.nextBoolean() ? "link" : "host", guid(), random.nextInt(37), ++fresh, fresh, fresh);
            case 8 ->
                new Acknowledgement(
                        random.nextBoolean() ? "link" : "host",
                        guid(),
                        random.nextInt(37),
                        ++fresh,
                        "link_down",
                        name(),
                        fresh,
                        name());
            case 9 ->
                new Intent(
                        random.nextBoolean() ? "drain" : "pause",
                        guid(),
                        random.nextInt(37),
                        Long.toString(fresh),
                        name(),
                        ++fresh,
                        name());
            case 10 -> new LastAlarm(++fresh);
            default -> keptEpoch();
        };
    }

    private KeptEpoch keptEpoch() {
        int entryCount = random.nextInt(300);
        return new KeptEpoch(
                random.nextInt(GUIDS),
                name(),
                random.nextBoolean() ? "" : "minhop",
                ++fresh,
                entryCount,
                random.nextLong(),
                random.nextInt(2) * random.nextLong(),
                Stream.generate(() -> changedRows(entryCount))
                        .limit(random.nextInt(3))
                        .toList(),
                Stream.generate(() -> new KnownSwitch(new SwitchClaims(guid(), name(), 36, claims()), true))
                        .limit(random.nextInt(3))
                        .toList(),
                Stream.generate(this::guid).limit(random.nextInt(3)).toList(),
                Stream.generate(() -> new NodeIndex(guid(), ++fresh))
                        .limit(random.nextInt(3))
                        .toList());
    }

    private ChangedRows changedRows(int entryCount) {
        KeptRow row = row(entryCount);
        return new ChangedRows(random.longs(1 + random.nextInt(4)).toArray(), row.blocks(), row.entries());
    }

    private long guid() {
        int number = random.nextInt(GUIDS);
        return number < 4 ? -1 - number : 0x2c9000000000000L + number;
    }

    private String name() {
        return List.of("leaf", "spine with a name", "Schalter 1 „ä“", "\u0001\"\\")
                        .get(random.nextInt(4))
                + ++fresh;
    }

    private List<KeptRow> rows() {
        return Stream.generate(this::row).limit(random.nextInt(3)).toList();
    }

    private KeptRow row() {
        return row(random.nextInt(300));
    }

    private KeptRow row(int entryCount) {
        int[] blocks = IntStream.range(0, (entryCount + KeptRow.BLOCK - 1) / KeptRow.BLOCK)
                .filter(block -> random.nextBoolean())
                .toArray();
        byte[] entries = new byte
                [Arrays.stream(blocks)
                        .map(block -> KeptRow.end(block, entryCount) - block * KeptRow.BLOCK)
                        .sum()];
        random.nextBytes(entries);
        return new KeptRow(entryCount, random.nextLong(), random.nextInt(2) * random.nextLong(), blocks, entries);
    }

    private Neighbour neighbour() {
        return random.nextBoolean()
                ? new ToSwitch(guid(), 1 + random.nextInt(36))
                : new ToHost(new Host(guid(), guid(), random.nextInt(3), name(), addresses()));
    }

    /** Any of them may be missing, and all. */
    private HostAddresses addresses() {
        long high = random.nextInt(3) == 0 ? 0xfd00_0000_0000_0000L | random.nextInt(9) : 0;
        return new HostAddresses(
                random.nextInt(2) * (1 + random.nextInt(HostAddresses.LID_MAX)),
                random.nextInt(2) * random.nextInt(),
                high,
                high == 0 ? 0 : random.nextInt(),
                random.nextInt(3) == 0 ? random.nextLong() >>> 16 : 0);
    }

    private List<PortPlace> places(int first) {
        return Stream.generate(() -> new PortPlace(guid(), first + random.nextInt(36)))
                .limit(random.nextInt(3))
                .toList();
    }

    private @Nullable LinkRate rate() {
        return random.nextBoolean() ? null : new LinkRate(1 + random.nextInt(100_000), random.nextInt(5));
    }

    private List<PortClaim> claims() {
        List<PortClaim> claims = new ArrayList<>();
        for (int port = 1; port <= random.nextInt(36); port++) {
            claims.add(new PortClaim(
                    port,
                    random.nextBoolean(),
                    random.nextInt(4) == 0 ? null : neighbour(),
                    random.nextInt(3) == 0,
                    rate()));
        }
        return claims;
    }

    private List<ExpectedPort> expected() {
        List<ExpectedPort> expected = new ArrayList<>();
        for (int port = 1; port <= random.nextInt(36); port++) {
            expected.add(new ExpectedPort(port, neighbour()));
        }
        return expected;
    }
}
