package io.dmodc.settings.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HaltOnDefectTest {
    private static final int PATIENCE_SECONDS = 20;

    private final BlockingQueue<Integer> exits = new LinkedBlockingQueue<>();

    private HaltOnDefect ender(OutputStream err) {
        return new HaltOnDefect("nothing else is lost", err, exits::add);
    }

    private static Thread dying(HaltOnDefect ender, Throwable of) {
        Thread thread = new Thread(
                () -> {
                    if (of instanceof Error error) {
                        throw error;
                    }
                    throw (RuntimeException) of;
                },
                "some-thread");
        thread.setUncaughtExceptionHandler(ender);
        thread.start();
        return thread;
    }

    @Test
    void shouldSayWhyWithTheStackAndEndWithItsOwnExitCode() throws Exception {
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        dying(ender(err), new NoClassDefFoundError("io/dmodc/Lost"));

        assertThat(exits.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(70);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains(" ERROR defect on thread 'some-thread': the process ends with exit code 70; nothing else is")
                .contains("java.lang.NoClassDefFoundError: io/dmodc/Lost")
                .contains("at " + HaltOnDefectTest.class.getName());
    }

    @Test
    void shouldSayItOnceWhenSeveralThreadsDie() throws Exception {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        HaltOnDefect ender = ender(err);

        dying(ender, new IllegalStateException("first")).join();
        dying(ender, new IllegalStateException("second")).join();

        assertThat(exits).containsExactly(70);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("first").doesNotContain("second");
    }

    /** Within two seconds, of which nothing else is a bound. */
    @Test
    void shouldEndAlsoWhenNobodyReadsWhatItSays() throws Exception {
        try (PipedInputStream unread = new PipedInputStream(16);
                PipedOutputStream err = new PipedOutputStream(unread)) {
            dying(ender(err), new IllegalStateException("unheard"));

            assertThat(exits.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(70);
        }
    }

    @Test
    void shouldEndAlsoWhenStandardErrorIsClosed() throws Exception {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };

        dying(ender(closed), new IllegalStateException("unheard"));

        assertThat(exits.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(70);
    }

    /** As event loops and executors call it, which catch what a task throws. */
    @Test
    void shouldBeHandedWhatALibraryWouldSwallow() throws Exception {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Thread loop = new Thread(() -> HaltOnDefect.hand(new IllegalStateException("swallowed")), "event-loop");
        loop.setUncaughtExceptionHandler(ender(err));
        loop.start();

        assertThat(exits.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(70);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("'event-loop'")
                .contains("swallowed");
    }
}
