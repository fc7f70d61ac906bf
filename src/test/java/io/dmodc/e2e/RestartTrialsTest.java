package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.e2e.TrialFabric.Damage;
import io.dmodc.e2e.TrialFabric.TrialCable;
import io.dmodc.manager.state.StateRecord.SwitchLevel;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.Guid;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code -Dtrials} tries what a site lives through around a restart, on processes of their own: a real manager, 16 real agents, cables
 * in a file. Each trial prints what happened; half a minute each and longer on a busy machine.
 */
@EnabledIfSystemProperty(named = "trials", matches = "|true")
class RestartTrialsTest {
    private static final int MIDDLE = 7;
    private static final int TOP = 15;

    @TempDir
    Path directory;

    private @Nullable RestartTrial opened;

    private RestartTrial open() throws Exception {
        RestartTrial trial = new RestartTrial(directory);
        opened = trial;
        return trial;
    }

    private RestartTrial settled() throws Exception {
        RestartTrial trial = open();
        trial.settle();
        return trial;
    }

    @AfterEach
    void close() throws Exception {
        RestartTrial last = opened;
        if (last != null) {
            last.close();
        }
    }

    @Test
    void shouldWriteNothingWhileAnAgentIsAwayAndWhenItReturns() throws Exception {
        RestartTrial trial = settled();
        ProcessSite site = trial.site();
        long away = site.fabric().guids().get(MIDDLE);
        int first = site.tap().pushCount();

        site.killManager();
        site.tap().keepAway(away);
        site.startManager();

        assertMissed(trial, away);
        trial.assertRests(Damage.NONE);
        trial.assertAlarms(missing(away));
        RestartTrial.print("restarted without %s: %d blocks, alarms %s"
                .formatted(site.fabric().name(away), trial.blocks(first), trial.alarms()));
        assertThat(trial.blocks(first)).as("blocks while it is away").isZero();

        assertReturns(trial, away);
        RestartTrial.print("it is back: %d blocks".formatted(trial.blocks(first)));
        assertThat(trial.blocks(first)).as("blocks once it is back").isZero();
    }

    @Test
    void shouldEndDiscoveryWhileAnAgentIsAwayAndACableFlaps() throws Exception {
        RestartTrial trial = settled();
        ProcessSite site = trial.site();
        TrialFabric fabric = site.fabric();
        long away = fabric.guids().get(MIDDLE);
        TrialCable flapping = fabric.cables().stream()
                .filter(cable -> !cable.toHost() && !cable.touches(away))
                .findFirst()
                .orElseThrow();
        int first = site.tap().pushCount();

        site.killManager();
        site.tap().keepAway(away);
        try (CableFlapper flapper = new CableFlapper(fabric, flapping)) {
            site.startManager();
            ProcessSite.await("the end of discovery").until(() -> {
                JsonNode status = site.status();
                return status != null && !status.at("/discovering").asBoolean() && flapper.count() > 0;
            });
            RestartTrial.print(
                    "%s flapped %d times until discovery ended".formatted(fabric.name(flapping), flapper.count()));
        }

        assertMissed(trial, away);
        trial.assertRests(Damage.NONE);
        trial.assertAlarms(missing(away));
        RestartTrial.print("restarted without %s: %d blocks, alarms %s"
                .formatted(fabric.name(away), trial.blocks(first), trial.alarms()));
        assertReturns(trial, away);
        assertThat(site.tap().pushesFrom(first).stream().filter(pushed -> pushed.guid() == away))
                .as("pushes to the one that was away and holds what is wanted")
                .allSatisfy(pushed -> assertThat(pushed.blocks()).isZero());
        RestartTrial.print("it is back: %d blocks in all".formatted(trial.blocks(first)));
    }

    private static void assertMissed(RestartTrial trial, long away) {
        ProcessSite.await("an alarm about the agent that is away")
                .untilAsserted(() -> assertThat(trial.alarms()).contains(missing(away)));
    }

    private static void assertReturns(RestartTrial trial, long away) throws Exception {
        trial.site().tap().letReturn(away);
        trial.assertAlarms();
        trial.assertRests(Damage.NONE);
    }

    @Test
    void shouldFollowAHostThatMovesWhileTheAgentOfItsOldLeafRestarts() throws Exception {
        RestartTrial trial = open();
        ProcessSite site = trial.site();
        TrialFabric fabric = site.fabric();
        List<TrialCable> hosts =
                fabric.cables().stream().filter(TrialCable::toHost).toList();
        TrialCable free = hosts.get(hosts.size() - 1);
        TrialCable moving = hosts.get(0);
        fabric.remove(free);
        trial.settle();
        int first = site.tap().pushCount();

        TrialCable moved = fabric.move(moving, free.guid(), free.port());
        site.killAgent(moving.guid());
        site.startAgent(moving.guid());

        String host = Guid.format(((ToHost) moved.far()).host().portGuid());
        ProcessSite.await("the host at its new port").untilAsserted(() -> {
            JsonNode node = node(trial, host);
            assertThat(node.at("/switchGuid").asText()).isEqualTo(Guid.format(free.guid()));
            assertThat(node.at("/port").asInt()).isEqualTo(free.port());
            assertThat(node.at("/state").asText()).isEqualTo("up");
        });
        trial.assertRests(Damage.NONE);
        assertReachedFromEverywhere(trial, host);
        trial.assertAlarms();
        RestartTrial.print("host %s moved from %s to %s while the agent of %s restarted: %d blocks"
                .formatted(
                        host,
                        fabric.name(moving),
                        fabric.name(moved),
                        fabric.name(moving.guid()),
                        trial.blocks(first)));
        trial.assertWritesNothingAfterAKill(Damage.NONE);
    }

    private static JsonNode node(RestartTrial trial, String guid) {
        JsonNode nodes = trial.got("nodes").at("/nodes");
        for (JsonNode node : nodes) {
            if (node.at("/guid").asText().equals(guid)) {
                return node;
            }
        }
        throw new AssertionError("no node " + guid + " in " + nodes);
    }

    private static void assertReachedFromEverywhere(RestartTrial trial, String host) {
        JsonNode nodes = trial.got("nodes").at("/nodes");
        assertThat(nodes).isNotEmpty().allSatisfy(from -> {
            String guid = from.at("/guid").asText();
            JsonNode path = trial.got("path?from=" + guid + "&to=" + host);
            assertThat(path.at("/delivered").asBoolean()).as(path.toString()).isTrue();
        });
    }

    @Test
    void shouldRefuseADamagedStoreAndServeOnWithTheGoodOne() throws Exception {
        RestartTrial trial = settled();
        ProcessSite site = trial.site();
        StoreFiles store = new StoreFiles(site.stateDirectory());
        site.killManager();
        StoreFiles.Content older = store.read();
        site.startManager();
        trial.assertRests(Damage.NONE);
        site.killManager();
        StoreFiles.Content good = store.read();
        int first = site.tap().pushCount();

        assertRefused(trial, store, "state.mv cut to half", "state.mv", good.withRecords(good.half()));
        assertRefused(trial, store, "state.mv emptied", "state.mv", good.withRecords(new byte[0]));
        assertRefused(trial, store, "state.head emptied", "state.head", good.withHead(new byte[0]));
        assertRefused(trial, store, "state.mv missing", "state.mv", good.withRecords(null));
        assertRefused(trial, store, "only state.mv of an older copy", "state.mv", good.withRecords(older.records()));
        StoreFiles.Flips flips = store.flips(good, Files.createDirectory(directory.resolve("flips")));
        RestartTrial.print(
                "of %d bytes of state.mv, tried one by one, %d are live: flipped, they are refused; the others change nothing"
                        .formatted(flips.tried(), flips.live().size()));
        int live = flips.nearestToTheMiddle();
        assertRefused(trial, store, "live byte " + live + " of state.mv flipped", "state.mv", good.flipped(live));

        Integer free = flips.free();
        if (free != null) {
            store.write(good.flipped(free));
            site.startManager();
            trial.assertRests(Damage.NONE);
            RestartTrial.print(
                    "free byte %d of state.mv flipped: starts, %d blocks".formatted(free, trial.blocks(first)));
            site.killManager();
        }
        store.write(good);
        site.startManager();
        trial.assertRests(Damage.NONE);
        RestartTrial.print("good files back: starts, %d blocks".formatted(trial.blocks(first)));
        assertThat(trial.blocks(first)).isZero();
        trial.assertAlarms();
    }

    private static void assertRefused(
            RestartTrial trial, StoreFiles store, String what, String file, StoreFiles.Content content)
            throws Exception {
        store.write(content);
        StoreFiles.Content before = store.read();

        String said = trial.refusal();

        RestartTrial.print("%s: exit code 2, %s".formatted(what, said));
        assertThat(said)
                .contains(trial.site().stateDirectory().resolve(file).toString(), "restore state.mv and state.head");
        assertThat(store.read()).as("files after a refused start: " + what).isEqualTo(before);
    }

    @Test
    void shouldRefuseASecondManagerWhileTheFirstServesOn() throws Exception {
        RestartTrial trial = settled();
        ProcessSite site = trial.site();
        int first = site.tap().pushCount();

        String said = trial.refusal();

        RestartTrial.print("second manager: exit code 2, %s".formatted(said));
        assertThat(said).contains(site.stateDirectory().toString(), "in use by another manager (process ");
        assertThat(site.manager().alive()).isTrue();
        trial.assertRests(Damage.NONE);
        assertThat(trial.blocks(first)).isZero();
        Damage cut = trial.cut();
        trial.assertRests(cut);
        RestartTrial.print("the first heals a cut cable: %d blocks".formatted(trial.blocks(first)));
        assertThat(trial.blocks(first)).isPositive();
        trial.assertWritesNothingAfterAKill(cut);
    }

    @Test
    void shouldPutANewSpineInThePlaceOfTheOldOne() throws Exception {
        assertExchanged("replace");
    }

    @Test
    void shouldForgetASpineThatWasExchanged() throws Exception {
        assertExchanged("forget");
    }

    private void assertExchanged(String act) throws Exception {
        RestartTrial trial = settled();
        ProcessSite site = trial.site();
        TrialFabric fabric = site.fabric();
        long old = fabric.guids().get(TOP);
        long fresh = old + 0x1000;
        String oldName = fabric.name(old);
        int first = site.tap().pushCount();

        site.killAgent(old);
        fabric.exchange(old, fresh);
        site.startAgent(fresh);
        String names =
                "\"" + Guid.format(old) + "\"" + (act.equals("replace") ? ", \"" + Guid.format(fresh) + "\"" : "");
        String json = "{\"act\": \"%s\", \"switches\": [%s]}".formatted(act, names);
        List<String> answers = new ArrayList<>();
        ProcessSite.await("done what was asked for").until(() -> {
            HttpResponse<String> plan = site.send("POST", "plans", json);
            HttpResponse<String> answer = plan;
            if (plan != null && plan.statusCode() == 200) {
                String id = plan.body().replaceFirst("(?s)^.*?\"id\":\"([0-9a-f]{8})\".*$", "$1");
                answer = site.send("POST", "plans/" + id + "/apply", "{\"by\": \"ada\"}");
            }
            if (answer == null) {
                return false;
            }
            answers.add(answer.statusCode() + " " + answer.body());
            assertThat(answer.statusCode()).as(answer.body()).isIn(200, 404, 409, 503);
            return answer.statusCode() == 200;
        });
        RestartTrial.print(
                "%s %s: %s".formatted(act, oldName, answers.stream().distinct().toList()));

        trial.assertRests(Damage.NONE);
        assertThat(trial.got("switches").at("/switches"))
                .extracting(it -> it.at("/guid").asText())
                .hasSameSizeAs(fabric.guids())
                .contains(Guid.format(fresh))
                .doesNotContain(Guid.format(old));
        trial.assertAlarms();
        assertThat(site.stored().all(SwitchLevel.class))
                .contains(new SwitchLevel(fresh, 2))
                .noneMatch(level -> level.guid() == old);
        RestartTrial.print("nothing is left of %s, all tables are as computed afresh: %d blocks"
                .formatted(oldName, trial.blocks(first)));
        trial.assertWritesNothingAfterAKill(Damage.NONE);
    }

    @Test
    void shouldHealOnAFullDiskAndKeepWhatCameAfterIt() throws Exception {
        Path disk = Files.createDirectories(directory.resolve("state"));
        assumeThat(StateKeptTest.run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", disk.toString()))
                .as("exit code of mount, which needs root")
                .isZero();
        try {
            healOnAFullDisk(disk);
        } finally {
            close();
            assertThat(StateKeptTest.run("umount", disk.toString()))
                    .as("exit code of umount")
                    .isZero();
        }
    }

    private void healOnAFullDisk(Path disk) throws Exception {
        RestartTrial trial = settled();
        ProcessSite site = trial.site();
        assertThat(site.stateDirectory()).isEqualTo(disk);
        int first = site.tap().pushCount();
        Path ballast = disk.resolve("ballast");

        StateKeptTest.fill(ballast);
        Damage cut = trial.cut();
        trial.assertRests(cut);
        ProcessSite.await("an alarm about the disk")
                .untilAsserted(() -> assertThat(trial.alarms()).anyMatch(alarm -> alarm.startsWith("state-store")));
        trial.assertRests(cut);
        RestartTrial.print("disk full, cable cut: healed with %d blocks, alarms %s"
                .formatted(trial.blocks(first), trial.alarms()));
        assertThat(trial.blocks(first)).isPositive();

        Files.delete(ballast);
        ProcessSite.await("no alarm about the disk")
                .untilAsserted(
                        () -> assertThat(trial.alarms()).isNotEmpty().allMatch(it -> it.startsWith("link-down ")));
        RestartTrial.print("space again: alarms %s".formatted(trial.alarms()));
        trial.assertWritesNothingAfterAKill(cut);
    }

    private static String missing(long guid) {
        return "switch-missing " + Guid.format(guid);
    }
}
