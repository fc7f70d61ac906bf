package io.dmodc.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes in comes out, however it is cut. */
class PrintedTextTest {
    @ParameterizedTest
    @ValueSource(ints = {1, PrintedText.PIECE - 1, PrintedText.PIECE, PrintedText.PIECE + 1, 5 * PrintedText.PIECE / 2})
    void shouldGiveBackWhatWasWritten(int length) throws Exception {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        PrintedText text = new PrintedText();

        text.write(bytes, 0, length / 3);
        text.write(bytes[length / 3]);
        text.write(bytes, length / 3 + 1, length - length / 3 - 1);

        assertThat(text.in().readAllBytes()).isEqualTo(bytes);
        assertThat(text.top(100)).isEqualTo(new String(bytes, 0, Math.min(100, length), StandardCharsets.ISO_8859_1));
    }

    @Test
    void shouldBeEmptyAtFirst() throws Exception {
        assertThat(new PrintedText().in().readAllBytes()).isEmpty();
        assertThat(new PrintedText().top(100)).isEmpty();
    }
}
