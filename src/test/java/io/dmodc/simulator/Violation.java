package io.dmodc.simulator;

/**
 * A law was broken.
 *
 * @param nanos virtual time of the first time in its history
 * @param text what was seen, in one line
 */
record Violation(Law law, long nanos, String text) {
    @Override
    public String toString() {
        return String.format("%s at %.6f s: %s", law, nanos / 1e9, text);
    }
}
