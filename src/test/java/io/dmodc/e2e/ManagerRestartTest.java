package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.manager.core.FabricSnapshot;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Losing the manager harms nobody, and its return writes nothing that is there already. */
class ManagerRestartTest {
    private static final String PGFT = "3;2,2,3;1,2,2;1,2,1";
    private static final int SWITCHES = 16;

    @TempDir
    Path directory;

    private RunningManager first;
    private Site site;

    @BeforeEach
    void serve() throws Exception {
        first = RunningManager.open(directory, Site.guidsOf(PGFT), Map.of());
        site = Site.of(PGFT, first.southbound()).startAgents();
        first.awaitAllServed(site);
    }

    @AfterEach
    void stop() {
        site.close();
        first.close();
    }

    /** On the address the agents know, with the state directory of the one before, and told nothing else. */
    private RunningManager successor() throws Exception {
        return RunningManager.open(
                directory,
                Set.of(),
                Map.of("southbound.listen", "127.0.0.1:" + first.southbound().getPort()));
    }

    @Test
    void shouldKeepAllTablesWithoutAManagerAndWriteNoneWhenItIsBack() throws Exception {
        long leaderEpoch = first.ask(FabricSnapshot::leaderEpoch);
        List<InstalledTable> before = site.tables();
        byte[][] entries = copies(before);
        List<Integer> installs = site.installs();

        first.close();
        assertThat(site.tables()).isEqualTo(before);

        try (RunningManager second = successor()) {
            second.awaitAllServed(site);

            assertThat(second.blocksPushed()).isZero();
            assertThat(second.switchesPushed()).isZero();
            assertThat(second.ask(FabricSnapshot::leaderEpoch)).isGreaterThan(leaderEpoch);
        }
        assertThat(site.installs()).as("what the switches counted").isEqualTo(installs);
        assertThat(copies(site.tables())).isDeepEqualTo(entries).hasNumberOfRows(SWITCHES);
    }

    private static byte[][] copies(List<InstalledTable> tables) {
        return tables.stream().map(table -> table.entries().clone()).toArray(byte[][]::new);
    }

    @Test
    void shouldWriteOnlyTheTablesThatAFaultDuringItsAbsenceChanges() throws Exception {
        List<InstalledTable> before = site.tables();
        List<Integer> installs = site.installs();
        List<Cable> bundle = site.firstBundleUp(site.leaf(0));
        first.close();
        bundle.forEach(site::cut);

        try (RunningManager second = successor()) {
            second.awaitAllServed(site);
            second.awaitValid(site);
        }

        List<InstalledTable> after = site.tables();
        int changed = 0;
        for (int s = 0; s < SWITCHES; s++) {
            boolean same = Arrays.equals(before.get(s).entries(), after.get(s).entries());
            int writes = site.installs().get(s) - installs.get(s);
            assertThat(writes).as("writes to switch " + s).isEqualTo(same ? 0 : 1);
            changed += same ? 0 : 1;
        }
        assertThat(changed).as("changed tables").isBetween(1, SWITCHES - 1);
    }
}
