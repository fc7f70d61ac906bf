package io.dmodc.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.acceptance.AcceptanceRow;
import io.dmodc.detector.acceptance.AcceptanceRow.Verdict;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Row A13 between processes can fail; that it is measured is tested where all programs are. */
class NamespaceTrialTest {
    private static final List<Long> SOON = Collections.nCopies(20, 25_000_000L);
    private static final List<Long> LATE = Collections.nCopies(20, 51_000_000L);

    private static List<Verdict> verdicts(List<Long> took, int further) {
        return NamespaceTrial.rows(took, further).stream()
                .map(AcceptanceRow::verdict)
                .toList();
    }

    @Test
    void shouldFailWhenTheManagerHearsLateOrTwice() {
        assertThat(verdicts(SOON, 0)).containsExactly(Verdict.PASS, Verdict.PASS);
        assertThat(verdicts(LATE, 0)).containsExactly(Verdict.FAIL, Verdict.PASS);
        assertThat(verdicts(SOON, 1)).containsExactly(Verdict.PASS, Verdict.FAIL);
    }
}
