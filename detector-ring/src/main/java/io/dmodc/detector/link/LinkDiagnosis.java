package io.dmodc.detector.link;

import org.jspecify.annotations.Nullable;

/** Why an end last went down, with its number in RFC 5880, 4.1. */
public enum LinkDiagnosis {
    NONE(0),
    /** Nothing was heard for the detection time. */
    EXPIRED(1),
    /** The far end said that it is down. */
    NEIGHBOUR_DOWN(3);

    private final int code;

    LinkDiagnosis(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static @Nullable LinkDiagnosis of(int code) {
        return switch (code) {
            case 0 -> NONE;
            case 1 -> EXPIRED;
            case 3 -> NEIGHBOUR_DOWN;
            default -> null;
        };
    }
}
