package io.dmodc.manager.opensm;

/** A command, or a file in its stead, gave nothing that can be used; one line for people. */
final class CommandFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    CommandFailedException(String message) {
        super(message);
    }
}
