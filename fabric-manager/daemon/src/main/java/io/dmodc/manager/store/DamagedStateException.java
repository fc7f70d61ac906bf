package io.dmodc.manager.store;

/** What is wrong with a file of the store, in a few words that follow its name. */
class DamagedStateException extends Exception {
    private static final long serialVersionUID = 1;

    DamagedStateException(String problem) {
        super(problem);
    }

    DamagedStateException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
