package io.dmodc.detector.peers;

/** A trial that could not be held; the message says in one line how far it came. */
final class NotRun extends Exception {
    private static final long serialVersionUID = 1L;

    NotRun(String reason) {
        super(reason);
    }

    NotRun(String reason, Throwable cause) {
        super(reason, cause);
    }
}
