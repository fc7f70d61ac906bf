package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.TransitReported;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchRecord.Forwarding;
import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.manager.state.StateRecord.HeldTable;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whether a switch without an agent forwards: what its neighbours' hellos through it prove, and what they do not. */
class TransitChecksTest {
    /** Two leaves of each of four pods below four spines of two cables to each pod's two middle switches. */
    private final SimulatedFabric fabric = fabric("3;2,2,4;1,2,2;1,1,1");

    private final long middle = fabric.guid("l2s0");

    private static SimulatedFabric fabric(String pgft) {
        SimulatedFabric fabric = new SimulatedFabric(PgftGenerator.generate(PgftShape.parse(pgft)));
        for (int s = 0; s < fabric.whole().switchCount(); s++) {
            fabric.transitHellos.add(fabric.whole().switchGuid(s));
        }
        return fabric.start();
    }

    private SwitchRecord record(long guid) {
        return Objects.requireNonNull(fabric.state.findSwitch(guid));
    }

    private void hangs(long guid) {
        fabric.hung.add(guid);
        fabric.mute.add(guid);
        fabric.leave(guid);
    }

    private boolean isUsed(long guid) {
        return fabric.state.cabling().alive(guid);
    }

    @Test
    void shouldRouteAroundASwitchThatHangsWithLitPorts() {
        hangs(middle);
        fabric.pass(200 * MILLI);

        assertThat(record(middle).condition()).isEqualTo(Condition.DEAD);
        assertThat(record(middle).forwarding()).isEqualTo(Forwarding.HUNG);
        assertThat(isUsed(middle)).isFalse();
        assertThat(fabric.notes(Kind.SWITCH_DEAD))
                .last()
                .asString()
                .contains("dead, no agent and nothing goes through it though its links are up");
        assertThat(fabric.state.alarms()).anySatisfy(alarm -> {
            assertThat(alarm.kind()).isEqualTo(Alarm.Kind.SWITCH_DEAD);
            assertThat(alarm.guid()).isEqualTo(middle);
        });
    }

    @Test
    void shouldNotRouteAroundASwitchThatForwardsWithoutItsAgent() {
        long epoch = fabric.state.epoch();
        fabric.leave(middle);
        fabric.pass(60_000 * MILLI);

        assertThat(record(middle).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(record(middle).forwarding()).isEqualTo(Forwarding.PROVED);
        assertThat(isUsed(middle)).isTrue();
        assertThat(fabric.state.epoch()).isEqualTo(epoch);
        long asked = fabric.count(Effect.AskThrough.class);
        assertThat(asked)
                .as("by two or three pairs of cables every two seconds")
                .isBetween(31L, 31L * TransitChecks.PASSAGES_MAX);
    }

    @Test
    void shouldRouteAroundAHeadlessSwitchThatHangsLater() {
        fabric.leave(middle);
        fabric.pass(10_000 * MILLI);
        assertThat(isUsed(middle)).isTrue();

        fabric.hung.add(middle);
        fabric.pass(TransitChecks.AGAIN_NANOS + 100 * MILLI);

        assertThat(record(middle).condition()).isEqualTo(Condition.DEAD);
        assertThat(isUsed(middle)).isFalse();
    }

    @Test
    void shouldUseAHungSwitchAgainWhenItsAgentIsBack() {
        hangs(middle);
        fabric.pass(200 * MILLI);
        fabric.hung.clear();
        fabric.mute.clear();
        fabric.join(middle);
        fabric.calm();

        assertThat(record(middle).condition()).isEqualTo(Condition.CONNECTED);
        assertThat(record(middle).forwarding()).isEqualTo(Forwarding.UNASKED);
        assertThat(isUsed(middle)).isTrue();
        assertThat(fabric.state.alarms()).isEmpty();
    }

    @Test
    void shouldNotBelieveItsNeighboursWhoHearNothingAnyway() {
        fabric.hearsNoTransits.addAll(fabric.transitHellos);
        fabric.leave(middle);
        fabric.pass(10_000 * MILLI);

        assertThat(record(middle).forwarding()).isEqualTo(Forwarding.UNANSWERED);
        assertThat(record(middle).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(isUsed(middle)).isTrue();
        assertThat(fabric.state.snapshot().counts().unproved()).isEqualTo(1);
    }

    /** Three of its four neighbours; what the fourth one hears nothing of proves nothing. */
    @Test
    void shouldBelieveOnePassageMoreThanManyLosses() {
        List<Long> neighbours = neighbours(middle);
        neighbours.stream().skip(2).forEach(fabric.hearsNoTransits::add);
        fabric.leave(middle);
        fabric.pass(20_000 * MILLI);

        assertThat(record(middle).condition()).isEqualTo(Condition.HEADLESS);
        assertThat(isUsed(middle)).isTrue();
    }

    @Test
    void shouldNotJudgeByTwoCablesAlone() {
        long leaf = fabric.guid("leaf0");
        assertThat(neighbours(leaf)).hasSize(2);
        hangs(leaf);
        fabric.pass(10_000 * MILLI);

        assertThat(record(leaf).forwarding()).isEqualTo(Forwarding.UNANSWERED);
        assertThat(record(leaf).condition()).isEqualTo(Condition.HEADLESS);
    }

    @Test
    void shouldSayWhereNoPlaneCarriesHellos() {
        fabric.leave(middle);
        fabric.transitHellos.clear();
        fabric.join(middle);
        fabric.calm();
        fabric.leave(middle);
        fabric.calm();

        assertThat(record(middle).forwarding()).isEqualTo(Forwarding.UNTESTABLE);
        assertThat(fabric.state.snapshot().counts().unproved()).isEqualTo(1);
    }

    /** Half of the fabric loses its agents at once: all forward on. */
    @Test
    void shouldNotHoldHungWhoForwardsWhenManyAgentsGo() {
        List<Long> gone = List.copyOf(fabric.state.switches.keySet()).stream()
                .filter(guid -> guid % 3 == 0)
                .toList();
        gone.forEach(fabric::leave);
        fabric.pass(30_000 * MILLI);

        assertThat(gone)
                .hasSizeGreaterThan(4)
                .allSatisfy(guid -> assertThat(record(guid).condition()).isEqualTo(Condition.HEADLESS));
    }

    /** Its askers are all silent, or away, before they report. */
    @Test
    void shouldNotTakeSilenceOfTheAskersForAnAnswer() {
        fabric.hung.add(middle);
        fabric.mute.addAll(neighbours(middle));
        fabric.leave(middle);
        fabric.pass(20_000 * MILLI);

        assertThat(record(middle).condition()).isEqualTo(Condition.HEADLESS);
    }

    @Test
    void shouldPassOverReportsThatNobodyAskedFor() {
        fabric.leave(middle);
        fabric.pass(100 * MILLI);
        long other = fabric.guid("l2s1");

        for (long number = 0; number < 100; number++) {
            fabric.send(new TransitReported(fabric.now, fabric.session(other), other, number, 5, 0));
        }
        fabric.pass(10_000 * MILLI);

        assertThat(record(middle).forwarding()).isEqualTo(Forwarding.PROVED);
    }

    /** A second manager starts: that it was led around is known again. */
    @Test
    void shouldNotForgetOverARestartThatASwitchIsLedAround() {
        hangs(middle);
        fabric.pass(5_000 * MILLI);
        assertThat(isUsed(middle)).isFalse();

        SimulatedFabric next = restartedWithoutMiddle(false);

        assertThat(next.state.cabling().alive(middle)).isFalse();
    }

    /** What its plane can do is on record, as its agent said it last. */
    @Test
    void shouldAskASwitchWhoseAgentDoesNotComeAfterARestart() {
        SimulatedFabric forwards = restartedWithoutMiddle(false);
        SimulatedFabric hangs = restartedWithoutMiddle(true);

        assertThat(recordOfMiddle(forwards).forwarding()).isEqualTo(Forwarding.PROVED);
        assertThat(forwards.state.cabling().alive(middle)).isTrue();
        assertThat(recordOfMiddle(hangs).forwarding()).isEqualTo(Forwarding.HUNG);
        assertThat(hangs.state.cabling().alive(middle)).isFalse();
    }

    /** By what another manager wrote down, which may lead it yet and have changed its table, a lost hello proves nothing; one that comes back does. */
    @Test
    void shouldNotHoldHungByWhatAnotherManagerWroteDown() {
        int first = (int) fabric.disk.leaderEpoch();

        SimulatedFabric another = restartedWithoutMiddle(true, first + 1);
        assertThat(recordOfMiddle(another).forwarding()).isEqualTo(Forwarding.UNANSWERED);
        assertThat(another.state.cabling().alive(middle)).isTrue();
        assertThat(recordOfMiddle(restartedWithoutMiddle(true, first)).forwarding())
                .as("by what a manager of this number wrote down")
                .isEqualTo(Forwarding.HUNG);
        assertThat(recordOfMiddle(restartedWithoutMiddle(false, first + 1)).forwarding())
                .isEqualTo(Forwarding.PROVED);
    }

    /** It is not written anew as if this one had heard of it. */
    @Test
    void shouldRememberOverTheNextStartWhoWroteDownWhatASwitchHolds() {
        int first = (int) fabric.disk.leaderEpoch();
        SimulatedFabric another = restartedWithoutMiddle(false, first + 1);
        another.setCable(another.cableAt(middle), false, true);
        another.pass(5_000 * MILLI);
        assertThat(leaderOfMiddle(another)).isEqualTo(first);

        another.join(middle);
        another.pass(5_000 * MILLI);

        assertThat(leaderOfMiddle(another)).isEqualTo(another.state.leaderEpoch());
    }

    /** The disk did not take the last tables before the manager died: others tell by what they hold, also over the next start. */
    @Test
    void shouldNotHoldHungByARecordOlderThanWhatOthersHold() {
        Cable cable = fabric.cableAt(middle);
        fabric.diskTakes = false;
        fabric.setCable(cable, false, true);
        fabric.pass(5_000 * MILLI);
        fabric.setCable(cable, true, true);
        fabric.pass(5_000 * MILLI);

        SimulatedFabric next = restartedWithoutMiddle(true);
        assertThat(recordOfMiddle(next).forwarding()).isEqualTo(Forwarding.UNANSWERED);
        assertThat(next.state.cabling().alive(middle)).isTrue();
        while (next.state.epoch() < fabric.state.epoch()) {
            next.state.news.add(next.now, "another epoch of the same tables");
            next.pass(1_000 * MILLI);
        }
        assertThat(recordOfMiddle(restartedWithoutMiddle(next, true, LeaderEpochs.NO_NUMBER))
                        .forwarding())
                .as("after one more start, whose records are of tables that all hold")
                .isEqualTo(Forwarding.UNANSWERED);
        assertThat(recordOfMiddle(restartedWithoutMiddle(false)).forwarding())
                .as("a hello that comes back proves it all the same")
                .isEqualTo(Forwarding.PROVED);
    }

    /** An agent that says of its table that it is of a later epoch than any, with each session. */
    @Test
    void shouldFindASwitchHungWhateverOneAgentSaysOfItsEpoch() {
        long liar = fabric.guid("l2s1");
        fabric.heldEpoch.put(liar, fabric.state.epoch() + 1_000);

        SimulatedFabric next = restartedWithoutMiddle(true);
        next.leave(liar);
        next.heldEpoch.put(liar, next.state.epoch() + 1_000);
        next.join(liar);
        next.pass(10_000 * MILLI);

        assertThat(recordOfMiddle(next).forwarding()).isEqualTo(Forwarding.HUNG);
        assertThat(next.state.cabling().alive(middle)).isFalse();
        assertThat(leaderOfMiddle(next)).isNotEqualTo(LeaderEpochs.NOBODY);
    }

    /** One of the two switches with a later table comes in after the leaf was held hung. */
    @Test
    void shouldUseALeafAgainThatWasHeldHungByARecordThatTurnsOutOld() {
        SimulatedFabric six = fabric("2;6,4;1,6;1,1");
        long leaf = six.guid("leaf0");
        long late = six.guid("l2s5");
        six.heldEpoch.put(six.guid("l2s4"), six.state.epoch() + 1);
        SimulatedFabric next = six.restarted();
        next.transitHellos.addAll(six.transitHellos);
        next.hung.add(leaf);
        six.state.switches().stream()
                .map(SwitchRecord::guid)
                .filter(guid -> guid != leaf && guid != late)
                .forEach(next::join);
        next.pass(60_000 * MILLI);
        assertThat(next.state.cabling().alive(leaf)).isFalse();

        next.heldEpoch.put(late, six.state.epoch() + 1);
        next.join(late);
        next.pass(10_000 * MILLI);

        assertThat(next.state.cabling().alive(leaf)).isTrue();
        assertThat(Objects.requireNonNull(next.state.findSwitch(leaf)).condition())
                .isEqualTo(Condition.HEADLESS);
        assertThat(next.notes(Kind.SWITCH_HEADLESS))
                .last()
                .asString()
                .contains("headless, no agent but links are up; nobody knows what it holds");
    }

    private long leaderOfMiddle(SimulatedFabric of) {
        return of.disk.all(HeldTable.class).stream()
                .filter(held -> held.guid() == middle)
                .findFirst()
                .orElseThrow()
                .leaderEpoch();
    }

    private SimulatedFabric restartedWithoutMiddle(boolean hung) {
        return restartedWithoutMiddle(hung, LeaderEpochs.NO_NUMBER);
    }

    private SimulatedFabric restartedWithoutMiddle(boolean hung, int number) {
        return restartedWithoutMiddle(fabric, hung, number);
    }

    private SimulatedFabric restartedWithoutMiddle(SimulatedFabric before, boolean hung, int number) {
        SimulatedFabric next = before.restarted();
        next.state.takeNumber(number);
        next.transitHellos.addAll(fabric.transitHellos);
        if (hung) {
            next.hung.add(middle);
        }
        for (int s = 0; s < next.whole().switchCount(); s++) {
            if (next.whole().switchGuid(s) != middle) {
                next.join(next.whole().switchGuid(s));
            }
        }
        next.pass(60_000 * MILLI);
        return next;
    }

    private SwitchRecord recordOfMiddle(SimulatedFabric next) {
        return Objects.requireNonNull(next.state.findSwitch(middle));
    }

    /** Beside the switch or further away; also one by which all the others would be asked. */
    @Test
    void shouldFindASwitchHungWhicheverAgentHearsNothing() {
        for (long deaf : List.copyOf(fabric.state.switches.keySet())) {
            SimulatedFabric again = fabric("3;2,2,4;1,2,2;1,1,1");
            again.hearsNoTransits.add(deaf);
            assertThat(conditionOfHung(again, middle))
                    .as(fabric.metal.name(deaf))
                    .isEqualTo(Condition.DEAD);
        }
    }

    @Test
    void shouldFindALeafHungWhicheverTwoOfItsSixNeighboursHearNothing() {
        for (int one = 0; one < 6; one++) {
            for (int other = 0; other < one; other++) {
                SimulatedFabric six = fabric("2;6,4;1,6;1,1");
                six.hearsNoTransits.add(six.guid("l2s" + one));
                six.hearsNoTransits.add(six.guid("l2s" + other));
                assertThat(conditionOfHung(six, six.guid("leaf0")))
                        .as(one + " and " + other)
                        .isEqualTo(Condition.DEAD);
            }
        }
    }

    private static Condition conditionOfHung(SimulatedFabric fabric, long guid) {
        fabric.hung.add(guid);
        fabric.mute.add(guid);
        fabric.leave(guid);
        fabric.pass(60_000 * MILLI);
        return Objects.requireNonNull(fabric.state.findSwitch(guid)).condition();
    }

    /** The two others carry nothing, and no port tells. */
    @Test
    void shouldNotHoldHungWhoForwardsByAnyTwoOfFourCables() {
        for (int one = 1; one <= 4; one++) {
            for (int other = 1; other < one; other++) {
                SimulatedFabric again = fabric("3;2,2,4;1,2,2;1,1,1");
                again.carriesNothing.add(new PortPlace(middle, one));
                again.carriesNothing.add(new PortPlace(middle, other));
                again.leave(middle);
                again.pass(20_000 * MILLI);

                assertThat(Objects.requireNonNull(again.state.findSwitch(middle))
                                .forwarding())
                        .as("without ports " + one + " and " + other)
                        .isEqualTo(Forwarding.PROVED);
            }
        }
    }

    /** Its leaves can say hello through nothing else, as the other middle switch beside them carries none. */
    @Test
    void shouldFindASwitchHungByThreeOfSixNeighboursInSeveralRounds() {
        SimulatedFabric three = fabric("3;2,3,4;1,2,3;1,1,1");
        long other = three.guid("l2s1");
        three.transitHellos.remove(other);
        three.join(other);
        three.calm();

        assertThat(conditionOfHung(three, three.guid("l2s0"))).isEqualTo(Condition.DEAD);
    }

    /** Each says hello to itself, too. */
    @Test
    void shouldJudgeByTwoNeighboursOfSeveralCablesEach() {
        for (String pgft : List.of("2;4,2;1,2;1,2", "2;4,2;1,2;1,3", "2;4,2;1,2;1,4")) {
            SimulatedFabric two = fabric(pgft);
            assertThat(conditionOfHung(two, two.guid("l2s0"))).as(pgft).isEqualTo(Condition.DEAD);

            SimulatedFabric deaf = fabric(pgft);
            deaf.hearsNoTransits.add(deaf.guid("leaf0"));
            assertThat(conditionOfHung(deaf, deaf.guid("l2s0"))).as(pgft).isEqualTo(Condition.HEADLESS);
        }
    }

    /** Between two rounds its agent comes and goes with another plane, which forwards but no hellos. */
    @Test
    void shouldForgetWhatItAskedOnceTheAgentWasBack() {
        fabric.leave(middle);
        fabric.pass(1_000 * MILLI);
        fabric.transitHellos.remove(middle);
        fabric.hung.add(middle);
        fabric.join(middle);
        fabric.pass(500 * MILLI);
        fabric.leave(middle);
        fabric.pass(20_000 * MILLI);

        assertThat(record(middle).forwarding()).isEqualTo(Forwarding.UNTESTABLE);
        assertThat(isUsed(middle)).isTrue();
    }

    @Test
    void shouldAskAtOnceAgainWhenItsAgentWasBack() {
        fabric.leave(middle);
        fabric.pass(100 * MILLI);
        fabric.join(middle);
        fabric.pass(100 * MILLI);
        hangs(middle);
        fabric.pass(200 * MILLI);

        assertThat(record(middle).forwarding()).isEqualTo(Forwarding.HUNG);
    }

    private List<Long> neighbours(long guid) {
        return IntStream.rangeClosed(1, fabric.metal.portCount(guid))
                .mapToObj(port -> fabric.metal.neighbour(guid, port))
                .filter(ToSwitch.class::isInstance)
                .map(to -> ((ToSwitch) to).guid())
                .distinct()
                .toList();
    }
}
