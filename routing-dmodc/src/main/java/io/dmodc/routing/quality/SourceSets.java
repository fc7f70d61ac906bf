package io.dmodc.routing.quality;

import java.util.Arrays;

/**
 * For some channels, the switches whose nodes send through them, as sets. Filled by several workers, each of which brings
 * what it found.
 */
final class SourceSets {
    private final NodePlaces places;
    private final int words;

    /** Place of a channel among the sets, −1 if it has none. */
    private final int[] placeOf;

    /** Place of a switch in a set. */
    private final int[] sourceOf;

    private final long[] sets;

    /** @param channels that have destinations */
    SourceSets(NodePlaces places, int[] channels) {
        this.places = places;
        words = (places.source.length + 63) / 64;
        placeOf = new int[places.channels.count()];
        Arrays.fill(placeOf, -1);
        for (int i = 0; i < channels.length; i++) {
            placeOf[channels[i]] = i;
        }
        sourceOf = new int[places.hosts.length];
        for (int i = 0; i < places.source.length; i++) {
            sourceOf[places.source[i]] = i;
        }
        sets = new long[channels.length * words];
        for (int i = 0; i < channels.length; i++) {
            int own = places.channels.place[channels[i]] >> 8;
            if (places.hosts[own] > 0) {
                // What passes a switch goes as its own packets to the same destination do.
                add(sets, i, own);
            }
        }
    }

    private void add(long[] to, int i, int s) {
        int source = sourceOf[s];
        to[i * words + (source >> 6)] |= 1L << source;
    }

    /** How many the switches of the set of the i-th channel have of something. */
    int count(int i, int[] bySwitch) {
        int count = 0;
        for (int w = 0; w < words; w++) {
            for (long rest = sets[i * words + w]; rest != 0; rest &= rest - 1) {
                count += bySwitch[places.source[64 * w + Long.numberOfTrailingZeros(rest)]];
            }
        }
        return count;
    }

    /** One worker's: follows the sources of a tree that come through one of the channels. */
    final class Finding implements RouteTrees.Visitor {
        private final long[] found = new long[sets.length];

        /** By switch of the tree at hand: whether one of the channels is on the way from there. */
        private final boolean[] leads = new boolean[places.hosts.length];

        @Override
        public void tree(RouteTree tree, int d) {
            boolean any = false;
            leads[places.home[d]] = false;
            for (int i = 1; i < tree.count; i++) {
                int s = tree.order[i];
                leads[s] = placeOf[tree.via[s]] >= 0 || leads[places.channels.peer[tree.via[s]]];
                any |= leads[s];
            }
            SourceGroups groups = tree.groups();
            for (int group = 0; any && group < groups.count; group++) {
                int first = groups.first(group);
                if (tree.arrives(first) && first != places.home[d]) {
                    add(tree, groups, group, first);
                }
            }
        }

        private void add(RouteTree tree, SourceGroups groups, int group, int first) {
            boolean alone = groups.size(group) == 1;
            // Nothing but their own packets goes by the ports of grouped sources.
            for (int at = alone ? first : places.channels.peer[tree.via[first]];
                    leads[at];
                    at = places.channels.peer[tree.via[at]]) {
                int place = placeOf[tree.via[at]];
                if (place >= 0) {
                    for (int i = groups.start[group]; i < groups.start[group + 1]; i++) {
                        SourceSets.this.add(found, place, groups.member[i]);
                    }
                }
            }
        }

        @Override
        public void end() {
            for (int i = 0; i < found.length; i++) {
                sets[i] |= found[i];
            }
        }
    }
}
