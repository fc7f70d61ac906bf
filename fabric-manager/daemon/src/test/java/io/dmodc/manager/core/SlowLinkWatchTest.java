package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.SettingsRead;
import io.dmodc.manager.state.StateRecord.FabricEpoch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.rates.SlowLinkUse;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Links that carry less than most of their kind are alarms, and routes lead around them if settings say so and another leads there. */
class SlowLinkWatchTest {
    private static final LinkRate FAST = new LinkRate(100_000, 0);
    private static final LinkRate SLOW = new LinkRate(10_000, 0);

    private SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,2;1,2");
    private final long leaf = fabric.guid("leaf0");
    private final long spine = fabric.guid("l2s0");

    /** The first of two cables between them. */
    private final Cable cable = fabric.cable(leaf, spine);

    private SimulatedFabric start() {
        Degradation.cables(fabric.whole()).forEach(each -> {
            fabric.rates.put(new PortPlace(each.guid(), each.port()), FAST);
            fabric.rates.put(new PortPlace(each.farGuid(), each.farPort()), FAST);
        });
        return fabric.start();
    }

    private void read(SlowLinkUse use) {
        FabricRules rules = SimulatedFabric.withSlowLinks(fabric.state.rules, use);
        fabric.send(new SettingsRead(fabric.now, rules, "read again"));
        fabric.calm();
        fabric.pass(200 * MILLI);
    }

    private void train(LinkRate rate) {
        fabric.setRate(cable, rate);
        fabric.calm();
        fabric.pass(200 * MILLI);
    }

    private List<String> alarms() {
        return fabric.state.snapshot().alarms().stream()
                .map(alarm -> alarm.kind() + " " + alarm.text())
                .toList();
    }

    private boolean isUsed() {
        return uses(leaf, cable.port()) || uses(spine, cable.farPort());
    }

    private boolean uses(long guid, int port) {
        for (byte entry : Objects.requireNonNull(fabric.held.get(guid))) {
            if (Byte.toUnsignedInt(entry) == port) {
                return true;
            }
        }
        return false;
    }

    private boolean isShownAvoided() {
        SwitchSnapshot shown = Objects.requireNonNull(fabric.state.snapshot().findSwitch(leaf));
        return shown.leftOut(cable.port());
    }

    @Test
    void shouldNameASlowLinkAndUseItAsTheOthersUnlessToldOtherwise() {
        start();
        assertThat(alarms()).isEmpty();
        Map<Long, byte[]> before = fabric.tablesHeld();
        long epoch = fabric.state.epoch();

        train(SLOW);

        assertThat(alarms())
                .containsExactly("LINK_SLOW link leaf0 port 3 – l2s0 port 1 is slow: 10 Gbit/s,"
                        + " most between rank 0 and 1 have 100 Gbit/s");
        assertThat(fabric.state.epoch()).as("no tables are computed for it").isEqualTo(epoch);
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(before);
        assertThat(isUsed()).isTrue();
        SwitchSnapshot shown = Objects.requireNonNull(fabric.state.snapshot().findSwitch(leaf));
        assertThat(shown.rate(cable.port())).isEqualTo(SLOW);
        assertThat(shown.slow(cable.port())).isTrue();
        assertThat(isShownAvoided()).isFalse();
        train(FAST);
        assertThat(alarms()).isEmpty();
    }

    @Test
    void shouldLeadAroundASlowLinkBesideAFasterOneAndBack() {
        start();
        Map<Long, byte[]> before = fabric.tablesHeld();
        read(SlowLinkUse.AVOID);
        long epoch = fabric.state.epoch();

        train(SLOW);

        assertThat(isUsed()).isFalse();
        assertThat(isShownAvoided()).isTrue();
        assertThat(fabric.state.epoch()).isEqualTo(epoch + 1);
        assertThat(List.copyOf(fabric.state.epochs())
                        .get(fabric.state.epochs().size() - 1)
                        .cause())
                .isEqualTo("slow links: 1 led around, 0 before");
        FabricView works = Objects.requireNonNull(fabric.state.snapshot().works());
        assertThat(fabric.state.snapshot().slowLeftOut(works, works))
                .as("for whoever plans an act")
                .containsExactly(new PortPlace(leaf, cable.port()));
        assertThat(works.peerSwitch(works.switchOf(leaf), cable.port()))
                .as("it works")
                .isNotNegative();
        assertThat(alarms()).hasSize(1).allMatch(text -> text.startsWith("LINK_SLOW"));
        train(FAST);
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(before);
        assertThat(alarms()).isEmpty();
    }

    @Test
    void shouldUseASlowLinkWhileTheFasterOneBesideItIsDown() {
        start();
        read(SlowLinkUse.AVOID);
        train(SLOW);
        Cable beside = Degradation.cables(fabric.whole()).stream()
                .filter(each -> each.guid() == leaf && each.farGuid() == spine && each.port() != cable.port())
                .findFirst()
                .orElseThrow();

        fabric.setCable(beside, false, true);
        fabric.calm();

        assertThat(isUsed()).isTrue();
        assertThat(fabric.state.snapshot().cutOff()).isEmpty();
        fabric.setCable(beside, true, true);
        fabric.calm();
        assertThat(isUsed()).isFalse();
    }

    @Test
    void shouldFollowTheSettingsWhileItRuns() {
        start();
        train(SLOW);
        Map<Long, byte[]> ignored = fabric.tablesHeld();

        read(SlowLinkUse.AVOID);

        assertThat(isUsed()).isFalse();
        read(SlowLinkUse.IGNORE);
        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(ignored);
    }

    /** Whoever of the two ends is late: the next manager knows what was told, and which tables follow from it. */
    @Test
    void shouldWriteNothingAfterARestartWithoutTheAgentsOfASlowLink() {
        start();
        read(SlowLinkUse.AVOID);
        train(SLOW);
        Map<Long, byte[]> held = fabric.tablesHeld();
        assertThat(fabric.disk.all(FabricEpoch.class))
                .singleElement()
                .satisfies(epoch -> assertThat(epoch.slow()).containsExactly(new PortPlace(leaf, cable.port())));

        for (List<Long> away : List.of(List.<Long>of(), List.of(leaf), List.of(leaf, spine))) {
            SimulatedFabric next = fabric.restarted(fabric.state.rules);
            FabricView whole = next.whole();
            for (int s = 0; s < whole.switchCount(); s++) {
                if (!away.contains(whole.switchGuid(s))) {
                    next.join(whole.switchGuid(s));
                }
            }
            next.calm();
            next.pass(60_000 * MILLI);

            assertThat(next.log).as("without %s", away).noneMatch(Effect.Push.class::isInstance);
            assertThat(next.tablesHeld()).usingRecursiveComparison().isEqualTo(held);
            assertThat(next.state.snapshot().alarms()).anyMatch(alarm -> alarm.kind() == Alarm.Kind.LINK_SLOW);
            assertThat(Objects.requireNonNull(next.state.findSwitch(leaf)).heldRow())
                    .as("known also of one that did not come, without %s", away)
                    .isNotNull();
        }
    }

    /** Its row leads over the link, and nobody can change that: without the link it would count as one that leads nowhere. */
    @Test
    void shouldKeepASlowLinkThatASwitchWithoutAnAgentSendsOver() {
        start();
        read(SlowLinkUse.AVOID);
        fabric.leave(leaf);
        fabric.calm();
        assertThat(uses(leaf, cable.port())).isTrue();
        Map<Long, byte[]> before = fabric.tablesHeld();

        fabric.setRate(new PortPlace(spine, cable.farPort()), SLOW);
        fabric.calm();
        fabric.pass(200 * MILLI);

        assertThat(fabric.tablesHeld()).usingRecursiveComparison().isEqualTo(before);
        assertThat(isShownAvoided()).isFalse();
        fabric.join(leaf);
        fabric.calm();
        fabric.pass(200 * MILLI);
        assertThat(isUsed()).isFalse();
    }

    /** One that changes again and again costs one look in a tenth of a second. */
    @Test
    void shouldNotLookMoreOftenThanBounded() {
        start();
        read(SlowLinkUse.AVOID);
        long epoch = fabric.state.epoch();

        for (int i = 0; i < 100; i++) {
            fabric.setRate(cable, i % 2 == 0 ? SLOW : FAST);
            fabric.pass(10 * MILLI);
        }

        assertThat(fabric.state.epoch()).isLessThanOrEqualTo(epoch + 11);
    }

    /** As agents of earlier releases, and planes that do not know. */
    @Test
    void shouldTakeLinksOfUnknownRateAsTheOthers() {
        fabric.start();
        read(SlowLinkUse.AVOID);

        train(SLOW);

        assertThat(alarms()).isEmpty();
        assertThat(isUsed()).isTrue();
        assertThat(isShownAvoided()).isFalse();
    }
}
