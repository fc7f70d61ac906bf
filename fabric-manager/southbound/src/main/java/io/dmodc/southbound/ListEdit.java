package io.dmodc.southbound;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * One ordered list told as an edit of another: what a ring of thousands is told by when one member comes or goes.
 *
 * <p>The script is threes of numbers: elements of the base to keep, then to leave out, then to insert; what the base has
 * after the last three is kept. Slots are never named, so an insertion does not touch what comes after it. The shortest
 * script keeps the longest run of elements that both lists have in the same order; elements are distinct, so that is a
 * longest increasing subsequence: time O(n log n), memory O(n).
 *
 * @param script threes, as above
 * @param inserted what the script inserts, in order
 */
public record ListEdit<T>(List<Integer> script, List<T> inserted) {
    private static final int THREE = 3;

    /** Copies both lists. */
    public ListEdit {
        script = List.copyOf(script);
        inserted = List.copyOf(inserted);
    }

    /**
     * Finds the shortest edit from {@code base} to {@code next}; equal elements count as the same one, and no list holds
     * two of them.
     *
     * @param again true for elements that are inserted even if the base has them
     */
    public static <T> ListEdit<T> between(List<T> base, List<T> next, Predicate<T> again) {
        int[] kept = longestAscending(placesInBase(base, next, again));
        List<Integer> script = new ArrayList<>();
        List<T> inserted = new ArrayList<>();
        int inBase = 0;
        int keep = 0;
        int told = 0;
        for (int i = 0; i < next.size(); i++) {
            if (kept[i] < 0) {
                inserted.add(next.get(i));
                continue;
            }
            if (kept[i] > inBase || inserted.size() > told) {
                script.addAll(List.of(keep, kept[i] - inBase, inserted.size() - told));
                keep = 0;
                told = inserted.size();
            }
            keep++;
            inBase = kept[i] + 1;
        }
        if (base.size() > inBase || inserted.size() > told) {
            script.addAll(List.of(keep, base.size() - inBase, inserted.size() - told));
        }
        return new ListEdit<>(script, inserted);
    }

    /** For each of {@code next} its index in the base; -1 where it has none or is to be inserted again. */
    private static <T> int[] placesInBase(List<T> base, List<T> next, Predicate<T> again) {
        Map<T, Integer> index = new HashMap<>(2 * base.size());
        for (int i = 0; i < base.size(); i++) {
            index.put(base.get(i), i);
        }
        return next.stream()
                .mapToInt(element -> again.test(element) ? -1 : index.getOrDefault(element, -1))
                .toArray();
    }

    /** Keeps those of a longest ascending subsequence of the places and makes the others -1. */
    private static int[] longestAscending(int[] places) {
        int[] endOfLength = new int[places.length];
        int[] before = new int[places.length];
        int longest = 0;
        for (int i = 0; i < places.length; i++) {
            if (places[i] >= 0) {
                int length = shorterThan(places, endOfLength, longest, places[i]);
                before[i] = length == 0 ? -1 : endOfLength[length - 1];
                endOfLength[length] = i;
                longest = Math.max(longest, length + 1);
            }
        }
        int[] kept = new int[places.length];
        Arrays.fill(kept, -1);
        for (int i = longest == 0 ? -1 : endOfLength[longest - 1]; i >= 0; i = before[i]) {
            kept[i] = places[i];
        }
        return kept;
    }

    /** Returns how long the longest subsequence is that ends below {@code place}. */
    private static int shorterThan(int[] places, int[] endOfLength, int longest, int place) {
        int low = 0;
        int high = longest;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (places[endOfLength[middle]] < place) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Edits a list as told by somebody else.
     *
     * @param sizeMax most elements the result may have
     * @return the edited list, immutable
     * @throws IllegalArgumentException in one line when the edit does not fit the base, or its result is too long; nothing
     *     longer than the base and {@code sizeMax} is built before
     */
    public List<T> apply(List<T> base, int sizeMax) {
        if (script.size() % THREE != 0) {
            throw new IllegalArgumentException("edit of " + script.size() + " numbers; expected threes");
        }
        List<T> result = new ArrayList<>(Math.min(base.size() + inserted.size(), sizeMax));
        int inBase = 0;
        int told = 0;
        for (int at = 0; at < script.size(); at += THREE) {
            int keep = count(at, base.size() - inBase, "members to keep");
            result.addAll(base.subList(inBase, inBase + keep));
            inBase += keep;
            inBase += count(at + 1, base.size() - inBase, "members to leave out");
            int insert = count(at + 2, inserted.size() - told, "members to insert");
            result.addAll(inserted.subList(told, told + insert));
            told += insert;
            checkSize(result.size(), sizeMax);
        }
        if (told < inserted.size()) {
            throw new IllegalArgumentException("edit inserts " + told + " members, but there are " + inserted.size());
        }
        checkSize((long) result.size() + base.size() - inBase, sizeMax);
        result.addAll(base.subList(inBase, base.size()));
        return List.copyOf(result);
    }

    private int count(int at, int left, String what) {
        int count = script.get(at);
        if (count < 0 || count > left) {
            throw new IllegalArgumentException("edit, number " + at + ": " + Integer.toUnsignedString(count) + " "
                    + what + ", more than the " + left + " left");
        }
        return count;
    }

    private static void checkSize(long size, int sizeMax) {
        if (size > sizeMax) {
            throw new IllegalArgumentException("edit makes " + size + " members, more than " + sizeMax);
        }
    }
}
