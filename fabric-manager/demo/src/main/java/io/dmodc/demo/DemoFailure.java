package io.dmodc.demo;

/** The demonstration shows a fabric that did not heal; one line says what. */
final class DemoFailure extends Exception {
    private static final long serialVersionUID = 1L;

    DemoFailure(String message) {
        super(message);
    }
}
