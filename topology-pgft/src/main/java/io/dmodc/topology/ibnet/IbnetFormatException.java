package io.dmodc.topology.ibnet;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file that is no usable {@code ibnetdiscover} text; the message is one line, {@code file:line: … expected …}. */
public final class IbnetFormatException extends IOException {
    private static final long serialVersionUID = 1L;

    IbnetFormatException(String source, int line, String problem) {
        super(source + ":" + line + ": " + problem);
    }

    IbnetFormatException(String source, String problem, @Nullable Throwable cause) {
        super(source + ": " + problem, cause);
    }
}
