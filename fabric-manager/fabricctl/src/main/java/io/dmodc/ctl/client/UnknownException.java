package io.dmodc.ctl.client;

/** The manager knows no such switch, node, cable or table. */
final class UnknownException extends NoAnswerException {
    private static final long serialVersionUID = 1;

    UnknownException(String message) {
        super(message);
    }
}
