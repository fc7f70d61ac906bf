package io.dmodc.southbound;

import io.dmodc.southbound.proto.TableRefusal;

/** A push that must not be applied; the present table stays in force. */
public final class TableRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final TableRefusal.Reason reason;

    /**
     * @param reason for the refusal frame
     * @param text one line for people: what came, what was expected
     */
    public TableRefusedException(TableRefusal.Reason reason, String text) {
        super(text);
        this.reason = reason;
    }

    public TableRefusal.Reason reason() {
        return reason;
    }
}
