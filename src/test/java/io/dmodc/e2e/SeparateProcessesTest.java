package io.dmodc.e2e;

import static io.dmodc.e2e.OperatorsSite.AGENT_ADDRESS;
import static io.dmodc.e2e.OperatorsSite.LEADER;
import static io.dmodc.e2e.OperatorsSite.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.state.LeaderEpochs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon killed and started again beside its agents. */
class SeparateProcessesTest {
    private static final Pattern COMPLETE = Pattern.compile("epoch \\d+ complete: (\\d+ tables, \\d+ blocks),");
    private static final Pattern KEPT = Pattern.compile("no session: .*; table (\\d+/\\d+) stays");

    @TempDir
    Path directory;

    @Test
    void shouldWriteNothingAfterTheDaemonWasKilledAndStartedAgain() throws Exception {
        try (OperatorsSite site = new OperatorsSite(directory)) {
            killAndStartAgain(site);
        }
    }

    private static void killAndStartAgain(OperatorsSite site) throws Exception {
        ProcessLog killed = site.daemon(0);
        int port = Integer.parseInt(await(killed, AGENT_ADDRESS));
        List<ProcessLog> agents = List.of(site.agent(0, port), site.agent(1, port), site.agent(2, port));
        // Whoever joins last changes the tables of all three.
        RunningManager.await("tables in all switches")
                .untilAsserted(() ->
                        assertThat(killed.found(COMPLETE)).as(killed::text).contains("3 tables, 3 blocks"));

        // An agent that lost a session before it had a table said so, too.
        List<Integer> losses =
                agents.stream().map(agent -> agent.found(KEPT).size()).toList();
        killed.kill();
        List<String> kept = new ArrayList<>();
        for (int i = 0; i < agents.size(); i++) {
            kept.add(await(agents.get(i), KEPT, losses.get(i)));
        }
        ProcessLog again = site.daemon(port);

        assertThat(await(again, COMPLETE)).as(again::text).isEqualTo("0 tables, 0 blocks");
        // Whoever is late to return is not waited for: the epoch may be complete without it.
        RunningManager.await("all agents in session again")
                .untilAsserted(() -> assertThat(agents)
                        .allSatisfy(agent ->
                                assertThat(terms(agent)).as(agent::text).containsExactly(1L, 2L)));
        assertThat(again.found(COMPLETE)).as(again::text).containsOnly("0 tables, 0 blocks");
        assertThat(agents).allMatch(ProcessLog::alive);
        assertThat(kept).as("leader and fabric epoch of the tables").doesNotContain("0/0");

        again.kill();
        for (int i = 0; i < agents.size(); i++) {
            ProcessLog agent = agents.get(i);
            RunningManager.await("the loss noticed")
                    .untilAsserted(() -> assertThat(agent.found(LEADER)).hasSize(2));
            assertThat(agent.found(KEPT)
                            .subList(losses.get(i), agent.found(KEPT).size()))
                    .as(agent::text)
                    .containsOnly(kept.get(i));
        }
        ProcessLog.stop(agents.stream());
        assertThat(agents).noneMatch(ProcessLog::alive);
    }

    /** Of the managers it was in session with. */
    private static List<Long> terms(ProcessLog agent) {
        return agent.found(LEADER).stream()
                .map(epoch -> Long.parseLong(epoch) / LeaderEpochs.NUMBERS)
                .toList();
    }
}
