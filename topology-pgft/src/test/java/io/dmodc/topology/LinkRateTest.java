package io.dmodc.topology.rates;

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

    @Test
    void shouldRefuseAWidthThatIsNone() {
        assertThatThrownBy(() -> new LinkRate(3, LinkRate.Speed.EDR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a link of 3 lanes; expected one of [1, 2, 4, 8, 12]");
    }
}
