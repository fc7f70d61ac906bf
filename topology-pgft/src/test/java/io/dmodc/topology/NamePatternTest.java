package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** Patterns that node types are named by. */
class NamePatternTest {
    @Test
    void shouldMatchWhatARegularExpressionMatches() {
        for (long seed = 0; seed < 20_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            String pattern = draw(random, "ab?*");
            String name = draw(random, "ab*?");
            String expression = pattern.chars()
                    .mapToObj(c -> c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(Character.toString(c)))
                    .collect(Collectors.joining());

            assertThat(new NamePattern(pattern).matches(name))
                    .as("seed %d: '%s' of '%s'", seed, name, pattern)
                    .isEqualTo(name.matches(expression));
        }
    }

    @Test
    void shouldTakeASignBeyondSixteenBitsForOne() {
        assertThat(new NamePattern("io-?").matches("io-\uD83D\uDE00")).isTrue();
        assertThat(new NamePattern("io-??").matches("io-\uD83D\uDE00")).isFalse();
    }

    /** Who tries all ways to share 64 letters among 20 asterisks is not back within years. */
    @Test
    @Timeout(value = 20, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldNotTryAllWaysToShareAName() {
        String name = "n".repeat(64);

        assertThat(NodeTypes.parse("types", List.of("*n".repeat(20) + "*x io")).of(new Host(1, 1, 1, name)))
                .isZero();
    }

    private static String draw(SplittableRandom random, String letters) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }
}
