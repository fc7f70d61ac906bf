package io.dmodc.routing.ftree;

/** A part of a fabric is none that OpenSM's {@code ftree} routes. The message says why, in one line. */
final class NoFatTreeException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Whether it might be one if its roots were named. */
    final boolean rootsWanted;

    NoFatTreeException(String reason) {
        this(reason, false);
    }

    NoFatTreeException(String reason, boolean rootsWanted) {
        super(reason);
        this.rootsWanted = rootsWanted;
    }

    /** The same as a sentence of its own; an exception's message may be missing, this is not. */
    String reason() {
        return String.valueOf(getMessage());
    }
}
