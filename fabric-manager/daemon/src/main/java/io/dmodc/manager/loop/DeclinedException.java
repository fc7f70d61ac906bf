package io.dmodc.manager.loop;

import io.dmodc.manager.core.Effect;

/** A command changed nothing; the message says why, for people. See {@link Effect.Declined}. */
public final class DeclinedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    DeclinedException(String reason) {
        super(reason, null, false, false);
    }
}
