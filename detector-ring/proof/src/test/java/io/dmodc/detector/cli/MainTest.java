package io.dmodc.detector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String line) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), line.split(" "));
    }

    @Test
    void shouldPrintOneLineOfJsonASeed() {
        int code = run("simulate --nodes 32 --faults 2 --scenario cascade --seed 4..6 --format json");

        assertThat(code).isZero();
        assertThat(out.toString().lines())
                .hasSize(3)
                .allMatch(line -> line.startsWith("{\"scenario\":\"cascade\",\"nodes\":32,\"faults\":2,\"seed\":"))
                .allMatch(line -> line.contains("\"heartbeatsPerSecond\":20,"))
                .allMatch(line -> line.contains("\"ok\":true,\"failures\":[],\"wallSeconds\":"));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldAnswerNoWhereABoundIsBroken() {
        int code = run("simulate --nodes 32 --faults 3 --bound 1.5 --width 0");

        assertThat(code).isOne();
        assertThat(out.toString())
                .contains("failed: all knew after ", "expected at most 1.5", "ok                    false");
    }

    /** A domain side by side on the ring costs 3 δ and more, scattered by the ring order no more than one death. */
    @ParameterizedTest
    @CsvSource({"scattered, 1.1, 0", "index, 1.1, 1"})
    void shouldShowWhatTheRingOrderSpares(String order, double bound, int expected) {
        assertThat(run("simulate --nodes 64 --faults 8 --scenario pod --order " + order + " --bound " + bound))
                .isEqualTo(expected);
    }

    @Test
    void shouldListTheScenarios() {
        assertThat(run("simulate --help")).isZero();

        assertThat(out.toString())
                .contains("--scenario")
                .containsPattern("  cascade +f nodes die, each when it would accuse");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nodes 2 | detector simulate: simulation: nodes 2, expected 4..1048576",
                "--loss 2 | detector simulate: simulation: loss 2.0, expected 0..1",
                "--tau 5 | detector simulate: Invalid value for option '--tau': '5', expected a duration as 5us, 100ms",
                "--seed 3..1 | detector simulate: Invalid value for option '--seed': '3..1', expected a seed as 7",
                "--width 65 | detector simulate: ring rules: asking width 65, expected 0..64",
                "--delta 50ms | detector simulate: ring rules: suspicion 50000000 ns, expected above",
                "--tau 1s | detector simulate: simulation: tau 1000000 us, expected 1..100000"
            })
    void shouldNameTheValueThatCannotBe(String options, String expected) {
        assertThat(run("simulate " + options)).isEqualTo(2);

        assertThat(err.toString()).startsWith(expected).hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }
}
