package io.dmodc.routing.vtftr.check;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The entries of all roots of one axis. A root is called by its number, or {@link #EVERY}; a destination by row and column,
 * of which that across the line may be {@link #EVERY}. The entry that says most wins: first by destination, then by root.
 */
final class RootTables {
    static final int EVERY = -1;

    private final Map<Key, RootEntry> entries = new HashMap<>();
    private final SortedSet<Integer> numbers = new TreeSet<>();

    private record Key(int line, int root, int row, int column) {}

    /** @return false if there is one already */
    boolean add(int line, int root, int row, int column, RootEntry entry) {
        if (root != EVERY) {
            numbers.add(root);
        }
        return entries.putIfAbsent(new Key(line, root, row, column), entry) == null;
    }

    /** Roots that are called by number somewhere. */
    SortedSet<Integer> numbers() {
        return Collections.unmodifiableSortedSet(numbers);
    }

    /** True if some entry names the destination's row and column. */
    boolean namesLeaves() {
        return entries.keySet().stream().anyMatch(key -> key.row != EVERY && key.column != EVERY);
    }

    /** The entry of a root, or none. */
    @Nullable
    RootEntry entry(Axis axis, int line, int root, int row, int column) {
        int anyRow = axis == Axis.X ? EVERY : row;
        int anyColumn = axis == Axis.X ? column : EVERY;
        RootEntry entry = entries.get(new Key(line, root, row, column));
        if (entry == null && root != EVERY) {
            entry = entries.get(new Key(line, EVERY, row, column));
        }
        if (entry == null) {
            entry = entries.get(new Key(line, root, anyRow, anyColumn));
        }
        return entry == null && root != EVERY ? entries.get(new Key(line, EVERY, anyRow, anyColumn)) : entry;
    }
}
