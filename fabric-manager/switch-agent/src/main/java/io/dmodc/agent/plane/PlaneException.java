package io.dmodc.agent.plane;

/** The switch did not take a table; the one before is still in force. */
public final class PlaneException extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param message one line: what the switch said */
    public PlaneException(String message) {
        super(message);
    }
}
