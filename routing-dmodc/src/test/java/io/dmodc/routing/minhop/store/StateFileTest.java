package io.dmodc.routing.minhop.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.Parallel;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StateFileTest {
    private static byte[] written() throws IOException {
        StoredState kept = StoredRouting.route(
                        new MinHop(),
                        PgftGenerator.generate(PgftShape.parse("3;2,2,3;1,2,2;1,2,1"))
                                .build(1, new NodeIndexMap(), new GuidNumbers()),
                        null,
                        Parallel.sequential())
                .next();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StateFile.write(Objects.requireNonNull(kept), out);
        return out.toByteArray();
    }

    private static StoredState read(byte[] bytes) throws IOException {
        return StateFile.read("f.state", new ByteArrayInputStream(bytes));
    }

    @Test
    void shouldWriteTheSameBytesAgain() throws IOException {
        ByteArrayOutputStream again = new ByteArrayOutputStream();
        StateFile.write(read(written()), again);

        assertThat(again.toByteArray()).isEqualTo(written());
    }

    @Test
    void shouldRefuseWhatIsCutOffAnywhere() throws IOException {
        byte[] bytes = written();
        for (int length = 0; length < bytes.length; length += 1 + length / 40) {
            byte[] part = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> read(part))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("f.state: is cut off; expected the file as it was written");
        }
    }

    @Test
    void shouldRefuseAnyChangedByteInOneLine() throws IOException {
        byte[] bytes = written();
        for (int at = 0; at < bytes.length; at += 1 + at / 60) {
            byte[] changed = bytes.clone();
            changed[at] ^= 0x10;
            assertThatThrownBy(() -> read(changed))
                    .as("byte %d", at)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("f.state: ")
                    .hasMessageContaining("; expected ")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void shouldRefuseAnyOtherFile() {
        assertThatThrownBy(() -> read("Unicast lids [0-28]".getBytes(StandardCharsets.UTF_8)))
                .hasMessage("f.state: is no state file; expected one that 'fabricctl route --state' wrote");
    }
}
