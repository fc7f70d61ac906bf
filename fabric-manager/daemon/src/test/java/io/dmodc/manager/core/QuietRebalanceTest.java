package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.RebalanceRule.Policy;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.loop.QuietRebalance;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The manager asks for a rebalance by itself when it is quiet and pays, once for each epoch. */
class QuietRebalanceTest {
    private static final long MILLI = SimulatedFabric.MILLI;
    private static final long SECOND = 1_000 * MILLI;
    private static final long QUIET_SECONDS = 300;

    private SimulatedFabric fabric = new SimulatedFabric("3;4,4,8;1,4,4;1,1,1");
    private final List<ActAsked> asked = new ArrayList<>();
    private QuietRebalance quiet = quiet(() -> fabric.state.snapshot());

    private QuietRebalance quiet(Supplier<FabricSnapshot> snapshot) {
        return new QuietRebalance(
                snapshot, asked::add, new EngineChoice("dmodc", null, null, "roots"), true, 1 << 20, () -> fabric.now);
    }

    @BeforeEach
    void start() {
        fabric.comparesSnapshots = false;
        fabric.start();
        fabric.setLinks(fabric.guid("l2s1"), false, true);
        fabric.setLinks(fabric.guid("l2s6"), false, true);
        fabric.setLinks(fabric.guid("l3s3"), false, true);
        fabric.setRebalance(new RebalanceRule(Policy.QUIET, 0));
        rest();
    }

    private void rest() {
        fabric.calm();
        fabric.pass(120 * SECOND);
        fabric.calm();
    }

    /** Looks every 5 s for so long; what is asked for is sent, and done. */
    private void lookFor(long seconds) {
        long end = fabric.now + seconds * SECOND;
        while (fabric.now < end) {
            int before = asked.size();
            quiet.look();
            asked.subList(before, asked.size()).forEach(fabric::send);
            fabric.pass(5 * SECOND);
            fabric.calm();
        }
    }

    private EntryMoves moved() {
        return fabric.state.snapshot().intent().moves();
    }

    @Test
    void shouldMoveEntriesOnceNothingHasHappenedForLong() {
        lookFor(QUIET_SECONDS - 10);
        assertThat(asked).isEmpty();

        lookFor(30);

        assertThat(asked).singleElement().satisfies(event -> {
            assertThat(event.by()).isEqualTo("fabric-manager");
            assertThat(event.why()).matches("quiet: shifts \\d\\.\\d\\d → \\d\\.\\d\\d");
        });
        assertThat(moved()).isEqualTo(asked.get(0).act().moves());
        assertThat(moved().isEmpty()).isFalse();
        assertThat(fabric.notes(Kind.REBALANCED)).hasSize(1);

        lookFor(3 * QUIET_SECONDS);
        assertThat(asked).as("the same tables are not asked for again").hasSize(1);
    }

    @Test
    void shouldWaitAnewAfterEveryChange() {
        lookFor(QUIET_SECONDS - 10);
        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        fabric.calm();

        lookFor(QUIET_SECONDS - 10);
        assertThat(asked).isEmpty();
        lookFor(30);
        assertThat(asked).hasSize(1);
    }

    @Test
    void shouldMoveNothingByItselfOnDemand() {
        fabric.setRebalance(new RebalanceRule(Policy.ON_DEMAND, 0));

        lookFor(3 * QUIET_SECONDS);

        assertThat(asked).isEmpty();
    }

    @Test
    void shouldMoveNothingWhilePeopleWork() {
        fabric.send(new ActAsked(fabric.now, Act.pause(0, false), 0, "ada", ""));
        fabric.calm();
        lookFor(2 * QUIET_SECONDS);
        assertThat(asked).isEmpty();
        fabric.send(new ActAsked(fabric.now, new Act(Verb.RESUME, List.of(), ""), 0, "ada", ""));
        PortPlace place = new PortPlace(fabric.guid("l3s0"), 0);
        fabric.send(new ActAsked(fabric.now, new Act(Verb.DRAIN, List.of(place), ""), 0, "ada", ""));
        rest();
        lookFor(2 * QUIET_SECONDS);
        assertThat(asked).isEmpty();

        fabric.send(new ActAsked(fabric.now, new Act(Verb.UNDRAIN, List.of(place), ""), 0, "ada", ""));
        rest();
        lookFor(2 * QUIET_SECONDS);
        assertThat(asked).hasSize(1);
    }

    @Test
    void shouldMoveNothingWhileASwitchCannotBeTold() {
        fabric.leave(fabric.guid("leaf3"));
        rest();

        lookFor(2 * QUIET_SECONDS);

        assertThat(asked).isEmpty();
    }

    @Test
    void shouldBeDeclinedWhenTheFabricHasMovedOn() {
        fabric.pass(QUIET_SECONDS * SECOND);
        quiet.look();
        fabric.pass(QUIET_SECONDS * SECOND);
        quiet.look();
        assertThat(asked).hasSize(1);

        fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
        fabric.calm();
        fabric.send(asked.get(0));
        fabric.calm();

        assertThat(moved()).isEqualTo(EntryMoves.NONE);
        assertThat(fabric.log.stream().filter(Effect.Declined.class::isInstance))
                .singleElement()
                .satisfies(effect ->
                        assertThat(((Effect.Declined) effect).reason()).startsWith("the fabric has moved on since"));
    }

    @Test
    void shouldGiveASearchUpWhenTheFabricMovesOn() {
        int[] looks = {0};
        quiet = quiet(() -> {
            if (++looks[0] == 20) {
                fabric.setCable(fabric.cableAt(fabric.guid("l2s0")), false, true);
                fabric.calm();
            }
            return fabric.state.snapshot();
        });
        quiet.look();
        fabric.pass(QUIET_SECONDS * SECOND);
        quiet.look();
        assertThat(looks[0]).isEqualTo(20);
        assertThat(asked).isEmpty();

        lookFor(QUIET_SECONDS + 30);
        assertThat(asked).hasSize(1);
    }

    @Test
    void shouldLeaveAWholeFabricAsItIs() {
        fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();
        fabric.setRebalance(new RebalanceRule(Policy.QUIET, 0));

        lookFor(2 * QUIET_SECONDS);

        assertThat(asked).isEmpty();
    }
}
