package io.dmodc.manager.opensm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
        for (Path adapter : inside(adapters)) {
            for (Path port : inside(adapter.resolve("ports"))) {
                if (isCalled(port.resolve("gids/0"), portGuid)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<Path> inside(Path directory) {
        try (Stream<Path> all = Files.list(directory)) {
            return all.toList();
        } catch (IOException | UncheckedIOException e) {
            return List.of(); // there is none, or it goes just now
        }
    }

    private static boolean isCalled(Path gids, long portGuid) {
        try {
            Matcher gid = GID.matcher(Files.readString(gids).strip());
            return gid.matches()
                    && HexFormat.fromHexDigitsToLong(gid.group(1) + gid.group(2) + gid.group(3) + gid.group(4))
                            == portGuid;
        } catch (IOException e) {
            return false; // a port that is down may have none
        }
    }
}
