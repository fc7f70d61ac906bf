package io.dmodc.agent.linux;

import io.dmodc.topology.LinkRate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel says of the speed of each port's link: {@code /sys/class/net/INTERFACE/speed}, in Mbit/s. It is -1, or cannot be read, where no cable is,
 * or a driver does not know: then nobody does. Read by one thread at a time, as a read may wait for the kernel; asked by any.
 */
final class PortSpeeds {
    static final Path KERNEL = Path.of("/sys/class/net");

    /** Of a number of Mbit/s; the file has no more. */
    private static final int BYTES_MAX = 32;

    private final Path directory;
    private final LinuxSettings settings;
    private final AtomicReferenceArray<@Nullable LinkRate> rates;

    /** @param directory {@link #KERNEL}, or one like it */
    PortSpeeds(Path directory, LinuxSettings settings) {
        this.directory = directory;
        this.settings = settings;
        rates = new AtomicReferenceArray<>(settings.portCount() + 1);
    }

    /** As it was read last. */
    @Nullable
    LinkRate of(int port) {
        return rates.get(port);
    }

    /**
     * Reads the speeds of some ports.
     *
     * @param carrier whether packets can leave by a port; of others nothing is read
     * @return those that have another speed than before
     */
    synchronized BitSet read(BitSet ports, IntPredicate carrier) {
        BitSet changed = new BitSet();
        ports.stream().forEach(port -> {
            LinkRate now = carrier.test(port) ? read(settings.interfaceOf(port)) : null;
            changed.set(port, !Objects.equals(rates.getAndSet(port, now), now));
        });
        return changed;
    }

    /** In another network namespace than this process's, nothing here is about the ports. */
    private @Nullable LinkRate read(String name) {
        if (!settings.command().isEmpty()) {
            return null;
        }
        try (InputStream in = Files.newInputStream(directory.resolve(name).resolve("speed"))) {
            String text = new String(in.readNBytes(BYTES_MAX), StandardCharsets.US_ASCII);
            return LinkRate.ofMegabits(Long.parseLong(text.strip()));
        } catch (IOException | NumberFormatException e) {
            return null;
        }
    }
}
