package io.dmodc.detector.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.acceptance.AcceptanceRow.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program that proves the table, with rings as small as they get. What depends on time is run, not judged. */
class AcceptanceTest {
    static final AcceptanceEffort LITTLE = new AcceptanceEffort(
            TimeUnit.MILLISECONDS.toNanos(25),
            TimeUnit.MILLISECONDS.toNanos(500),
            List.of(3, 5),
            2,
            1,
            1,
            1,
            List.of(TimeUnit.MILLISECONDS.toNanos(300)),
            1,
            64,
            3,
            3,
            false);

    private final List<AcceptanceRow> lines = new ArrayList<>();

    private boolean run(String... rows) throws InterruptedException {
        return Acceptance.run(List.of(rows), LITTLE, lines::add, progress -> {});
    }

    @Test
    void shouldKnowAllRows() {
        assertThat(Acceptance.rows())
                .containsExactly(
                        "A11", "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A12", "A13", "A14", "A15");
    }

    /** Kills, traffic and propagation of real rings. */
    @Test
    void shouldKillMembersOfRealRings() throws InterruptedException {
        run("A1", "A3", "A5");

        assertThat(claims("A1")).hasSize(2).allMatch(claim -> claim.contains("2 kills"));
        assertThat(claims("A3")).hasSize(4);
        assertThat(claims("A5").get(0)).contains("5 members over UDP loopback");
        assertThat(lines).noneMatch(line -> line.claim().equals("measured to the end"));
        assertThat(lines)
                .filteredOn(line -> line.claim().startsWith("length of a datagram"))
                .singleElement()
                .extracting(AcceptanceRow::figure, AcceptanceRow::verdict)
                .containsExactly("all 64 bytes; copies of a hypercube broadcast up to 125", Verdict.PASS);
    }

    /** Child processes: started, joined to a ring, stopped, counted, and gone at the end. With -Dtrials: forty seconds. */
    @Test
    @EnabledIfSystemProperty(named = "trials", matches = ".*")
    void shouldStopProcessesOfRealRings() throws InterruptedException {
        run("A4", "A9");

        assertThat(claims("A4")).hasSize(1);
        assertThat(claims("A9")).hasSize(6);
        assertThat(claims("A9").subList(0, 2))
                .allMatch(claim -> claim.startsWith("64 members in 16 processes, delta "))
                .satisfiesExactly(
                        claim -> assertThat(claim).endsWith("delta 300 ms, eta 30 ms, 1 s in quiet"),
                        claim -> assertThat(claim).contains("delta 300 ms", "beside 4 busy loops"));
        assertThat(lines)
                .filteredOn(line -> line.claim().contains("300 ms"))
                .extracting(AcceptanceRow::verdict)
                .containsOnly(Verdict.PASS);
        assertThat(lines).noneMatch(line -> line.claim().equals("measured to the end"));
        assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive))
                .isEmpty();
    }

    /** Virtual time does not depend on the machine, so here the verdict counts. */
    @ParameterizedTest
    @CsvSource({"A6, 4", "A7, 4", "A8, 2", "A10, 1", "A12, 1", "A15, 8"})
    void shouldProveInVirtualTime(String row, int expected) throws InterruptedException {
        boolean holds = run(row);

        assertThat(lines).hasSize(expected).allSatisfy(line -> {
            assertThat(line.row()).isEqualTo(row);
            assertThat(line.verdict()).as(line.toJson()).isEqualTo(Verdict.PASS);
        });
        assertThat(holds).isTrue();
    }

    @Test
    void shouldSeeThatTheSimulatorRepeatsItself() throws InterruptedException {
        run("A11");

        assertThat(lines)
                .filteredOn(line -> line.claim().startsWith("the same seed twice"))
                .singleElement()
                .extracting(AcceptanceRow::verdict)
                .isEqualTo(Verdict.PASS);
    }

    private List<String> claims(String row) {
        return lines.stream()
                .filter(line -> line.row().equals(row))
                .map(AcceptanceRow::claim)
                .toList();
    }
}
