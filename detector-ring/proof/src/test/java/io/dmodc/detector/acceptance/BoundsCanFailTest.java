package io.dmodc.detector.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.acceptance.AcceptanceRow.Verdict;
import io.dmodc.detector.sim.Trial;
import io.dmodc.detector.sim.TrialReport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A bound that nothing breaks proves nothing: here what was measured is made worse, and the row must fail. */
class BoundsCanFailTest {
    private final List<AcceptanceRow> lines = new ArrayList<>();

    /** A context whose trials are reported otherwise than they went. */
    private ProbeContext reporting(UnaryOperator<TrialReport> otherwise) {
        return new ProbeContext(
                AcceptanceTest.LITTLE,
                lines::add,
                progress -> {},
                (plan, domains) -> otherwise.apply(Trial.run(plan, domains, (done, expected) -> {})));
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
}
