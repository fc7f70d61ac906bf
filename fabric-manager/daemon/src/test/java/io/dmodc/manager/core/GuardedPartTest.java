package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.NodeTypes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GuardedPartTest {
    private static final long SECOND = 1_000_000_000L;

    private final FabricState state = new FabricState(
            ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE),
            0,
            0,
            StoredState.of(List.of(new LeaderEpoch(1))),
            Set.of());
    private final List<Effect> effects = new ArrayList<>();
    private @Nullable RuntimeException failure;
    private @Nullable RuntimeException deadlineFailure;
    private int calls;

    private final GuardedPart part = new GuardedPart(
            "counting",
            state,
            (now, out) -> {
                calls++;
                if (failure != null) {
                    throw failure;
                }
            },
            () -> {
                if (deadlineFailure != null) {
                    throw deadlineFailure;
                }
                return Long.MAX_VALUE;
            });

    @Test
    void shouldLeaveAFailingPartAloneForOneSecondThenTwoAndAtMostSixty() {
        failure = new IllegalStateException("no fingers left");
        long now = 0;
        for (long wait : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            int before = calls;
            part.timePassed(now, effects);
            assertThat(calls).isEqualTo(before + 1);
            assertThat(part.nextDeadline()).isEqualTo(now + wait * SECOND);

            part.timePassed(now + wait * SECOND - 1, effects);
            assertThat(calls).as("%d s", wait).isEqualTo(before + 1);
            now += wait * SECOND;
        }
        assertThat(effects).hasSize(8).allMatch(Effect.Defect.class::isInstance);
        assertThat(((Effect.Defect) effects.get(0)).cause()).isSameAs(failure);
        assertThat(state.defects.alarmText())
                .isEqualTo("defect in the manager: counting failed: java.lang.IllegalStateException: no fingers left;"
                        + " tried again");
    }

    @Test
    void shouldSayThatItWorksAgainAndBeginWithOneSecondTheNextTime() {
        failure = new IllegalStateException("passing");
        part.timePassed(0, effects);
        failure = null;

        part.timePassed(SECOND, effects);

        assertThat(effects.get(1))
                .isInstanceOfSatisfying(
                        Effect.Tell.class,
                        tell -> assertThat(tell.note().kind()).isEqualTo(Kind.DEFECT));
        assertThat(state.defects.alarmText()).isEmpty();
        assertThat(part.nextDeadline()).isEqualTo(Long.MAX_VALUE);
        failure = new IllegalStateException("again");
        part.timePassed(2 * SECOND, effects);
        assertThat(part.nextDeadline()).isEqualTo(3 * SECOND);
    }

    @Test
    void shouldTakeAFailureToNameItsDeadlineForOneOfThePart() {
        part.timePassed(5 * SECOND, effects);
        deadlineFailure = new IllegalStateException("no clock");

        assertThat(part.nextDeadline()).as("at once").isEqualTo(5 * SECOND);
        part.timePassed(6 * SECOND, effects);

        assertThat(effects).singleElement().isInstanceOf(Effect.Defect.class);
        assertThat(part.nextDeadline()).isEqualTo(7 * SECOND);
    }
}
