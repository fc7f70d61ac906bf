package io.dmodc.keys;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a class logs meanwhile. */
final class LoggedLines implements AutoCloseable {
    private final Logger logger;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    LoggedLines(Class<?> of) {
        logger = (Logger) LoggerFactory.getLogger(of);
        lines.start();
        logger.addAppender(lines);
    }

    List<String> all() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
    }
}
