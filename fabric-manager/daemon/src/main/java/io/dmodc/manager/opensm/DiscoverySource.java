package io.dmodc.manager.opensm;

import io.dmodc.manager.config.OpenSmSettings;
import io.dmodc.topology.ibnet.IbnetFormatException;
import io.dmodc.topology.ibnet.IbnetReader;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the fabric is found out: a command, or a file that somebody keeps up to date. For one thread. */
final class DiscoverySource {
    private final @Nullable Path file;
    private final ChildCommand command;
    private final String name;

    DiscoverySource(OpenSmSettings settings) {
        file = settings.discoveryFile();
        command = new ChildCommand(settings.discovery(), settings.commandTimeout());
        name = settings.discovery();
    }

    /** The file to watch for changes, or null. */
    @Nullable
    Path file() {
        return file;
    }

    /**
     * Looks now.
     *
     * @param nowNanos told in what is found
     * @throws CommandFailedException if nothing comes of it that can be a fabric
     */
    Discovery look(long nowNanos) throws CommandFailedException, InterruptedException {
        try {
            return new Discovery(
                    file != null
                            ? IbnetReader.read(file)
                            : IbnetReader.read(name, new ByteArrayInputStream(command.run())),
                    nowNanos);
        } catch (IbnetFormatException e) {
            throw new CommandFailedException(String.valueOf(e.getMessage()));
        }
    }
}
