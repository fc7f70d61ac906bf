package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Alarm.Kind;
import io.dmodc.manager.core.FabricEvent.AcknowledgeAsked;
import io.dmodc.manager.core.FabricEvent.WithdrawAsked;
import io.dmodc.manager.state.StateRecord.Acknowledgement;
import io.dmodc.manager.state.StateRecord.OpenAlarm;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who takes care of an alarm is known until it is mended or gets worse, also over a restart. */
class AcknowledgingTest {
    private SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");
    private final Cable uplink = fabric.cable(leaf, spine);

    private Alarm only() {
        assertThat(fabric.state.alarms()).hasSize(1);
        return fabric.state.alarms().iterator().next();
    }

    private Alarm ofSpine() {
        return Objects.requireNonNull(fabric.state.openAlarms.ofSwitches().get(spine));
    }

    private void acknowledge(Alarm alarm) {
        fabric.send(new AcknowledgeAsked(fabric.now, alarm.id(), "ann", "new cable on Monday"));
        fabric.work();
    }

    private void cut() {
        fabric.setCable(uplink, false, true);
        fabric.calm();
    }

    private List<String> declined(FabricEvent event) {
        List<Effect> effects = new ArrayList<>();
        fabric.step.accept(event, effects);
        return effects.stream()
                .filter(Effect.Declined.class::isInstance)
                .map(effect -> ((Effect.Declined) effect).reason())
                .toList();
    }

    @Test
    void shouldSayWhoTakesCareOfAnAlarmAndTellPeople() {
        cut();
        Alarm alarm = only();
        assertThat(alarm.acknowledgement()).isNull();

        acknowledge(alarm);

        Acknowledgement given = Objects.requireNonNull(only().acknowledgement());
        assertThat(given.by()).isEqualTo("ann");
        assertThat(given.why()).isEqualTo("new cable on Monday");
        assertThat(given.atMillis()).isEqualTo(fabric.state.wallMillis(fabric.now));
        assertThat(only().id()).isEqualTo(alarm.id());
        assertThat(fabric.state.snapshot().findAlarm(alarm.id())).isEqualTo(only());
        assertThat(fabric.notes(LoggedEvent.Kind.ALARM_ACKNOWLEDGED))
                .singleElement()
                .satisfies(
                        note -> assertThat(note.text())
                                .isEqualTo(
                                        "alarm 1 (link leaf0 port 3 – l2s0 port 1 down) acknowledged by ann: new cable on Monday"));
    }

    @Test
    void shouldKnowItOverARestart() {
        cut();
        acknowledge(only());
        Alarm before = only();

        fabric = fabric.restarted().start();

        assertThat(only()).isEqualTo(before);
    }

    @Test
    void shouldNotCountForTheNextAlarmAboutTheSameCable() {
        cut();
        acknowledge(only());

        fabric.setCable(uplink, true, true);
        fabric.calm();
        assertThat(fabric.state.alarms()).isEmpty();
        assertThat(fabric.disk.all(Acknowledgement.class)).isEmpty();
        cut();

        assertThat(only().acknowledgement()).isNull();
        assertThat(only().id()).isEqualTo(2);
    }

    @Test
    void shouldDropItWhenTheAlarmWasMendedWhileNoManagerRan() {
        cut();
        acknowledge(only());
        assertThat(fabric.disk.all(Acknowledgement.class)).hasSize(1);

        fabric = fabric.restarted();
        fabric.setCable(uplink, true, false);
        fabric.start();
        fabric.calm();

        assertThat(fabric.state.alarms()).isEmpty();
        assertThat(fabric.disk.all(Acknowledgement.class)).isEmpty();
    }

    /** Whoever knows of a switch without an agent has not heard that it is dead; the other way round they have. */
    @Test
    void shouldCallAgainWhenItGetsWorse() {
        fabric.leave(spine);
        fabric.calm();
        assertThat(ofSpine().kind()).isEqualTo(Kind.SWITCH_HEADLESS);
        acknowledge(ofSpine());

        fabric.setLinks(spine, false, true);
        fabric.calm();
        assertThat(ofSpine().kind()).isEqualTo(Kind.SWITCH_DEAD);
        assertThat(ofSpine().acknowledgement()).isNull();

        acknowledge(ofSpine());
        fabric.setLinks(spine, true, true);
        fabric.calm();
        assertThat(ofSpine().kind()).isEqualTo(Kind.SWITCH_HEADLESS);
        assertThat(ofSpine().acknowledgement()).isNotNull();
    }

    @Test
    void shouldTakeItBack() {
        cut();
        acknowledge(only());
        WithdrawAsked withdraw = new WithdrawAsked(fabric.now, only().id(), "bob");

        fabric.send(withdraw);
        fabric.work();

        assertThat(only().acknowledgement()).isNull();
        assertThat(fabric.disk.all(Acknowledgement.class)).isEmpty();
        assertThat(fabric.notes(LoggedEvent.Kind.ACKNOWLEDGEMENT_WITHDRAWN))
                .singleElement()
                .satisfies(note -> assertThat(note.text()).endsWith(": acknowledgement withdrawn by bob"));
        assertThat(declined(withdraw)).containsExactly("it is not acknowledged");
    }

    @Test
    void shouldDeclineWhatIsNotOpen() {
        assertThat(declined(new AcknowledgeAsked(fabric.now, 7, "ann", "?")))
                .containsExactly("it is not open any more");
        assertThat(declined(new WithdrawAsked(fabric.now, 7, "ann"))).containsExactly("it is not open any more");
    }

    /** What is on the disk without its alarm, or of a word this version does not know, must not stay there for ever. */
    @Test
    void shouldDropAnAcknowledgementWithoutItsAlarm() {
        cut();
        fabric.disk.apply(new Acknowledgement("link", leaf, uplink.port(), 99, "link_down", "ann", 1, "?"));
        fabric.disk.apply(new Acknowledgement("moon", leaf, uplink.port(), 1, "moon_down", "ann", 1, "?"));
        assertThat(fabric.disk.all(OpenAlarm.class)).hasSize(1);

        fabric = fabric.restarted().start();
        fabric.calm();

        assertThat(only().acknowledgement()).isNull();
        assertThat(fabric.disk.all(Acknowledgement.class)).isEmpty();
    }

    @Test
    void shouldNotCoverAKindThatIsNotKnown() {
        assertThat(Kind.LINK_DOWN.isCoveredBy("moon_down")).isFalse();
        assertThat(Kind.LINK_DOWN.isCoveredBy("link_held")).isFalse();
        assertThat(Kind.LINK_HELD.isCoveredBy("link_down")).isTrue();
        assertThat(Kind.HOST_DOWN.isCoveredBy("link_down")).isFalse();
    }
}
