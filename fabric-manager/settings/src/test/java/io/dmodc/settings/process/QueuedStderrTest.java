package io.dmodc.settings.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class QueuedStderrTest {
    private static final int LINES_MAX = 16;

    private final LoggerContext context = new LoggerContext();
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch reads = new CountDownLatch(1);
    private final QueuedStderr stderr = new QueuedStderr();
    private final Logger logger = context.getLogger("test");

    /** Takes nothing before {@link #reads} is open, as a pipe that is full does. */
    private final class Pipe extends OutputStream {
        @Override
        public void write(int b) {
            read.write(b);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            writing.countDown();
            try {
                // A pipe that has room takes what an interrupted thread writes.
                if (reads.getCount() > 0) {
                    reads.await();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            read.write(bytes, from, length);
        }
    }

    private void open() {
        context.setMDCAdapter(new LogbackMDCAdapter());
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%level %msg%n");
        encoder.start();
        stderr.setContext(context);
        stderr.setTarget("System.err");
        stderr.setQueueSize(LINES_MAX);
        stderr.setEncoder(encoder);
        stderr.start();
        stderr.setOutputStream(new Pipe());
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(stderr);
    }

    @AfterEach
    void close() {
        reads.countDown();
        stderr.stop();
    }

    private String text() {
        return read.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldWriteInOrderWhatWasLoggedBeforeItStopped() {
        open();
        reads.countDown();

        for (int i = 0; i < LINES_MAX; i++) {
            logger.info("line {}", i);
        }
        stderr.stop();

        assertThat(text().lines()).hasSize(LINES_MAX).startsWith("INFO line 0", "INFO line 1");
    }

    @Test
    void shouldNeverLetTheLoggerWaitAndSayHowManyLinesWereDropped() throws Exception {
        open();
        logger.info("the line that is being written");
        assertThat(writing.await(20, TimeUnit.SECONDS)).isTrue();

        for (int i = 0; i < LINES_MAX + 5; i++) {
            logger.info("line {}", i);
        }

        assertThat(text()).as("nobody reads yet").isEmpty();
        assertThat(stderr.dropped()).isEqualTo(5);
        reads.countDown();
        LogQueues.flush(20_000);
        stderr.stop();
        assertThat(text().lines())
                .hasSize(1 + LINES_MAX + 1)
                .contains("INFO line " + (LINES_MAX - 1))
                .last()
                .asString()
                .startsWith("WARN 5 lines of the log were dropped: standard error was not read, and 16 lines wait");
    }

    @Test
    void shouldGiveUpWaitingForAReaderThatHasStopped() throws Exception {
        open();
        logger.info("unread");
        assertThat(writing.await(20, TimeUnit.SECONDS)).isTrue();

        LogQueues.flush(10);
        stderr.stop();

        assertThat(text()).isEmpty();
    }
}
