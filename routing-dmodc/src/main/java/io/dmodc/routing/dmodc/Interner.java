package io.dmodc.routing.dmodc;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Things that switches share, each once, by what they are made of. Neighbouring switches are mostly wired alike, so the
 * last one found is tried first. For one thread.
 */
final class Interner<T> {
    private record Keyed<T>(IntKey key, T thing) {}

    private final Map<IntKey, Keyed<T>> things = new HashMap<>();
    private @Nullable Keyed<T> last;

    /**
     * Finds a thing, or makes it of a copy of the key.
     *
     * @param probe may be filled anew afterwards
     */
    T find(IntKey probe, Function<IntKey, T> make) {
        Keyed<T> found = last;
        if (found == null || !found.key.equals(probe)) {
            found = things.get(probe);
            if (found == null) {
                IntKey key = probe.copy();
                found = new Keyed<>(key, make.apply(key));
                things.put(key, found);
            }
            last = found;
        }
        return found.thing;
    }

    void remove(IntKey key) {
        things.remove(key);
        last = null;
    }
}
