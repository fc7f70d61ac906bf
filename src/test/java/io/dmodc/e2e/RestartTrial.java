package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.e2e.AgentTap.Pushed;
import io.dmodc.e2e.TrialFabric.Damage;
import io.dmodc.e2e.TrialFabric.TrialCable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A {@link ProcessSite} on which one thing is tried, and what must hold before and after whatever it is. */
final class RestartTrial implements AutoCloseable {
    private final ProcessSite site;

    RestartTrial(Path directory) throws IOException {
        site = new ProcessSite(directory, KillTrial.PGFT);
    }

    ProcessSite site() {
        return site;
    }

    /** Starts everybody and waits until all switches hold the tables that are computed afresh. */
    void settle() throws Exception {
        site.startManager();
        site.fabric().guids().forEach(site::startAgent);
        site.awaitFirstTables();
        assertRests(Damage.NONE);
        print("%d switches hold their tables after %d blocks"
                .formatted(site.fabric().guids().size(), blocks(0)));
    }

    /** The manager has nothing left to do, and all switches hold what is computed afresh. */
    void assertRests(Damage damage) throws Exception {
        List<String> different = site.awaitRest(damage);
        assertThat(different)
                .as(() -> "switches without the table computed afresh\n"
                        + site.manager().text())
                .isEmpty();
    }

    /** In the end these are all alarms. */
    void assertAlarms(String... wanted) {
        ProcessSite.await("alarms " + List.of(wanted))
                .untilAsserted(() -> assertThat(alarms()).containsExactlyInAnyOrder(wanted));
    }

    /** SIGKILL and a new start change nothing. */
    void assertWritesNothingAfterAKill(Damage damage) throws Exception {
        int first = site.tap().pushCount();
        String[] before = alarms().toArray(String[]::new);
        site.killManager();
        site.startManager();
        assertRests(damage);
        print("killed and started again: %d blocks".formatted(blocks(first)));
        assertThat(blocks(first)).as("blocks after a restart").isZero();
        assertAlarms(before);
    }

    /** Cuts the first cable between switches; the manager knows when it returns. */
    Damage cut() throws IOException {
        TrialCable cable = site.fabric().cables().stream()
                .filter(some -> !some.toHost())
                .findFirst()
                .orElseThrow();
        site.fabric().plug(Set.of(cable));
        ProcessSite.await("the cut cable seen")
                .until(() -> !got("alarms?kind=link-down").at("/alarms").isEmpty());
        return new Damage(Set.of(cable), Set.of(), Set.of());
    }

    /** Starts a manager that must not start: exit code 2 and one line, which is returned. */
    String refusal() throws Exception {
        try (ProcessLog refused = site.anotherManager()) {
            assertThat(refused.exitCode()).as(refused::text).isEqualTo(2);
            assertThat(refused.text()).isNotBlank();
            assertThat(refused.text().lines()).as("lines").hasSize(1);
            return refused.text();
        }
    }

    /** Blocks written by the n-th push and those after it. */
    int blocks(int first) {
        return site.tap().pushesFrom(first).stream().mapToInt(Pushed::blocks).sum();
    }

    /** Kind and switch of each alarm. */
    List<String> alarms() {
        List<String> alarms = new ArrayList<>();
        for (JsonNode alarm : got("alarms").at("/alarms")) {
            String subject = alarm.at("/object/switch").asText();
            alarms.add((alarm.at("/kind").asText() + " " + subject).strip());
        }
        return alarms;
    }

    /** What is below {@code /api/v1/}, as soon as it is answered. */
    JsonNode got(String path) {
        @Nullable JsonNode[] answer = {null};
        ProcessSite.await("an answer to " + path).until(() -> {
            answer[0] = site.get(path);
            return answer[0] != null;
        });
        return Objects.requireNonNull(answer[0]);
    }

    static void print(String line) {
        System.out.println("  " + line);
    }

    @Override
    public void close() throws IOException {
        site.close();
    }
}
