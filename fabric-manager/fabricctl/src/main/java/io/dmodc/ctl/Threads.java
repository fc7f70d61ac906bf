package io.dmodc.ctl;

import picocli.CommandLine.Option;

/** The option that says how many threads compute. */
final class Threads {
    @Option(
            names = "--threads",
            paramLabel = "T",
            defaultValue = "0",
            description = "0 is one per processor (default: ${DEFAULT-VALUE})")
    private int threads;

    /** @throws IllegalArgumentException in one line, if the number is outside the range */
    Workers start() {
        return new Workers(threads);
    }
}
