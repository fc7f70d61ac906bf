package io.dmodc.manager.core;

import static io.dmodc.manager.core.SimulatedFabric.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.Degradation.Cable;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What people are told of levels: where they come from, and how the fabric differs from its design. */
class LevelTextsTest {
    private static final String SHAPE = "2;2,4;1,2;1,1";

    private static List<String> told(SimulatedFabric fabric) {
        return fabric.notes(Kind.LEVELS_LEARNT).stream()
                .map(note -> note.severity() + " " + note.text())
                .toList();
    }

    private static SimulatedFabric designed(String built, String design) {
        return new SimulatedFabric(PgftGenerator.generate(PgftShape.parse(built)), PgftShape.parse(design));
    }

    private static void joinAllBut(SimulatedFabric fabric, long late) {
        FabricView view = fabric.whole();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.switchGuid(s) != late) {
                fabric.join(view.switchGuid(s));
            }
        }
        fabric.pass(20_000 * MILLI);
    }

    @Test
    void shouldTellWhichFabricItRecognises() {
        SimulatedFabric fabric = new SimulatedFabric(SHAPE).start();

        assertThat(told(fabric))
                .containsExactly(
                        "INFO levels of 6 switches learnt from 8 links: the whole PGFT " + PgftShape.parse(SHAPE));
    }

    @Test
    void shouldTellThatAFabricIsNotWhole() {
        SimulatedFabric fabric = new SimulatedFabric(SHAPE);
        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, false);
        fabric.start();

        assertThat(told(fabric))
                .singleElement()
                .asString()
                .startsWith("INFO levels of 6 switches learnt from 7 links: no whole PGFT, ");
    }

    @Test
    void shouldTellThatAFabricIsAsDesigned() {
        SimulatedFabric fabric = designed(SHAPE, SHAPE).start();

        assertThat(told(fabric))
                .containsExactly("INFO levels of 6 switches taken from the design PGFT " + PgftShape.parse(SHAPE)
                        + ": as designed");
    }

    @Test
    void shouldTellHowAFabricDiffersFromItsDesign() {
        SimulatedFabric fabric = designed(SHAPE, SHAPE);
        Cable out = Degradation.cables(fabric.whole()).get(0);
        fabric.setCable(out, false, false);
        fabric.start();

        assertThat(told(fabric))
                .singleElement()
                .asString()
                .matches("WARNING levels of 6 switches taken from the design" + " PGFT .*: [1-9]\\d* differences: .*");
        assertThat(told(fabric).get(0)).doesNotContain("as designed").doesNotContain(" more");

        fabric.setCable(out, true, true);
        fabric.calm();
        assertThat(told(fabric)).last().isEqualTo("INFO known levels stay; 8 links, more than ever: as designed");
    }

    /** Levels of the design are known for a switch that comes late, though its cables alone would tell nothing. */
    @Test
    void shouldTakeTheLevelOfALateSwitchFromTheDesign() {
        SimulatedFabric fabric = designed(SHAPE, SHAPE);
        long spine = fabric.guid("l2s1");
        joinAllBut(fabric, spine);
        fabric.join(spine);
        fabric.calm();

        assertThat(fabric.state.identity.levels().levels().getOrDefault(spine, -1))
                .isEqualTo(1);
        assertThat(told(fabric))
                .last()
                .isEqualTo("INFO levels of new switches: l2s1 1; 8 links, more than ever: as designed");
    }

    /** A late switch, while as many cables are out: no more links than ever. */
    @Test
    void shouldSayNothingOfTheWholeWhenTheFabricIsNoFuller() {
        SimulatedFabric fabric = new SimulatedFabric("2;2,4;1,3;1,1");
        long spine = fabric.guid("l2s2");
        joinAllBut(fabric, spine);
        fabric.setLinks(fabric.guid("l2s0"), false, true);
        fabric.calm();

        fabric.join(spine);
        fabric.calm();

        assertThat(told(fabric)).last().isEqualTo("INFO levels of new switches: l2s2 1");
        assertThat(fabric.state.learntLinkCount()).isEqualTo(8);
    }

    /** Whoever imports levels may have them wrong. */
    @Test
    void shouldTellOnceOfHostsAtSwitchesAboveTheLeaves() {
        SimulatedFabric first = new SimulatedFabric(SHAPE).start();
        assertThat(told(first)).hasSize(1);
        first.disk.apply(new SwitchLevel(first.guid("leaf0"), 2));

        SimulatedFabric fabric = first.restarted().start();
        fabric.pass(60_000 * MILLI);
        fabric.setCable(fabric.cableAt(fabric.guid("leaf3")), false, true);
        fabric.calm();

        assertThat(fabric.state.epoch()).as("another view").isGreaterThan(first.state.epoch() + 1);
        assertThat(told(fabric))
                .filteredOn(text -> text.contains("above the leaves"))
                .containsExactly(
                        "WARNING hosts at switches above the leaves, not looked at when leaves that are cut off are"
                                + " counted: leaf0 (level 2)");
    }
}
