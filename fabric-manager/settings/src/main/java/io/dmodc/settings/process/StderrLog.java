package io.dmodc.settings.process;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;

/**
 * The log of {@code conf/logback.xml}, for a program that names it as a service and is started without settings of the log:
 * what reads those, and the layouts they can ask for, would be a tenth of a small process.
 */
public final class StderrLog extends ContextAwareBase implements Configurator {
    @Override
    public ExecutionStatus configure(LoggerContext log) {
        if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        LogLine line = new LogLine();
        line.setContext(log);
        line.start();
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        encoder.setContext(log);
        encoder.setCharset(StandardCharsets.UTF_8);
        encoder.setLayout(line);
        encoder.start();
        QueuedStderr stderr = new QueuedStderr();
        stderr.setContext(log);
        stderr.setTarget("System.err");
        stderr.setEncoder(encoder);
        stderr.start();
        Level own = level("FM_LOG_LEVEL", Level.INFO);
        log.getLogger("io.dmodc").setLevel(own);
        log.getLogger("fabric").setLevel(level("FM_EVENT_LEVEL", own));
        log.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(level("FM_LIBRARY_LEVEL", Level.WARN));
        log.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(stderr);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** A property wins over the environment, as in Logback's files. */
    private static Level level(String name, Level otherwise) {
        String said = System.getProperty(name, System.getenv(name));
        return said == null ? otherwise : Level.toLevel(said, otherwise);
    }
}
