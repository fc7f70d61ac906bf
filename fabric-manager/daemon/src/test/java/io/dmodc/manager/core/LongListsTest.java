package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Twenty are named to people, and the others are counted. */
class LongListsTest {
    private static SimulatedFabric ofLeaves(int leaves) {
        return new SimulatedFabric("2;1," + leaves + ";1,2;1,1").start();
    }

    private static String leaves(SimulatedFabric fabric, int count) {
        FabricView view = fabric.whole();
        return IntStream.range(0, count).mapToObj(view::switchName).collect(Collectors.joining(", "));
    }

    private static void kill(SimulatedFabric fabric, String name) {
        long guid = fabric.guid(name);
        fabric.leave(guid);
        fabric.setLinks(guid, false, true);
        fabric.calm();
    }

    @ParameterizedTest
    @CsvSource({"20, ''", "21, ' and 1 more'", "23, ' and 3 more'"})
    void shouldNameLeavesThatAreCutOffFromTheRest(int cutOff, String rest) {
        SimulatedFabric fabric = ofLeaves(cutOff + 1);

        kill(fabric, "l2s0");
        assertThat(fabric.notes(LoggedEvent.Kind.LEAVES_CUT_OFF)).isEmpty();
        kill(fabric, "l2s1");

        assertThat(fabric.notes(LoggedEvent.Kind.LEAVES_CUT_OFF))
                .extracting(LoggedEvent::text)
                .containsExactly("cut off: " + leaves(fabric, 20) + rest + " (" + cutOff * (cutOff + 1)
                        + " pairs of live leaves without a path)");
        assertThat(fabric.state.cutOff()).hasSize(cutOff);
        assertThat(fabric.state.alarmCount(Alarm.Kind.LEAF_CUT_OFF)).isEqualTo(cutOff);
    }

    @ParameterizedTest
    @CsvSource({"20, ''", "21, ' and 1 more'", "24, ' and 4 more'"})
    void shouldNameSwitchesWithoutAnAgentWhileNothingIsPushed(int away, String rest) {
        SimulatedFabric fabric = ofLeaves(26);
        List<Long> guids = new ArrayList<>();
        for (int s = 0; s < 26; s++) {
            guids.add(fabric.whole().switchGuid(s));
        }

        guids.subList(0, away).forEach(fabric::leave);
        fabric.calm();

        assertThat(fabric.state.alarms())
                .filteredOn(alarm -> alarm.kind() == Alarm.Kind.PUSHES_HELD)
                .extracting(Alarm::text)
                .containsExactly("nothing is pushed: " + away + " switches that forward have no agent here: "
                        + leaves(fabric, 20) + rest);
    }

    @ParameterizedTest
    @CsvSource({"20, 20, ''", "23, 20, ' and 3 more'"})
    void shouldNameSwitchesOfALevelThatIsLearnt(int added, int named, String rest) {
        SimulatedFabric fabric = new SimulatedFabric("2;1,30;1,2;1,1");
        FabricView view = fabric.whole();
        for (int s = 0; s < view.switchCount(); s++) {
            if (s < 30 - added || s >= 30) {
                fabric.join(view.switchGuid(s));
            } else {
                fabric.setLinks(view.switchGuid(s), false, false);
            }
        }
        fabric.pass(20_000 * MILLI);
        assertThat(fabric.state.discovering()).isFalse();

        for (int s = 30 - added; s < 30; s++) {
            fabric.setLinks(view.switchGuid(s), true, true);
            fabric.join(view.switchGuid(s));
        }
        fabric.calm();

        String names = IntStream.range(30 - added, 30 - added + named)
                .mapToObj(s -> view.switchName(s) + " 0")
                .collect(Collectors.joining(", "));
        assertThat(fabric.notes(LoggedEvent.Kind.LEVELS_LEARNT))
                .last()
                .extracting(LoggedEvent::text)
                .asString()
                .startsWith("levels of new switches: " + names + rest + "; 60 links, more than ever: ");
    }
}
