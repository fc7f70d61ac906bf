package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.RULES;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.Member;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import io.dmodc.topology.rates.SlowLinkUse;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingPlanTest {
    private final RingPlan plan = new RingPlan(RULES);

    private static List<SwitchRecord> switches(int count) {
        List<SwitchRecord> switches = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SwitchRecord record = new SwitchRecord(0x100 + i, "s" + i, 4);
            record.ringAddress = new RingAddress("10.0.0." + i, 7471);
            switches.add(record);
        }
        return switches;
    }

    private static FabricRules rules(SwitchDomains domains) {
        return new FabricRules(
                1,
                3,
                1,
                1,
                1,
                1,
                0,
                1,
                1,
                50,
                1,
                1,
                domains,
                GroupOrder.PLANE,
                NodeTypes.NONE,
                null,
                RebalanceRule.STANDARD,
                SlowLinkUse.IGNORE);
    }

    private List<Long> order(List<SwitchRecord> switches) {
        plan.changed(0);
        plan.renew(plan.nextDeadline(), switches);
        return plan.current().members().stream().map(Member::guid).toList();
    }

    @Test
    void shouldCollectJoinsBeforeItTellsARing() {
        plan.changed(0);
        plan.changed(100);

        assertThat(plan.renew(RULES.membershipQuietNanos(), switches(3))).isFalse();
        assertThat(plan.renew(100 + RULES.membershipQuietNanos(), switches(3))).isTrue();
        assertThat(plan.current().epoch()).isEqualTo(1);
    }

    @Test
    void shouldDrawARingAtTheLatestFiveSecondsAfterTheFirstChange() {
        long last = 0;
        for (long now = 0;
                plan.nextDeadline() > now && now < 10_000 * SimulatedFabric.MILLI;
                now += 400 * SimulatedFabric.MILLI) {
            plan.changed(now);
            last = now;
        }

        assertThat(plan.nextDeadline()).isEqualTo(FabricRules.RING_WAIT_MAX_NANOS);
        assertThat(plan.renew(plan.nextDeadline(), switches(3))).isTrue();

        plan.changed(last);
        assertThat(plan.nextDeadline())
                .as("the next change waits from anew")
                .isEqualTo(last + RULES.membershipQuietNanos());
    }

    @Test
    void shouldDrawNoNewRingForAHigherIncarnationAlone() {
        List<SwitchRecord> switches = switches(5);
        order(switches);
        long epoch = plan.current().epoch();

        switches.get(2).incarnation = 9;
        order(switches);
        assertThat(plan.current().epoch()).isEqualTo(epoch);

        switches.get(2).ringAddress = new RingAddress("10.0.0.77", 7471);
        order(switches);
        assertThat(plan.current().epoch()).isEqualTo(epoch + 1);
        assertThat(plan.current().members())
                .filteredOn(member -> member.guid() == 0x102)
                .extracting(Member::incarnation)
                .containsExactly(9);
    }

    @Test
    void shouldNumberTheSameRingAnewForAHigherLeaderEpoch() {
        List<SwitchRecord> switches = switches(5);
        order(switches);

        plan.startAt(7L << 32);
        order(switches);

        assertThat(plan.current().epoch()).isEqualTo((7L << 32) + 1);
        assertThat(plan.current().members()).hasSize(5);
    }

    @Test
    void shouldScatterNeighboursOfTheFabricOverTheRing() {
        List<Long> order = order(switches(64));

        int adjacent = 0;
        for (int i = 1; i < order.size(); i++) {
            adjacent += Math.abs(order.get(i) - order.get(i - 1)) == 1 ? 1 : 0;
        }
        assertThat(order).hasSize(64).doesNotHaveDuplicates();
        assertThat(adjacent).isLessThan(8);
    }

    @Test
    void shouldKeepTheOrderOfTheOthersWhenOneJoins() {
        List<Long> before = order(switches(20));

        List<Long> after = new ArrayList<>(order(switches(21)));

        after.remove(Long.valueOf(0x100 + 20));
        assertThat(after).isEqualTo(before);
    }

    @Test
    void shouldLeaveOutAgentsWithoutADetector() {
        List<SwitchRecord> switches = switches(3);
        switches.get(1).ringAddress = new RingAddress("10.0.0.1", 0);

        assertThat(order(switches)).containsExactlyInAnyOrder(0x100L, 0x102L);
    }

    @Test
    void shouldNotRaiseTheEpochWhenNothingChanged() {
        order(switches(5));
        long epoch = plan.current().epoch();

        order(switches(5));

        assertThat(plan.current().epoch()).isEqualTo(epoch);
    }

    /** More than agents take, so that all would refuse it: who has no session has no place then. */
    @Test
    void shouldDrawNoRingOfMoreMembersThanAgentsTake() {
        List<SwitchRecord> switches = switches(FabricRules.RING_MEMBERS_MAX + 300);
        for (int i = 0; i < switches.size(); i++) {
            switches.get(i).session = i % 50 == 0 ? 0 : i + 1;
        }
        plan.takePlace(new Member(0xff, 1, new RingAddress("", 7471)));

        List<Long> order = order(switches);

        assertThat(order).hasSize(FabricRules.RING_MEMBERS_MAX).containsOnlyOnce(0xffL);
        assertThat(plan.leftOut()).isEqualTo(301);
        // Not containsAll of AssertJ, which looks through all of the list for each.
        assertThat(new HashSet<>(order)
                        .containsAll(switches.stream()
                                .filter(record -> record.session != 0)
                                .map(record -> record.guid)
                                .toList()))
                .isTrue();
        assertThat(order(switches(5))).hasSize(6);
        assertThat(plan.leftOut()).isZero();
    }

    /** The pods of a PGFT by its definition: below the top level, each m3 part is one. */
    @ParameterizedTest
    @ValueSource(strings = {"3;24,12,30;1,12,24;1,2,1", "3;16,16,32;1,16,16;1,1,1", "3;2,2,3;1,2,2;1,2,1"})
    void shouldPutNoTwoSwitchesOfAPodNextToEachOther(String pgft) {
        FabricView view = PgftGenerator.generate(PgftShape.parse(pgft)).build(1, new NodeIndexMap(), new GuidNumbers());
        List<SwitchRecord> switches = new ArrayList<>();
        for (int s = 0; s < view.switchCount(); s++) {
            switches.add(new SwitchRecord(view.switchGuid(s), view.switchName(s), view.portCount(s)));
            switches.get(s).ringAddress = new RingAddress("10.0.0.1", 7471);
        }
        Map<Long, String> pods = Pods.of(view);
        assertThat(Set.copyOf(pods.values())).hasSize(PgftShape.parse(pgft).m(3));

        plan.looksAt(view, 0);
        List<Long> order = order(switches);

        assertThat(order).hasSize(view.switchCount());
        for (int slot = 0; slot < order.size(); slot++) {
            String pod = pods.get(order.get(slot));
            assertThat(pods.get(order.get((slot + 1) % order.size())))
                    .as("slot " + slot)
                    .satisfies(
                            next -> assertThat(pod != null && pod.equals(next)).isFalse());
        }
        assertThat(plan.violations()).isEmpty();
    }

    @Test
    void shouldFindNoPodsInTwoLevels() {
        FabricView view = PgftGenerator.generate(PgftShape.parse("2;4,6;1,4;1,1"))
                .build(1, new NodeIndexMap(), new GuidNumbers());

        assertThat(Pods.of(view)).isEmpty();
    }

    @Test
    void shouldDrawTheRingAnewWhenPodsAreFirstSeenAndKeepThemWhenCablesFail() {
        FabricViewBuilder metal = PgftGenerator.generate(PgftShape.parse("3;2,2,3;1,2,2;1,2,1"));
        FabricView whole = metal.build(1, new NodeIndexMap(), new GuidNumbers());
        Degradation.cables(whole).forEach(cable -> Degradation.cut(metal, cable));
        FabricView broken = metal.build(2, new NodeIndexMap(), new GuidNumbers());

        plan.looksAt(whole, 1000);
        assertThat(plan.nextDeadline()).isEqualTo(1000 + RULES.membershipQuietNanos());
        plan.renew(plan.nextDeadline(), List.of());
        plan.looksAt(broken, 2000);
        plan.looksAt(whole, 3000);

        assertThat(plan.nextDeadline()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldKeepRacksApartThatAFileNamesAndNameThoseItCannot() {
        List<String> lines = new ArrayList<>(List.of("manager rack r0"));
        for (int i = 0; i < 8; i++) {
            lines.add("0x" + Integer.toHexString(0x100 + i) + " rack r" + i % 4);
            lines.add("0x" + Integer.toHexString(0x100 + i) + " power feed-" + (i < 6 ? "a" : "b"));
        }
        RingPlan listed = new RingPlan(rules(SwitchDomains.parse("d.txt", lines)));
        listed.takePlace(new Member(0xff, 1, new RingAddress("", 7471)));

        listed.changed(0);
        assertThat(listed.renew(1, switches(8))).isTrue();

        assertThat(listed.violations())
                .as("9 slots, 6 of them on feed-a")
                .hasSize(3)
                .allSatisfy(pair -> assertThat(pair.domain()).isEqualTo("feed-a"));
        assertThat(listed.worstRuns())
                .anySatisfy(run -> assertThat(run.kind() + run.length()).isEqualTo("rack1"));
    }

    @Test
    void shouldGiveTheManagerOnePlaceInEveryRingOfAgents() {
        plan.takePlace(new Member(0xff, 1, new RingAddress("", 7471)));

        assertThat(order(List.of())).as("nobody to be with").isEmpty();
        assertThat(order(switches(5))).hasSize(6).containsOnlyOnce(0xffL);
        plan.raised(9);
        assertThat(order(switches(6))).hasSize(7).containsOnlyOnce(0xffL);
        assertThat(plan.current().members())
                .filteredOn(member -> member.guid() == 0xff)
                .extracting(Member::incarnation)
                .containsExactly(9);
    }

    @Test
    void shouldStartAboveTheEpochsOfAnEarlierManager() {
        plan.startAt(3L << 32);

        order(switches(2));

        assertThat(plan.current().epoch()).isEqualTo((3L << 32) + 1);
    }
}
