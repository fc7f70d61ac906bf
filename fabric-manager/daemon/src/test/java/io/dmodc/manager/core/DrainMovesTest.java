package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.topology.PortPlace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DrainMovesTest {
    private static final long OLD = 0x20;
    private static final long NEW = 0x30;
    private static final PortPlace OLD_SWITCH = new PortPlace(OLD, 0);

    private final Map<PortPlace, PortPlace> cables = new HashMap<>();

    private void cable(PortPlace one, PortPlace other) {
        cables.put(one, other);
        cables.put(other, one);
    }

    private List<PortPlace> after(Act act, PortPlace... drained) {
        return List.copyOf(DrainMoves.of(act, List.of(drained), cables::get).after(List.of(drained)));
    }

    @BeforeEach
    void connect() {
        cable(new PortPlace(OLD, 1), new PortPlace(0x10, 5));
        cable(new PortPlace(OLD, 2), new PortPlace(0x40, 6));
        cable(new PortPlace(OLD, 3), new PortPlace(NEW, 7));
    }

    @Test
    void shouldDrainTheNewSwitchAsTheOldOneWas() {
        assertThat(after(Act.replace(OLD, NEW), OLD_SWITCH)).containsExactly(new PortPlace(NEW, 0));
        assertThat(after(Act.replace(OLD, NEW), OLD_SWITCH, new PortPlace(NEW, 0)))
                .containsExactly(new PortPlace(NEW, 0));
    }

    /** The lower end has drained it, and that is once the one and once the other. */
    @ParameterizedTest
    @ValueSource(longs = {0x10, 0x40})
    void shouldKeepACableDrainedByTheEndThatStays(long far) {
        PortPlace stays = far == 0x10 ? new PortPlace(0x10, 5) : new PortPlace(0x40, 6);
        PortPlace goes = Objects.requireNonNull(cables.get(stays));

        assertThat(after(Act.replace(OLD, NEW), goes)).containsExactly(stays);
        assertThat(after(Act.replace(OLD, NEW), stays)).containsExactly(stays);
    }

    @Test
    void shouldDrainTheSamePortOfTheNewSwitchWhereNoOtherEndIsKnown() {
        assertThat(after(Act.replace(OLD, NEW), new PortPlace(OLD, 9))).containsExactly(new PortPlace(NEW, 9));
    }

    @Test
    void shouldDropTheDrainOfACableBetweenTheTwo() {
        assertThat(after(Act.replace(OLD, NEW), new PortPlace(OLD, 3))).isEmpty();
        assertThat(after(Act.replace(OLD, NEW), new PortPlace(NEW, 7))).isEmpty();
    }

    @Test
    void shouldDropTheDrainsOfASwitchThatIsForgottenAndOfItsCablesByEitherEnd() {
        Act act = Act.forget(List.of(new SwitchGuid(OLD)));
        PortPlace other = new PortPlace(0x50, 1);

        assertThat(after(act, OLD_SWITCH, new PortPlace(OLD, 2), new PortPlace(0x10, 5), other))
                .containsExactly(other);
    }

    @Test
    void shouldDropTheDrainOfACableThatIsForgottenByEitherEnd() {
        Act here = Act.forget(List.of(new CableAt(OLD, 1)));
        Act there = Act.forget(List.of(new CableAt(0x10, 5)));

        assertThat(after(here, new PortPlace(0x10, 5), OLD_SWITCH)).containsExactly(OLD_SWITCH);
        assertThat(after(there, new PortPlace(0x10, 5), OLD_SWITCH)).containsExactly(OLD_SWITCH);
    }

    @Test
    void shouldLeaveDrainsAloneOtherwise() {
        assertThat(after(Act.forget(List.of(new HostPort(OLD))), OLD_SWITCH)).containsExactly(OLD_SWITCH);
        assertThat(DrainMoves.of(new Act(Act.Verb.RESUME, List.of(), ""), List.of(OLD_SWITCH), cables::get)
                        .moves())
                .isEmpty();
    }
}
