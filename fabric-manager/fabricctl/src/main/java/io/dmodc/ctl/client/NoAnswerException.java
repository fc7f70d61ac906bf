package io.dmodc.ctl.client;

/** The manager answered, and the answer is "no": there is no such thing, or it cannot be done. */
public class NoAnswerException extends Exception {
    private static final long serialVersionUID = 1;

    NoAnswerException(String message) {
        super(message);
    }
}
