package io.dmodc.manager.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A real file system of 256 KiB until it is closed, which can be filled up. It takes root to mount one: elsewhere the test is skipped. */
public final class SmallDisk implements AutoCloseable {
    private static final int PAGE = 4096;

    private final Path at;

    private SmallDisk(Path at) {
        this.at = at;
    }

    /** Mounts one over this directory, which is made if there is none. */
    public static SmallDisk mount(Path at) throws IOException, InterruptedException {
        Files.createDirectories(at);
        assumeThat(run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", at.toString()))
                .as("exit code of mount, which needs root")
                .isZero();
        return new SmallDisk(at);
    }

    /** Takes all room that is left, in one file: without that there is room again. */
    public Path fill() throws IOException {
        Path ballast = at.resolve("ballast");
        byte[] page = new byte[PAGE];
        try (OutputStream out = Files.newOutputStream(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            assertThatThrownBy(() -> {
                        while (true) {
                            out.write(page);
                        }
                    })
                    .isInstanceOf(IOException.class);
        }
        return ballast;
    }

    /** Nothing can be written, or removed, until it is mounted for that again. */
    public void remount(String mode) throws IOException, InterruptedException {
        assertThat(run("mount", "-o", "remount," + mode, at.toString()))
                .as("exit code of mount")
                .isZero();
    }

    @Override
    public void close() throws IOException, InterruptedException {
        assertThat(run("umount", at.toString())).as("exit code of umount").isZero();
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
