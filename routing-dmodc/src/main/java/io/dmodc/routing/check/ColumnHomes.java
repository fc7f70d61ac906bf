package io.dmodc.routing.check;

import io.dmodc.routing.LftRow;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntUnaryOperator;

/**
 * The columns of a table by their homes: the switches where destinations are. Homes are numbered in the order of
 * targets (or of switches, for tables that route to switches), so that neighbouring columns mostly have neighbouring
 * homes, and sets of homes are rows of 64-bit words. A dead switch is a home as well; none reaches it.
 *
 * <p>Per span of {@link LftRow#SPAN_COLUMNS} columns it knows the homes in it, as words and masks, and whether they
 * ascend with the columns. Depends on the places of nodes alone, not on links or on who is alive. Immutable; 8 bytes and a
 * bit a column.
 */
final class ColumnHomes {
    /** Home of a column whose destination is nowhere. */
    static final int NOWHERE = -1;

    final int words;
    final int spanCount;

    private final int[] homeSwitch;
    private final int[] homeOfSwitch;
    private final int[] home;
    private final int[] exit;
    private final BitSet nowhere = new BitSet();
    private final boolean[] ascending;
    private final int[][] spanWords;
    private final long[][] spanMasks;
    private final int[][] spansOfWord;
    private final int[] columnsOfHome;

    /** Columns of every home of the word if these are equal, else −1. */
    private final int[] columnsEach;

    /** Hosts. */
    static ColumnHomes nodes(FabricView view) {
        int[] home = new int[view.nodeCount()];
        int[] exit = new int[home.length];
        for (int node = 0; node < home.length; node++) {
            int s = view.nodeSwitch(node);
            home[node] = s < 0 ? NOWHERE : view.targetOfSwitch(s);
            exit[node] = view.nodePort(node);
        }
        return new ColumnHomes(view, view.targetCount(), view::targetSwitch, home, exit);
    }

    /** Switches themselves, at port 0. */
    static ColumnHomes switches(FabricView view) {
        int[] home = new int[view.switchCount()];
        Arrays.setAll(home, s -> s);
        return new ColumnHomes(view, home.length, s -> s, home, new int[home.length]);
    }

    private ColumnHomes(FabricView view, int homeCount, IntUnaryOperator switchOf, int[] home, int[] exit) {
        this.home = home;
        this.exit = exit;
        words = (homeCount + 63) / 64;
        spanCount = (home.length + LftRow.SPAN_COLUMNS - 1) / LftRow.SPAN_COLUMNS;
        homeSwitch = new int[homeCount];
        Arrays.setAll(homeSwitch, switchOf);
        homeOfSwitch = new int[view.switchCount()];
        Arrays.fill(homeOfSwitch, NOWHERE);
        for (int h = 0; h < homeCount; h++) {
            homeOfSwitch[homeSwitch[h]] = h;
        }
        ascending = new boolean[spanCount];
        spanWords = new int[spanCount][];
        spanMasks = new long[spanCount][];
        spansOfWord = new int[words][0];
        columnsOfHome = new int[homeCount];
        columnsEach = new int[words];
        for (int k = 0; k < spanCount; k++) {
            addSpan(k);
        }
        Arrays.stream(home).filter(h -> h >= 0).forEach(h -> columnsOfHome[h]++);
        Arrays.setAll(columnsEach, this::equalCount);
    }

    private void addSpan(int k) {
        long[] found = new long[words];
        ascending[k] = true;
        int last = 0;
        for (int d = spanStart(k); d < spanEnd(k); d++) {
            if (home[d] >= 0) {
                ascending[k] &= home[d] >= last;
                last = home[d];
                found[last >> 6] |= 1L << last;
            } else {
                nowhere.set(d);
            }
        }
        spanWords[k] = BitWords.nonZeroWords(found);
        spanMasks[k] = Arrays.stream(spanWords[k]).mapToLong(w -> found[w]).toArray();
        for (int w : spanWords[k]) {
            spansOfWord[w] = Arrays.copyOf(spansOfWord[w], spansOfWord[w].length + 1);
            spansOfWord[w][spansOfWord[w].length - 1] = k;
        }
    }

    private int equalCount(int w) {
        int end = Math.min(64 * w + 64, columnsOfHome.length);
        for (int h = 64 * w + 1; h < end; h++) {
            if (columnsOfHome[h] != columnsOfHome[h - 1]) {
                return -1;
            }
        }
        return columnsOfHome[64 * w];
    }

    int count() {
        return home.length;
    }

    int homeCount() {
        return homeSwitch.length;
    }

    /** Home of a column, or {@link #NOWHERE}. */
    int home(int d) {
        return home[d];
    }

    /** Port of the home's switch behind which the destination is. */
    int exit(int d) {
        return exit[d];
    }

    int homeSwitch(int h) {
        return homeSwitch[h];
    }

    /** The switch as a home, or {@link #NOWHERE}. */
    int homeOfSwitch(int s) {
        return homeOfSwitch[s];
    }

    int spanStart(int k) {
        return k * LftRow.SPAN_COLUMNS;
    }

    int spanEnd(int k) {
        return Math.min(home.length, (k + 1) * LftRow.SPAN_COLUMNS);
    }

    /** First column from {@code from} on that is nowhere, or −1. */
    int nextNowhere(int from) {
        return nowhere.nextSetBit(from);
    }

    /** True if no home is lower than that of a column before; those nowhere are passed over. */
    boolean ascending(int k) {
        return ascending[k];
    }

    /** Spans with a home in this word. */
    int[] spansOfWord(int w) {
        return spansOfWord[w];
    }

    /** True if some home of the span is in the set. */
    boolean meets(int k, long[] homes) {
        int[] at = spanWords[k];
        for (int i = 0; i < at.length; i++) {
            if ((homes[at[i]] & spanMasks[k][i]) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Homes of the span within the word. */
    long mask(int k, int w) {
        int i = Arrays.binarySearch(spanWords[k], w);
        return i < 0 ? 0 : spanMasks[k][i];
    }

    /** Columns whose home is in the set. */
    long count(long[] homes) {
        long count = 0;
        for (int w = 0; w < words; w++) {
            if (columnsEach[w] >= 0) {
                count += (long) columnsEach[w] * Long.bitCount(homes[w]);
            } else {
                for (long rest = homes[w]; rest != 0; rest &= rest - 1) {
                    count += columnsOfHome[64 * w + Long.numberOfTrailingZeros(rest)];
                }
            }
        }
        return count;
    }
}
