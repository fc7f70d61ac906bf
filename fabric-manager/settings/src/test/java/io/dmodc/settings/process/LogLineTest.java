package io.dmodc.settings.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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

    private LoggingEvent event(String logger, Level level, @Nullable Throwable thrown) {
        return new LoggingEvent("test", context.getLogger(logger), level, "port {} is down", thrown, new Object[] {7});
    }
}
