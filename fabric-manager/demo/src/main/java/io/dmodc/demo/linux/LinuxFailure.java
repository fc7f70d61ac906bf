package io.dmodc.demo.linux;

/** The Linux fabric cannot be built here, or it did not heal; one line says what. */
public final class LinuxFailure extends Exception {
    private static final long serialVersionUID = 1L;

    LinuxFailure(String message) {
        super(message);
    }
}
