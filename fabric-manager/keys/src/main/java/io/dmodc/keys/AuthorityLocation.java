package io.dmodc.keys;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where an authority is kept. */
final class AuthorityLocation {
    @Option(
            names = "--authority",
            paramLabel = "DIR",
            description =
                    "The authority's directory; whoever can read it can speak for any switch (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of("/etc/fabric-manager/authority");

    Path path() {
        return directory;
    }

    KeyDirectory directory() {
        return new KeyDirectory(directory);
    }
}
