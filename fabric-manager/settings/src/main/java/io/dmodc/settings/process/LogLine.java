package io.dmodc.settings.process;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.LayoutBase;
import java.time.LocalDate;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;

/**
 * A line of the log, as the pattern in {@code conf/logback.xml} says; the stack of what was thrown below it. The time is written
 * without the JDK's formatter, whose hundred classes would serve nothing else in a small process.
 */
final class LogLine extends LayoutBase<ILoggingEvent> {
    private static final int LEVEL_WIDTH = 5;
    private static final long SECOND = TimeUnit.SECONDS.toMillis(1);
    private static final long MINUTE = TimeUnit.MINUTES.toMillis(1);
    private static final long HOUR = TimeUnit.HOURS.toMillis(1);
    private static final long DAY = TimeUnit.DAYS.toMillis(1);

    private final TimeZone zone = TimeZone.getDefault();

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(128);
        time(line, event.getTimeStamp());
        String level = event.getLevel().toString();
        String logger = event.getLoggerName();
        line.append(' ')
                .append(level)
                .append(" ".repeat(LEVEL_WIDTH - level.length()))
                .append(' ');
        line.append(logger, logger.lastIndexOf('.') + 1, logger.length()).append(" - ");
        line.append(event.getFormattedMessage()).append(CoreConstants.LINE_SEPARATOR);
        if (event.getThrowableProxy() != null) {
            line.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return line.toString();
    }

    /** {@code yyyy-MM-dd'T'HH:mm:ss.SSSXXX}. */
    private void time(StringBuilder line, long millis) {
        int offset = zone.getOffset(millis);
        long local = millis + offset;
        long ofDay = Math.floorMod(local, DAY);
        line.append(LocalDate.ofEpochDay(Math.floorDiv(local, DAY))).append('T');
        digits(line, ofDay / HOUR, 2).append(':');
        digits(line, ofDay % HOUR / MINUTE, 2).append(':');
        digits(line, ofDay % MINUTE / SECOND, 2).append('.');
        digits(line, ofDay % SECOND, 3);
        if (offset == 0) {
            line.append('Z');
            return;
        }
        line.append(offset < 0 ? '-' : '+');
        digits(line, Math.abs(offset) / HOUR, 2).append(':');
        digits(line, Math.abs(offset) % HOUR / MINUTE, 2);
    }

    private static StringBuilder digits(StringBuilder line, long value, int width) {
        String text = Long.toString(value);
        return line.append("0".repeat(width - text.length())).append(text);
    }
}
