package io.dmodc.subnet;

/** A command, or a file in its stead, gave nothing that can be used; one line for people. */
public final class CommandFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean missing;

    public CommandFailedException(String message) {
        this(message, false);
    }

    /** @param missing there is no such program, or it cannot be run: whatever it was to tell, nobody knows */
    CommandFailedException(String message, boolean missing) {
        super(message);
        this.missing = missing;
    }

    /** True if there is no such program, or nobody may run it: also one that {@code env}, {@code nice} or a script was to start. */
    public boolean isMissing() {
        return missing;
    }
}
