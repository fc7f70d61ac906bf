package io.dmodc.detector.link;

import org.jspecify.annotations.Nullable;

/** How far the handshake over a cable is (RFC 5880, 6.2), with its number there. */
public enum LinkState {
    /** Nothing usable is heard, or the far end says that it hears nothing. */
    DOWN(1),
    /** The far end is heard; whether it hears this one is not known yet. */
    INIT(2),
    /** Both ends hear each other. */
    UP(3);

    private final int code;

    LinkState(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static @Nullable LinkState of(int code) {
        return switch (code) {
            case 1 -> DOWN;
            case 2 -> INIT;
            case 3 -> UP;
            default -> null;
        };
    }
}
