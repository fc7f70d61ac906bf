package io.dmodc.ctl;

import java.util.Locale;

/** How an answer is printed. */
enum Format {
    TEXT,
    JSON;

    /** As it is written on a command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
