package io.dmodc.subnet;

/** A command, or a file in its stead, gave nothing that can be used; one line for people. */
public final class CommandFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    public CommandFailedException(String message) {
        super(message);
    }
}
