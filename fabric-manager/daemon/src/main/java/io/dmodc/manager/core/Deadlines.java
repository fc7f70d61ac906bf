package io.dmodc.manager.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is due when: at most one moment for each key. Nobody looks at everything to find what is due, or when to be called
 * next.
 *
 * <p>Ordered by moment, then by key: the same calls give the same order. O(log n) for a change and for the next moment;
 * bounded by whoever sets keys. What is due stays until it is set anew or cancelled, so work that fails half-way misses
 * nothing.
 *
 * @param <K> a value with {@code equals} and {@code hashCode}
 */
final class Deadlines<K> {
    private record Due<K>(long nanos, K key) {}

    private final Map<K, Due<K>> byKey = new HashMap<>();
    private final TreeSet<Due<K>> byMoment;

    /** @param order of the keys, consistent with their {@code equals} */
    Deadlines(Comparator<? super K> order) {
        byMoment = new TreeSet<>(Comparator.<Due<K>>comparingLong(Due::nanos).thenComparing(Due::key, order));
    }

    /** This key is due at that moment, and at no other. */
    void set(K key, long nanos) {
        cancel(key);
        Due<K> due = new Due<>(nanos, key);
        byKey.put(key, due);
        byMoment.add(due);
    }

    /** This key is not due at all. */
    void cancel(K key) {
        Due<K> due = byKey.remove(key);
        if (due != null) {
            byMoment.remove(due);
        }
    }

    /** Keys whose moment has come, the earliest first; a list of its own. */
    List<K> due(long nowNanos) {
        List<K> keys = new ArrayList<>();
        for (Due<K> due : byMoment) {
            if (due.nanos > nowNanos) {
                break;
            }
            keys.add(due.key);
        }
        return keys;
    }

    /** The same, and they are not due any more. */
    List<K> takeDue(long nowNanos) {
        List<K> keys = due(nowNanos);
        keys.forEach(this::cancel);
        return keys;
    }

    /** All keys that have a moment, in no order; the map's own, not to be changed. */
    Set<K> keys() {
        return Collections.unmodifiableSet(byKey.keySet());
    }

    /** True if this key has a moment. */
    boolean contains(K key) {
        return byKey.containsKey(key);
    }

    /** True if the moment of this key has come. */
    boolean isDue(K key, long nowNanos) {
        Due<K> due = byKey.get(key);
        return due != null && due.nanos <= nowNanos;
    }

    /** The earliest moment; {@code Long.MAX_VALUE}: nothing is due. */
    long next() {
        return byMoment.isEmpty() ? Long.MAX_VALUE : byMoment.first().nanos;
    }

    /** How many keys have a moment. */
    int size() {
        return byKey.size();
    }
}
