package io.dmodc.demo.ibsim;

/** The subnet cannot be simulated here, or it did not heal; one line says what. */
public final class IbsimFailure extends Exception {
    private static final long serialVersionUID = 1L;

    IbsimFailure(String message) {
        super(message);
    }
}
