package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.DismissReason;
import io.dmodc.manager.core.FabricEvent.AgentJoined;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.core.FabricEvent.RevokeHeard;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people are told of leader epochs, and how often. */
class LeaderEventsTest {
    private static final long HOUR = 3_600_000 * MILLI;

    private final SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,1").start();
    private final long leaf = fabric.guid("leaf0");
    private final List<Effect> effects = new ArrayList<>();

    private List<String> told() {
        return fabric.notes(Kind.LEADER_CONFLICT).stream()
                .map(note -> note.severity() + " [" + note.name() + "] " + note.text())
                .toList();
    }

    private List<String> toldDirectly() {
        return effects.stream()
                .filter(Effect.Tell.class::isInstance)
                .map(effect -> ((Effect.Tell) effect).note())
                .filter(note -> note.kind() == Kind.LEADER_CONFLICT)
                .map(LoggedEvent::text)
                .toList();
    }

    private void comesBackObeying(long guid, long leaderEpoch) {
        fabric.leave(guid);
        fabric.work();
        fabric.obeyed.put(guid, leaderEpoch);
        fabric.join(guid);
        fabric.work();
    }

    /** Obeys what no manager can have. */
    private void greetsPoisoned(long guid, long session) {
        AgentJoined poisoned = new AgentJoined(
                fabric.now, session, guid, "poisoned", 4, 9, new HeldTable(-1, 0, 0, 0), new RingAddress("", 0));
        fabric.step.accept(poisoned, effects);
    }

    @Test
    void shouldTellWhyTheLeaderEpochRisesAndThatItHas() {
        comesBackObeying(leaf, 7);

        assertThat(told())
                .containsExactly(
                        "WARNING [leaf0] leaf0 (" + Guid.format(leaf)
                                + ") obeys leader epoch 7, this manager has 1: it takes 8",
                        "INFO [] leader epoch is 8 now");
    }

    /** Two agents in one round: one line, and the higher one counts. */
    @Test
    void shouldTellOncePerRoundThatItRises() {
        long other = fabric.guid("leaf1");
        fabric.leave(leaf);
        fabric.leave(other);
        fabric.work();
        fabric.diskTakes = false;
        fabric.obeyed.put(leaf, 7L);
        fabric.obeyed.put(other, 9L);
        fabric.join(leaf);
        fabric.join(other);
        fabric.work();
        assertThat(told()).hasSize(1);
        assertThat(fabric.state.leaderEpoch()).as("not kept yet").isEqualTo(1);
        assertThat(fabric.step.nextDeadline()).as("the disk has the word").isGreaterThan(fabric.now);

        fabric.diskTakes = true;
        fabric.send(new Persisted(fabric.now, fabric.state.records.lastNumber()));
        fabric.calm();

        assertThat(fabric.state.leaderEpoch()).isEqualTo(10);
        assertThat(told()).last().isEqualTo("INFO [] leader epoch is 10 now");
        assertThat(fabric.session(leaf)).isPositive();
        assertThat(fabric.obeyed.values()).containsOnly(10L);
    }

    /** A batch before the one with the raised epoch says nothing about it. */
    @Test
    void shouldNotCountALeaderEpochBeforeItIsKept() {
        fabric.diskTakes = false;
        comesBackObeying(leaf, 7);
        long number = fabric.state.records.lastNumber();

        fabric.send(new Persisted(fabric.now, number - 1));
        fabric.work();
        assertThat(fabric.state.leaderEpoch()).isEqualTo(1);

        fabric.send(new Persisted(fabric.now, number));
        fabric.work();
        assertThat(fabric.state.leaderEpoch()).isEqualTo(8);
    }

    @Test
    void shouldNameWhoClaimsTooMuchOnceAnHour() {
        greetsPoisoned(leaf + 100, 900);
        greetsPoisoned(leaf + 100, 901);
        String text = "claims to obey leader epoch 18446744073709551615, this manager has 1, at most 4194304 more are"
                + " believed";
        assertThat(effects)
                .filteredOn(Effect.Dismiss.class::isInstance)
                .containsExactly(
                        new Effect.Dismiss(900, DismissReason.INVALID_HELLO, "it " + text),
                        new Effect.Dismiss(901, DismissReason.INVALID_HELLO, "it " + text));
        assertThat(toldDirectly()).singleElement().asString().endsWith(") " + text + ": refused");

        fabric.now += HOUR - 1;
        greetsPoisoned(leaf + 100, 902);
        assertThat(toldDirectly()).hasSize(1);
        fabric.now += 1;
        greetsPoisoned(leaf + 100, 903);
        assertThat(toldDirectly()).hasSize(2);
        greetsPoisoned(leaf + 100, 904);
        assertThat(toldDirectly()).hasSize(2);
    }

    /** 256 names are remembered; whoever was named longest ago is named again. */
    @Test
    void shouldForgetWhomItNamedFirstWhenTooManyClaimTooMuch() {
        for (int i = 0; i < 256; i++) {
            greetsPoisoned(0x9000 + i, 1_000 + i);
        }
        greetsPoisoned(0x9000, 2_000);
        assertThat(toldDirectly()).hasSize(256);

        greetsPoisoned(0x9900, 2_001);
        greetsPoisoned(0x9001, 2_002);
        assertThat(toldDirectly()).as("the newcomer").hasSize(257);
        greetsPoisoned(0x9000, 2_003);
        assertThat(toldDirectly()).as("it had to make room").hasSize(258);
    }

    @Test
    void shouldTellForWhomItStepsDown() {
        fabric.send(new RevokeHeard(fabric.now, 9, 0));
        fabric.work();

        assertThat(told())
                .containsExactly(
                        "ALARM [] another manager took over with leader epoch 9, this one has 1 and steps down:"
                                + " it pushes nothing until it is restarted");
    }

    @Test
    void shouldNotObeyALeaderEpochThatNoManagerCanHave() {
        fabric.send(new RevokeHeard(fabric.now, -1, 0));
        fabric.send(new RevokeHeard(fabric.now, Leadership.EPOCH_MAX + 1, 0));
        fabric.work();
        assertThat(told())
                .containsExactly(
                        "WARNING [] the ring revokes tables below leader epoch 18446744073709551615, which no manager can"
                                + " have: not obeyed",
                        "WARNING [] the ring revokes tables below leader epoch 2147483648, which no manager can have: not"
                                + " obeyed");
        assertThat(fabric.state.deposed()).isFalse();

        fabric.send(new RevokeHeard(fabric.now, Leadership.EPOCH_MAX, 0));
        fabric.work();
        assertThat(fabric.state.deposed()).isTrue();
    }

    @Test
    void shouldRefuseByNameWhoHadItRaisedAgainAndAgain() {
        long obeyed = 7;
        for (int i = 0; i < Leadership.OUTBIDS_OF_ONE_MAX; i++, obeyed += 2) {
            comesBackObeying(leaf, obeyed);
            fabric.pass(61_000 * MILLI);
        }

        for (int i = 0; i < 3 * Leadership.OUTBIDS_MAX; i++) {
            comesBackObeying(leaf, obeyed);
            fabric.pass(61_000 * MILLI);
        }

        assertThat(fabric.state.deposed()).isFalse();
        assertThat(fabric.state.leaderEpoch()).isEqualTo(obeyed - 1);
        assertThat(told())
                .last()
                .isEqualTo("WARNING [leaf0] leaf0 (" + Guid.format(leaf) + ") claims to obey leader epoch " + obeyed
                        + ", this manager has " + (obeyed - 1) + ", and had that raised 8 times: refused");
        assertThat(fabric.log)
                .filteredOn(Effect.Dismiss.class::isInstance)
                .extracting(effect -> ((Effect.Dismiss) effect).reason())
                .hasSize(3 * Leadership.OUTBIDS_MAX)
                .containsOnly(DismissReason.INVALID_HELLO);
    }

    /** A site where another manager's agents come again and again. */
    @Test
    void shouldStepDownAfterSixteenOutbidsInARow() {
        long obeyed = 7;
        for (int i = 0; i < Leadership.OUTBIDS_MAX; i++) {
            comesBackObeying(fabric.guid("leaf" + i % 4), obeyed);
            fabric.pass(61_000 * MILLI);
            assertThat(fabric.state.leaderEpoch()).isEqualTo(obeyed + 1);
            obeyed += 2;
        }
        assertThat(fabric.state.deposed()).isFalse();

        comesBackObeying(leaf, obeyed);

        assertThat(fabric.state.deposed()).isTrue();
        assertThat(told())
                .last()
                .asString()
                .startsWith(
                        "ALARM [] leader epoch " + obeyed + " is obeyed by leaf0 after 16 outbids in a row, this one");
    }
}
