package io.dmodc.detector.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Turns, rows and verdicts of the benchmark, with figures given to it. */
class PeerBenchmarkTest {
    private static final TrialResult PEER = new TrialResult(List.of(900.0, 1000.0), 630.0, 630.0, 1.07, 0);

    private static final String SCALECUBE =
            "{\"row\":\"A2\",\"claim\":\"beside ScaleCube\",\"figure\":\"its reactor-netty is made"
                    + " for Netty 4.1, and this project has 4.2\",\"bound\":\"\",\"verdict\":\"not run\"}";

    private static final TrialResult PEKKO = new TrialResult(List.of(600.0, 800.0), 195.0, 195.0, 2.0, 3);

    private final List<TrialPlan> plans = new ArrayList<>();

    @Test
    void shouldTakeTurnsAndSpreadTheKillsOverTheRounds() {
        run(PeerOptions.parse("--sizes=16,64", "--kills=5", "--rounds=2"), this::figures);

        assertThat(plans)
                .extracting(p -> p.contender() + " " + p.members() + " " + p.kills() + " " + p.seed())
                .containsExactly(
                        "RING 16 3 1",
                        "FD_ALL3 16 3 1",
                        "PEKKO 16 3 1",
                        "RING 16 2 2",
                        "FD_ALL3 16 2 2",
                        "PEKKO 16 2 2",
                        "RING 64 3 1",
                        "FD_ALL3 64 3 1",
                        "PEKKO 64 3 1",
                        "RING 64 2 2",
                        "FD_ALL3 64 2 2",
                        "PEKKO 64 2 2");
    }

    @Test
    void shouldPrintFiguresRatioAndRows() {
        List<String> lines = run(PeerOptions.parse("--sizes=64", "--kills=2", "--rounds=1"), this::figures);

        assertThat(lines.subList(1, lines.size()))
                .containsExactly(
                        "{\"system\":\"ring\",\"members\":64,\"kills\":2,\"known_ms\":{\"min\":450.0,\"median\":455.0,"
                                + "\"max\":460.0},\"sent_per_s\":10.0,\"received_per_s\":10.0,\"cores\":0.060,"
                                + "\"false_accusations\":0,\"fell_apart\":0}",
                        "{\"system\":\"FD_ALL3+VERIFY_SUSPECT2\",\"members\":64,\"kills\":2,\"known_ms\":{\"min\":900.0,"
                                + "\"median\":950.0,\"max\":1000.0},\"sent_per_s\":630.0,\"received_per_s\":630.0,"
                                + "\"cores\":1.070,\"false_accusations\":0,\"fell_apart\":0}",
                        "{\"system\":\"Pekko\",\"members\":64,\"kills\":2,\"known_ms\":{\"min\":600.0,\"median\":700.0,"
                                + "\"max\":800.0},\"sent_per_s\":195.0,\"received_per_s\":195.0,\"cores\":2.000,"
                                + "\"false_accusations\":3,\"fell_apart\":0}",
                        "{\"ratio\":\"ring/FD_ALL3+VERIFY_SUSPECT2\",\"members\":64,\"known_median\":0.48,"
                                + "\"known_max\":0.46,\"received\":0.0159,\"cores\":0.056}",
                        "{\"ratio\":\"ring/Pekko\",\"members\":64,\"known_median\":0.65,"
                                + "\"known_max\":0.58,\"received\":0.0513,\"cores\":0.030}",
                        "{\"row\":\"A2\",\"claim\":\"64 members, silence budget 500 ms, heartbeats every 100 ms: silent"
                                + " to known by all, beside FD_ALL3 + VERIFY_SUSPECT2 of 200 ms\",\"figure\":\"median"
                                + " 455 ms against 950 ms: 0.48\",\"bound\":\"median <= 0.70 of FD_ALL3's\","
                                + "\"verdict\":\"pass\"}",
                        "{\"row\":\"A2\",\"claim\":\"64 members, silence budget 500 ms, heartbeats every 100 ms: silent"
                                + " to known by all, beside Pekko's phi accrual and gossip\",\"figure\":\"median"
                                + " 455 ms against 700 ms: 0.65\",\"bound\":\"median <= 1.00 of Pekko's\","
                                + "\"verdict\":\"pass\"}",
                        "{\"row\":\"A3\",\"claim\":\"64 members over loopback in calm: messages per second and member\","
                                + "\"figure\":\"sent 10.00, received 10.00; FD_ALL3 received 630.0;"
                                + " Pekko received 195.0\","
                                + "\"bound\":\"sent = received = 10.00 +- 3 %\",\"verdict\":\"pass\"}",
                        "{\"row\":\"A4\",\"claim\":\"64 members in one process in calm: processor time\","
                                + "\"figure\":\"0.060 core; FD_ALL3 1.07; Pekko 2.00\",\"bound\":\"<= 0.10 core\","
                                + "\"verdict\":\"pass\"}",
                        SCALECUBE);
    }

    @Test
    void shouldFailRowsOutsideTheirBounds() {
        List<String> lines = run(
                PeerOptions.parse("--sizes=64", "--kills=1"),
                plan -> plan.contender() == TrialPlan.Contender.PEKKO ? PEKKO : PEER);

        assertThat(lines.stream().filter(line -> line.contains("\"row\"")).filter(line -> !line.equals(SCALECUBE)))
                .hasSize(4)
                .allSatisfy(line -> assertThat(line).endsWith("\"verdict\":\"fail\"}"));
    }

    @Test
    void shouldCallARowNotRunWithItsReasonAndGoOn() {
        List<String> lines = run(PeerOptions.parse("--sizes=128,16", "--kills=2", "--rounds=2"), plan -> {
            if (plan.members() == 128 && plan.contender() == TrialPlan.Contender.FD_ALL3) {
                throw new TrialNotRunException("the \"group\" fell apart");
            }
            return figures(plan);
        });

        assertThat(plans.stream().filter(p -> p.members() == 128))
                .as("two rounds of the ring and of Pekko, three tries of FD_ALL3's first")
                .hasSize(7);
        assertThat(lines.stream().filter(line -> line.contains("\"A2\"")).map(PeerBenchmarkTest::verdict))
                .as("FD_ALL3 and Pekko at either size, then ScaleCube")
                .containsExactly("not run", "pass", "pass", "pass", "not run");
        assertThat(lines)
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo("{\"system\":\"FD_ALL3+VERIFY_SUSPECT2\",\"members\":128,"
                                + "\"fell_apart\":3,\"not_run\":\"the \\\"group\\\" fell apart\"}"));
        assertThat(lines)
                .filteredOn(line -> line.contains("\"A3\"") && line.contains("128 members"))
                .singleElement()
                .asString()
                .contains("FD_ALL3 not run; Pekko received")
                .endsWith("\"verdict\":\"pass\"}");
    }

    @Test
    void shouldSayThatPekkoDidNotForm() {
        List<String> lines = run(PeerOptions.parse("--sizes=16", "--kills=2", "--rounds=2"), plan -> {
            if (plan.contender() == TrialPlan.Contender.PEKKO) {
                throw new TrialNotRunException("members that reach all so far: 9 of 16 after 120000 ms");
            }
            return figures(plan);
        });

        assertThat(plans)
                .filteredOn(plan -> plan.contender() == TrialPlan.Contender.PEKKO)
                .hasSize(3);
        assertThat(lines)
                .filteredOn(line -> line.contains("beside Pekko"))
                .singleElement()
                .asString()
                .contains("Pekko: members that reach all so far: 9 of 16 after 120000 ms; trials: 3")
                .endsWith("\"verdict\":\"not run\"}");
        assertThat(lines.stream()
                        .filter(line -> line.contains("beside FD_ALL3"))
                        .map(PeerBenchmarkTest::verdict))
                .containsExactly("pass");
    }

    @Test
    void shouldNotTryLargerGroupsOfAPeerThatCouldNotBeRun() {
        List<String> lines = run(PeerOptions.parse("--sizes=64,128", "--kills=2", "--rounds=1"), plan -> {
            if (plan.contender() == TrialPlan.Contender.PEKKO) {
                throw new TrialNotRunException("56 of 64 after 120000 ms");
            }
            return figures(plan);
        });

        assertThat(plans)
                .filteredOn(plan -> plan.contender() == TrialPlan.Contender.PEKKO)
                .as("three tries with 64")
                .hasSize(3);
        assertThat(lines)
                .filteredOn(line -> line.contains("beside Pekko") && line.contains("128 members"))
                .singleElement()
                .asString()
                .contains("not tried, as it could not be run with 64 members")
                .endsWith("\"verdict\":\"not run\"}");
    }

    @Test
    void shouldAskFdAll3AgainAndSaySo() {
        List<String> lines = run(PeerOptions.parse("--sizes=16", "--kills=2", "--rounds=1"), plan -> {
            if (plan.contender() == TrialPlan.Contender.FD_ALL3 && plans.size() < 4) {
                throw new TrialNotRunException("fell apart");
            }
            return figures(plan);
        });

        assertThat(plans).hasSize(5);
        assertThat(lines)
                .filteredOn(line -> line.contains("beside FD_ALL3"))
                .singleElement()
                .asString()
                .contains("median 455 ms against 950 ms: 0.48; FD_ALL3 fell apart before, trials: 2")
                .endsWith("\"verdict\":\"pass\"}");
    }

    @Test
    void shouldNotAskTheRingAgain() {
        List<String> lines = run(PeerOptions.parse("--sizes=16", "--kills=2", "--rounds=2"), plan -> {
            if (plan.contender() == TrialPlan.Contender.RING) {
                throw new TrialNotRunException("broken");
            }
            return figures(plan);
        });

        assertThat(plans)
                .filteredOn(plan -> plan.contender() == TrialPlan.Contender.RING)
                .hasSize(1);
        assertThat(lines).anySatisfy(line -> assertThat(line).contains("\"A3\"", "broken", "not run"));
    }

    @Test
    void shouldSlowLargeGroupsDown() {
        run(PeerOptions.parse("--sizes=64,65,128,129", "--kills=1"), this::figures);

        assertThat(plans)
                .filteredOn(plan -> plan.contender() == TrialPlan.Contender.RING)
                .extracting(TrialPlan::timing)
                .containsExactly(
                        new PeerTiming(100, 500, 200),
                        new PeerTiming(800, 4000, 1600),
                        new PeerTiming(800, 4000, 1600),
                        new PeerTiming(2700, 13500, 5400));
    }

    @Test
    void shouldRefuseWhatItCannotRun() {
        assertRefused("--sizes=1", "peers: members 1, expected 2..256");
        assertRefused("--sizes=16,x", "peers: --sizes=16,x: expected a number");
        assertRefused("--kills=0", "peers: rounds 0, expected 1..100 and at most the kills, 0");
        assertRefused("--rounds=21", "peers: rounds 21, expected 1..100 and at most the kills, 20");
        assertRefused("--pace=100,500", "peers: --pace=100,500: 2 numbers, expected 3");
        assertRefused("--size=16", "peers: --size=16: unknown, expected --sizes=");
    }

    private static void assertRefused(String arg, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PeerOptions.parse(arg))
                .withMessageStartingWith(message);
    }

    private TrialResult figures(TrialPlan plan) {
        if (plan.contender() == TrialPlan.Contender.FD_ALL3) {
            return PEER;
        }
        if (plan.contender() == TrialPlan.Contender.PEKKO) {
            return PEKKO;
        }
        double perSecond = 1_000.0 / plan.timing().heartbeatMillis();
        return new TrialResult(List.of(450.0, 460.0), perSecond, perSecond, 0.06, 0);
    }

    private List<String> run(PeerOptions options, PeerBenchmark.Runner runner) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        new PeerBenchmark(
                        options,
                        plan -> {
                            plans.add(plan);
                            return runner.run(plan);
                        },
                        out)
                .run();
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private static String verdict(String row) {
        return row.replaceAll(".*\"verdict\":\"(.*)\"}", "$1");
    }
}
