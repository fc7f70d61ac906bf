package io.dmodc.topology.rates;

import java.util.Locale;

/** Whether routes may use links that are slower than most between the same two ranks. */
public enum SlowLinkUse {
    /** As all others. */
    IGNORE,
    /** Only where none that is not slow leads to the same switch. */
    AVOID;

    /** As it is written in settings and on a command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
