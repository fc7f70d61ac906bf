package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SwitchDomainsTest {
    private static List<String> of(SwitchDomains domains, long guid) {
        List<String> said = new ArrayList<>();
        domains.forSwitch(guid, (kind, domain) -> said.add(kind + " " + domain));
        return said;
    }

    @Test
    void shouldReadKindsOfSwitchesAndOfTheManager() {
        SwitchDomains domains = SwitchDomains.parse(
                "d.txt",
                List.of("# racks", "0x10 rack r1", "", "10 power feed-a # left", "0x11\track r1", "manager rack r9"));

        assertThat(of(domains, 0x10)).containsExactly("rack r1", "power feed-a");
        assertThat(of(domains, 0x11)).containsExactly("rack r1");
        assertThat(of(domains, 0x12)).isEmpty();
        List<String> manager = new ArrayList<>();
        domains.forManager((kind, domain) -> manager.add(kind + " " + domain));
        assertThat(manager).containsExactly("rack r9");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        0x10 rack                     | 1: '0x10 rack'; expected 'guid kind domain', names of at most 64 letters
        0x10 rack r1 r2               | 1: '0x10 rack r1 r2'; expected 'guid kind domain', names of at most 64 letters
        leaf0 rack r1                 | 1: 'leaf0' is neither a GUID nor 'manager'; expected 'guid kind domain'
        0x10 rack r1;0x10 rack r2     | 2: 0x10 has a second rack; expected one
        1 a x;1 b x;1 c x;1 d x;1 e x;1 f x;1 g x;1 pod x;1 h x | 9: kind 'h'; expected at most 7 kinds besides pod, so far [a, b, c, d, e, f, g, h]
        """)
    void shouldNameTheLineAndWhatWasExpected(String lines, String problem) {
        assertThatThrownBy(() -> SwitchDomains.parse("d.txt", List.of(lines.split(";"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("d.txt:" + problem);
    }

    @Test
    void shouldTakeNamesOf64LettersAndNoLonger() {
        String longest = "k".repeat(64);

        SwitchDomains domains = SwitchDomains.parse("d.txt", List.of("1 " + longest + " " + longest, "1 pod p7"));

        assertThat(of(domains, 1)).containsExactly(longest + " " + longest, "pod p7");
        assertThat(domains.namesPodOf(1)).isTrue();
        assertThat(domains.namesPodOf(2)).isFalse();
        assertThatThrownBy(() -> SwitchDomains.parse("d.txt", List.of("1 rack k" + longest)))
                .hasMessageContaining("names of at most 64 letters");
        assertThatThrownBy(() -> SwitchDomains.parse("d.txt", List.of("1 k" + longest + " r1")))
                .hasMessageContaining("names of at most 64 letters");
    }

    /** A line of any length makes a message of one. */
    @Test
    void shouldShowTheBeginOfWhatItDoesNotUnderstand() {
        String word = "x".repeat(41);

        assertThatThrownBy(() -> SwitchDomains.parse("d.txt", List.of(word + " rack r1")))
                .hasMessage("d.txt:1: '" + "x".repeat(40)
                        + "…' is neither a GUID nor 'manager'; expected 'guid kind domain'");
        assertThatThrownBy(() -> SwitchDomains.parse("d.txt", List.of("x".repeat(40) + " rack r1")))
                .hasMessageStartingWith("d.txt:1: '" + "x".repeat(40) + "' is neither");
        assertThatThrownBy(() -> SwitchDomains.parse("d.txt", List.of("y".repeat(61))))
                .hasMessageStartingWith("d.txt:1: '" + "y".repeat(60) + "…'; expected");
        assertThatThrownBy(() -> SwitchDomains.parse("d.txt", List.of("y".repeat(60))))
                .hasMessageStartingWith("d.txt:1: '" + "y".repeat(60) + "'; expected");
    }

    @Test
    void shouldReadABoundedNumberOfLines() {
        List<String> most = Collections.nCopies(SwitchDomains.LINES_MAX, "");

        assertThat(of(SwitchDomains.parse("d.txt", most), 1)).isEmpty();

        List<String> more = Collections.nCopies(SwitchDomains.LINES_MAX + 1, "");
        assertThatThrownBy(() -> SwitchDomains.parse("d.txt", more)).hasMessage("d.txt:262145: more than 262144 lines");
    }
}
