package io.dmodc.southbound;

import static io.dmodc.southbound.SouthboundProtocol.NO_ROUTE;
import static io.dmodc.southbound.TurnTable.FROM_BELOW;
import static io.dmodc.southbound.TurnTable.FROM_COLUMN;
import static io.dmodc.southbound.TurnTable.FROM_ROW;
import static io.dmodc.southbound.TurnTable.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.Table;
import io.dmodc.southbound.proto.TablePush;
import io.dmodc.southbound.proto.TableRefusal.Reason;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TurnTableTest {
    private static final TableVersion VERSION = new TableVersion(3, 17);

    /** A leaf switch: a host at port 1, the root of its row at port 2, that of its column at port 3. */
    static byte[] leaf(int destinationCount) {
        byte[] entries = new byte[TurnTable.entryCount(destinationCount)];
        Arrays.fill(entries, NO_ROUTE);
        entries[TurnTable.INPUT_CLASSES_AT] = TurnTable.INPUT_CLASSES;
        entries[TurnTable.VIRTUAL_CHANNELS_AT] = TurnTable.VIRTUAL_CHANNELS;
        entries[1] = FROM_BELOW;
        entries[2] = FROM_ROW;
        entries[3] = FROM_COLUMN;
        entries[TurnTable.channelEntry(FROM_BELOW, 0)] = 0;
        entries[TurnTable.channelEntry(FROM_ROW, 0)] = 0;
        entries[TurnTable.channelEntry(FROM_ROW, 1)] = 1;
        entries[TurnTable.channelEntry(FROM_COLUMN, 0)] = 1;
        for (int destination = 0; destination < destinationCount; destination++) {
            entries[TurnTable.portEntry(destination, FROM_BELOW)] = (byte) (destination == 0 ? 1 : 2);
            entries[TurnTable.portEntry(destination, FROM_ROW)] = (byte) (destination == 0 ? 1 : 3);
            entries[TurnTable.portEntry(destination, FROM_COLUMN)] = (byte) (destination == 0 ? 1 : 2);
        }
        return entries;
    }

    @Test
    void shouldReadEachEntryWhereTheProtocolHasIt() {
        byte[] entries = leaf(2);
        TurnTable table = TurnTable.of(entries);

        assertThat(entries).hasSize(326);
        assertThat(table.destinationCount()).isEqualTo(2);
        assertThat(table.inputClass(1)).isEqualTo(0);
        assertThat(table.inputClass(2)).isEqualTo(1);
        assertThat(table.inputClass(3)).isEqualTo(2);
        assertThat(table.inputClass(254)).isEqualTo(NONE);
        assertThat(table.nextVc(0, 0)).isEqualTo(Byte.toUnsignedInt(entries[256]));
        assertThat(table.nextVc(0, 1)).isEqualTo(NONE);
        assertThat(table.nextVc(1, 1)).isEqualTo(1).isEqualTo(entries[259]);
        assertThat(table.nextVc(2, 0)).isEqualTo(1).isEqualTo(entries[260]);
        assertThat(table.nextVc(2, 1)).isEqualTo(NONE);
        assertThat(table.port(0, 1)).isEqualTo(2).isEqualTo(entries[323]);
        assertThat(table.port(1, 1)).isEqualTo(3).isEqualTo(entries[324]);
        assertThat(table.port(2, 0)).isEqualTo(1).isEqualTo(entries[322]);
        assertThat(table.port(2, 2)).as("behind the end").isEqualTo(NONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 255})
    void shouldHaveNoInputClassOfWhatIsNoPort(int port) {
        TurnTable table = TurnTable.of(leaf(1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> table.inputClass(port))
                .withMessage("port " + port + " outside 1..254");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 4 | entry 0 is 4; expected 3 input classes",
                "255 | 255 | entry 255 is 255; expected 2 virtual channels",
                "1 | 3 | entry 1 is 3; expected an input class, 0..2, or 255",
                "254 | 254 | entry 254 is 254; expected an input class, 0..2, or 255",
                "256 | 2 | entry 256 is 2; expected a virtual channel, 0..1, or 255",
                "261 | 7 | entry 261 is 7; expected a virtual channel, 0..1, or 255",
                "262 | 0 | entry 262 is 0; expected 255 behind the virtual channels",
                "319 | 1 | entry 319 is 1; expected 255 behind the virtual channels"
            })
    void shouldRefuseAnEntryThatCannotBe(int entry, int value, String why) {
        byte[] entries = leaf(2);
        entries[entry] = (byte) value;

        refused(entries, why);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 319, 321, 322, 325})
    void shouldRefuseALengthThatCannotBe(int length) {
        refused(Arrays.copyOf(leaf(2), length), length + " entries; expected 320 and 3 for each destination");
    }

    private static void refused(byte[] entries, String why) {
        PushedTable pushed = new PushedTable(TableKind.TURNS, whole(entries));

        assertThatThrownBy(() -> pushed.applyTo(new byte[0]))
                .isInstanceOfSatisfying(
                        TableRefusedException.class, e -> assertThat(e.reason()).isEqualTo(Reason.MALFORMED))
                .hasMessage("table of turns: " + why);
        assertThat(new PushedTable(TableKind.ROUTES, whole(entries)).applyTo(new byte[0]))
                .as("routes may be any")
                .isEqualTo(entries);
    }

    private static PortTable whole(byte[] entries) {
        return RowOfRuns.ofEntries(entries)
                .tell(RunEncoder.complete(entries.length, TableDigest.of(entries)))
                .table();
    }

    @Test
    void shouldSayWhereTheEntriesOfADestinationAre() {
        assertThat(TableKind.TURNS.firstEntryOf(5)).isEqualTo(335);
        assertThat(TableKind.TURNS.destinationOf(334)).isEqualTo(4);
        assertThat(TableKind.TURNS.destinationOf(335)).isEqualTo(5);
        assertThat(TableKind.TURNS.destinationOf(319)).as("of the whole switch").isEqualTo(-1);
        assertThat(TableKind.TURNS.destinationCount(335)).isEqualTo(5);
        assertThat(TableKind.TURNS.destinationCount(0)).isZero();
        assertThat(TableKind.ROUTES.firstEntryOf(5)).isEqualTo(5);
        assertThat(TableKind.ROUTES.destinationOf(5)).isEqualTo(5);
        assertThat(TableKind.ROUTES.destinationCount(5)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldCarryWholeTablesAndDifferencesAndTheirKind(long seed) throws Exception {
        Random random = new Random(seed);
        byte[] present = leaf(1 + random.nextInt(400));
        for (int round = 0; round < 50; round++) {
            byte[] next = Arrays.copyOf(leaf(500), TurnTable.entryCount(1 + random.nextInt(400)));
            for (int i = random.nextInt(9); i > 0; i--) {
                next[TurnTable.DESTINATIONS_AT + random.nextInt(next.length - TurnTable.DESTINATIONS_AT)] =
                        (byte) random.nextInt(256);
            }
            PortTable told = random.nextBoolean() ? whole(next) : TableCodecTest.difference(present, next);
            TablePush push = TablePush.parseFrom(
                    TableCodec.push(VERSION, TableKind.TURNS, told).toByteArray());

            PushedTable pushed = TableCodec.forwarding(push).orElseThrow();

            assertThat(pushed.kind()).isEqualTo(TableKind.TURNS);
            assertThat(pushed.applyTo(present)).isEqualTo(next);
            present = next;
        }
    }

    @Test
    void shouldKnowTheKindOfAPush() {
        PortTable entries = whole(leaf(2));
        long digest = entries.getResultDigest();
        TablePush turns = TableCodec.push(VERSION, TableKind.TURNS, entries);
        TablePush routes = TableCodec.push(VERSION, entries);
        TablePush epochs = turns.toBuilder().clearTables().build();
        TablePush unknown =
                epochs.toBuilder().addTables(Table.getDefaultInstance()).build();

        assertThat(TableCodec.forwarding(turns)).contains(new PushedTable(TableKind.TURNS, entries));
        assertThat(TableCodec.forwarding(routes)).contains(new PushedTable(TableKind.ROUTES, entries));
        assertThat(TableCodec.forwarding(epochs)).isEqualTo(Optional.empty());
        assertThatThrownBy(() -> TableCodec.forwarding(unknown)).hasMessage("a table of an unknown kind");
        assertThat(TableCodec.resultsIn(turns, TableKind.TURNS, digest)).isTrue();
        assertThat(TableCodec.resultsIn(turns, TableKind.TURNS, digest + 1)).isFalse();
        assertThat(TableCodec.resultsIn(turns, TableKind.ROUTES, digest)).isFalse();
        assertThat(TableCodec.resultsIn(routes, TableKind.ROUTES, digest)).isTrue();
        assertThat(TableCodec.resultsIn(routes, TableKind.TURNS, digest)).isFalse();
        assertThat(TableCodec.resultsIn(epochs, TableKind.ROUTES, 1)).isTrue();
        assertThat(TableCodec.resultsIn(unknown, TableKind.ROUTES, 0)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12})
    void shouldTakeOfDamagedPushesWhatIsATableOfTurnsAndRefuseTheRest(long seed) throws Exception {
        Random random = new Random(seed);
        byte[] present = leaf(100);
        byte[] good = TableCodecTest.difference(present, leaf(120)).toByteArray();
        int taken = 0;
        int refused = 0;
        for (int round = 0; round < 3000; round++) {
            byte[] damaged = good.clone();
            for (int i = random.nextInt(3); i > 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                PortTable table = PortTable.parseFrom(damaged);
                byte[] next = new PushedTable(TableKind.TURNS, table).applyTo(present);
                assertThat(TableDigest.of(next)).isEqualTo(table.getResultDigest());
                assertThat(TurnTable.of(next).destinationCount()).isPositive();
                taken++;
            } catch (InvalidProtocolBufferException | TableRefusedException e) {
                assertThat(e.getMessage()).isNotBlank();
                refused++;
            }
        }
        assertThat(taken).isPositive();
        assertThat(refused).isPositive();
    }
}
