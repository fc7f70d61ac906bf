package io.dmodc.routing.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.topology.pgft.PgftShape;
import org.junit.jupiter.api.Test;

class EnginesTest {
    @Test
    void shouldFindEachEngineByTheNameItSays() {
        PgftShape design = PgftShape.parse("2;2,3;1,2;1,1");

        assertThat(Engines.names())
                .allMatch(name -> Engines.named(name, design).name().equals(name));
        assertThat(Engines.names()).first().isEqualTo(Engines.DEFAULT);
    }

    @Test
    void shouldNameWhatIsWrong() {
        assertThatThrownBy(() -> Engines.named("ospf", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "engine 'ospf' is unknown; expected one of dmodc, dmodc-strict, dmodc-plain, dmodk, minhop, updn, ftree");
        assertThatThrownBy(() -> Engines.named("dmodk", null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs a design");
    }
}
