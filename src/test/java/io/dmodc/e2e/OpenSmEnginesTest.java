package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.plane.Cable;
import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.engines.Engines;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manager with OpenSM's engines instead of Dmodc, on the fabric of {@link FabricHealsTest}. */
class OpenSmEnginesTest {
    private static final String PGFT = "3;2,2,3;1,2,2;1,2,1";

    @TempDir
    private Path directory = Path.of("");

    private Path roots(long... guids) throws IOException {
        StringBuilder lines = new StringBuilder("# roots\n");
        for (long guid : guids) {
            lines.append(Guid.format(guid)).append('\n');
        }
        return Files.writeString(directory.resolve("roots.txt"), lines);
    }

    @ParameterizedTest
    @ValueSource(strings = {"minhop", "updn"})
    void shouldHealACutCableAndThenTheOneBesideIt(String engine) throws Exception {
        try (RunningManager manager =
                        RunningManager.open(directory, Site.guidsOf(PGFT), Map.of("routing.engine", engine));
                Site site = Site.of(PGFT, manager.southbound()).startAgents()) {
            manager.awaitAllServed(site);
            FabricView whole = site.design();
            assertHolds(site, whole, anew(engine, whole));
            List<Cable> bundle = site.firstBundleUp(site.leaf(0));
            assertThat(bundle).hasSize(2);

            for (Cable cable : bundle) {
                assertThat(portsOf(site.held(whole), whole.switchOf(cable.guid())))
                        .contains(cable.port());
                site.cut(cable);
                manager.awaitCalm("cable down", state -> !live(state, cable));
                manager.awaitValid(site, SurplusEntryRule.NOTED);
                FabricView now = manager.ask(state -> Objects.requireNonNull(state.view()));
                assertHolds(site, now, anew(engine, now));
                assertThat(portsOf(site.held(now), now.switchOf(cable.guid()))).doesNotContain(cable.port());
            }

            bundle.forEach(site::mend);
            manager.awaitCalm("cables up", state -> bundle.stream().allMatch(cable -> live(state, cable)));
            manager.awaitValid(site);
            assertHolds(site, whole, anew(engine, whole));
            assertThat(manager.notes(Kind.EPOCH_REFUSED)).isEmpty();
        }
    }

    private static boolean live(FabricSnapshot state, Cable cable) {
        return state.isLive(cable.guid(), cable.port());
    }

    private static LftSet anew(String engine, FabricView view) {
        return Objects.requireNonNull(
                Engines.named(engine, null).route(view, Parallel.sequential()).tables());
    }

    private static void assertHolds(Site site, FabricView view, LftSet expected) {
        LftSet held = site.held(view);
        for (int s = 0; s < view.switchCount(); s++) {
            assertThat(held.row(s).toBytes())
                    .as(view.switchName(s))
                    .isEqualTo(expected.row(s).toBytes());
        }
    }

    private static Set<Integer> portsOf(LftSet tables, int s) {
        Set<Integer> ports = new HashSet<>();
        for (int d = 0; d < tables.entryCount(); d++) {
            ports.add(tables.port(s, d));
        }
        return ports;
    }

    @Test
    void shouldRouteFromTheNamedRoots() throws Exception {
        List<Long> guids = List.copyOf(Site.guidsOf(PGFT));
        Path file = roots(guids.get(12), guids.get(13), guids.get(14), guids.get(15));
        Map<String, String> settings = Map.of("routing.engine", "updn", "routing.roots", file.toString());

        try (RunningManager manager = RunningManager.open(directory, Site.guidsOf(PGFT), settings);
                Site site = Site.of(PGFT, manager.southbound()).startAgents()) {
            manager.awaitAllServed(site);
            manager.awaitValid(site);

            assertHolds(site, site.design(), anew("updn", site.design()));
        }
    }

    @Test
    void shouldSayWhyThereAreNoTablesWhenNoNamedRootIsThere() throws Exception {
        Map<String, String> settings =
                Map.of("routing.engine", "updn", "routing.roots", roots(0xdeadL).toString());

        try (RunningManager manager = RunningManager.open(directory, Site.guidsOf(PGFT), settings);
                Site site = Site.of(PGFT, manager.southbound()).startAgents()) {
            RunningManager.await("an alarm")
                    .until(() -> !manager.notes(Kind.EPOCH_REFUSED).isEmpty());

            assertThat(manager.notes(Kind.EPOCH_REFUSED).get(0).text())
                    .endsWith(
                            "refused, all switches keep their tables: none of the named roots is a live switch of this"
                                    + " fabric; tried again from scratch");
            assertThat(site.installs()).containsOnly(0);
        }
    }

    @Test
    void shouldServeTheFabricByTheFallBackEngineAndSaySo() throws Exception {
        Map<String, String> settings = Map.of(
                "routing.engine", "updn", "routing.roots", roots(0xdeadL).toString(), "routing.fallback", "minhop");

        try (RunningManager manager = RunningManager.open(directory, Site.guidsOf(PGFT), settings);
                Site site = Site.of(PGFT, manager.southbound()).startAgents()) {
            manager.awaitAllServed(site);
            manager.awaitValid(site);

            assertHolds(site, site.design(), anew("minhop", site.design()));
            List<String> alarms = manager.ask(
                    state -> state.alarms().stream().map(Alarm::text).toList());
            assertThat(alarms).singleElement().asString().contains("of the fall-back engine minhop is in force");
        }
    }

    @Test
    void shouldNameTheLineThatIsNoRootAndTheFileThatIsMissing() throws Exception {
        Path bad = Files.writeString(directory.resolve("roots.txt"), "# roots\n0x10\nspine0\n");
        Path missing = directory.resolve("none.txt");

        assertThatThrownBy(() -> RunningManager.open(
                        directory, Set.of(), Map.of("routing.engine", "updn", "routing.roots", bad.toString())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(bad + ":3: 'spine0'; expected the GUID of a root switch");
        assertThatThrownBy(() -> RunningManager.open(
                        directory, Set.of(), Map.of("routing.engine", "updn", "routing.roots", missing.toString())))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("routing.roots: " + missing + ": cannot be read")
                .hasMessageEndingWith("expected GUIDs of root switches, one a line");
    }
}
