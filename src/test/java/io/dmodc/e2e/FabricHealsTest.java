package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A fabric with a fault is served around it, and as before when the fault is gone.
 *
 * <pre>
 *   spines      4          PGFT(3;2,2,3;1,2,2;1,2,1): 12 nodes, 16 switches;
 *   middle      6          two parallel cables between each leaf
 *   leaves      6          and each of its two middle switches
 * </pre>
 */
class FabricHealsTest {
    private static final String PGFT = "3;2,2,3;1,2,2;1,2,1";

    @TempDir
    Path directory;

    private RunningManager manager;
    private Site site;

    @BeforeEach
    void serve() throws Exception {
        Map<String, String> quickRing = Map.of("detector.heartbeat", "50ms", "detector.suspicion", "500ms");
        manager = RunningManager.open(directory, Site.guidsOf(PGFT), quickRing);
        site = Site.of(PGFT, manager.southbound()).startAgents();
        manager.awaitAllServed(site);
    }

    @AfterEach
    void stop() {
        site.close();
        manager.close();
    }

    /** What the switches hold, by ascending GUID. */
    private byte[][] rows() {
        return site.tables().stream().map(InstalledTable::entries).toArray(byte[][]::new);
    }

    @Test
    void shouldInstallTheTablesOfDmodcFirst() {
        FabricView design = site.design();
        LftSet expected = Objects.requireNonNull(
                Dmodc.standard().route(design, Parallel.sequential()).tables());

        for (int s = 0; s < design.switchCount(); s++) {
            assertThat(site.plane(design.switchGuid(s)).installed().entries())
                    .as(design.switchName(s))
                    .isEqualTo(expected.row(s).toBytes());
        }
        assertThat(site.installs()).as("each table is written once").containsOnly(1);
    }

    @Test
    void shouldRerouteWhenTheLastCableOfABundleIsCut() {
        List<Cable> bundle = site.firstBundleUp(site.leaf(0));
        byte[] first = site.plane(site.leaf(0)).installed().entries();

        bundle.forEach(site::cut);
        manager.awaitCalm("cables down", state -> bundle.stream().noneMatch(cable -> live(state, cable)));
        manager.awaitValid(site);

        byte[] row = site.plane(site.leaf(0)).installed().entries();
        assertThat(row).isNotEqualTo(first);
        assertThat(bundle)
                .hasSize(2)
                .allSatisfy(cable -> assertThat(portsOf(row)).doesNotContain(cable.port()));
    }

    private static boolean live(FabricSnapshot state, Cable cable) {
        return state.isLive(cable.guid(), cable.port());
    }

    private static List<Integer> portsOf(byte[] row) {
        Integer[] ports = new Integer[row.length];
        Arrays.setAll(ports, d -> Byte.toUnsignedInt(row[d]));
        return List.of(ports);
    }

    @Test
    void shouldLeaveASwitchAloneWhoseAgentHangs() {
        long hung = site.spine(1);
        List<InstalledTable> first = site.tables();

        site.hangAgent(hung);
        manager.awaitCalm("headless", state -> RunningManager.condition(state, hung) == Condition.HEADLESS);

        assertThat(site.tables()).isEqualTo(first);
        manager.awaitValid(site);
    }

    @Test
    void shouldRerouteAroundASpineThatDiesWithoutAnyPortTelling() {
        long spine = site.spine(0);
        byte[][] first = rows();

        site.dieSilently(spine);
        manager.awaitCalm("spine dead", state -> RunningManager.condition(state, spine) == Condition.DEAD);
        manager.awaitValid(site);

        assertThat(manager.notes(Kind.AGENT_SILENT)).anyMatch(note -> note.guid() == spine);
        assertThat(Arrays.deepEquals(rows(), first))
                .as("all tables are the first ones")
                .isFalse();
    }

    @Test
    void shouldNameADeadLeafAndServeTheOthers() {
        long leaf = site.leaf(3);
        String name = site.plane(leaf).name();

        site.powerOff(leaf);
        manager.awaitCalm("leaf dead", state -> state.cutOff().equals(List.of(name)));
        manager.awaitValid(site);

        Condition condition = manager.ask(state -> RunningManager.condition(state, leaf));
        assertThat(condition).isEqualTo(Condition.DEAD);
        assertThat(manager.notes(Kind.LEAVES_CUT_OFF))
                .singleElement()
                .satisfies(note -> assertThat(note.text()).contains(name));
        int node = site.design().targetOfSwitch(site.design().switchOf(leaf)) * 2;
        assertThat(site.plane(site.leaf(0)).memory().port(node)).isEqualTo(LftSet.NO_ROUTE);
    }

    @Test
    void shouldReturnToTheFirstTablesWhenAllIsBack() {
        byte[][] first = rows();
        List<Cable> bundle = site.firstBundleUp(site.leaf(0));
        bundle.forEach(site::cut);
        site.dieSilently(site.spine(0));
        site.powerOff(site.leaf(3));
        manager.awaitCalm(
                "all faults known",
                state -> RunningManager.condition(state, site.spine(0)) == Condition.DEAD
                        && !state.cutOff().isEmpty()
                        && bundle.stream().noneMatch(cable -> live(state, cable)));
        manager.awaitValid(site);
        assertThat(Arrays.deepEquals(rows(), first))
                .as("all tables are the first ones")
                .isFalse();

        site.powerOn(site.spine(0));
        site.powerOn(site.leaf(3));
        bundle.forEach(site::mend);

        manager.awaitCalm("nobody cut off", state -> state.cutOff().isEmpty());
        RunningManager.await("the first tables")
                .untilAsserted(() -> assertThat(rows()).isDeepEqualTo(first));
        manager.awaitAllServed(site);
        assertThat(manager.notes(Kind.EPOCH_COMPUTED))
                .allMatch(note -> note.text().contains("; transient-safe: "))
                .anyMatch(note -> note.text().contains("; transient-safe: in 2 rounds: "));
    }
}
