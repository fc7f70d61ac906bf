package io.dmodc.manager.store;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** Why a file could not be used, in a few words. */
final class Reasons {
    private Reasons() {}

    /** Java says only the path when the operating system gave no text. */
    static String of(IOException e) {
        if (e instanceof FileSystemException failed) {
            return failed.getReason() == null ? e.getClass().getSimpleName() : failed.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
