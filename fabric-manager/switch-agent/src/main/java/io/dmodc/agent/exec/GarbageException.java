package io.dmodc.agent.exec;

/** The program said what it may not. */
final class GarbageException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param message one line: what it said, and what was expected */
    GarbageException(String message) {
        super(message);
    }
}
