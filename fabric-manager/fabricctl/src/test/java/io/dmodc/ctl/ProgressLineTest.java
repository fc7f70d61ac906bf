package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a waiting operator sees; the clock is an argument. */
class ProgressLineTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final StringWriter err = new StringWriter();

    private ProgressLine line(boolean terminal) {
        return new ProgressLine("shifts", new PrintWriter(err), terminal, nanos::get);
    }

    private void reached(ProgressLine line, int done, double seconds) {
        nanos.addAndGet((long) (seconds * 1e9));
        line.reached(done, 200);
    }

    @Test
    void shouldKeepQuietAboutShortWork() {
        ProgressLine line = line(true);

        reached(line, 100, 0.9);
        line.end();

        assertThat(err.toString()).isEmpty();
    }

    @Test
    void shouldDrawABarOverItselfOnATerminalAndWipeIt() {
        ProgressLine line = line(true);

        reached(line, 50, 2);
        reached(line, 51, 0.05);
        reached(line, 100, 0.95);
        line.end();

        assertThat(err.toString())
                .isEqualTo("\r\u001b[Kshifts [##########                              ] 25 %, 6 s to go"
                        + "\r\u001b[Kshifts [####################                    ] 50 %, 3 s to go"
                        + "\r\u001b[K");
    }

    @Test
    void shouldPrintAPlainLineNowAndThenElsewhere() {
        ProgressLine line = line(false);

        reached(line, 50, 2);
        reached(line, 100, 9);
        reached(line, 150, 1);
        line.end();

        assertThat(err.toString().lines()).containsExactly("shifts: 25 %, 6 s to go", "shifts: 75 %, 4 s to go");
    }
}
