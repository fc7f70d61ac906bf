package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkRateTest {
    @ParameterizedTest
    @CsvSource({
        "4xEDR, 4xEDR, 100000",
        " lid 7 1xSDR, 1xSDR, 2000",
        "4xFDR10, 4xFDR10, 40000",
        "4xFDR, 4xFDR, 54544",
        "12xQDR s=4 w=8 v=4, 12xQDR, 96000",
        "2xHDR, 2xHDR, 100000",
        "4xXDR, 4xXDR, 800000"
    })
    void shouldReadWhatToolsPrint(String text, String rate, int megabits) {
        LinkRate read = LinkRate.in(text).orElseThrow();

        assertThat(read).hasToString(rate);
        assertThat(read.megabits()).isEqualTo(megabits);
    }

    @ParameterizedTest
    @CsvSource({"4x???", "??EDR", "3xEDR", "4xABC", "0xEDR1", "a4xEDR", "4xEDRx", "lid 4", "''"})
    void shouldReadNothingElse(String text) {
        assertThat(LinkRate.in(text)).isEmpty();
    }

    @Test
    void shouldOrderByWhatIsCarried() {
        LinkRate narrow = new LinkRate(2, LinkRate.Speed.HDR);
        LinkRate wide = new LinkRate(4, LinkRate.Speed.EDR);

        assertThat(new LinkRate(12, LinkRate.Speed.QDR)).isLessThan(narrow);
        assertThat(narrow).isLessThan(wide);
        assertThat(wide).isLessThan(new LinkRate(4, LinkRate.Speed.HDR));
    }

    @ParameterizedTest
    @CsvSource({
        "100000, 0, 100 Gbit/s",
        "2500, 0, 2500 Mbit/s",
        "10, 0, 10 Mbit/s",
        "100000, 4, 4xEDR",
        "40000, 4, 4xFDR10",
        "30000, 4, 30 Gbit/s",
        "25000, 3, 25 Gbit/s"
    })
    void shouldSayWhatALinkCarriesThatHasNoName(int megabits, int lanes, String text) {
        assertThat(new LinkRate(megabits, lanes)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, a link of 0 Mbit/s; expected 1..100000000",
        "100000001, 0, a link of 100000001 Mbit/s; expected 1..100000000",
        "1, -1, a link of -1 lanes; expected 0..255",
        "1, 256, a link of 256 lanes; expected 0..255"
    })
    void shouldRefuseWhatNoLinkCarries(int megabits, int lanes, String why) {
        assertThatThrownBy(() -> new LinkRate(megabits, lanes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(why);
    }

    /** As {@code /sys/class/net/…/speed} says −1, or 2^32 − 1. */
    @Test
    void shouldKnowNothingOfASpeedThatIsNone() {
        assertThat(LinkRate.ofMegabits(-1)).isNull();
        assertThat(LinkRate.ofMegabits(0)).isNull();
        assertThat(LinkRate.ofMegabits(0xffff_ffffL)).isNull();
        assertThat(LinkRate.ofMegabits(25_000)).isEqualTo(new LinkRate(25_000, 0));
    }

    @Test
    void shouldEqualOneOfTheSameSpeedAndWidthAlone() {
        LinkRate rate = new LinkRate(25_000, 1);

        assertThat(rate).isEqualTo(new LinkRate(25_000, 1)).hasSameHashCodeAs(new LinkRate(25_000, 1));
        assertThat(rate).isNotEqualTo(new LinkRate(25_000, 0)).isNotEqualTo(new LinkRate(25_001, 1));
    }

    @Test
    void shouldRefuseAWidthThatIsNone() {
        assertThatThrownBy(() -> new LinkRate(3, LinkRate.Speed.EDR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a link of 3 lanes; expected one of [1, 2, 4, 8, 12]");
    }
}
