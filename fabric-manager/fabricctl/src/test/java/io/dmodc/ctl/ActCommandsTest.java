package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands by which operators act; what the manager answers is prepared, in the shapes of docs/openapi.yaml. */
class ActCommandsTest {
    private static final String PLAN = """
            {"id":"0badcafe","epoch":12,"act":"drain","objects":["spine3"],"text":["cut off: none",
            "9 switches, 11 blocks, 2 rounds, transient-safe"],"cutOff":[],"switches":9,"blocks":11,"entries":40,
            "rounds":2,"drains":0,"verdict":"in-rounds","valid":true}""";
    private static final String SAFE = drained("spine3", true, "");
    private static final String BUSY = drained("spine3", false, "\"leaf0\",\"leaf1\"");

    private FakeManager manager;

    @BeforeEach
    void start() throws IOException {
        manager = new FakeManager();
    }

    @AfterEach
    void stop() {
        manager.close();
    }

    private static String drained(String name, boolean safe, String senders) {
        return """
                {"name":"%s","guid":"0x0000000000000005","by":"ann","why":"fans","since":"2026-01-01T02:40:11.123Z",\
                "safe":%s,"senders":[%s]}""".formatted(name, safe, senders);
    }

    private static String status(int epoch, String stage, String drained, String more) {
        return "{\"epoch\":%d,\"alarms\":0,\"lastEpoch\":{\"epoch\":%d,\"stage\":\"%s\"},\"intent\":{\"drained\":[%s]%s}}"
                .formatted(epoch, epoch, stage, drained, more);
    }

    @Test
    void shouldShowAPlanAndHowItIsApplied() throws InterruptedException {
        Ctl ran = manager.says("POST", "plans", 200, PLAN).run("plan", "drain", "switch", "spine3", "0x77");

        assertThat(ran)
                .isEqualTo(new Ctl(
                        0,
                        List.of(
                                "plan 0badcafe for epoch 12: drain spine3",
                                "  cut off: none",
                                "  9 switches, 11 blocks, 2 rounds, transient-safe",
                                "apply it with: fabricctl apply 0badcafe --why TEXT"),
                        List.of()));
        assertThat(manager.nextQuestion())
                .isEqualTo("POST plans {\"act\":\"drain\",\"switches\":[\"spine3\",\"0x77\"]}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "undrain switch a|{'act':'undrain','switches':['a']}",
                "drain link a:7 b:9 --congestion|{'act':'drain','links':['a:7','b:9'],'congestion':true}",
                "undrain LINK a:7 --no-congestion|{'act':'undrain','links':['a:7'],'congestion':false}",
                "rollback 9|{'act':'rollback','epoch':9}",
                "rebalance|{'act':'rebalance'}",
                "rebalance 200 --no-congestion|{'act':'rebalance','blocks':200,'congestion':false}",
                "rebalance 0|{'act':'rebalance','blocks':0}",
                "rebalance --undo|{'act':'rebalance','blocks':0}",
                "replace spine3 0x77|{'act':'replace','switches':['spine3','0x77']}",
                "forget switch a b|{'act':'forget','switches':['a','b']}",
                "forget LINK a:7|{'act':'forget','links':['a:7']}",
                "forget node n1|{'act':'forget','nodes':['n1']}",
                "engine minhop|{'act':'engine','engine':'minhop'}",
                "engine minhop --quiesce|{'act':'engine','engine':'minhop','quiesce':true}",
                "engine default --no-congestion|{'act':'engine','engine':'default','congestion':false}"
            })
    void shouldAskForWhatTheWordsSay(String words, String body) throws InterruptedException {
        manager.says("POST", "plans", 200, PLAN);

        assertThat(manager.run((Object[]) ("plan " + words).split(" ")).code()).isZero();

        assertThat(manager.nextQuestion()).isEqualTo("POST plans " + body.replace('\'', '"'));
    }

    /** So that nobody drains a spine whose name was mistyped for that of a leaf. */
    @Test
    void shouldDrainAsALeafOnlyWhatIsOne() throws InterruptedException {
        manager.says("switches/leaf0", "{\"switch\":{\"leaf\":true}}")
                .says("switches/spine3", "{\"switch\":{\"leaf\":false}}")
                .says("POST", "plans", 200, PLAN);

        assertThat(manager.run("plan", "drain", "leaf", "leaf0").code()).isZero();
        assertThat(manager.run("plan", "drain", "leaf", "spine3"))
                .isEqualTo(new Ctl(1, List.of(), List.of("fabricctl plan drain: spine3 is no leaf switch")));

        assertThat(manager.nextQuestion()).isEqualTo("GET switches/leaf0");
        assertThat(manager.nextQuestion()).isEqualTo("POST plans {\"act\":\"drain\",\"switches\":[\"leaf0\"]}");
        assertThat(manager.nextQuestion()).isEqualTo("GET switches/spine3");
    }

    @Test
    void shouldExitWithOneForAPlanWithoutValidTables() {
        manager.says("POST", "plans", 200, """
                {"id":"0badcafe","epoch":12,"act":"engine","objects":[],"engine":"updn","problem":"no roots",
                "text":["no tables: no roots"]}""");

        Ctl ran = manager.run("plan", "engine", "updn");

        assertThat(ran)
                .isEqualTo(new Ctl(
                        1, List.of("plan 0badcafe for epoch 12: engine updn", "  no tables: no roots"), List.of()));
    }

    /** As after a start, or when an epoch was refused: what is gone can be forgotten all the same. */
    @Test
    void shouldOfferAPlanThatHasNoTablesToCompareWith() {
        manager.says("POST", "plans", 200, """
                {"id":"0badcafe","epoch":12,"act":"forget","objects":["leaf7"],
                "text":["no tables to compare with: what routes do then is not known"]}""");

        Ctl ran = manager.run("plan", "forget", "switch", "leaf7");

        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .containsExactly(
                        "plan 0badcafe for epoch 12: forget leaf7",
                        "  no tables to compare with: what routes do then is not known",
                        "apply it with: fabricctl apply 0badcafe --why TEXT");
    }

    @Test
    void shouldReplaceSwitchesUnlessToldThatTheyAreNodes() throws InterruptedException {
        String plan = """
                {"id":"0badcafe","epoch":12,"act":"replace","objects":["a","b"],"text":[]}""";
        manager.says("POST", "plans", 200, plan);

        assertThat(manager.run("plan", "replace", "a", "b").code()).isZero();
        assertThat(manager.nextQuestion()).endsWith("{\"act\":\"replace\",\"switches\":[\"a\",\"b\"]}");
        assertThat(manager.run("plan", "replace", "node", "a", "b").code()).isZero();
        assertThat(manager.nextQuestion()).endsWith("{\"act\":\"replace\",\"nodes\":[\"a\",\"b\"]}");
        Ctl wrong = manager.run("plan", "replace", "host", "a", "b");
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(String.join("", wrong.err()))
                .contains("'host' in front of two names; expected 'node', or nothing for switches");
    }

    @Test
    void shouldSayWhatIsDrainedAfterARollback() {
        manager.says("POST", "plans", 200, PLAN.replace("\"drain\"", "\"rollback\",\"rollbackTo\":9"))
                .says("POST", "plans", 200, """
                        {"id":"0badcafe","epoch":12,"act":"rollback","rollbackTo":9,"objects":[],"text":[],"valid":true}""");

        assertThat(manager.run("plan", "rollback", "9").out().get(0))
                .isEqualTo("plan 0badcafe for epoch 12: rollback to epoch 9, drained are then spine3");
        assertThat(manager.run("plan", "rollback", "9").out().get(0))
                .isEqualTo("plan 0badcafe for epoch 12: rollback to epoch 9, nothing is drained then");
    }

    @Test
    void shouldGiveThePlanAsItIs() {
        assertThat(manager.says("POST", "plans", 200, PLAN)
                        .run("plan", "drain", "switch", "spine3", "--format", "json")
                        .text())
                .isEqualTo(PLAN);
    }

    @Test
    void shouldSayWhatCannotBePlanned() {
        manager.says("POST", "plans", 409, FakeManager.problem(409, "spine3 is drained already"))
                .says("POST", "plans", 404, FakeManager.problem(404, "no switch 'spine3'"))
                .says("POST", "plans", 400, FakeManager.problem(400, "'leaf0' is no cable; expected SWITCH:PORT"))
                .says("POST", "plans", 403, FakeManager.problem(403, "only a client on the manager's own machine"));
        Object[] words = {"plan", "drain", "switch", "spine3"};

        assertThat(manager.run(words))
                .isEqualTo(new Ctl(1, List.of(), List.of("fabricctl plan drain: spine3 is drained already")));
        assertThat(manager.run(words))
                .isEqualTo(new Ctl(1, List.of(), List.of("fabricctl plan drain: no switch 'spine3'")));
        assertThat(manager.run(words))
                .isEqualTo(new Ctl(
                        2, List.of(), List.of("fabricctl plan drain: 'leaf0' is no cable; expected SWITCH:PORT")));
        assertThat(manager.run(words).code()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({
        "plan",
        "plan drain",
        "plan drain switch",
        "plan drain host node0",
        "plan engine",
        "plan rollback last",
        "plan rebalance many",
        "plan rebalance -1",
        "plan rebalance 7 --undo",
        "plan sleep",
        "apply"
    })
    void shouldExitWithTwoForHalfAnOrder(String words) {
        Ctl ran = Ctl.run((Object[]) words.split(" "));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).hasSize(1);
    }

    @Test
    void shouldApplyAPlanAndWaitUntilItIsSafeToUnplug() throws InterruptedException {
        manager.says("plans/0badcafe", PLAN)
                .says("POST", "plans/0badcafe/apply", 200, "{\"drained\":[" + BUSY + "]}")
                .says("status", status(12, "complete", BUSY, ""))
                .says("status", status(13, "pushing", BUSY, ""))
                .says("status", status(13, "complete", BUSY, ""))
                .says("status", status(13, "complete", drained("other", false, "") + "," + SAFE, ""));

        Ctl ran = manager.run("apply", "0badcafe", "--by", "ann", "--why", "fans");

        assertThat(ran)
                .isEqualTo(new Ctl(
                        0, List.of("spine3 drained: safe to unplug", "applied: epoch 13 is complete"), List.of()));
        assertThat(manager.nextQuestion()).isEqualTo("GET plans/0badcafe");
        assertThat(manager.nextQuestion()).isEqualTo("POST plans/0badcafe/apply {\"by\":\"ann\",\"why\":\"fans\"}");
        for (int round = 0; round < 4; round++) {
            assertThat(manager.nextQuestion()).isEqualTo("GET status");
        }
    }

    @Test
    void shouldWaitAsLongAsItIsTold() {
        manager.says("plans/0badcafe", PLAN)
                .says("POST", "plans/0badcafe/apply", 200, "{\"drained\":[" + BUSY + "]}")
                .says("status", status(13, "complete", BUSY, ""))
                .says("status", status(13, "complete", BUSY, ""));

        Ctl none = manager.run("apply", "0badcafe", "--wait", "0");
        Ctl late = manager.run("apply", "0badcafe", "--wait", "1");

        assertThat(none.code()).isZero();
        assertThat(none.out())
                .containsExactly(
                        "spine3 drained: not safe to unplug: leaf0, leaf1 may send there",
                        "applied; it does not hold everywhere yet (epoch 13)");
        assertThat(late.code()).isEqualTo(1);
        assertThat(manager.run("apply", "0badcafe", "--wait", "-1"))
                .isEqualTo(new Ctl(2, List.of(), List.of("fabricctl apply: --wait -1; expected 0 or more seconds")));
    }

    @Test
    void shouldSayThatItIsAppliedWhenTheManagerIsGoneThen() {
        manager.says("plans/0badcafe", PLAN)
                .says("POST", "plans/0badcafe/apply", 200, "{\"drained\":[" + BUSY + "]}")
                .says("status", status(12, "complete", BUSY, ""))
                .says("status", 503, FakeManager.problem(503, "the manager is closed"));

        assertThat(manager.run("apply", "0badcafe"))
                .isEqualTo(new Ctl(
                        2,
                        List.of(),
                        List.of("fabricctl apply: the plan is applied; how far it is is not known: " + manager.url()
                                + ": the manager is closed")));
    }

    /** The operator would apply it once more, or not at all. */
    @Test
    void shouldSayThatItMayBeAppliedWhenNobodyAnswersThat() {
        manager.says("plans/0badcafe", PLAN)
                .says("POST", "plans/0badcafe/apply", 503, FakeManager.problem(503, "did not answer within 1000 ms"))
                .says("POST", "plans/0badcafe/apply", 403, FakeManager.problem(403, "only from this machine"));

        assertThat(manager.run("apply", "0badcafe").err())
                .containsExactly("fabricctl apply: whether the plan is applied is not known, 'fabricctl status' tells: "
                        + manager.url() + ": did not answer within 1000 ms");
        assertThat(manager.run("apply", "0badcafe").err())
                .containsExactly("fabricctl apply: " + manager.url() + ": only from this machine");
    }

    /** What takes anything and says nothing is no manager. */
    @Test
    void shouldNotTakeAnEmptyAnswerForAResumption() {
        manager.says("POST", "resume", 204, "");

        Ctl ran = manager.run("resume");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void shouldSayThatAnAppliedPlanWaitsForAPause() {
        manager.says("plans/0badcafe", PLAN)
                .says("POST", "plans/0badcafe/apply", 200, "{\"drained\":[]}")
                .says("status", status(13, "pushing", drained("spine3", false, ""), ",\"pause\":{\"by\":\"bob\"}"));

        Ctl ran = manager.run("apply", "0badcafe", "--wait", "0");

        assertThat(ran)
                .isEqualTo(new Ctl(
                        0,
                        List.of("spine3 drained: not yet safe to unplug", "applied, and waits: pushes are paused"),
                        List.of()));
    }

    @Test
    void shouldShowTheNewPlanWhenTheFabricHasMovedOn() {
        manager.says("plans/0badcafe", PLAN)
                .says(
                        "POST",
                        "plans/0badcafe/apply",
                        409,
                        FakeManager.problem(409, "not applied, the fabric has moved on since"))
                .says("POST", "plans/0badcafe/renew", 200, PLAN.replace("0badcafe", "00c0ffee"))
                .says("POST", "plans/0badcafe/renew", 409, FakeManager.problem(409, "spine3 is drained already"));

        Ctl moved = manager.run("apply", "0badcafe");
        Ctl there = manager.run("apply", "0badcafe");

        assertThat(moved.code()).isEqualTo(1);
        assertThat(moved.out()).isEmpty();
        assertThat(moved.err())
                .containsExactly(
                        "as things are now:",
                        "plan 00c0ffee for epoch 12: drain spine3",
                        "  cut off: none",
                        "  9 switches, 11 blocks, 2 rounds, transient-safe",
                        "fabricctl apply: not applied, the fabric has moved on since");
        assertThat(there.code()).isEqualTo(1);
        assertThat(there.err())
                .containsExactly(
                        "it cannot be planned any more: spine3 is drained already",
                        "fabricctl apply: not applied, the fabric has moved on since");
    }

    @Test
    void shouldNotKnowAPlanThatWasNotMade() {
        manager.says("plans/0badcafe", 404, FakeManager.problem(404, "no plan 0badcafe"));

        assertThat(manager.run("apply", "0badcafe"))
                .isEqualTo(new Ctl(1, List.of(), List.of("fabricctl apply: no plan 0badcafe")));
    }

    @Test
    void shouldPrintWhatCameOfAPlanForPrograms() throws IOException {
        manager.says("plans/0badcafe", PLAN)
                .says("POST", "plans/0badcafe/apply", 200, "{\"drained\":[]}")
                .says("status", status(13, "complete", SAFE, ""));

        JsonNode done = new ObjectMapper()
                .readTree(manager.run("apply", "0badcafe", "--format", "json").text());

        assertThat(done.fieldNames()).toIterable().containsExactly("plan", "complete", "epoch", "paused", "drained");
        assertThat(done.at("/plan").asText()).isEqualTo("0badcafe");
        assertThat(done.at("/complete").asBoolean()).isTrue();
        assertThat(done.at("/epoch").asLong()).isEqualTo(13);
        assertThat(done.at("/paused").asBoolean()).isFalse();
        assertThat(done.at("/drained/0/name").asText()).isEqualTo("spine3");
    }

    @Test
    void shouldListDrains() {
        manager.says("intent", "{\"drained\":[" + SAFE + "," + drained("leaf0:9", false, "\"leaf0\"") + "]}")
                .says("intent", "{\"drained\":[" + SAFE + "]}")
                .says("intent", "{\"drained\":[]}");

        Ctl both = manager.run("drains");

        assertThat(both.text()).isEqualTo("""
                WHAT     SINCE                 BY   STATE                                     WHY
                spine3   2026-01-01T02:40:11Z  ann  safe to unplug                            fans
                leaf0:9  2026-01-01T02:40:11Z  ann  not safe to unplug: leaf0 may send there  fans""");
        assertThat(both.code()).isEqualTo(1);
        assertThat(manager.run("drains", "--format", "json"))
                .isEqualTo(new Ctl(0, List.of("{\"drained\":[" + SAFE + "]}"), List.of()));
        assertThat(manager.run("drains")).isEqualTo(new Ctl(0, List.of("nothing is drained"), List.of()));
    }

    @Test
    void shouldPauseAndResume() throws InterruptedException {
        manager.says(
                        "POST",
                        "pause",
                        200,
                        "{\"drained\":[],\"pause\":{\"by\":\"ann\",\"until\":\"2026-01-01T03:00:00.5Z\"}}")
                .says("POST", "pause", 200, "{\"drained\":[],\"pause\":{\"by\":\"ann\"}}")
                .says("POST", "resume", 200, "{\"drained\":[]}")
                .says("POST", "resume", 409, FakeManager.problem(409, "not resumed, pushes are not paused"));

        assertThat(manager.run("pause", "--for", "30min", "--by", "ann", "--why", "firmware"))
                .isEqualTo(new Ctl(0, List.of("pushes paused until 2026-01-01T03:00:00Z"), List.of()));
        assertThat(manager.run("pause", "--by", "ann")).isEqualTo(new Ctl(0, List.of("pushes paused"), List.of()));
        assertThat(manager.run("resume", "--by", "ann")).isEqualTo(new Ctl(0, List.of("pushes go on"), List.of()));
        assertThat(manager.run("resume"))
                .isEqualTo(new Ctl(1, List.of(), List.of("fabricctl resume: not resumed, pushes are not paused")));

        assertThat(manager.nextQuestion())
                .isEqualTo("POST pause {\"by\":\"ann\",\"why\":\"firmware\",\"seconds\":1800}");
        assertThat(manager.nextQuestion()).isEqualTo("POST pause {\"by\":\"ann\",\"why\":\"\"}");
        assertThat(manager.nextQuestion()).isEqualTo("POST resume {\"by\":\"ann\",\"why\":\"\"}");
        assertThat(manager.nextQuestion())
                .isEqualTo("POST resume {\"by\":\"" + System.getProperty("user.name") + "\",\"why\":\"\"}");
    }

    @ParameterizedTest
    @CsvSource({"100ms", "soon", "-5s"})
    void shouldRefuseAPauseThatIsNoTime(String time) {
        Ctl ran = manager.run("pause", "--for", time);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).hasSize(1).allMatch(line -> line.startsWith("fabricctl pause: "));
    }

    @Test
    void shouldShowInTheStatusWhatOperatorsWant() {
        String more = ",\"pause\":{\"by\":\"bob\",\"why\":\"\",\"since\":\"2026-01-01T02:00:00Z\"},\"engine\":"
                + "{\"by\":\"ann\",\"why\":\"trial\",\"since\":\"2026-01-01T01:00:00Z\",\"name\":\"minhop\"},\"rebalance\":"
                + "{\"entries\":957,\"blocks\":245,\"switches\":113,\"by\":\"eve\",\"why\":\"\",\"since\":\"2026-01-01T00:00:00Z\"}";
        String until = ",\"pause\":{\"by\":\"bob\",\"why\":\"firmware\",\"since\":\"2026-01-01T02:00:00Z\",\"until\":"
                + "\"2026-01-01T03:00:00Z\"}";
        StringBuilder many = new StringBuilder(SAFE);
        for (int i = 0; i < 8; i++) {
            many.append(',').append(drained("leaf" + i, false, ""));
        }
        manager.says("status", status(13, "complete", SAFE + "," + drained("leaf0:9", false, ""), more))
                .says("status", status(13, "complete", many.toString(), until))
                .says("status", status(13, "complete", "", ""));

        assertThat(manager.run("status").out())
                .contains(
                        "paused    by bob since 2026-01-01T02:00:00Z: no tables are sent",
                        "engine    minhop, chosen by ann (trial) since 2026-01-01T01:00:00Z",
                        "moved     957 entries of 113 switches, by eve since 2026-01-01T00:00:00Z",
                        "drained   spine3, leaf0:9; 1 of 2 safe to unplug");
        assertThat(manager.run("status").out())
                .contains(
                        "paused    by bob (firmware) since 2026-01-01T02:00:00Z until 2026-01-01T03:00:00Z: no tables"
                                + " are sent",
                        "drained   spine3, leaf0, leaf1, leaf2, leaf3, leaf4, leaf5, leaf6 and 1 more; 1 of 9 safe to"
                                + " unplug");
        assertThat(manager.run("status").text()).doesNotContain("paused", "engine", "drained");
    }

    @Test
    void shouldShowDrainedSwitchesAndLinks() throws InterruptedException {
        manager.says(
                        "links?state=drained&limit=5000",
                        "{\"total\":36,\"live\":36,\"links\":[{\"a\":{\"name\":\"leaf0\",\"port\":3},\"b\":{\"name\":\"l2s0\","
                                + "\"port\":1},\"state\":\"drained\",\"live\":true,\"flaps\":0}]}")
                .says(
                        "switches?limit=5000",
                        "{\"switches\":[{\"guid\":\"0x1\",\"name\":\"spine3\",\"drained\":true,\"upToDate\":true}]}");

        Ctl links = manager.run("links", "--state", "drained");
        Ctl switches = manager.run("switches");

        assertThat(links.out().get(1).replaceAll(" +", " ")).isEqualTo("leaf0 3 l2s0 1 drained 0 –");
        assertThat(switches.out().get(1)).endsWith("  drained");
    }
}
