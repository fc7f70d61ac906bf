package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.app.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Keys of a manager on loopback and of its switches, as {@code fabric-manager keys} makes them. */
final class SiteKeys {
    private SiteKeys() {}

    /**
     * Makes {@code keys/manager} and {@code keys/0x…} for each switch.
     *
     * @param directory where; empty, or with files of other names
     * @param guids of the switches
     */
    static void make(Path directory, List<String> guids) throws IOException {
        String authority = directory.resolve("authority").toString();
        String switches = Files.write(directory.resolve("switches"), guids).toString();
        String out = directory.resolve("keys").toString();
        assertThat(Main.run("keys", "init", "--authority", authority)).isZero();
        assertThat(Main.run(
                        "keys",
                        "bundle",
                        "--authority",
                        authority,
                        "--switches",
                        switches,
                        "--manager",
                        "127.0.0.1",
                        out))
                .isZero();
    }
}
