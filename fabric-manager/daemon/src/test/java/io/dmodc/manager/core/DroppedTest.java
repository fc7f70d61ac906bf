package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.topology.pgft.Degradation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What could not be taken in or performed is told, and what waits for it does not wait for ever. */
class DroppedTest {
    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final List<Effect> effects = new ArrayList<>();
    private final RuntimeException cause = new IllegalStateException("a mistake");

    private String alarm() {
        return fabric.state.alarms().stream()
                .filter(alarm -> alarm.kind() == Alarm.Kind.DEFECT)
                .map(Alarm::text)
                .findAny()
                .orElse("");
    }

    @Test
    void shouldTellOfAnEventThatWasDropped() {
        fabric.step.dropped(new TimePassed(fabric.now), cause, effects);
        fabric.step.settle(fabric.now, effects);

        assertThat(effects)
                .filteredOn(Effect.Defect.class::isInstance)
                .map(Effect.Defect.class::cast)
                .singleElement()
                .satisfies(defect -> {
                    assertThat(defect.cause()).isSameAs(cause);
                    assertThat(defect.note().severity()).isEqualTo(Severity.ALARM);
                    assertThat(defect.note().nowNanos()).isEqualTo(fabric.now);
                    assertThat(defect.note().text())
                            .isEqualTo("defect: dropped, as it could not be dealt with: event TimePassed"
                                    + " (java.lang.IllegalStateException: a mistake)");
                });
        assertThat(alarm())
                .isEqualTo("defect in the manager: 1 dropped since the start, the last: event TimePassed"
                        + " (java.lang.IllegalStateException: a mistake)");
    }

    /** Nothing would come back of it: it counts as refused, and is tried again. */
    @Test
    void shouldNotWaitForAComputationThatWasNotStarted() {
        fabric.holdComputations = true;
        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.work();
        Effect compute = fabric.log.stream()
                .filter(Effect.Compute.class::isInstance)
                .reduce((one, next) -> next)
                .orElseThrow();
        assertThat(fabric.state.computing()).isTrue();

        fabric.step.notPerformed(compute, cause, fabric.now, effects);
        assertThat(fabric.state.computing()).isFalse();
        fabric.step.settle(fabric.now, effects);

        assertThat(effects)
                .filteredOn(effect ->
                        effect instanceof Effect.Tell tell && tell.note().kind() == LoggedEvent.Kind.EPOCH_REFUSED)
                .singleElement()
                .satisfies(effect -> assertThat(((Effect.Tell) effect).note().text())
                        .contains("not computed: java.lang.IllegalStateException: a mistake"));
        assertThat(effects)
                .anyMatch(effect -> effect instanceof Effect.Compute again && again.method() == Effect.Method.FRESH);
        assertThat(alarm()).contains("effect Compute (");
    }

    @Test
    void shouldGoOnAfterAnEffectThatNothingWaitsFor() {
        fabric.step.notPerformed(new Effect.Accept(1, 1), cause, fabric.now, effects);
        fabric.step.settle(fabric.now, effects);

        assertThat(effects).noneMatch(Effect.Compute.class::isInstance);
        assertThat(alarm()).contains("effect Accept (");
        assertThat(fabric.state.calm()).isTrue();
    }
}
