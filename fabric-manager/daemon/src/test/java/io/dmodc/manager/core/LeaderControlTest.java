package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.DismissReason;
import io.dmodc.manager.core.Effect.Member;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.RevokeHeard;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Managers that meet: the one of a restored backup outbids, the one another took over from falls quiet. */
class LeaderControlTest {
    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");
    private final FabricView whole = fabric.whole();

    @BeforeEach
    void takePlace() {
        fabric.state.takeRingPlace(new Member(0xff, 5, new RingAddress("", 7471)));
    }

    private <T extends Effect> List<T> since(int from, Class<T> kind) {
        return fabric.log.subList(from, fabric.log.size()).stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    private List<String> accepted() {
        return since(0, Effect.Accept.class).stream()
                .map(accept -> String.valueOf(accept.leaderEpoch()))
                .toList();
    }

    /** All but one agent are in and have their tables; the last one obeyed another manager. */
    private long startWithoutOne(long obeyed) {
        long late = whole.switchGuid(0);
        for (int s = 1; s < whole.switchCount(); s++) {
            fabric.join(whole.switchGuid(s));
        }
        fabric.calm();
        fabric.obeyed.put(late, obeyed);
        return late;
    }

    @Test
    void shouldOutbidALateAgentAndTellAllOthers() {
        long late = startWithoutOne(7);
        int before = fabric.log.size();

        fabric.join(late);
        fabric.calm();

        assertThat(fabric.state.leaderEpoch()).isEqualTo(8);
        assertThat(since(before, Effect.Accept.class))
                .singleElement()
                .satisfies(accept -> assertThat(accept.leaderEpoch()).isEqualTo(8));
        assertThat(fabric.obeyed.values()).as("everybody was told").containsOnly(8L);
        assertThat(since(before, Effect.Revoke.class)).containsExactly(new Effect.Revoke(8, 0));
        assertThat(fabric.state.membership().epoch() >> 32).isEqualTo(8);
        assertThat(Objects.requireNonNull(fabric.state.findSwitch(late)).upToDate())
                .isTrue();
        assertThat(fabric.state.alarms()).isEmpty();
    }

    @Test
    void shouldWriteNoBlockToTellOfARaisedLeaderEpoch() {
        fabric.start();
        long leaf = fabric.guid("leaf0");
        int before = fabric.log.size();

        fabric.leave(leaf);
        fabric.obeyed.put(leaf, 7L);
        fabric.join(leaf);
        fabric.calm();

        assertThat(since(before, Effect.Push.class))
                .hasSize(whole.switchCount() - 1)
                .allSatisfy(push -> {
                    assertThat(push.update().leaderEpoch()).isEqualTo(8);
                    assertThat(push.update().blocks()).isEmpty();
                });
    }

    @Test
    void shouldUseARaisedLeaderEpochOnlyOnceItIsStored() {
        long late = startWithoutOne(7);
        fabric.diskTakes = false;
        int before = fabric.log.size();

        long session = fabric.join(late);
        fabric.setPort(fabric.guid("leaf3"), 3, false, true);
        fabric.pass(30_000 * MILLI);

        assertThat(since(before, Effect.Persist.class))
                .flatExtracting(Effect.Persist::records)
                .filteredOn(LeaderEpoch.class::isInstance)
                .containsExactly(new LeaderEpoch(8));
        assertThat(since(before, Effect.Accept.class)).isEmpty();
        assertThat(since(before, Effect.Push.class))
                .isNotEmpty()
                .allSatisfy(push -> assertThat(push.update().leaderEpoch()).isEqualTo(1));

        fabric.send(new FabricEvent.Persisted(fabric.now, fabric.state.records.lastNumber()));
        fabric.calm();
        assertThat(since(before, Effect.Accept.class)).containsExactly(new Effect.Accept(session, 8));
    }

    @Test
    void shouldNotMoveForAnAgentThatClaimsTooMuch() {
        long late = startWithoutOne(Long.MAX_VALUE);

        for (int i = 0; i < 5; i++) {
            fabric.join(late);
            fabric.pass(1000 * MILLI);
        }

        assertThat(fabric.state.leaderEpoch()).isEqualTo(1);
        assertThat(since(0, Effect.Dismiss.class))
                .hasSize(5)
                .allSatisfy(dismiss -> assertThat(dismiss.reason()).isEqualTo(DismissReason.INVALID_HELLO));
        assertThat(fabric.notes(Kind.LEADER_CONFLICT))
                .singleElement()
                .satisfies(note -> assertThat(note.text())
                        .startsWith(whole.switchName(0) + " (0x")
                        .contains("claims to obey leader epoch 9223372036854775807"));
    }

    @Test
    void shouldNeverTakeOverTheFabricEpochOfAnAgent() {
        FabricEvent.AgentJoined poisoned = new FabricEvent.AgentJoined(
                fabric.now,
                900,
                whole.switchGuid(0),
                "leaf0",
                whole.portCount(0),
                1,
                new HeldTable(1, Long.MAX_VALUE, 0, 0),
                new RingAddress("127.0.0.1", 1));

        fabric.step.accept(poisoned, new ArrayList<>());

        assertThat(fabric.state.epoch()).isZero();
        assertThat(Objects.requireNonNull(fabric.state.findSwitch(whole.switchGuid(0)))
                        .agentConnected())
                .isTrue();
    }

    @Test
    void shouldFallQuietWhenAnotherManagerLeads() {
        fabric.start();
        long leaf = fabric.guid("leaf0");
        fabric.deaf.add(leaf);
        fabric.send(new RevokeHeard(fabric.now, 4, 0));
        fabric.work();
        int before = fabric.log.size();

        fabric.setLinks(fabric.guid("l3s0"), false, true);
        fabric.leave(fabric.guid("leaf1"));
        fabric.pass(60_000 * MILLI);

        assertThat(fabric.state.deposed()).isTrue();
        assertThat(since(before, Effect.Compute.class)).as("computes on").isNotEmpty();
        assertThat(since(before, Effect.Push.class)).isEmpty();
        assertThat(since(before, Effect.Dismiss.class)).isEmpty();
        assertThat(since(before, Effect.SendMembership.class)).isEmpty();
        assertThat(since(before, Effect.Revoke.class)).isEmpty();
        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).isEmpty();
        assertThat(fabric.notes(Kind.EPOCH_COMPLETE)).hasSize(1);
        assertThat(fabric.state.alarmCount(Alarm.Kind.LEADER_CONFLICT)).isEqualTo(1);
        assertThat(fabric.step.nextDeadline()).as("no spinning").isGreaterThan(fabric.now);
    }

    @Test
    void shouldRepeatNoPushThatWasUnderWayWhenItSteppedDown() {
        fabric.start();
        fabric.deaf.add(fabric.guid("leaf0"));
        fabric.setPort(fabric.guid("leaf0"), 3, false, true);
        fabric.work();
        assertThat(fabric.state.outstanding()).isPositive();

        fabric.send(new RevokeHeard(fabric.now, 4, 0));
        fabric.work();
        int before = fabric.log.size();
        fabric.pass(60_000 * MILLI);

        assertThat(fabric.state.outstanding()).isZero();
        assertThat(since(before, Effect.Push.class)).isEmpty();
        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).isEmpty();
    }

    @Test
    void shouldLeaveUnansweredWhoObeysTheManagerThatLeads() {
        long late = startWithoutOne(9);
        fabric.send(new RevokeHeard(fabric.now, 9, 0));
        fabric.work();
        int before = fabric.log.size();

        fabric.join(late);
        fabric.pass(10_000 * MILLI);

        assertThat(since(before, Effect.Accept.class)).isEmpty();
        assertThat(since(before, Effect.Dismiss.class)).isEmpty();
        assertThat(fabric.state.leaderEpoch()).isEqualTo(1);
    }

    @Test
    void shouldAskAnAgentThatObeysAnotherToGreetAgainInsteadOfFlaggingIt() {
        fabric.start();
        long leaf = fabric.guid("leaf0");
        fabric.deaf.add(leaf);
        fabric.setPort(leaf, 3, false, true);
        fabric.work();

        fabric.send(new TableRefused(
                fabric.now,
                fabric.session(leaf),
                leaf,
                fabric.state.epoch(),
                RefusalReason.OLD_LEADER,
                "this switch obeys leader epoch 6",
                new HeldTable(1, 1, 0, 0)));
        fabric.work();
        fabric.deaf.clear();
        fabric.obeyed.put(leaf, 6L);
        fabric.join(leaf);
        fabric.calm();

        assertThat(fabric.notes(Kind.AGENT_FLAGGED)).isEmpty();
        assertThat(fabric.state.leaderEpoch()).isEqualTo(7);
        assertThat(Objects.requireNonNull(fabric.state.findSwitch(leaf)).upToDate())
                .isTrue();
    }

    @Test
    void shouldSendAgainWhatAnAgentRefusedBecauseOurOwnLeaderEpochHadRisen() {
        long late = startWithoutOne(7);
        long leaf = whole.switchGuid(1);
        fabric.deaf.add(leaf);
        fabric.setPort(leaf, 3, false, true);
        fabric.work();
        long epoch = fabric.state.epoch();
        fabric.join(late);
        fabric.work();
        fabric.deaf.clear();

        fabric.send(new TableRefused(
                fabric.now,
                fabric.session(leaf),
                leaf,
                epoch,
                RefusalReason.OLD_LEADER,
                "this switch obeys leader epoch 8",
                new HeldTable(1, 1, 0, 0)));
        fabric.calm();

        assertThat(Objects.requireNonNull(fabric.state.findSwitch(leaf)).upToDate())
                .isTrue();
        assertThat(since(0, Effect.Dismiss.class)).isEmpty();
    }

    @Test
    void shouldWaitAMinuteBetweenTwoOutbids() {
        long late = startWithoutOne(7);
        fabric.join(late);
        fabric.calm();
        long other = whole.switchGuid(1);
        fabric.pass(20_000 * MILLI);

        fabric.leave(other);
        fabric.obeyed.put(other, 20L);
        fabric.join(other);
        fabric.pass(30_000 * MILLI);
        assertThat(fabric.state.leaderEpoch()).isEqualTo(8);

        fabric.pass(15_000 * MILLI);
        assertThat(fabric.state.leaderEpoch()).isEqualTo(21);
        assertThat(accepted()).last().isEqualTo("21");
    }

    @Test
    void shouldNameARevocationThatNoManagerCanHaveAndGoOn() {
        fabric.start();

        fabric.send(new RevokeHeard(fabric.now, Long.MAX_VALUE, 0));
        fabric.work();

        assertThat(fabric.state.deposed()).isFalse();
        assertThat(fabric.notes(Kind.LEADER_CONFLICT)).hasSize(1);
    }
}
