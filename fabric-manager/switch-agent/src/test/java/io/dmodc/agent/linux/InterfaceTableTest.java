package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's list of interfaces with an IPv6 address. */
class InterfaceTableTest {
    @Test
    void shouldFindInterfacesByName() {
        InterfaceTable table = InterfaceTable.of("""
                00000000000000000000000000000001 01 80 10 80       lo
                fe80000000000000604882fffe345e8c 02 40 20 c0      swp1
                fe80000000000000eb9800fb34bd46ce 1fe 40 20 80   swp254
                """);

        assertThat(table.index("lo")).isEqualTo(1);
        assertThat(table.index("swp1")).isEqualTo(2);
        assertThat(table.index("swp254")).isEqualTo(0x1fe);
        assertThat(table.index("swp2")).isNull();
    }

    @Test
    void shouldSeeWhatComesAndGoesInAFileThatStaysOpen(@TempDir Path directory) throws Exception {
        Path text = Files.writeString(directory.resolve("if_inet6"), interfaces(1, 300));
        try (InterfaceFile file = new InterfaceFile(text)) {
            InterfaceTable first = file.read();
            assertThat(file.read()).as("nothing changed").isSameAs(first);
            Files.writeString(text, interfaces(2, 301));

            InterfaceTable second = file.read();

            assertThat(List.of(first, second))
                    .extracting(table -> table.index("swp1"))
                    .containsExactly(1, null);
            assertThat(List.of(first, second))
                    .extracting(table -> table.index("swp300"))
                    .containsExactly(300, 300);
            assertThat(List.of(first, second))
                    .extracting(table -> table.index("swp301"))
                    .containsExactly(null, 301);
        }
    }

    private static String interfaces(int first, int last) {
        return IntStream.rangeClosed(first, last)
                .mapToObj(i -> String.format("fe80000000000000604882fffe34%04x %02x 40 20 80 %8s%n", i, i, "swp" + i))
                .collect(Collectors.joining());
    }

    @Test
    void shouldOpenItAgainAfterItCouldNotBeRead(@TempDir Path directory) throws Exception {
        Path text = directory.resolve("if_inet6");
        try (InterfaceFile file = new InterfaceFile(text)) {
            assertThatThrownBy(file::read).isInstanceOf(IOException.class);
            Files.writeString(text, interfaces(1, 1));

            assertThat(file.read().index("swp1")).isEqualTo(1);
        }
    }

    @Test
    void shouldPassOverWhatItDoesNotKnow() {
        assertThat(InterfaceTable.of("").index("lo")).isNull();
        assertThat(InterfaceTable.of("some other words\n").index("words")).isNull();
    }
}
