package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that ask a running manager; what it answers is prepared, in the shapes of docs/openapi.yaml. */
class ManagerCommandsTest {
    private static final String STATUS = """
            {"version":"0.1.0","uptimeSeconds":3725.5,"leaderEpoch":3,"epoch":12,"discovering":false,"computing":false,
            "switches":{"expected":16,"live":14,"down":2,"held":0,"total":16,"connected":13,"headless":1,"dead":2},
            "agents":{"connected":13,"silent":0,"flagged":0},"links":{"expected":36,"live":26,"down":9,"held":1},
            "hosts":{"expected":12,"live":10,"down":2,"held":0,"downNames":["node0","node17"]},"nodes":12,
            "outstanding":0,"cutOff":["leaf3"],"alarms":4,"alarmsBySeverity":{"warning":1,"alarm":3},
            "lastEpoch":{"epoch":12,"stage":"complete","cause":"link leaf0 port 3 down",
            "noticeToStartMicros":40,"routeMicros":1234,"checkMicros":567,"planMicros":210,"restoredMicros":3000,"pushMicros":2300000,
            "totalMicros":2301841,"switches":9,"blocks":11,"cutOffLeaves":1,"verdict":"ok",
            "change":"transient-safe: in 2 rounds: 148 entries of 36 switches wait for 55"},
            "congestion":{"epoch":11,"tookMicros":350000,"unroutedPairs":0,"allToAll":31,
            "permutations":{"count":100,"mean":6.8,"max":8},"shifts":{"count":100,"mean":1.084,"max":2},"hottest":[
            {"guid":"0x0000000000000005","name":"l2s4","port":7,"flows":31},
            {"guid":"0x0000000000000005","name":"l2s4","port":8,"flows":29}]}}""";
    private static final String ALARMS = """
            {"epoch":12,"total":4,"alarms":[
            {"id":11,"since":"2026-01-01T02:40:11.123Z","severity":"alarm","kind":"switch-dead","object":{"type":"switch",
            "switch":"0x0000000000000001","switchName":"leaf3"},"text":"leaf3 is dead"},
            {"id":12,"since":"2026-01-01T02:40:11.124Z","severity":"alarm","kind":"link-down","parent":11,"object":
            {"type":"link","switchName":"leaf3","port":9},"text":"leaf3 port 9 - spine1 port 1: down"},
            {"id":13,"since":"2026-01-01T02:41:00Z","severity":"warning","kind":"link-held","object":{"type":"link"},
            "text":"leaf0 port 2 - spine1 port 2: held down"},
            {"id":14,"since":"2026-01-01T02:40:11.124Z","severity":"alarm","kind":"host-down","parent":11,"object":
            {"type":"host"},"text":"node17 (leaf3 port 1): down"}]}""";
    private static final String SWITCH = """
            {"guid":"0x0000000000000001","name":"leaf0","condition":"headless","rank":0,"leaf":true,"cutOff":true,
            "ports":4,"nodes":2,"firstNode":0,"liveLinks":1,"agent":"gone","incarnation":1,"bypassed":true,
            "flagged":false,"ackedEpoch":7,"upToDate":false}""";

    private FakeManager manager;

    @BeforeEach
    void start() throws IOException {
        manager = new FakeManager();
    }

    @AfterEach
    void stop() {
        manager.close();
    }

    @Test
    void shouldTellPairsWithoutAPathInTheLineOfAlarms() {
        Ctl ran = manager.says("status", STATUS.replace("\"alarms\":4", "\"withoutPath\":\"l2s0 – l2s1\",\"alarms\":4"))
                .says("alarms?limit=200", ALARMS)
                .run("status");

        assertThat(ran.text()).contains("; cut off: leaf3; no legal path: l2s0 – l2s1");
    }

    @Test
    void shouldNameWhoWaitsForWhom() {
        manager.says("waiting", """
                {"epoch":12,"switches":2,"entries":148,"awaited":3,"waiting":[
                {"guid":"0x0000000000000001","name":"leaf0","round":2,"entries":100,"since":"2026-01-01T02:40:11.123Z",
                "awaited":3,"waitsFor":[{"guid":"0x0000000000000005","name":"l2s4"}]},
                {"guid":"0x0000000000000002","name":"leaf1","round":2,"entries":48,"since":"2026-01-01T02:40:11.123Z",
                "awaited":0,"waitsFor":[]}],"waitedFor":[{"guid":"0x0000000000000005","name":"l2s4","state":"connected",
                "silent":true,"pushInFlight":true,"switches":1}]}""");

        Ctl ran = manager.run("waiting");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.text()).isEqualTo("""
                148 entries of 2 switches wait for 3, epoch 12
                WAITED FOR  STATE   TABLE  BY SWITCHES
                l2s4        silent  sent             1
                WAITS  ROUND  ENTRIES  SINCE                 FOR
                leaf0      2      100  2026-01-01T02:40:11Z  l2s4 and 2 more
                leaf1      2       48  2026-01-01T02:40:11Z  packets that were sent before""");
    }

    @Test
    void shouldSayThatNobodyWaits() {
        Ctl ran = manager.says(
                        "waiting",
                        "{\"epoch\":12,\"switches\":0,\"entries\":0,\"awaited\":0,\"waiting\":[],\"waitedFor\":[]}")
                .run("waiting");

        assertThat(ran).isEqualTo(new Ctl(0, List.of("nobody waits"), List.of()));
    }

    @Test
    void shouldShowTheStatusOnOnePage() {
        Ctl ran =
                manager.says("status", STATUS).says("alarms?limit=200", ALARMS).run("status");

        assertThat(ran.text()).isEqualTo("""
                manager   0.1.0, up 1 h 2 min, leader epoch 3
                state     at rest
                alarms    4: 3 alarm, 1 warning; cut off: leaf3
                          leaf3 is dead, since 2026-01-01T02:40:11Z
                          leaf0 port 2 - spine1 port 2: held down, since 2026-01-01T02:41:00Z
                switches  16 expected, 14 live, 2 down (13 connected, 1 headless, 2 dead)
                links     36 expected, 26 live, 9 down, 1 held
                hosts     12 expected, 10 live, 2 down
                          2 hosts down: node0, node17
                agents    13 connected, 0 silent, 0 flagged
                epoch 12  complete, link leaf0 port 3 down
                          route 1.2 ms, check 0.6 ms, restored 3.0 ms, push 2.3 s, in all 2.3 s; 9 switches, 11 blocks
                          transient-safe: in 2 rounds: 148 entries of 36 switches wait for 55
                quality   congestion: all-to-all 31, permutations 6.80, shifts 1.08 (epoch 11); hottest: l2s4 port 7 (31)""");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).isEmpty();
    }

    /** Lists are refused while others do not read theirs: what is known is told all the same. */
    @Test
    void shouldShowTheStatusWhenAlarmsCannotBeListed() {
        manager.says("status", STATUS).says("alarms?limit=200", 503, FakeManager.problem(503, "ask again"));

        Ctl ran = manager.run("status");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).contains("          cannot be listed: " + manager.url() + ": ask again");
    }

    @Test
    void shouldExitWithZeroAndAskForNoAlarmsWhenThereAreNone() {
        Ctl ran = manager.says("status", STATUS.replace("\"alarms\":4", "\"alarms\":0"))
                .run("status");

        assertThat(ran.code()).isZero();
        assertThat(ran.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"status, 4, 1", "status, 0, 0"})
    void shouldSayNothingWhenQuiet(String command, int alarms, int code) {
        manager.says("status", STATUS.replace("\"alarms\":4", "\"alarms\":" + alarms));

        Ctl ran = manager.run(command, "--quiet");

        assertThat(ran).isEqualTo(new Ctl(code, List.of(), List.of()));
    }

    @Test
    void shouldListAlarmsUnderTheirCause() {
        Ctl ran = manager.says("alarms?limit=5000", ALARMS).run("alarms");

        assertThat(ran.text()).isEqualTo("""
                ID  SINCE                 SEVERITY  KIND         WHAT
                11  2026-01-01T02:40:11Z  alarm     switch-dead  leaf3 is dead
                12  2026-01-01T02:40:11Z  alarm     link-down      leaf3 port 9 - spine1 port 1: down
                14  2026-01-01T02:40:11Z  alarm     host-down      node17 (leaf3 port 1): down
                13  2026-01-01T02:41:00Z  warning   link-held    leaf0 port 2 - spine1 port 2: held down""");
        assertThat(ran.code()).isEqualTo(1);
        assertThat(manager.run("alarms", "-q")).isEqualTo(new Ctl(1, List.of(), List.of()));
        assertThat(manager.run("alarms", "--format", "json").text()).isEqualTo(ALARMS);
    }

    @Test
    void shouldShowAlarmsWhoseParentsAreMissingOrFollowFromThemselves() {
        manager.says("alarms?limit=5000", """
                {"epoch":1,"total":3,"alarms":[{"id":1,"parent":2,"text":"a"},{"id":2,"parent":1,"text":"b"},
                {"id":3,"parent":99,"text":"c"}]}""");

        Ctl ran = manager.run("alarms");

        assertThat(ran.out().stream().map(line -> line.replaceAll(" +", " ").strip()))
                .containsExactly("ID SINCE SEVERITY KIND WHAT", "3 c", "1 a", "2 b");
    }

    @Test
    void shouldExitWithZeroWithoutAlarms() {
        manager.says("alarms?severity=alarm&kind=link-down&name=leaf*&limit=5000", "{\"total\":0,\"alarms\":[]}");

        Ctl ran = manager.run("alarms", "--severity", "ALARM", "--kind", "Link-Down", "--name", "leaf*");

        assertThat(ran).isEqualTo(new Ctl(0, List.of("no alarms"), List.of()));
    }

    @Test
    void shouldPutPagesTogether() {
        manager.says(
                        "nodes?leaf=leaf0&limit=5000",
                        "{\"epoch\":1,\"nodes\":[{\"index\":0},{\"index\":1}],\"next\":\"1\"}")
                .says("nodes?leaf=leaf0&limit=5000&after=1", "{\"epoch\":2,\"nodes\":[{\"index\":2}],\"next\":\"2\"}")
                .says("nodes?leaf=leaf0&limit=5000&after=2", "{\"epoch\":2,\"nodes\":[{\"index\":3}]}");

        Ctl ran = manager.run("nodes", "--leaf", "leaf0", "--format", "json");

        assertThat(ran.text())
                .isEqualTo("{\"epoch\":1,\"nodes\":[{\"index\":0},{\"index\":1},{\"index\":2},{\"index\":3}]}");
    }

    @Test
    void shouldStopAtTheLimitAndSayWhereTheRestIs() {
        manager.says("links?limit=3", "{\"links\":[{},{}],\"next\":\"x y\"}")
                .says("links?limit=1&after=x%20y", "{\"links\":[{}],\"next\":\"z\"}");

        Ctl ran = manager.run("links", "--limit", 3, "--format", "json");

        assertThat(ran.text()).isEqualTo("{\"links\":[{},{},{}],\"next\":\"z\"}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "switches --name l*0 --rank 0 --leaf --state DEAD|switches?name=l*0&rank=0&leaf=true&state=dead&limit=5000",
                "switches --leaf=false --condition headless|switches?leaf=false&state=headless&limit=5000",
                "links --name leaf0 --state held|links?name=leaf0&state=held&limit=5000",
                "links --dead|links?live=false&limit=5000",
                "nodes --name node --leaf leaf0 --state down|nodes?name=node&leaf=leaf0&state=down&limit=5000",
                "epochs --limit 7|epochs?limit=7",
                "alarms --since 2026-01-31T02:40:00Z|alarms?since=2026-01-31T02%3A40%3A00Z&limit=5000",
                "events --severity warning --kind link-down --name leaf0|events?severity=warning&kind=link-down&name=leaf0"
                        + "&limit=100",
                "events --since 2026-01-31T02:40:00Z|events?since=2026-01-31T02%3A40%3A00Z&limit=1000",
                "switch leaf0|switches/leaf0",
                "lft leaf0|lft/leaf0"
            })
    void shouldAskForWhatTheOptionsSay(String line, String question) throws InterruptedException {
        manager.run((Object[]) line.split(" "));

        assertThat(manager.nextQuestion()).startsWith("GET " + question);
    }

    @Test
    void shouldAcknowledgeAlarmsAndTakeItBack() throws InterruptedException {
        manager.says("POST", "alarms/3/acknowledge", 204, "")
                .says("POST", "alarms/4/acknowledge", 204, "")
                .says("POST", "alarms/5/acknowledge", 404, FakeManager.problem(404, "no open alarm 5"))
                .says("POST", "alarms/3/withdraw", 204, "");

        assertThat(manager.run("acknowledge", "3", "4", "--why", "new cable", "--by", "ann")
                        .out())
                .containsExactly("acknowledged: alarm 3", "acknowledged: alarm 4");
        assertThat(manager.nextQuestion())
                .isEqualTo("POST alarms/3/acknowledge {\"by\":\"ann\",\"why\":\"new cable\"}");
        assertThat(manager.run("acknowledge", "3", "--withdraw", "--format", "json")
                        .out())
                .containsExactly("{\"withdrawn\":[3],\"by\":\"" + System.getProperty("user.name") + "\"}");
        assertThat(manager.run("acknowledge", "5", "--why", "x"))
                .isEqualTo(new Ctl(1, List.of(), List.of("fabricctl acknowledge: no open alarm 5")));
        assertThat(manager.run("acknowledge", "3").code()).isEqualTo(2);
        assertThat(manager.run("acknowledge", "3", "--why", "x", "--withdraw").code())
                .isEqualTo(2);
        assertThat(manager.run("acknowledge", "leaf0", "--why", "x").code()).isEqualTo(2);
    }

    /** They stay listed, behind the others, and make no exit code of 1. */
    @Test
    void shouldListAlarmsThatAreTakenCareOfBehindTheOthers() {
        String known = "{\"id\":1,\"severity\":\"alarm\",\"kind\":\"switch-dead\",\"text\":\"a\",\"acknowledged\":"
                + "{\"by\":\"ann\",\"at\":\"2026-01-01T02:40:11Z\",\"why\":\"on its way\"}}";
        String open = "{\"id\":2,\"severity\":\"warning\",\"kind\":\"link-down\",\"text\":\"b\"}";
        manager.says("alarms?limit=5000", "{\"total\":2,\"alarms\":[" + known + "," + open + "]}");

        Ctl ran = manager.run("alarms");

        assertThat(ran.out().stream().map(line -> line.replaceAll(" +", " ").strip()))
                .containsExactly(
                        "ID SINCE SEVERITY KIND WHAT",
                        "2 warning link-down b",
                        "1 alarm switch-dead a; acknowledged by ann: on its way");
        assertThat(ran.code()).isEqualTo(1);
        manager.says("alarms?severity=alarm&limit=5000", "{\"total\":1,\"alarms\":[" + known + "]}");
        assertThat(manager.run("alarms", "-q", "--severity", "alarm").code()).isZero();
    }

    @Test
    void shouldCountApartWhatIsTakenCareOf() {
        manager.says("status", STATUS.replace("\"alarms\":4", "\"alarms\":0,\"acknowledged\":2"));

        Ctl ran = manager.run("status");

        assertThat(ran.text()).contains("; 2 acknowledged");
        assertThat(ran.code()).isZero();
    }

    @Test
    void shouldWatchOverARestartOfTheManager() throws InterruptedException {
        String gone = FakeManager.problem(503, "starting");
        manager.says("links?limit=5000", "{\"total\":1,\"live\":1,\"links\":[]}")
                .says("links?limit=5000", 503, gone)
                .says("links?limit=5000", 503, gone)
                .says("links?limit=5000", "{\"total\":1,\"live\":0,\"links\":[]}");
        AtomicReference<@Nullable Ctl> ran = new AtomicReference<>();
        Thread watching = new Thread(() -> ran.set(manager.run("links", "--watch", 0.1)));

        watching.start();
        for (int round = 0; round < 5; round++) {
            assertThat(manager.nextQuestion()).isEqualTo("GET links?limit=5000");
        }
        watching.interrupt();
        watching.join();

        Ctl ctl = Objects.requireNonNull(ran.get());
        assertThat(ctl.code()).isZero();
        assertThat(ctl.err()).hasSize(1);
        assertThat(ctl.err().get(0)).matches("fabricctl links: \\S+Z " + manager.url() + ": starting; trying again");
        assertThat(ctl.out().get(0)).matches("-- \\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(ctl.out().subList(1, 3))
                .containsExactly("SWITCH  PORT  SWITCH  PORT  STATE  FLAPS  RATE", "1 of 1 live");
        assertThat(ctl.out()).contains("0 of 1 live");
    }

    @Test
    void shouldNotWatchWhatIsNotThereFromTheStart() {
        manager.says("nodes?limit=5000", 400, FakeManager.problem(400, "what?"));

        assertThat(manager.run("nodes", "--watch").err()).containsExactly("fabricctl nodes: what?");
        assertThat(manager.run("links", "--watch", 0.01).err())
                .containsExactly("fabricctl links: --watch 0.01; expected 0.1..86400 seconds");
    }

    @Test
    void shouldGiveTheAnswerAsItIs() {
        String answer = "{\"more\":\"than this client knows\",  \"alarms\":0}";

        Ctl ran = manager.says("status", answer).run("status", "--format", "json");

        assertThat(ran.text()).isEqualTo(answer);
    }

    @Test
    void shouldAlignSwitches() {
        String other = SWITCH.replace("leaf0", "a-long-name")
                .replace("\"rank\":0,", "\"plane\":3,")
                .replace("headless", "connected")
                .replace("\"cutOff\":true", "\"cutOff\":false")
                .replace("\"bypassed\":true", "\"bypassed\":false")
                .replace("\"upToDate\":false", "\"upToDate\":true")
                .replace("\"ackedEpoch\":7", "\"ackedEpoch\":12");

        Ctl ran = manager.says("switches?limit=5000", "{\"epoch\":1,\"switches\":[" + SWITCH + "," + other + "]}")
                .run("switches");

        assertThat(ran.text()).isEqualTo("""
                GUID                NAME         RANK  PLANE  STATE      AGENT  LINKS  NODES  TABLE  REMARKS
                0x0000000000000001  leaf0           0      –  headless   gone       1      2      7  bypassed, cut off, table not up to date
                0x0000000000000001  a-long-name     –      3  connected  gone       1      2     12""");
    }

    @Test
    void shouldShowASwitchWithItsPorts() {
        manager.says("switches/0x1", """
                {"epoch":9,"switch":%s,"table":{"entries":12,"desiredDigest":"0x0000000000000002",
                "ackedDigest":"0x0000000000000003","ackedEpoch":7,"upToDate":false,"pushInFlight":false},"ports":[
                {"port":1,"leads":"host","up":true,"live":false,"heldDown":false,"flaps":0,
                "host":{"guid":"0x0000000000000009","name":"node0","index":0}},
                {"port":3,"leads":"up","up":true,"live":true,"heldDown":false,"flaps":0,"rate":"10 Gbit/s","slow":true,
                "peer":{"guid":"0x0000000000000005","name":"l2s0","port":1}},
                {"port":4,"leads":"up","up":true,"live":false,"heldDown":true,"flaps":2,
                "peer":{"guid":"0x0000000000000006","name":"l2s1","port":1}},
                {"port":5,"leads":"nowhere","up":false,"live":false,"heldDown":false,"flaps":0}]}""".formatted(SWITCH));

        Ctl ran = manager.run("switch", "0x1");

        assertThat(ran.text()).isEqualTo("""
                leaf0  0x0000000000000001
                state      headless, agent gone, bypassed, cut off, table not up to date
                rank       0
                table      12 entries, acked in epoch 7, digest 0x0000000000000003

                PORT  LEADS    TO               STATE      FLAPS  RATE
                   1  host     node0 (index 0)  up             0  –
                   3  up       l2s0 port 1      live           0  10 Gbit/s, slow
                   4  up       l2s1 port 1      held down      2  –
                   5  nowhere  –                down           0  –""");
    }

    @Test
    void shouldListDeadLinks() {
        manager.says("links?live=false&limit=5000", """
                {"epoch":9,"total":36,"live":35,"links":[{"a":{"guid":"0x0000000000000001","name":"leaf0","port":3},
                "b":{"guid":"0x0000000000000002","name":"l2s0","port":1},"live":false,"heldDown":false,"flaps":1}]}""");

        Ctl ran = manager.run("links", "--dead");

        assertThat(ran.text()).isEqualTo("""
                SWITCH  PORT  SWITCH  PORT  STATE  FLAPS  RATE
                leaf0      3  l2s0       1  down       1     –
                35 of 36 live""");
    }

    @Test
    void shouldShowWhatLinksCarryAndWhichAreLedAround() {
        manager.says("links?limit=5000", """
                {"epoch":9,"total":2,"live":2,"links":[{"a":{"guid":"0x0000000000000001","name":"leaf0","port":3},
                "b":{"guid":"0x0000000000000002","name":"l2s0","port":1},"state":"live","live":true,"flaps":0,
                "rate":"1xEDR","slow":true,"avoided":true},{"a":{"guid":"0x0000000000000001","name":"leaf0","port":4},
                "b":{"guid":"0x0000000000000002","name":"l2s0","port":2},"state":"live","live":true,"flaps":0,
                "rate":"4xEDR","slow":false,"avoided":false}]}""");

        Ctl ran = manager.run("links");

        assertThat(ran.text()).isEqualTo("""
                SWITCH  PORT  SWITCH  PORT  STATE  FLAPS  RATE
                leaf0      3  l2s0       1  live       0  1xEDR, slow, avoided
                leaf0      4  l2s0       2  live       0  4xEDR
                2 of 2 live""");
    }

    @Test
    void shouldListNodes() {
        manager.says("nodes?limit=5000", """
                {"epoch":9,"nodes":[{"index":3,"guid":"0x0000000000000007","name":"nœud","switchGuid":
                "0x0000000000000001","switchName":"leaf1","port":2,"state":"down"}]}""");

        Ctl ran = manager.run("nodes");

        assertThat(ran.out().get(1)).isEqualTo("    3  0x0000000000000007  nœud  leaf1      2  down");
    }

    @Test
    void shouldShowATable() {
        manager.says("lft/0x1", """
                {"guid":"0x0000000000000001","name":"leaf0","epoch":9,"digest":"0x0000000000000004","acked":false,
                "ackedEpoch":8,"ackedDigest":"0x0000000000000003","entries":12,"runs":[{"from":0,"to":0,"port":1},
                {"from":1,"to":9,"port":17},{"from":10,"to":11}]}""");

        Ctl ran = manager.run("lft", "0x1");

        assertThat(ran.text()).isEqualTo("""
                leaf0  0x0000000000000001
                12 entries of epoch 9, digest 0x0000000000000004
                not acknowledged; the switch holds digest 0x0000000000000003 of epoch 8

                 NODES  PORT
                     0  1
                  1..9  17
                10..11  no route""");
    }

    @Test
    void shouldShowAPath() {
        manager.says("path?from=node%200&to=3", path(true, "delivered by leaf1 port 2"));

        Ctl ran = manager.run("path", "node 0", "3");

        assertThat(ran.code()).isZero();
        assertThat(ran.text()).isEqualTo("""
                node 0 (index 0) → node3 (index 3) by the tables of epoch 9
                SWITCH  PORT  NEXT     TABLE
                leaf0      3  l2s0     acked
                l2s0       –  nowhere  not acked
                delivered by leaf1 port 2""");
    }

    @Test
    void shouldExitWithOneWhenNothingArrives() {
        manager.says("path?from=0&to=3", path(false, "l2s0 has no route to node3"));

        assertThat(manager.run("path", "0", "3").code()).isEqualTo(1);
        assertThat(manager.run("path", "0", "3", "--format", "json").code()).isEqualTo(1);
    }

    private static String path(boolean delivered, String end) {
        return """
                {"epoch":9,"from":{"index":0,"guid":"0x0000000000000001","name":"node 0"},
                "to":{"index":3,"guid":"0x0000000000000002","name":"node3"},"delivered":%s,"end":"%s","hops":[
                {"guid":"0x0000000000000003","name":"leaf0","port":3,"next":"l2s0","acked":true},
                {"guid":"0x0000000000000004","name":"l2s0","port":0,"next":"","acked":false}]}""".formatted(delivered, end);
    }

    @Test
    void shouldListEpochs() {
        manager.says("epochs?limit=5000", """
                {"epochs":[{"epoch":1,"stage":"complete","cause":"all joined","noticeToStartMicros":2000,
                "routeMicros":1234,"checkMicros":567,"restoredMicros":3810,"pushMicros":16,"totalMicros":3817,"switches":16,"blocks":16,
                "cutOffLeaves":0,"verdict":"ok","congestion":{"epoch":1,"tookMicros":1,"unroutedPairs":0,"allToAll":15,
                "permutations":{"count":100,"mean":5.124,"max":7},"shifts":{"count":100,"mean":1,"max":1},"hottest":[]}},
                {"epoch":2,"stage":"computing","cause":"link down",
                "noticeToStartMicros":0,"switches":0,"blocks":0,"cutOffLeaves":0,"verdict":""}]}""");

        Ctl ran = manager.run("epochs");

        assertThat(ran.text()).isEqualTo("""
                EPOCH  STAGE       START   ROUTE   CHECK  RESTORED     PUSH   TOTAL  SWITCHES  BLOCKS  CONGESTION    CAUSE
                    1  complete   2.0 ms  1.2 ms  0.6 ms    3.8 ms  <0.1 ms  3.8 ms        16      16  15/5.12/1.00  all joined
                    2  computing    0 ms       –       –         –        –       –         0       0  –             link down""");
    }

    @Test
    void shouldShowEvents() {
        manager.says("events?after=7&limit=2", "{\"last\":9,\"lost\":1,\"events\":[" + event(9) + "]}");

        Ctl ran = manager.run("events", "--limit", "2", "--after", "7");

        assertThat(ran.out())
                .containsExactly(
                        "1 event was forgotten already",
                        "     9  2027-01-15T08:00:00.009Z  warning  epoch 4     link down");
    }

    private static String event(int number) {
        return """
                {"number":%d,"time":"2027-01-15T08:00:00.00%dZ","epoch":4,"severity":"warning","kind":"link-down",\
                "guid":"0x0000000000000001","text":"link down"}""".formatted(number, number);
    }

    @Test
    void shouldFollowEventsUntilTheStreamEnds() {
        manager.says("events?limit=100", "{\"last\":1,\"lost\":0,\"events\":[" + event(1) + "]}");
        manager.says("events/stream?after=1", """
                retry: 2000

                id: 2
                event: note
                data: %s

                : still here

                event: lost
                data: {"count":5}

                """.formatted(event(2)));

        Ctl ran = manager.run("events", "--follow");

        assertThat(ran.out())
                .containsExactly(
                        "     1  2027-01-15T08:00:00.001Z  warning  epoch 4     link down",
                        "     2  2027-01-15T08:00:00.002Z  warning  epoch 4     link down",
                        "5 events were forgotten before they could be sent");
        assertThat(ran.err()).containsExactly("fabricctl events: " + manager.url() + " ended the stream of events");
        assertThat(ran.code()).isEqualTo(2);
    }

    @Test
    void shouldExitWithOneForAnUnknownSwitch() {
        manager.says("switches/0x5", 404, FakeManager.problem(404, "no switch 0x0000000000000005"));

        Ctl ran = manager.run("switch", "0x5");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).containsExactly("fabricctl switch: no switch 0x0000000000000005");
        assertThat(ran.out()).isEmpty();
    }

    @Test
    void shouldExitWithTwoForABadQuestion() {
        manager.says("lft/leaf0", 400, FakeManager.problem(400, "two switches are called leaf0: 0x1, 0x2"));

        Ctl ran = manager.run("lft", "leaf0");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).containsExactly("fabricctl lft: two switches are called leaf0: 0x1, 0x2");
    }

    @Test
    void shouldExitWithTwoWhileTheManagerCannotAnswer() {
        manager.says("status", 503, "{\"error\":\"the manager did not answer within 1000 ms\"}");

        Ctl ran = manager.run("status");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .containsExactly("fabricctl status: " + manager.url() + ": the manager did not answer within 1000 ms");
    }

    /** As while lists that other clients do not read take too much of its memory. */
    @Test
    void shouldAskAgainWhatAManagerSaysItHasNotBegun() throws InterruptedException {
        Map<String, String> atOnce = Map.of("Retry-After", "0");
        String drains = "{\"drains\":[],\"drained\":[]}";
        for (int i = 0; i < 2; i++) {
            manager.says("GET", "intent", 503, atOnce, FakeManager.problem(503, "lists wait"));
        }
        manager.says("intent", drains);

        Ctl ran = manager.run("drains");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        for (int i = 0; i < 3; i++) {
            assertThat(manager.nextQuestion()).isEqualTo("GET intent");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "switches", "links", "nodes", "events", "epochs", "alarms"})
    void shouldSayThatNobodyListens(String command) throws IOException {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = taken.getLocalPort();
        }

        Ctl ran = Ctl.run(command, "--manager", "http://127.0.0.1:" + port + "/");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .containsExactly(
                        "fabricctl " + command + ": no manager at http://127.0.0.1:" + port + ": connection refused");
    }

    @Test
    void shouldNoticeThatSomethingElseAnswers() {
        manager.says("status", "<html>");
        manager.says("nodes?limit=5000", 404, "<html>");

        assertThat(manager.run("status").err())
                .containsExactly(
                        "fabricctl status: " + manager.url() + " does not answer like a fabric manager: no JSON");
        assertThat(manager.run("nodes").err())
                .containsExactly("fabricctl nodes: " + manager.url() + ": answered with status 404");
        assertThat(manager.run("nodes").code()).isEqualTo(2);
    }

    /** A proxy that is up before its manager, or another service at that address: not a fabric at rest without alarms. */
    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "null", "{\"status\":\"ok\"}"})
    void shouldNotTakeTheAnswerOfSomethingElseForGoodNews(String body) {
        manager.says("status", body)
                .says("alarms?limit=5000", body)
                .says("intent", body)
                .says("waiting", body);

        for (String words : List.of("status", "status --quiet", "alarms", "alarms --quiet", "drains", "waiting")) {
            Ctl ran = manager.run((Object[]) words.split(" "));

            assertThat(ran.code()).as(words).isEqualTo(2);
            assertThat(ran.out()).as(words).isEmpty();
            assertThat(ran.err()).singleElement().asString().contains(" does not answer like a fabric manager: no '");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "status, status, alarms, [], 'array, expected number'",
        "status --quiet, status, alarms, '\"4\"', 'string, expected number'",
        "alarms, alarms?limit=5000, alarms, {}, 'object, expected array'",
        "alarms --quiet, alarms?limit=5000, alarms, '\"leaf3 is dead\"', 'string, expected array'",
        "drains, intent, drained, 1, 'number, expected array'",
        "waiting, waiting, switches, [], 'array, expected number'"
    })
    void shouldNotTakeWhatIsOfAnotherTypeForGoodNews(
            String words, String path, String field, String value, String types) {
        manager.says(path, "{\"epoch\":12,\"%s\":%s}".formatted(field, value));

        Ctl ran = manager.run((Object[]) words.split(" "));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .containsExactly("fabricctl " + words.split(" ")[0] + ": " + manager.url()
                        + " does not answer like a fabric manager: type of '" + field + "' is " + types);
    }

    /** A terminal would obey them: clear itself, change its title, show a line that nobody wrote. */
    @Test
    void shouldShowQuestionMarksForControlCharactersOfTheAnswer() {
        String hostile = "\\u001b]0;x\\u0007\\u001b[2J\\u009b1m\\r\\nalarms    0";
        manager.says("alarms?limit=5000", ALARMS.replace("leaf3 is dead", hostile))
                .says("alarms?limit=200", ALARMS.replace("leaf3 is dead", hostile))
                .says("status", STATUS.replace("leaf3", hostile))
                .says("events?limit=100", """
                        {"first":1,"last":1,"lost":0,"events":[{"number":1,"time":"t","severity":"info","epoch":1,"text":"%s"}]}
                        """.formatted(hostile))
                .says("switches/x", 404, FakeManager.problem(404, hostile));

        for (String words : List.of("alarms", "status", "events", "switch x")) {
            Ctl ran = manager.run((Object[]) words.split(" "));

            assertThat(ran.text() + String.join("", ran.err()))
                    .as(words)
                    .contains("?]0;x??[2J?1m??alarms    0")
                    .doesNotContainPattern("[\\p{Cntrl}\\x80-\\x9f&&[^\\n]]");
        }
        assertThat(manager.run("events", "--format", "json").text()).contains(hostile);
    }

    @Test
    void shouldWaitForAnAnswerAsLongAsItIsTold() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + silent.getLocalPort();

            Ctl ran = Ctl.run("status", "--timeout", "1", "--manager", url);

            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).containsExactly("fabricctl status: " + url + " did not answer within 1 s");
        }
        assertThat(manager.run("status", "--timeout", "0").err())
                .containsExactly("fabricctl status: --timeout 0; expected 1..3600 seconds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:7480", "ftp://x", "http:", "http://a b"})
    void shouldRefuseWhatIsNoUrl(String url) {
        Ctl ran = Ctl.run("status", "--manager", url);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .containsExactly("fabricctl status: manager '" + url
                        + "' is not a URL; expected for example http://127.0.0.1:7480");
    }
}
