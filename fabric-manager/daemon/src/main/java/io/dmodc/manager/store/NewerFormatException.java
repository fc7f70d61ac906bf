package io.dmodc.manager.store;

/** Nothing is damaged: a newer release wrote the store. */
final class NewerFormatException extends DamagedStateException {
    private static final long serialVersionUID = 1;

    NewerFormatException(String problem) {
        super(problem);
    }
}
