package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.TellAlternatives;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Alternatives are told a moment after the tables they go with, and again when one they lead to is not sure any more. */
class AlternativeNewsTest {
    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");
    private int before;

    @BeforeEach
    void start() {
        fabric.start();
    }

    private List<TellAlternatives> news() {
        return fabric.log.subList(before, fabric.log.size()).stream()
                .filter(TellAlternatives.class::isInstance)
                .map(TellAlternatives.class::cast)
                .toList();
    }

    private FabricView view() {
        return Objects.requireNonNull(fabric.state.view());
    }

    private void fromHere() {
        before = fabric.log.size();
    }

    @Test
    void shouldTellThemOnceBehindAllPushes() {
        fabric.calm();

        assertThat(news()).hasSize(1);
        TellAlternatives told = news().get(0);
        assertThat(told.unsure().isEmpty()).isTrue();
        assertThat(told.tables().epoch()).isEqualTo(view().epoch());
        for (int s = 0; s < view().switchCount(); s++) {
            SwitchRecord record = Objects.requireNonNull(fabric.state.findSwitch(view().switchGuid(s)));
            assertThat(told.tables().row(s)).isSameAs(record.desiredRow());
            assertThat(told.digests()[s]).isEqualTo(record.desiredDigest());
        }
        assertThat(fabric.log.indexOf(told))
                .isGreaterThan(fabric.log.stream()
                        .filter(Effect.Push.class::isInstance)
                        .mapToInt(fabric.log::lastIndexOf)
                        .max()
                        .orElseThrow());
        fromHere();
        fabric.pass(10_000 * SimulatedFabric.MILLI);
        assertThat(news()).as("nothing is new").isEmpty();
    }

    @Test
    void shouldTellThemAgainAMomentAfterTheNextTables() {
        fabric.calm();
        fromHere();

        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.work();
        assertThat(fabric.log.subList(before, fabric.log.size())).anyMatch(effect -> effect instanceof Effect.Push);
        assertThat(news()).as("the push comes first").isEmpty();
        fabric.pass(AlternativeNews.DELAY_NANOS);

        assertThat(news())
                .singleElement()
                .satisfies(told -> assertThat(told.view()).isSameAs(view()));
    }

    @Test
    void shouldSayWhoMayForwardByAnotherTable() {
        fabric.calm();
        long spine = fabric.guid("l2s0");
        fromHere();

        fabric.deaf.add(spine);
        fabric.setCable(fabric.cableAt(spine), false, true);
        fabric.pass(AlternativeNews.DELAY_NANOS);

        assertThat(news())
                .singleElement()
                .satisfies(told -> assertThat(told.unsure().stream())
                        .as("its push is not answered")
                        .containsExactly(view().switchOf(spine)));
        fromHere();
        fabric.deaf.remove(spine);
        fabric.pass(5_000 * SimulatedFabric.MILLI);

        assertThat(news()).isNotEmpty();
        assertThat(news().get(news().size() - 1).unsure().isEmpty()).isTrue();
    }

    @Test
    void shouldGoOnWithAHeadlessSwitchThatHoldsItsTable() {
        fabric.calm();
        fromHere();

        fabric.leave(fabric.guid("l2s0"));
        fabric.pass(5_000 * SimulatedFabric.MILLI);

        assertThat(news()).as("it forwards as it did").isEmpty();
    }
}
