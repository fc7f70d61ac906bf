package io.dmodc.manager.core;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Something of each switch: found in one step by its GUID, and gone through in unsigned order of the GUIDs. */
final class GuidMap<V> {
    private final Map<Long, V> found = new HashMap<>();
    private final Map<Long, V> ordered = new TreeMap<>(Long::compareUnsigned);

    @Nullable
    V get(long guid) {
        return found.get(guid);
    }

    boolean containsKey(long guid) {
        return found.containsKey(guid);
    }

    void put(long guid, V value) {
        found.put(guid, value);
        ordered.put(guid, value);
    }

    void remove(long guid) {
        found.remove(guid);
        ordered.remove(guid);
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    int size() {
        return found.size();
    }

    Set<Long> keySet() {
        return Collections.unmodifiableSet(ordered.keySet());
    }

    Collection<V> values() {
        return Collections.unmodifiableCollection(ordered.values());
    }
}
