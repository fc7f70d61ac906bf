package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.loop.ActPlanning;
import io.dmodc.manager.loop.ActPlanning.Planned;
import io.dmodc.manager.loop.ActPlanning.Wanted;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.routing.prediction.Prediction;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import io.dmodc.topology.pgft.Degradation.Cable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a plan says of forgetting or replacing something is what happens then. */
class IdentityPlanTest {
    private static final long FRESH = 0x7700;

    private final ActPlanning planning = new ActPlanning(new EngineChoice("dmodc", null, null, "roots"), true, 1);
    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1").start();

    @AfterEach
    void close() {
        planning.close();
    }

    private Planned plan(Act act) {
        return planning.plan(fabric.state.snapshot(), new Wanted(act, act.objects(), false));
    }

    /** Plans it, has it done, and compares. */
    private Prediction happensAsPlanned(Act act) {
        Planned planned = plan(act);
        Prediction prediction = Objects.requireNonNull(planned.prediction(), planned.problem());
        assertThat(planned.isApplicable()).isTrue();
        Map<Long, byte[]> before = fabric.tablesHeld();

        fabric.send(new ActAsked(fabric.now, act, planned.epoch(), "ada", ""));
        fabric.calm();

        assertThat(fabric.log).noneMatch(Effect.Declined.class::isInstance);
        FabricView works = Objects.requireNonNull(fabric.state.snapshot().works());
        assertThat(prediction.view().comparableTo(works)).isTrue();
        assertThat(works.switchesChangedSince(prediction.view()))
                .as("same links, same ranks")
                .isEmpty();
        long changed = fabric.tablesHeld().entrySet().stream()
                .filter(held -> works.switchOf(held.getKey()) >= 0)
                .filter(held -> !Arrays.equals(held.getValue(), before.get(held.getKey())))
                .count();
        assertThat((long) prediction.switches()).isEqualTo(changed);
        return prediction;
    }

    private void kill(String name) {
        fabric.leave(fabric.guid(name));
        fabric.setLinks(fabric.guid(name), false, true);
        fabric.calm();
    }

    @ParameterizedTest
    @ValueSource(strings = {"leaf1", "l2s1", "l3s0"})
    void shouldForgetASwitchAsPlanned(String name) {
        kill(name);

        Prediction prediction = happensAsPlanned(Act.forget(List.of(new SwitchGuid(fabric.guid(name)))));

        assertThat(prediction.cutOff()).isEmpty();
    }

    /** What is cut off stays so whatever is forgotten beside it: its dead cables still say that it belongs to the others. */
    @Test
    void shouldStillMissAPodThatIsCutOffWhenSomethingElseIsForgotten() {
        FabricView whole = fabric.whole();
        int leaf = whole.switchOf(fabric.guid("leaf0"));
        for (int g = whole.groupStart(leaf); g < whole.groupEnd(leaf); g++) {
            int s = whole.groupRemote(g);
            for (int port = 1; port <= whole.portCount(s); port++) {
                int far = whole.peerSwitch(s, port);
                if (far >= 0 && whole.isUp(s, far)) {
                    fabric.setCable(
                            new Cable(whole.switchGuid(s), port, whole.switchGuid(far), whole.peerPort(s, port)),
                            false,
                            true);
                }
            }
        }
        kill("l3s0");

        Prediction prediction = happensAsPlanned(Act.forget(List.of(new SwitchGuid(fabric.guid("l3s0")))));

        assertThat(prediction.before().unreachableLeafPairs()).isEqualTo(16);
        assertThat(prediction.after().unreachableLeafPairs()).isEqualTo(16);
    }

    @Test
    void shouldForgetHostsAsPlanned() {
        long leaf = fabric.guid("leaf1");
        long host = ((ToHost) Objects.requireNonNull(fabric.state.cabling().neighbour(leaf, 1)))
                .host()
                .portGuid();
        fabric.setPort(leaf, 1, false, true);
        fabric.calm();

        assertThat(happensAsPlanned(Act.forget(List.of(new HostPort(host)))).entries())
                .isPositive();
    }

    @Test
    void shouldForgetACableAsPlanned() {
        Cable cable = fabric.cableAt(fabric.guid("l3s0"));
        fabric.setCable(cable, false, true);
        fabric.calm();

        assertThat(happensAsPlanned(Act.forget(List.of(new CableAt(cable.guid(), cable.port()))))
                        .switches())
                .isZero();
    }

    /** It gets the level of the old one if its cables do not say which it has, and is drained if that was. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReplaceASwitchAsPlanned(boolean drained) {
        long old = fabric.guid("l3s0");
        if (drained) {
            fabric.send(new ActAsked(
                    fabric.now, new Act(Act.Verb.DRAIN, List.of(new PortPlace(old, 0)), ""), 0, "ada", ""));
            fabric.calm();
        }
        kill("l3s0");
        fabric.metal.apply(new SwitchSeen(FRESH, "fresh", fabric.metal.portCount(old)));
        for (int port = 1; port <= (drained ? 2 : 1); port++) {
            ToSwitch far = (ToSwitch) Objects.requireNonNull(fabric.metal.claim(old, port));
            fabric.metal.apply(new PortSeen(FRESH, port, true, far));
            fabric.metal.apply(new PortSeen(far.guid(), far.port(), true, new ToSwitch(FRESH, port)));
            fabric.setPort(far.guid(), far.port(), true, true);
        }
        fabric.join(FRESH);
        fabric.pass(5_000 * SimulatedFabric.MILLI);

        boolean unknown = fabric.state.identity.levels().levels().getOrDefault(FRESH, -1) < 0;
        Prediction prediction = happensAsPlanned(Act.replace(old, FRESH));

        FabricView works = Objects.requireNonNull(fabric.state.snapshot().works());
        assertThat(works.rank(works.switchOf(FRESH))).isEqualTo(2);
        assertThat(prediction.switches() > 0).isEqualTo(unknown || drained);
        assertThat(fabric.state.snapshot().intent().drained())
                .containsExactlyElementsOf(drained ? List.of(new PortPlace(FRESH, 0)) : List.of());
    }

    /** A leaf with its hosts, by one that has another number of ports; a cable of the old one is drained. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 4})
    void shouldReplaceALeafByAnotherModelAsPlanned(int morePorts) {
        long old = fabric.guid("leaf0");
        int ports = fabric.metal.portCount(old) + morePorts;
        PortPlace cable =
                new PortPlace(fabric.cableAt(old).guid(), fabric.cableAt(old).port());
        fabric.send(new ActAsked(fabric.now, new Act(Act.Verb.DRAIN, List.of(cable), ""), 0, "ada", ""));
        fabric.calm();
        kill("leaf0");
        fabric.metal.apply(new SwitchSeen(FRESH, "fresh", ports));
        for (int port = 1; port <= ports && port <= fabric.metal.portCount(old); port++) {
            Neighbour far = fabric.metal.claim(old, port);
            fabric.metal.apply(new PortSeen(old, port, false, null));
            if (far != null) {
                fabric.metal.apply(new PortSeen(FRESH, port, true, far));
            }
            if (far instanceof ToSwitch to) {
                fabric.metal.apply(new PortSeen(to.guid(), to.port(), true, new ToSwitch(FRESH, port)));
                fabric.setPort(to.guid(), to.port(), true, true);
            }
        }
        fabric.join(FRESH);
        fabric.pass(5_000 * SimulatedFabric.MILLI);

        happensAsPlanned(Act.replace(old, FRESH));

        assertThat(fabric.state.snapshot().intent().drained()).hasSize(1).noneMatch(place -> place.guid() == old);
    }

    /** No tables came of the last view: there is nothing to compare with, and what is gone can be forgotten all the same. */
    @Test
    void shouldPlanWhatItCannotPredictWhileThereAreNoTables() {
        SimulatedFabric empty = new SimulatedFabric("2;2,2;1,2;1,1");
        FabricSnapshot snapshot = empty.state.snapshot();
        Act act = Act.forget(List.of(new SwitchGuid(empty.guid("l2s0"))));

        Planned planned = planning.plan(snapshot, new Wanted(act, act.objects(), true));

        assertThat(planned.prediction()).isNull();
        assertThat(planned.problem()).isEmpty();
        assertThat(planned.isApplicable()).isTrue();
        assertThat(planned.epoch()).isEqualTo(snapshot.epoch());
    }
}
