package io.dmodc.agent.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The interfaces of this process's network namespace that have an IPv6 address, also one that is not ready yet, by name. One small
 * file of the kernel, so that looking at all of them each second costs next to nothing.
 */
final class InterfaceTable {
    /** Address, index, length of the prefix, scope, flags, name; numbers in hexadecimal. */
    static final Path FILE = Path.of("/proc/net/if_inet6");

    private static final int COLUMNS = 6;
    private static final int INDEX_COLUMN = 1;
    private static final int NAME_COLUMN = 5;
    private static final Pattern BLANKS = Pattern.compile(" +");

    private final Map<String, Integer> indices;

    private InterfaceTable(Map<String, Integer> indices) {
        this.indices = indices;
    }

    /** @throws IOException when the kernel has no IPv6 */
    static InterfaceTable read() throws IOException {
        return of(Files.readString(FILE));
    }

    /** Of the file's text; lines that are none are passed over. */
    static InterfaceTable of(String text) {
        Map<String, Integer> indices = new HashMap<>();
        text.lines().forEach(line -> {
            String[] columns = BLANKS.split(line.strip(), -1);
            if (columns.length == COLUMNS) {
                indices.put(columns[NAME_COLUMN], Integer.parseUnsignedInt(columns[INDEX_COLUMN], 16));
            }
        });
        return new InterfaceTable(indices);
    }

    /** Returns the kernel's number of an interface, which one of the same name made anew does not have; null: no such interface with an address. */
    @Nullable
    Integer index(String name) {
        return indices.get(name);
    }
}
