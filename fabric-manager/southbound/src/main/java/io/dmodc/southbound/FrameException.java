package io.dmodc.southbound;

import io.dmodc.southbound.proto.Refusal;
import io.netty.handler.codec.DecoderException;

/**
 * The peer broke the protocol; carries what to answer. Passed along the pipeline as an exception, once per connection.
 */
public final class FrameException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final Refusal.Reason reason;

    /**
     * @param reason what a manager puts into its refusal
     * @param text one line for people: what came, what was expected
     */
    public FrameException(Refusal.Reason reason, String text) {
        super(text);
        this.reason = reason;
    }

    public Refusal.Reason reason() {
        return reason;
    }

    /** Returns the frame body that tells the peer. */
    public Refusal refusal() {
        return RefusalSender.of(reason, String.valueOf(getMessage()));
    }
}
