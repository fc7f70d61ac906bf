package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.Member;
import io.dmodc.manager.core.FabricEvent.ForeignSource;
import io.dmodc.manager.core.FabricEvent.HearingReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.RingReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members of the ring that hear nobody, or are not heard because they speak from another address. */
class RingHearingTest {
    private static final long MANAGER = 0xff;
    private static final RingAddress EXPECTED = new RingAddress("10.0.0.7", 7472);

    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1");
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");

    @BeforeEach
    void start() {
        fabric.ringAddresses.put(leaf, EXPECTED);
        fabric.state.takeRingPlace(new Member(MANAGER, 5, new RingAddress("", 7471)));
        fabric.start();
    }

    private void hears(long session, long guid, boolean nobody) {
        fabric.send(new HearingReported(fabric.now, session, guid, nobody));
        fabric.work();
    }

    private List<Alarm.Kind> alarms() {
        return fabric.state.alarms().stream().map(Alarm::kind).toList();
    }

    @Test
    void shouldRaiseAnAlarmWhileAnAgentHearsNobody() {
        hears(fabric.session(leaf), leaf, true);
        hears(fabric.session(leaf), leaf, true);

        assertThat(fabric.state.alarms()).singleElement().satisfies(alarm -> {
            assertThat(alarm.kind()).isEqualTo(Alarm.Kind.AGENT_HEARS_NOBODY);
            assertThat(alarm.guid()).isEqualTo(leaf);
            assertThat(alarm.text()).isEqualTo("leaf0: hears no heartbeats: is UDP port 7472 let in at 10.0.0.7?");
        });

        hears(fabric.session(leaf), leaf, false);

        assertThat(alarms()).isEmpty();
        assertThat(fabric.notes(Kind.AGENT_HEARS_NOBODY))
                .extracting(LoggedEvent::severity)
                .containsExactly(Severity.WARNING, Severity.INFO);
    }

    @Test
    void shouldNotTellEachTimeOfAnAgentThatSaysSoAllTheTime() {
        for (int i = 0; i < 5_001; i++) {
            fabric.send(new HearingReported(fabric.now, fabric.session(leaf), leaf, i % 2 == 0));
        }
        fabric.work();

        assertThat(fabric.notes(Kind.AGENT_HEARS_NOBODY)).hasSize(AgentEventLimit.AT_ONCE_MAX);
        assertThat(alarms()).containsExactly(Alarm.Kind.AGENT_HEARS_NOBODY);
    }

    @Test
    void shouldKeepTheAlarmOverASessionThatBeginsWithTheSameWord() {
        hears(fabric.session(leaf), leaf, true);
        long id = fabric.state.alarms().iterator().next().id();

        fabric.leave(leaf);
        fabric.work();
        long session = fabric.join(leaf);
        fabric.send(new HearingReported(fabric.now, session, leaf, true));
        fabric.calm();

        assertThat(fabric.state.alarms()).singleElement().extracting(Alarm::id).isEqualTo(id);
    }

    @Test
    void shouldCloseTheAlarmWhenASessionBeginsWithoutIt() {
        hears(fabric.session(leaf), leaf, true);

        fabric.leave(leaf);
        fabric.work();
        fabric.join(leaf);
        fabric.calm();

        assertThat(alarms()).isEmpty();
    }

    @Test
    void shouldTakeNoWordOfAnotherSession() {
        hears(fabric.session(spine), leaf, true);
        hears(fabric.session(leaf) + 100, leaf, true);
        hears(0, leaf, true);
        hears(5, 0x999, true);

        assertThat(alarms()).isEmpty();
    }

    @Test
    void shouldNotBelieveWhatAManagerThatHearsNobodyFindsSilent() {
        hears(0, MANAGER, true);

        assertThat(fabric.state.alarms()).singleElement().satisfies(alarm -> {
            assertThat(alarm.kind()).isEqualTo(Alarm.Kind.MANAGER_HEARS_NOBODY);
            assertThat(alarm.text())
                    .isEqualTo("the manager hears no heartbeats: is UDP port 7471 (detector.listen) let in?");
        });
        fabric.send(new RingReported(fabric.now, 0, true, leaf, 1, MANAGER, 1_000 * MILLI, 0));
        fabric.work();
        assertThat(fabric.notes(Kind.AGENT_SILENT)).isEmpty();
        fabric.send(new RingReported(fabric.now, fabric.session(spine), true, leaf, 1, spine, 1_000 * MILLI, 0));
        fabric.work();
        assertThat(fabric.notes(Kind.AGENT_SILENT)).as("told by an agent").hasSize(1);

        hears(0, MANAGER, false);
        assertThat(alarms()).isEmpty();
        fabric.send(new RingReported(fabric.now, 0, true, spine, 1, MANAGER, 1_000 * MILLI, 0));
        fabric.work();
        assertThat(fabric.notes(Kind.AGENT_SILENT)).hasSize(2);
        assertThat(fabric.notes(Kind.MANAGER_HEARS_NOBODY))
                .extracting(LoggedEvent::severity)
                .containsExactly(Severity.ALARM, Severity.INFO);
    }

    private void drops(long session, long observer, long subject, int port) {
        fabric.send(new ForeignSource(
                fabric.now, session, observer, subject, EXPECTED, new RingAddress("fd00:0:0:0:0:0:0:9", port)));
        fabric.work();
    }

    @Test
    void shouldNameBothAddressesOnceAnHour() {
        drops(fabric.session(spine), spine, leaf, 7472);
        drops(0, MANAGER, leaf, 7472);
        drops(fabric.session(spine), spine, leaf, 7473);

        assertThat(fabric.notes(Kind.FOREIGN_SOURCE)).hasSize(2).first().satisfies(note -> {
            assertThat(note.severity()).isEqualTo(Severity.WARNING);
            assertThat(note.guid()).isEqualTo(leaf);
            assertThat(note.text())
                    .isEqualTo("leaf0: its heartbeats come from [fd00:0:0:0:0:0:0:9]:7472, the ring has it at"
                            + " 10.0.0.7:7472: l2s0 drops them, and it is held silent; name the address it sends from in"
                            + " detector.listen of its agent");
        });
        assertThat(fabric.state.snapshot().foreignSources()).isEqualTo(3);

        fabric.pass(3_600_000 * MILLI);
        drops(fabric.session(spine), spine, leaf, 7472);
        assertThat(fabric.notes(Kind.FOREIGN_SOURCE)).hasSize(3);
    }

    @Test
    void shouldNameTheManagersSettingForItsOwnPlace() {
        drops(fabric.session(spine), spine, MANAGER, 7471);

        assertThat(fabric.notes(Kind.FOREIGN_SOURCE))
                .singleElement()
                .extracting(LoggedEvent::text)
                .asString()
                .startsWith("the manager: its heartbeats")
                .endsWith("in the manager's detector.listen");
    }

    @Test
    void shouldNotHearStrangers() {
        drops(77, spine, leaf, 1);
        drops(fabric.session(spine), spine, 0x999, 1);

        assertThat(fabric.notes(Kind.FOREIGN_SOURCE)).isEmpty();
    }

    /** One member cannot fill the event log with it, nor keep others from being heard. */
    @Test
    void shouldTellABoundedNumberOfWhatOneMemberSays() {
        for (int port = 1; port <= 2_000; port++) {
            drops(fabric.session(spine), spine, leaf, port);
        }
        assertThat(fabric.notes(Kind.FOREIGN_SOURCE)).hasSize(RingHearing.FOREIGN_OF_ONE_MAX);
        assertThat(fabric.state.snapshot().foreignSources()).isEqualTo(2_000);

        drops(0, MANAGER, leaf, 7472);
        assertThat(fabric.notes(Kind.FOREIGN_SOURCE)).hasSize(RingHearing.FOREIGN_OF_ONE_MAX + 1);
        fabric.pass(3_600_000 * MILLI);
        drops(fabric.session(spine), spine, leaf, 7472);
        assertThat(fabric.notes(Kind.FOREIGN_SOURCE)).hasSize(RingHearing.FOREIGN_OF_ONE_MAX + 2);
    }
}
