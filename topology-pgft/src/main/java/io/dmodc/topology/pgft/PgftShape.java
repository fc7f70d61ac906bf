package io.dmodc.topology.pgft;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.NodeIndexMap;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The shape PGFT(h; m_1..m_h; w_1..w_h; p_1..p_h) (Zahavi 2010; Gliksberg et al., Figure 1).
 *
 * <p>A switch of level l (1..h, leaves are 1) has m_l children, p_l parallel links to each, and w_{l+1} parents with
 * p_{l+1} links to each. Nodes are level 0. Rank is level − 1. Immutable.
 */
public final class PgftShape {
    /** Most levels of a shape. */
    public static final int LEVEL_MAX = 8;

    private final int[] m;
    private final int[] w;
    private final int[] p;

    private PgftShape(int[] m, int[] w, int[] p) {
        this.m = m;
        this.w = w;
        this.p = p;
    }

    /**
     * Parses the paper's notation {@code h;m1,..,mh;w1,..,wh;p1,..,ph}.
     *
     * @throws IllegalArgumentException in one line, naming the text and what was expected; also for shapes in which a
     *     node has several leaves (w1, p1 other than 1), a switch has more than 254 ports or nodes exceed the index space
     */
    public static PgftShape parse(String text) {
        String[] parts = text.strip().split(";", -1);
        if (parts.length != 4) {
            throw bad(text, "h;m1,..,mh;w1,..,wh;p1,..,ph");
        }
        int levels = number(text, parts[0]);
        if (levels > LEVEL_MAX) {
            throw bad(text, "at most " + LEVEL_MAX + " levels");
        }
        PgftShape shape = new PgftShape(
                numbers(text, levels, parts[1]), numbers(text, levels, parts[2]), numbers(text, levels, parts[3]));
        shape.checkBounds(text);
        return shape;
    }

    private static int[] numbers(String text, int levels, String list) {
        String[] words = list.split(",", -1);
        if (words.length != levels) {
            throw bad(text, levels + " numbers in '" + list + "'");
        }
        return Arrays.stream(words).mapToInt(word -> number(text, word)).toArray();
    }

    private static int number(String text, String word) {
        try {
            int number = Integer.parseInt(word.strip());
            if (number >= 1 && number <= NodeIndexMap.INDEX_MAX) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw bad(text, "a positive number instead of '" + word + "'", e);
        }
        throw bad(text, "a number in 1.." + NodeIndexMap.INDEX_MAX + " instead of " + word);
    }

    private void checkBounds(String text) {
        if (w(1) != 1 || p(1) != 1) {
            throw bad(text, "w1 = p1 = 1: a node is cabled to one leaf by one link");
        }
        // All nodes first: with their number bounded, no product below can leave the range of a long.
        long nodes = 1;
        for (int level = 1; level <= levels(); level++) {
            nodes *= m(level);
            if (nodes > NodeIndexMap.INDEX_MAX + 1L) {
                throw bad(text, "at most " + (NodeIndexMap.INDEX_MAX + 1) + " nodes");
            }
        }
        for (int level = 1; level <= levels(); level++) {
            long ports = (long) m(level) * p(level) + (level < levels() ? (long) w(level + 1) * p(level + 1) : 0);
            if (ports > FabricView.PORT_MAX) {
                throw bad(text, "at most " + FabricView.PORT_MAX + " ports instead of " + ports + " on level " + level);
            }
            if (switchCountLong(level) > NodeIndexMap.INDEX_MAX) {
                throw bad(text, "at most " + NodeIndexMap.INDEX_MAX + " switches on level " + level);
            }
        }
    }

    private static IllegalArgumentException bad(String text, String expected) {
        return bad(text, expected, null);
    }

    private static IllegalArgumentException bad(String text, String expected, @Nullable Throwable cause) {
        return new IllegalArgumentException("'" + text + "' is not a PGFT; expected " + expected, cause);
    }

    /** h. */
    public int levels() {
        return m.length;
    }

    /** Children of a switch of this level, 1..h. */
    public int m(int level) {
        return m[level - 1];
    }

    /** Parents of a switch (for level 1: of a node) below this level. */
    public int w(int level) {
        return w[level - 1];
    }

    /** Parallel links between this level and the one below. */
    public int p(int level) {
        return p[level - 1];
    }

    public int nodeCount() {
        return Arrays.stream(m).reduce(1, Math::multiplyExact);
    }

    /** Switches of one level: w_1 … w_l · m_{l+1} … m_h. */
    public int switchCount(int level) {
        return Math.toIntExact(switchCountLong(level));
    }

    private long switchCountLong(int level) {
        long count = 1;
        for (int k = 1; k <= levels(); k++) {
            count = Math.multiplyExact(count, (long) (k <= level ? w(k) : m(k)));
        }
        return count;
    }

    /** Subtrees that switches of a level are the tops of: m_{l+1} … m_h. */
    public int subtreeCount(int level) {
        return switchCount(level) / positionCount(level);
    }

    /** Switches of a level in one subtree of its height: w_1 … w_l. */
    public int positionCount(int level) {
        int count = 1;
        for (int k = 1; k <= level; k++) {
            count *= w(k);
        }
        return count;
    }

    /** Switches of all levels. */
    public int switchCount() {
        int count = 0;
        for (int level = 1; level <= levels(); level++) {
            count = Math.addExact(count, switchCount(level));
        }
        return count;
    }

    /** Ports of a switch of this level: down ports first, then up ports. */
    public int portCount(int level) {
        return downPortCount(level) + (level < levels() ? w(level + 1) * p(level + 1) : 0);
    }

    /** m_l · p_l. */
    public int downPortCount(int level) {
        return m(level) * p(level);
    }

    /** The paper's notation. */
    @Override
    public String toString() {
        return levels() + ";" + list(m) + ";" + list(w) + ";" + list(p);
    }

    private static String list(int[] numbers) {
        return Arrays.stream(numbers).mapToObj(Integer::toString).collect(Collectors.joining(","));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PgftShape shape && shape.toString().equals(toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }
}
