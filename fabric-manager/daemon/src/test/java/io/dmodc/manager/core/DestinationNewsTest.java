package io.dmodc.manager.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.NameDestinations;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.pgft.Degradation;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Destinations are named before the first table that uses them, once, and again when they are others. */
class DestinationNewsTest {
    private final SimulatedFabric fabric = new SimulatedFabric("3;2,2,3;1,2,2;1,2,1");
    private int before;

    @BeforeEach
    void start() {
        fabric.start();
    }

    private List<NameDestinations> news() {
        return fabric.log.subList(before, fabric.log.size()).stream()
                .filter(NameDestinations.class::isInstance)
                .map(NameDestinations.class::cast)
                .toList();
    }

    private Host host(int node) {
        return Objects.requireNonNull(view().host(node));
    }

    private FabricView view() {
        return Objects.requireNonNull(fabric.state.view());
    }

    private void reports(int node, Host host, boolean up) {
        before = fabric.log.size();
        long guid = view().switchGuid(view().nodeSwitch(node));
        PortSeen seen = new PortSeen(guid, view().nodePort(node), up, new ToHost(host));
        fabric.send(new PortsReported(fabric.now, fabric.session(guid), guid, false, List.of(seen)));
        fabric.work();
    }

    @Test
    void shouldNameAllBeforeTheFirstPush() {
        assertThat(news()).singleElement().satisfies(all -> {
            assertThat(all.changed()).hasSize(12);
            all.changed().forEach(one -> assertThat(one.host()).isEqualTo(host(one.index())));
        });
        int named = fabric.log.indexOf(news().get(0));
        assertThat(fabric.log.subList(0, named)).noneMatch(effect -> effect instanceof Effect.Push);
        assertThat(fabric.log.subList(named, fabric.log.size())).anyMatch(effect -> effect instanceof Effect.Push);
    }

    @Test
    void shouldNameNoneWhenOnlyWaysChange() {
        before = fabric.log.size();

        fabric.setCable(Degradation.cables(fabric.whole()).get(0), false, true);
        fabric.work();

        assertThat(fabric.log.subList(before, fabric.log.size())).anyMatch(effect -> effect instanceof Effect.Push);
        assertThat(news()).isEmpty();
    }

    @Test
    void shouldNameTheOneWhoseAddressesAreOthers() {
        Host known = host(3);
        Host moved =
                new Host(known.portGuid(), known.hostGuid(), known.hostPort(), known.name(), HostAddresses.ofLid(77));

        reports(3, moved, true);

        assertThat(news())
                .singleElement()
                .satisfies(one -> assertThat(one.changed()).containsExactly(new Effect.NamedDestination(3, moved)));
        assertThat(fabric.log.subList(before, fabric.log.size()))
                .as("its routes are the same")
                .noneMatch(effect -> effect instanceof Effect.Push);
    }

    @Test
    void shouldNameTheOneThatIsCalledDifferently() {
        Host known = host(3);
        Host renamed = new Host(known.portGuid(), known.hostGuid(), known.hostPort(), "other", known.addresses());

        reports(3, renamed, true);

        assertThat(news())
                .singleElement()
                .satisfies(one -> assertThat(one.changed()).containsExactly(new Effect.NamedDestination(3, renamed)));
    }

    @Test
    void shouldSayNothingOfAHostThatIsOff() {
        reports(3, host(3), false);

        assertThat(news()).isEmpty();
    }
}
