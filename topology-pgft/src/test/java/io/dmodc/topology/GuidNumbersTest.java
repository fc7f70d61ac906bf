package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuidNumbersTest {
    @Test
    void shouldReadCommentsBlanksAndBothFormsOfAGuid() {
        GuidNumbers numbers = GuidNumbers.parse("f", List.of("# levels", "", "  0xFF\t3 ", "ffffffffffffffff 0"));

        assertThat(numbers.size()).isEqualTo(2);
        assertThat(numbers.get(0xff)).hasValue(3);
        assertThat(numbers.get(-1L)).hasValue(0);
        assertThat(numbers.get(1)).isEmpty();
        assertThat(numbers.getOrDefault(1, 42)).isEqualTo(42);
    }

    @Test
    void shouldWriteWhatItReads() {
        List<String> lines = List.of("0x00000000000000ff 3", "0xffffffffffffffff 0");

        assertThat(GuidNumbers.parse("f", lines).lines()).isEqualTo(lines);
    }

    @Test
    void shouldShortenALongLineInItsMessage() {
        assertThatThrownBy(() -> GuidNumbers.parse("f", List.of("x".repeat(500))))
                .hasMessage("f:1: '" + "x".repeat(60) + "…'; expected 'guid number'");
    }

    @Test
    void shouldRefuseALevelThatNoFabricHas() {
        List<String> lines = List.of("0x1 " + GuidNumbers.LEVEL_MAX, "0x2 " + (GuidNumbers.LEVEL_MAX + 1));

        assertThat(GuidNumbers.parse("levels", lines.subList(0, 1)).get(1)).hasValue(GuidNumbers.LEVEL_MAX);
        assertThatThrownBy(() -> GuidNumbers.parse("levels", lines))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("levels:2: number 32; expected 0..31");
        assertThat(GuidNumbers.parse("levels", lines, 32).get(2)).hasValue(32);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0x", "+1", "-1", "0x-1", "g", "0x11112222333344445", "1 2"})
    void shouldRefuseWhatIsNoGuid(String text) {
        assertThatThrownBy(() -> Guid.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not a GUID; expected 0x and up to 16 hexadecimal digits");
    }
}
