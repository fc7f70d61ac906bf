package io.dmodc.settings.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.util.CachingDateFormatter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.TimeZone;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogLineTest {
    private static final Path SETTINGS = Path.of("../../conf/logback.xml");
    private static final Pattern PATTERN = Pattern.compile("<pattern>(.*)</pattern>");

    private final LoggerContext context = new LoggerContext();

    @Test
    void shouldWriteLinesAsTheSettingsOfTheLogDo() throws IOException {
        Matcher pattern = PATTERN.matcher(Files.readString(SETTINGS));
        assertThat(pattern.find()).isTrue();
        PatternLayout expected = new PatternLayout();
        expected.setContext(context);
        expected.setPattern(pattern.group(1));
        expected.start();
        Exception thrown = new IllegalStateException("outer", new IOException("inner"));
        thrown.addSuppressed(new IOException("beside"));

        for (LoggingEvent event : new LoggingEvent[] {
            event("io.dmodc.agent.Agent", Level.INFO, null), event("fabric", Level.ERROR, thrown)
        }) {
            assertThat(new LogLine().doLayout(event)).isEqualTo(expected.doLayout(event));
        }
    }

    /** Times in and beside summer, of this and other centuries, in zones on both sides of Greenwich and off the hour. */
    @ParameterizedTest
    @ValueSource(strings = {"UTC", "Europe/Paris", "America/St_Johns", "Asia/Kathmandu", "Pacific/Chatham"})
    void shouldWriteTimesAsLogbackDoes(String zone) {
        long seed = 20260711;
        RandomGenerator random = new SplittableRandom(seed);
        TimeZone before = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        try {
            CachingDateFormatter expected = new CachingDateFormatter("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
            LogLine line = new LogLine();
            for (int i = 0; i < 2_000; i++) {
                LoggingEvent event = event("fabric", Level.INFO, null);
                event.setTimeStamp(i == 0 ? 0 : random.nextLong(4_102_444_800_000L));

                assertThat(line.doLayout(event)).startsWith(expected.format(event.getTimeStamp()) + " INFO ");
            }
        } finally {
            TimeZone.setDefault(before);
        }
    }

    private LoggingEvent event(String logger, Level level, @Nullable Throwable thrown) {
        return new LoggingEvent("test", context.getLogger(logger), level, "port {} is down", thrown, new Object[] {7});
    }
}
