package io.dmodc.detector.peers;

/** A trial that could not be held; the message says in one line how far it came. */
final class TrialNotRunException extends Exception {
    private static final long serialVersionUID = 1L;

    TrialNotRunException(String reason) {
        super(reason);
    }

    TrialNotRunException(String reason, Throwable cause) {
        super(reason, cause);
    }
}
