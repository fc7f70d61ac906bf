package io.dmodc.routing.quality;

import io.dmodc.routing.SpanEntries;
import java.util.Arrays;

/**
 * Switches with nodes whose packets go alike in one span of columns: of one family, with the same entries. A packet of
 * the first of a group shows the way of all, but for the port they leave it by.
 */
final class SourceGroups {
    /** Of group i: {@code member[start[i] .. start[i + 1] − 1]}. */
    final int[] member;

    final int[] start;
    int count;

    /** By switch: whether its group has others. */
    private final boolean[] shared;

    /** Without any. */
    SourceGroups(NodePlaces places) {
        member = new int[places.source.length];
        start = new int[member.length + 1];
        shared = new boolean[places.hosts.length];
    }

    /** Each source alone. */
    static SourceGroups singles(NodePlaces places) {
        SourceGroups singles = new SourceGroups(places);
        singles.count = places.source.length;
        System.arraycopy(places.source, 0, singles.member, 0, singles.count);
        Arrays.setAll(singles.start, i -> i);
        return singles;
    }

    /** Groups the sources anew. */
    void group(int[][] families, SpanEntries entries) {
        count = 0;
        int members = 0;
        for (int[] family : families) {
            members = group(family, entries, members);
        }
    }

    private int group(int[] family, SpanEntries entries, int from) {
        int[] left = family.clone();
        int leftCount = left.length;
        int members = from;
        while (leftCount > 0) {
            byte[] like = entries.of(left[0]);
            int others = 0;
            start[count] = members;
            for (int i = 0; i < leftCount; i++) {
                if (isLike(entries.of(left[i]), like)) {
                    member[members++] = left[i];
                } else {
                    left[others++] = left[i];
                }
            }
            for (int i = start[count]; i < members; i++) {
                shared[member[i]] = members - start[count] > 1;
            }
            start[++count] = members;
            leftCount = others;
        }
        return members;
    }

    private static boolean isLike(byte[] entries, byte[] like) {
        return entries == like || Arrays.equals(entries, like);
    }

    boolean isShared(int s) {
        return shared[s];
    }

    int first(int group) {
        return member[start[group]];
    }

    int size(int group) {
        return start[group + 1] - start[group];
    }
}
