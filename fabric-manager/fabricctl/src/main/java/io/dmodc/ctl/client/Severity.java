package io.dmodc.ctl.client;

import java.util.Locale;

/** How bad something is; the worst comes last. */
enum Severity {
    INFO,
    WARNING,
    ALARM;

    /** As the manager and a command line spell it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
