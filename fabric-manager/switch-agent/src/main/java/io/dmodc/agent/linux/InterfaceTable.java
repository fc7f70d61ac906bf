package io.dmodc.agent.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
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
        for (int from = 0; from < text.length(); ) {
            int end = text.indexOf('\n', from);
            end = end < 0 ? text.length() : end;
            take(text, from, end, indices);
            from = end + 1;
        }
        return new InterfaceTable(indices);
    }

    /** Without a regular expression: so seldom, code is interpreted. */
    private static void take(String text, int from, int end, Map<String, Integer> indices) {
        String[] columns = new String[COLUMNS];
        int count = 0;
        for (int at = from; at < end; ) {
            int blank = text.indexOf(' ', at);
            int stop = blank < 0 || blank > end ? end : blank;
            if (stop > at) {
                if (count == COLUMNS) {
                    return;
                }
                columns[count++] = text.substring(at, stop);
            }
            at = stop + 1;
        }
        if (count == COLUMNS) {
            indices.put(columns[NAME_COLUMN], Integer.parseUnsignedInt(columns[INDEX_COLUMN], 16));
        }
    }

    /** Returns the kernel's number of an interface, which one of the same name made anew does not have; null: no such interface with an address. */
    @Nullable
    Integer index(String name) {
        return indices.get(name);
    }
}
