package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.southbound.proto.PortTable;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a table on the wire weighs in the largest fabric this manager is made for. */
class LargeFabricTest {
    private static final long ANY_DIGEST = 1;

    private static PortTable push(RowOfRuns row, byte[] table) {
        return row.tell(RunEncoder.complete(table.length, TableDigest.of(table)))
                .table();
    }

    @Test
    void shouldPushAllTablesInTwoPercentOfTheirEntries() {
        long bytes = 0;
        long entries = 0;
        for (RowOfRuns row : LargeFabric.rows()) {
            bytes += row.tell(RunEncoder.complete(row.entryCount(), ANY_DIGEST))
                    .table()
                    .getSerializedSize();
            entries += row.entryCount();
        }

        assertThat(entries).isEqualTo(5120L * 65_536);
        assertThat(bytes).isLessThan(entries / 50);
    }

    @Test
    void shouldCarryTablesOfAllLevels() throws Exception {
        List<RowOfRuns> rows = LargeFabric.rows();
        for (int index : new int[] {0, 1, 1000, 2047, 2048, 2080, 4095, 4096, 5119}) {
            byte[] table = rows.get(index).expand();

            PortTable push = PortTable.parseFrom(push(rows.get(index), table).toByteArray());

            assertThat(TableCodec.apply(push, new byte[0])).isEqualTo(table);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldPushAHeavilyDegradedTableInAFifthOfItsEntries(long seed) {
        RowOfRuns row = LargeFabric.degradedLeaf(new Random(seed), 2);
        byte[] table = row.expand();

        PortTable push = push(row, table);

        assertThat(push.getSerializedSize()).isLessThan(table.length / 5);
        assertThat(TableCodec.apply(push, new byte[0])).isEqualTo(table);
    }
}
