package io.dmodc.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LinkRatesTest {
    private static final int SWITCHES = 4;
    private static final int PORTS = 40;

    /** Against a map of all that was said. */
    @Test
    void shouldKnowWhatEachPortSaidLastAndWhetherAnyDiffer() {
        Random random = new Random(7);
        LinkRates rates = new LinkRates();
        Map<PortPlace, LinkRate> twin = new HashMap<>();
        for (int step = 0; step < 20_000; step++) {
            long guid = random.nextInt(SWITCHES);
            PortPlace place = new PortPlace(guid, 1 + random.nextInt(PORTS));
            @Nullable LinkRate rate = random.nextInt(3) > 0 ? null : new LinkRate(1 + random.nextInt(2), 0);
            if (random.nextInt(50) == 0) {
                rates.forget(guid);
                twin.keySet().removeIf(each -> each.guid() == guid);
            } else {
                @Nullable LinkRate before = rate == null ? twin.remove(place) : twin.put(place, rate);
                assertThat(rates.put(guid, place.port(), rate))
                        .isEqualTo(before == null ? rate != null : !before.equals(rate));
            }

            assertThat(rates.of(guid, place.port()).orElse(null)).isEqualTo(twin.get(place));
            assertThat(rates.differ()).isEqualTo(new HashSet<>(twin.values()).size() > 1);
        }
    }

    @Test
    void shouldBeKeptAndGivenBackWithWhatASwitchSaid() {
        FabricViewBuilder fabric = new FabricViewBuilder();
        fabric.apply(new FabricChange.SwitchSeen(1, "leaf", 4));
        fabric.apply(new FabricChange.PortSeen(1, 3, true, new FabricChange.ToSwitch(2, 1)));
        assertThat(fabric.setRate(1, 3, new LinkRate(100_000, 4))).isTrue();
        assertThat(fabric.setRate(1, 3, new LinkRate(100_000, 4))).isFalse();
        FabricViewBuilder other = new FabricViewBuilder();

        other.restore(fabric.claims(1));

        assertThat(other.claims(1)).isEqualTo(fabric.claims(1));
        assertThat(other.rates().of(1, 3)).contains(new LinkRate(100_000, 4));
        other.apply(new FabricChange.SwitchForgotten(1));
        assertThat(other.rates().of(1, 3)).isEmpty();
    }
}
