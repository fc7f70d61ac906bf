package io.dmodc.manager.core;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What must be looked at again, once each, in the order in which it was named first. {@link #clear} costs nothing:
 * that of a {@link LinkedHashSet} costs what was in it at its fullest, for ever after a fabric has come in.
 */
final class DirtySet<T> {
    private Set<T> dirty = new LinkedHashSet<>();

    void add(T one) {
        dirty.add(one);
    }

    void addAll(Collection<? extends T> more) {
        dirty.addAll(more);
    }

    boolean isEmpty() {
        return dirty.isEmpty();
    }

    boolean contains(T one) {
        return dirty.contains(one);
    }

    /** All of it: a view as long as nothing is added, and unchanged by {@link #clear}. */
    Set<T> all() {
        return Collections.unmodifiableSet(dirty);
    }

    /** All of it was looked at. */
    void clear() {
        if (!dirty.isEmpty()) {
            dirty = new LinkedHashSet<>();
        }
    }
}
