package io.dmodc.settings;

/** Settings that cannot be used. The message is one line for the operator; programs print it and exit with 2. */
public final class SettingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param message one line: place, key, offending value and what was expected
     */
    public SettingsException(String message) {
        super(message.replace('\n', ' '));
    }
}
