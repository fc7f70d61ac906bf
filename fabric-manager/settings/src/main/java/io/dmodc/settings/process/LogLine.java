package io.dmodc.settings.process;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.util.CachingDateFormatter;

/** A line of the log, as the pattern in {@code conf/logback.xml} says; the stack of what was thrown below it. */
final class LogLine extends LayoutBase<ILoggingEvent> {
    private static final int LEVEL_WIDTH = 5;

    private final CachingDateFormatter time = new CachingDateFormatter("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder(128);
        line.append(time.format(event.getTimeStamp())).append(' ');
        String level = event.getLevel().toString();
        String logger = event.getLoggerName();
        line.append(level).append(" ".repeat(LEVEL_WIDTH - level.length())).append(' ');
        line.append(logger, logger.lastIndexOf('.') + 1, logger.length()).append(" - ");
        line.append(event.getFormattedMessage()).append(CoreConstants.LINE_SEPARATOR);
        if (event.getThrowableProxy() != null) {
            line.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
        return line.toString();
    }
}
