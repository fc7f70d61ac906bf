package io.dmodc.manager.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map from numbers, ascending and unsigned. Another map with one entry more, less or different shares all but the
 * way to that entry, so a map can be handed to any thread while the next one is made.
 *
 * <p>A binary trie without the bits in which all keys below agree: a branch tests one bit, from high to low, so each
 * path has as many branches as it takes to tell its key from the others, some log₂(n). {@link #with} and {@link #without} make those
 * anew: 24 bytes each. 50,000 entries: about 17 of them, half a microsecond.
 *
 * @param <V> what is kept; {@code null} is not
 */
public final class LongTrie<V> {
    private interface Node<V> {}

    private record Leaf<V>(long key, V value) implements Node<V> {}

    /**
     * Keys without the bit on one side, those with it on the other.
     *
     * @param bit all keys below agree in the higher ones
     */
    private record Branch<V>(long bit, Node<V> without, Node<V> with) implements Node<V> {}

    private static final LongTrie<?> EMPTY = new LongTrie<>(null, 0);

    private final @Nullable Node<V> root;
    private final int size;

    private LongTrie(@Nullable Node<V> root, int size) {
        this.root = root;
        this.size = size;
    }

    /** No entries. */
    @SuppressWarnings("unchecked")
    public static <V> LongTrie<V> empty() {
        return (LongTrie<V>) EMPTY;
    }

    public int size() {
        return size;
    }

    /** {@code null} when there is none. */
    public @Nullable V get(long key) {
        Leaf<V> nearest = nearest(key);
        return nearest != null && nearest.key == key ? nearest.value : null;
    }

    public boolean has(long key) {
        return get(key) != null;
    }

    /** The leaf that a key would be found at: of all entries none agrees with it in more of the high bits. */
    private @Nullable Leaf<V> nearest(long key) {
        Node<V> node = root;
        while (node instanceof Branch<V> branch) {
            node = (key & branch.bit) == 0 ? branch.without : branch.with;
        }
        return (Leaf<V>) node;
    }

    /** The same with this entry, in place of one of the same key. */
    public LongTrie<V> with(long key, V value) {
        Leaf<V> leaf = new Leaf<>(key, Objects.requireNonNull(value));
        Leaf<V> nearest = nearest(key);
        if (root == null || nearest == null) {
            return new LongTrie<>(leaf, 1);
        }
        long bit = Long.highestOneBit(nearest.key ^ key);
        return new LongTrie<>(put(root, leaf, bit), bit == 0 ? size : size + 1);
    }

    /** @param bit the highest in which the key is another than all others; 0 for one that is there */
    private static <V> Node<V> put(Node<V> node, Leaf<V> leaf, long bit) {
        if (node instanceof Branch<V> branch && Long.compareUnsigned(branch.bit, bit) > 0) {
            return (leaf.key & branch.bit) == 0
                    ? new Branch<>(branch.bit, put(branch.without, leaf, bit), branch.with)
                    : new Branch<>(branch.bit, branch.without, put(branch.with, leaf, bit));
        }
        if (bit == 0) {
            return leaf;
        }
        return (leaf.key & bit) == 0 ? new Branch<>(bit, leaf, node) : new Branch<>(bit, node, leaf);
    }

    /** The same without this key. */
    public LongTrie<V> without(long key) {
        return root == null || !has(key) ? this : new LongTrie<>(removed(root, key), size - 1);
    }

    private static <V> @Nullable Node<V> removed(Node<V> node, long key) {
        if (!(node instanceof Branch<V> branch)) {
            return null;
        }
        boolean set = (key & branch.bit) != 0;
        Node<V> other = set ? branch.without : branch.with;
        Node<V> rest = removed(set ? branch.with : branch.without, key);
        if (rest == null) {
            return other;
        }
        return set ? new Branch<>(branch.bit, other, rest) : new Branch<>(branch.bit, rest, other);
    }

    /** What is kept, by key; O(n). */
    public List<V> values() {
        List<V> values = new ArrayList<>(size);
        if (root != null) {
            collect(root, values);
        }
        return values;
    }

    private static <V> void collect(Node<V> node, List<V> values) {
        if (node instanceof Branch<V> branch) {
            collect(branch.without, values);
            collect(branch.with, values);
        } else {
            values.add(((Leaf<V>) node).value);
        }
    }

    /** What has the lowest key; {@code null} when there is nothing. */
    public @Nullable V first() {
        Node<V> node = root;
        while (node instanceof Branch<V> branch) {
            node = branch.without;
        }
        return node == null ? null : ((Leaf<V>) node).value;
    }

    /** What has the highest key; {@code null} when there is nothing. */
    public @Nullable V last() {
        Node<V> node = root;
        while (node instanceof Branch<V> branch) {
            node = branch.with;
        }
        return node == null ? null : ((Leaf<V>) node).value;
    }
}
