package io.dmodc.agent.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One route or neighbour as {@code ip} lists it: what it is about, keys with values, and flags, which are passed over. It is read as text, as a
 * reader of JSON takes a fiftieth of an agent's memory.
 *
 * @param first an address, or a kind of route
 * @param second of a route that is not of the usual kind, its address
 * @param values of the keys that are asked for
 */
record IpLine(String first, String second, Map<String, String> values) {
    /** What has one of these before it is its value, even if an interface is called like a key. */
    private static final Set<String> KEYS = Set.of("via", "dev", "proto", "metric", "lladdr");

    /** Calls for each line, one after the other, so that a million routes need no more memory than one. */
    static void each(InputStream in, Consumer<String> line) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        for (String next = lines.readLine(); next != null; next = lines.readLine()) {
            line.accept(next);
        }
    }

    /** Next hops of a route that has several are lines of their own, which begin with a tab: they are about no address. */
    static IpLine parse(String line) {
        String[] words = line.split(" ", -1);
        Map<String, String> values = new HashMap<>();
        for (int w = 1; w + 1 < words.length; w++) {
            if (KEYS.contains(words[w])) {
                values.put(words[w], words[++w]);
            }
        }
        return new IpLine(words[0], words.length > 1 ? words[1] : "", values);
    }

    /** Returns the address of a route that leads to one alone; null of others. */
    @Nullable
    RouteAddress address() {
        RouteAddress address = RouteAddress.parse(first);
        return address == null ? RouteAddress.parse(second) : address;
    }

    @Nullable
    String value(String key) {
        return values.get(key);
    }

    String value(String key, String otherwise) {
        return values.getOrDefault(key, otherwise);
    }
}
