package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.NewsReporters;
import io.dmodc.detector.Membership;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.AgentLeft;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.RingReported;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.FabricStep;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.loop.TableComputation;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What one death costs a manager of 5,120 agents: who reports it is what the agents themselves decide, what comes of it
 * what the core decides.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeathReportsTest {
    private static final int AGENTS = 5_120;
    private static final int REPORTS_MAX = 20;
    private static final long MILLI = 1_000_000;
    private static final Set<Kind> OF_A_DEATH =
            EnumSet.of(Kind.AGENT_SILENT, Kind.AGENT_ALIVE, Kind.SWITCH_HEADLESS, Kind.SWITCH_DEAD, Kind.SWITCH_BACK);

    private final FabricViewBuilder metal = PgftGenerator.generate(PgftShape.parse("3;1,40,64;1,32,16;1,1,1"));
    private final FabricView whole = metal.build(0, new NodeIndexMap(), new GuidNumbers());
    private final SplittableRandom random = new SplittableRandom(20_261_123);
    private final FabricState state = new FabricState(
            ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE),
            0,
            0,
            StoredState.of(List.of(new LeaderEpoch(1))),
            Set.of());
    private final FabricStep step = new FabricStep(state);
    private final TableComputation computation =
            new TableComputation(Dmodc.standard(), SurplusEntryRule.FORBIDDEN, Parallel.sequential());
    private final Map<Long, Long> guidOf = new HashMap<>();
    private final Map<Long, Integer> incarnations = new HashMap<>();
    private final List<LoggedEvent> notes = new ArrayList<>();
    private final Deque<FabricEvent> events = new ArrayDeque<>();
    private long now;
    private long queries;
    private int victimAt;

    /** The first ring, by slot, and who decides what its members tell. */
    private List<Effect.Member> members = List.of();

    private List<NewsReporters> reporters = List.of();

    @BeforeAll
    void startAll() {
        state.takeRingPlace(
                new Effect.Member(SouthboundProtocol.managerGuid(0), 1, new RingAddress("10.255.255.254", 7471)));
        for (int s = 0; s < whole.switchCount(); s++) {
            incarnations.put(whole.switchGuid(s), 1);
            join(whole.switchGuid(s));
        }
        pass(30_000);
        assertThat(state.calm()).isTrue();
        assertThat(state.membership().members()).hasSize(AGENTS + 1);
        members = state.membership().members();
        reporters = new ArrayList<>();
        Membership ring = new Membership(
                1, 1, members.stream().mapToLong(Effect.Member::guid).toArray(), new int[members.size()]);
        for (int slot = 0; slot < ring.slotCount(); slot++) {
            NewsReporters agent = new NewsReporters();
            agent.join(ring, slot);
            reporters.add(agent);
        }
    }

    @BeforeEach
    void forgetWhatWasTold() {
        notes.clear();
        queries = 0;
        victimAt += 100;
    }

    private void join(long guid) {
        long session = guidOf.size() + 1L;
        guidOf.put(session, guid);
        int number = incarnations.getOrDefault(guid, 1);
        RingAddress address = new RingAddress("10.0." + session % 250 + "." + session / 250 % 250, 7472);
        HeldTable none = new HeldTable(0, 0, 0, 0);
        events.add(new AgentJoined(now, session, guid, metal.name(guid), metal.portCount(guid), number, none, address));
    }

    private long session(long guid) {
        return guidOf.entrySet().stream()
                .filter(entry -> entry.getValue() == guid)
                .mapToLong(Map.Entry::getKey)
                .max()
                .orElseThrow();
    }

    private void pass(long millis) {
        long end = now + millis * MILLI;
        work();
        while (step.nextDeadline() <= end) {
            now = Math.max(now + 1, step.nextDeadline());
            events.add(new TimePassed(now));
            work();
        }
        now = end;
        events.add(new TimePassed(now));
        work();
    }

    private void work() {
        while (!events.isEmpty()) {
            List<Effect> effects = new ArrayList<>();
            while (!events.isEmpty()) {
                step.accept(events.removeFirst(), effects);
            }
            step.settle(now, effects);
            effects.forEach(this::perform);
        }
    }

    private void perform(Effect effect) {
        if (effect instanceof Effect.Accept accept) {
            ports(accept.session(), true, List.of());
        } else if (effect instanceof Effect.QueryPorts query) {
            queries++;
            ports(query.session(), false, query.ports());
        } else if (effect instanceof Effect.Push push) {
            Effect.TableUpdate table = push.update();
            events.add(new TableAcked(now, push.session(), table.guid(), table.fabricEpoch(), table.resultDigest()));
        } else if (effect instanceof Effect.Compute compute) {
            events.add(computation.compute(compute, () -> now));
        } else if (effect instanceof Effect.Persist persist) {
            events.add(new Persisted(now, persist.number()));
        } else if (effect instanceof Effect.Tell tell) {
            notes.add(tell.note());
        } else if (effect instanceof Effect.Defect defect) {
            throw new AssertionError(defect.note().text(), defect.cause());
        }
    }

    private void ports(long session, boolean complete, List<Integer> asked) {
        long guid = Objects.requireNonNull(guidOf.get(session));
        List<PortSeen> ports = new ArrayList<>();
        for (int port = 1; port <= metal.portCount(guid); port++) {
            if (complete || asked.contains(port)) {
                ports.add(new PortSeen(guid, port, metal.saysUp(guid, port), metal.claim(guid, port)));
            }
        }
        events.add(new PortsReported(now, session, guid, complete, ports));
    }

    /** A member of the ring that is a switch, its slot not near the manager's. */
    private int victim() {
        long own = SouthboundProtocol.managerGuid(0);
        int slot = victimAt;
        for (int i = slot - 8; i < slot + 8; i++) {
            assertThat(members.get(i).guid()).isNotEqualTo(own);
        }
        return slot;
    }

    /** Those members that would tell what comes from this slot, and the manager, which is told by the ring. */
    private List<Long> tellers(int source) {
        List<Long> sessions = new ArrayList<>(List.of(0L));
        for (int slot = 0; slot < members.size(); slot++) {
            long guid = members.get(slot).guid();
            if (!SouthboundProtocol.isManagerGuid(guid)
                    && reporters.get(slot).include(members.get(source).guid())) {
                sessions.add(session(guid));
            }
        }
        return sessions;
    }

    /** Milliseconds apart over a second, then once more each, seconds later, as if no answer had come. */
    private int tell(boolean silent, int subject, int incarnation, int source) {
        List<Long> tellers = tellers(source);
        for (int i = 0; i < 2 * tellers.size(); i++) {
            pass(i < tellers.size() ? 1 + random.nextLong(1000 / tellers.size()) : 4000);
            events.add(new RingReported(
                    now,
                    tellers.get(i % tellers.size()),
                    silent,
                    members.get(subject).guid(),
                    incarnation,
                    members.get(source).guid(),
                    1000 * MILLI,
                    1));
            work();
        }
        return tellers.size();
    }

    private List<Kind> told() {
        return notes.stream()
                .map(LoggedEvent::kind)
                .filter(OF_A_DEATH::contains)
                .toList();
    }

    private long guid(int slot) {
        return members.get(slot).guid();
    }

    /** Its heartbeats stopped, its session goes on: the metal answers for it. */
    @Test
    void shouldCostOneQuestionWhenAnAgentDiesInTheRingAndAnswersOverTcp() {
        int slot = victim();
        int alarms = state.alarms().size();

        int reports = tell(true, slot, 1, slot + 1);

        assertThat(reports).isLessThanOrEqualTo(REPORTS_MAX);
        assertThat(told()).containsExactly(Kind.AGENT_SILENT, Kind.AGENT_ALIVE);
        assertThat(queries).as("itself and each neighbour, once").isLessThanOrEqualTo(1 + metal.portCount(guid(slot)));
        assertThat(state.alarms()).hasSize(alarms);
        assertThat(Objects.requireNonNull(state.findSwitch(guid(slot))).agentSilent())
                .isFalse();
        System.out.println("dead in the ring, alive over TCP: " + reports + " reports, " + queries + " questions");

        // It hears of it and refutes; and later dies indeed, in the incarnation it has then.
        tell(false, slot, 2, slot);
        tell(true, slot, 1, slot + 1);
        assertThat(told()).hasSize(2);
        tell(true, slot, 2, slot + 1);
        assertThat(told()).hasSize(4);
    }

    /** Its session broke, its heartbeats go on; then the ring says that it returned, and what it had said before. */
    @Test
    void shouldCostOneCycleWhenASessionEndsAndTheRingTellsItLate() {
        int slot = victim();
        long guid = guid(slot);

        events.add(new AgentLeft(now, session(guid), guid, "connection closed"));
        pass(2000);
        int reports = tell(false, slot, 1, slot);
        reports += tell(true, slot, 1, slot + 1);
        join(guid);
        pass(5000);
        tell(true, slot, 1, slot + 1);
        tell(false, slot, 1, slot);

        assertThat(reports).isLessThanOrEqualTo(REPORTS_MAX);
        assertThat(told()).containsExactly(Kind.SWITCH_HEADLESS, Kind.SWITCH_BACK);
        assertThat(notes).filteredOn(note -> note.kind() == Kind.AGENT_LEFT).hasSize(1);
        assertThat(state.alarms()).isEmpty();
        System.out.println("alive in the ring, dead over TCP: " + reports + " reports, " + queries + " questions");
    }

    /** Three neighbours of a busy agent lose patience in the same second, each of them has three to tell it with. */
    @Test
    void shouldCostOneQuestionHoweverManyAccuse() {
        int slot = victim();

        int reports = 0;
        for (int observer = 1; observer <= 4; observer++) {
            reports += tell(true, slot, 1, slot + observer);
        }

        assertThat(reports).isLessThanOrEqualTo(REPORTS_MAX);
        assertThat(told()).containsExactly(Kind.AGENT_SILENT, Kind.AGENT_ALIVE);
    }
}
