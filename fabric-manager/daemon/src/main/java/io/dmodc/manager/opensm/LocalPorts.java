package io.dmodc.manager.opensm;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The InfiniBand ports of this machine, as its kernel lists them: what they are called is for people to say, and alike on many machines. */
final class LocalPorts {
    static final Path KERNEL = Path.of("/sys/class/infiniband");

    /** {@code fe80:0000:0000:0000:0002:c903:000a:1b2c}: the prefix of the subnet, then the port's GUID. */
    private static final Pattern GID =
            Pattern.compile("[0-9a-f:]{20}([0-9a-f]{4}):([0-9a-f]{4}):([0-9a-f]{4}):([0-9a-f]{4})");

    private final Path adapters;

    /** @param adapters a directory of an adapter each, with {@code ports/NUMBER/gids/0} in it; none: there are no ports */
    LocalPorts(Path adapters) {
        this.adapters = adapters;
    }

    /** Returns whether one of them has this GUID, by files as they are now. */
    boolean has(long portGuid) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(adapters)) {
            for (Path adapter : all) {
                if (hasPort(adapter.resolve("ports"), portGuid)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // There is none, or it goes just now.
        }
        return false;
    }

    private static boolean hasPort(Path ports, long portGuid) throws IOException {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(ports)) {
            for (Path port : all) {
                Matcher gid =
                        GID.matcher(Files.readString(port.resolve("gids/0")).strip());
                if (gid.matches()
                        && HexFormat.fromHexDigitsToLong(gid.group(1) + gid.group(2) + gid.group(3) + gid.group(4))
                                == portGuid) {
                    return true;
                }
            }
        }
        return false;
    }
}
