package io.dmodc.settings;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why a file could not be used, in a few words. */
public final class Reasons {
    private Reasons() {}

    /** Java says only the path when the operating system gave no text. */
    public static String of(IOException e) {
        String reason = e instanceof FileSystemException failed ? failed.getReason() : e.getMessage();
        if (reason != null) {
            return reason;
        }
        return e instanceof AccessDeniedException
                ? "permission denied"
                : e instanceof NoSuchFileException
                        ? "no such file"
                        : e.getClass().getSimpleName();
    }
}
