package io.dmodc.settings.process;

import ch.qos.logback.classic.ClassicConstants;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LogbackServiceProvider;
import ch.qos.logback.classic.util.LogbackMDCAdapter;

/**
 * Logback with {@link StderrLog}, for a launcher that names it ({@code -Dslf4j.provider}): nothing is looked for in all jars, whose lists
 * of contents would stay in memory. With settings of the log it is Logback as ever.
 */
public final class StderrLogProvider extends LogbackServiceProvider {
    @Override
    public void initialize() {
        if (System.getProperty(ClassicConstants.CONFIG_FILE_PROPERTY) != null) {
            super.initialize();
            return;
        }
        LoggerContext log = (LoggerContext) getLoggerFactory();
        log.setName("default");
        log.setMDCAdapter((LogbackMDCAdapter) getMDCAdapter());
        StderrLog configurator = new StderrLog();
        configurator.setContext(log);
        configurator.configure(log);
        log.start();
    }
}
