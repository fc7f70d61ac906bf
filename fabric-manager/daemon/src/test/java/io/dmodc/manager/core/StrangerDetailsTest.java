package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.DismissReason;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.LinkRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is said of and to switches that nothing ties to the fabric, and which cable does. */
class StrangerDetailsTest {
    private static final long STRANGER = 0x5000;

    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");
    private final List<Effect> effects = new ArrayList<>();

    private void accept(FabricEvent event) {
        fabric.step.accept(event, effects);
        fabric.step.settle(fabric.now, effects);
    }

    private void greets(long guid, long session, int incarnation) {
        accept(new AgentJoined(
                fabric.now,
                session,
                guid,
                "x" + Long.toHexString(guid),
                4,
                incarnation,
                new HeldTable(0, 0, 0, 0),
                new RingAddress("10.9.9.9", 7471)));
    }

    private void reports(long guid, long session, boolean complete, Map<Integer, Doubt> doubts, PortSeen... ports) {
        accept(new PortsReported(fabric.now, session, guid, complete, List.of(ports), doubts));
    }

    private List<String> told(Kind kind) {
        return effects.stream()
                .filter(Effect.Tell.class::isInstance)
                .map(effect -> ((Effect.Tell) effect).note())
                .filter(note -> note.kind() == kind)
                .map(note -> note.severity() + " " + note.text())
                .toList();
    }

    private boolean isUnattached(long guid) {
        return fabric.state.unattached().stream().anyMatch(record -> record.guid() == guid);
    }

    /** The spine's last port leads to the stranger's first, as both say. */
    private void spineSees(long guid, int port) {
        int last = fabric.metal.portCount(spine);
        accept(new PortsReported(
                fabric.now,
                fabric.session(spine),
                spine,
                false,
                List.of(new PortSeen(spine, last, true, new ToSwitch(guid, port)))));
    }

    private PortSeen toSpine(long guid, int port) {
        return new PortSeen(guid, port, true, new ToSwitch(spine, fabric.metal.portCount(spine)));
    }

    @Test
    void shouldTellOfAStrangerOnceAndWelcomeIt() {
        greets(STRANGER, 501, 1);

        assertThat(effects).contains(new Effect.Accept(501, 1));
        assertThat(told(Kind.AGENT_UNATTACHED))
                .containsExactly("INFO x5000 (0x0000000000005000): unattached, no cable that both ends confirm joins it"
                        + " to the fabric");
        accept(new AgentLeft(fabric.now, 501, STRANGER, "gone"));
        greets(STRANGER, 502, 1);
        assertThat(told(Kind.AGENT_UNATTACHED)).hasSize(1);
        assertThat(effects).contains(new Effect.Accept(502, 1)).noneMatch(Effect.Dismiss.class::isInstance);
    }

    @Test
    void shouldLetAHigherIncarnationOfAStrangerTakeOverAndNoOther() {
        greets(STRANGER, 501, 3);
        greets(STRANGER, 502, 3);
        greets(STRANGER, 503, 4);

        assertThat(effects)
                .filteredOn(Effect.Dismiss.class::isInstance)
                .containsExactly(
                        new Effect.Dismiss(
                                502,
                                DismissReason.DUPLICATE_GUID,
                                "another agent speaks for switch 0x0000000000005000"),
                        new Effect.Dismiss(501, DismissReason.SILENT, "a newer agent took over"));
        assertThat(fabric.state.unattached()).singleElement().satisfies(record -> {
            assertThat(record.incarnation()).isEqualTo(4);
            assertThat(record.agentConnected()).isTrue();
            assertThat(record.name()).isEqualTo("x5000");
            assertThat(record.portCount()).isEqualTo(4);
        });
    }

    /** What the agent before said of the ports is not what this one says. */
    @Test
    void shouldAttachNobodyByWhatAnEarlierAgentSaid() {
        greets(STRANGER, 501, 1);
        reports(STRANGER, 501, true, Map.of(), toSpine(STRANGER, 1));
        greets(STRANGER, 502, 2);

        spineSees(STRANGER, 1);

        assertThat(isUnattached(STRANGER)).isTrue();
        reports(STRANGER, 502, true, Map.of(), toSpine(STRANGER, 1));
        assertThat(isUnattached(STRANGER)).isFalse();
    }

    @Test
    void shouldAttachByTheLastPortOfASwitch() {
        greets(STRANGER, 501, 1);
        spineSees(STRANGER, 4);

        reports(STRANGER, 501, true, Map.of(), toSpine(STRANGER, 4));

        assertThat(isUnattached(STRANGER)).isFalse();
        SwitchRecord record = Objects.requireNonNull(fabric.state.findSwitch(STRANGER));
        assertThat(record.portsKnown).as("it has told all").isTrue();
        assertThat(record.leaderTold).isEqualTo(1);
        assertThat(effects.stream().filter(effect -> effect.equals(new Effect.Accept(501, 1))))
                .as("welcomed once")
                .hasSize(1);
    }

    /** What it said last of each port counts, before a cable tied it to the fabric. */
    @Test
    void shouldKeepWhatAStrangersLinksCarry() {
        LinkRate rate = new LinkRate(100_000, 0);
        greets(STRANGER, 501, 1);
        accept(new PortsReported(
                fabric.now,
                501,
                STRANGER,
                true,
                List.of(toSpine(STRANGER, 1), toSpine(STRANGER, 2)),
                Map.of(),
                Map.of(1, rate, 2, rate)));
        reports(STRANGER, 501, false, Map.of(), toSpine(STRANGER, 2));

        spineSees(STRANGER, 1);

        assertThat(isUnattached(STRANGER)).isFalse();
        assertThat(fabric.state.cabling.rates().of(STRANGER, 1)).contains(rate);
        assertThat(fabric.state.cabling.rates().of(STRANGER, 2)).isEmpty();
    }

    @Test
    void shouldBelieveNoCableThatTheStrangerDoesNotHear() {
        greets(STRANGER, 501, 1);
        spineSees(STRANGER, 1);
        reports(STRANGER, 501, true, Map.of(1, Doubt.UNHEARD), toSpine(STRANGER, 1));
        assertThat(isUnattached(STRANGER)).isTrue();

        reports(STRANGER, 501, false, Map.of(), toSpine(STRANGER, 1));
        assertThat(isUnattached(STRANGER)).isFalse();
    }

    /** A whole report leaves out the port of before: it leads nowhere any more. */
    @Test
    void shouldForgetThePortsThatAWholeReportLeavesOut() {
        greets(STRANGER, 501, 1);
        reports(STRANGER, 501, true, Map.of(), toSpine(STRANGER, 1));
        reports(STRANGER, 501, true, Map.of(), new PortSeen(STRANGER, 2, false, null));

        spineSees(STRANGER, 1);

        assertThat(isUnattached(STRANGER)).isTrue();
    }

    @Test
    void shouldNotAttachAStrangerWhoseAgentIsGone() {
        greets(STRANGER, 501, 1);
        reports(STRANGER, 501, true, Map.of(), toSpine(STRANGER, 1));
        accept(new AgentLeft(fabric.now, 501, STRANGER, "gone"));

        spineSees(STRANGER, 1);

        assertThat(isUnattached(STRANGER)).isTrue();
        assertThat(fabric.state.findSwitch(STRANGER)).isNull();
    }

    @Test
    void shouldIgnoreWhatAnEarlierSessionReports() {
        greets(STRANGER, 501, 1);
        greets(STRANGER, 502, 2);
        spineSees(STRANGER, 1);

        reports(STRANGER, 501, true, Map.of(), toSpine(STRANGER, 1));

        assertThat(isUnattached(STRANGER)).isTrue();
    }

    private void fill() {
        for (int i = 0; i < Strangers.MAX; i++) {
            greets(STRANGER + i, 1_000 + i, 1);
        }
        effects.clear();
    }

    @Test
    void shouldTellOncePerMinuteHowManyWereDismissed() {
        fill();
        for (int i = 0; i < 3; i++) {
            greets(0x9000 + i, 2_000 + i, 1);
        }
        assertThat(effects)
                .filteredOn(Effect.Dismiss.class::isInstance)
                .hasSize(3)
                .first()
                .isEqualTo(new Effect.Dismiss(
                        2_000,
                        DismissReason.UNATTACHED,
                        "256 switches without a cable to the fabric are known already"));
        assertThat(told(Kind.AGENT_UNATTACHED))
                .containsExactly(
                        "WARNING 256 switches are unattached: 1 more dismissed, the last one x9000 (0x0000000000009000)");

        fabric.now += Strangers.TOLD_AGAIN_NANOS - 1;
        greets(0x9003, 2_003, 1);
        assertThat(told(Kind.AGENT_UNATTACHED)).hasSize(1);
        fabric.now += 1;
        greets(0x9004, 2_004, 1);

        assertThat(told(Kind.AGENT_UNATTACHED))
                .last()
                .isEqualTo(
                        "WARNING 256 switches are unattached: 4 more dismissed, the last one x9004 (0x0000000000009004)");
        assertThat(fabric.state.unattached()).hasSize(Strangers.MAX);
    }

    /** The place of one whose agent left is taken first. */
    @Test
    void shouldTakeThePlaceOfAStrangerThatLeft() {
        fill();
        accept(new AgentLeft(fabric.now, 1_007, STRANGER + 7, "gone"));
        effects.clear();
        spineSees(0x9000, 1);

        greets(0x9000, 2_000, 1);

        assertThat(effects).contains(new Effect.Accept(2_000, 1)).noneMatch(Effect.Dismiss.class::isInstance);
        assertThat(isUnattached(STRANGER + 7)).isFalse();
        assertThat(fabric.state.unattached()).hasSize(Strangers.MAX);
        assertThat(fabric.step.nextDeadline()).as("nobody's hour runs").isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldSendAwayAStrangerForOneThatTheFabricSees() {
        fill();
        spineSees(0x9000, 1);

        greets(0x9000, 2_000, 1);

        assertThat(effects)
                .filteredOn(Effect.Dismiss.class::isInstance)
                .containsExactly(new Effect.Dismiss(
                        1_000, DismissReason.UNATTACHED, "a switch with a cable to the fabric needs the place"));
        assertThat(isUnattached(STRANGER)).isFalse();
        assertThat(isUnattached(0x9000)).isTrue();
    }

    /** The cable was pulled out again before it came. */
    @Test
    void shouldMakeNoRoomForACableThatIsDown() {
        fill();
        spineSees(0x9000, 1);
        int last = fabric.metal.portCount(spine);
        accept(new PortsReported(
                fabric.now, fabric.session(spine), spine, false, List.of(new PortSeen(spine, last, false, null))));

        greets(0x9000, 2_000, 1);

        assertThat(isUnattached(0x9000)).isFalse();
        assertThat(told(Kind.AGENT_UNATTACHED)).hasSize(1);
    }

    /** A person's word ties it in, without a cable, in the place of a dead leaf. */
    @Test
    void shouldAttachAReplacementByAPersonsWord() {
        fabric.leave(leaf);
        fabric.setLinks(leaf, false, true);
        fabric.pass(2_000 * MILLI);
        greets(STRANGER, 501, 1);
        reports(STRANGER, 501, true, Map.of(), new PortSeen(STRANGER, 1, false, null));
        assertThat(isUnattached(STRANGER)).isTrue();

        accept(new ActAsked(fabric.now, Act.replace(leaf, STRANGER), 0, "ada", ""));
        accept(new Persisted(fabric.now, fabric.state.records.lastNumber()));

        assertThat(isUnattached(STRANGER)).isFalse();
        assertThat(fabric.state.findSwitch(leaf)).isNull();
        assertThat(told(Kind.SWITCH_REPLACED)).containsExactly("INFO x5000 takes the place of leaf0 (ada)");
        assertThat(fabric.state.inventory().expected(STRANGER, 3))
                .as("missed at the new one, not forgotten")
                .isEqualTo(new ToSwitch(spine, 1));
        assertThat(fabric.state.snapshot().linkTotals()).isEqualTo(new Totals(8, 6, 2, 0));
        assertThat(fabric.state.snapshot().hostTotals()).isEqualTo(new Totals(8, 6, 2, 0));
        assertThat(fabric.state.identity.levels().levels().getOrDefault(STRANGER, -1))
                .isZero();
    }

    /** The one to be replaced is there: nothing happens to either. */
    @Test
    void shouldNotAttachAReplacementOfASwitchThatIsThere() {
        greets(STRANGER, 501, 1);
        reports(STRANGER, 501, true, Map.of(), new PortSeen(STRANGER, 1, false, null));

        accept(new ActAsked(fabric.now, Act.replace(leaf, STRANGER), 0, "ada", ""));

        assertThat(isUnattached(STRANGER)).isTrue();
        assertThat(fabric.state.findSwitch(leaf)).isNotNull();
    }
}
