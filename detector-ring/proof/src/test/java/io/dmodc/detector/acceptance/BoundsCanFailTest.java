package io.dmodc.detector.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.MessageType;
import io.dmodc.detector.acceptance.AcceptanceRow.Verdict;
import io.dmodc.detector.sim.Trial;
import io.dmodc.detector.sim.TrialReport;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A bound that nothing breaks proves nothing: here what was measured is made worse, and the row must fail. */
class BoundsCanFailTest {
    /** How trials went, by plan and domains: the same ones go the same each time, and several tests report them otherwise. */
    private static final Map<List<Object>, TrialReport> REPORTS = new HashMap<>();

    private final List<AcceptanceRow> lines = new ArrayList<>();

    /** A context whose trials are reported otherwise than they went. */
    private ProbeContext reporting(UnaryOperator<TrialReport> otherwise) {
        return new ProbeContext(
                AcceptanceTest.LITTLE,
                lines::add,
                progress -> {},
                (plan, domains) -> otherwise.apply(REPORTS.computeIfAbsent(
                        List.of(plan, IntStream.of(domains).boxed().toList()),
                        unknown -> Trial.run(plan, domains, (done, expected) -> {}))));
    }

    private void assertAllFail(int expected) {
        assertThat(lines)
                .hasSize(expected)
                .allSatisfy(line -> assertThat(line.verdict()).as(line.toJson()).isEqualTo(Verdict.FAIL));
    }

    @Test
    void shouldFailWhenOneOfTheLivingIsHeldDead() {
        HostileWorld.run(reporting(report -> new WorseReport(report).heldDead(1)));

        assertThat(lines.subList(0, 4))
                .allSatisfy(line -> assertThat(line.verdict()).isEqualTo(Verdict.FAIL))
                .allSatisfy(line -> assertThat(line.figure()).startsWith("1 others held dead"));
    }

    @Test
    void shouldFailWhenTwiceAsManyDatagramsAreSent() {
        HostileWorld.run(reporting(report -> new WorseReport(report).messages(2)));

        assertThat(lines.subList(0, 4))
                .allSatisfy(line -> assertThat(line.verdict()).isEqualTo(Verdict.FAIL));
    }

    @Test
    void shouldFailWhenOneSeedOfAHostileWorldDoes() {
        HostileWorld.run(reporting(report ->
                report.plan().seed() == 2 ? new WorseReport(report).failing("0 holds 5 dead, which lives") : report));

        assertAllFail(8);
        assertThat(lines.get(7).figure()).startsWith("1 of 3 seeds with a violation: [2]; seed 2; 0 holds 5 dead");
    }

    @Test
    void shouldFailWhenARingIsNotWholeInTime() {
        HostileWorld.run(reporting(report -> new WorseReport(report).wholeAfter(12.5)));

        assertAllFail(8);
    }

    /** All that is measured in virtual time against a bound in δ or ms. */
    @ParameterizedTest
    @CsvSource({"A6, 4", "A8, 1", "A12, 1"})
    void shouldFailWhenAllTakesTwiceAsLong(String row, int expected) {
        probe(row, reporting(report -> new WorseReport(report).slower(2)));

        assertAllFail(expected);
    }

    @Test
    void shouldFailWhenNewsTakesTwiceAsLong() {
        SimulatedRings.propagation(reporting(report -> new WorseReport(report).slower(2)));

        assertThat(lines)
                .filteredOn(line -> line.claim().startsWith("time from first to last")
                        || line.claim().startsWith("hops of first copies"))
                .hasSize(2)
                .allSatisfy(line -> assertThat(line.verdict()).as(line.toJson()).isEqualTo(Verdict.FAIL));
    }

    @Test
    void shouldFailWhenADeathTakesTwiceTheDatagrams() {
        SimulatedRings.propagation(reporting(report -> new WorseReport(report).messages(2)));

        assertThat(lines)
                .filteredOn(line -> line.claim().startsWith("datagrams beside heartbeats"))
                .singleElement()
                .extracting(AcceptanceRow::verdict)
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void shouldFailWhenOneKindOfDatagramIsLonger() {
        DatagramLengths written = DatagramLengths.ofAllKinds();
        Map<MessageType, Integer> longer = new EnumMap<>(written.byKind());
        longer.put(MessageType.SYNC, 65);
        ProbeContext context = reporting(report -> report);

        RealRings.judgeLengths(context, new DatagramLengths(longer, written.copy()), 64);
        RealRings.judgeLengths(context, new DatagramLengths(written.byKind(), 126), 64);
        RealRings.judgeLengths(context, written, 65);

        assertAllFail(3);
        assertThat(lines.get(0).figure()).contains("SYNC 65");
    }

    private void probe(String row, ProbeContext context) {
        switch (row) {
            case "A6" -> SimulatedFaults.walls(context);
            case "A8" -> {
                SimulatedFaults.pod(context);
                lines.remove(0); // the order of the ring takes no time
            }
            default -> SimulatedRings.rejoin(context);
        }
    }
}
