package io.dmodc.routing.quality;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.SpanEntries;
import java.util.Arrays;

/**
 * The ways of all packets to one destination: since each switch has one entry for it, those that arrive make a tree.
 *
 * <p><b>Groups.</b> Sources that {@link SourceGroups send alike} are followed once. That would be wrong of a source that
 * packets of others come through, or that has the destination itself; then the tree is grown once more, each source for
 * itself.
 *
 * <p>Used again for destination after destination, span after span; for one thread. 21 bytes a switch.
 */
final class RouteTree {
    private static final byte UNDERWAY = 1;
    private static final byte ARRIVES = 2;
    private static final byte LOST = 3;

    private final NodePlaces places;
    private final Channels channels;
    private final SpanEntries entries;
    private final SourceGroups alike;
    private final SourceGroups singles;
    private SourceGroups groups;

    /** Tree for which a switch was met last. */
    private final int[] met;

    private final byte[] fate;
    private final int[] path;
    private int grown;
    private int column;
    private boolean apart;

    /** The channel that a switch met sends by, −1 if it is none. */
    final int[] via;

    /** Switches of the tree, each behind the one its packets go to; the destination's is the first. */
    final int[] order;

    int count;

    /** Switches met whose packets do not arrive. */
    final int[] lost;

    int lostCount;

    RouteTree(NodePlaces places, LftSet tables) {
        this.places = places;
        channels = places.channels;
        entries = new SpanEntries(tables);
        alike = new SourceGroups(places);
        singles = SourceGroups.singles(places);
        groups = alike;
        int switches = places.hosts.length;
        met = new int[switches];
        fate = new byte[switches];
        path = new int[switches];
        via = new int[switches];
        order = new int[switches];
        lost = new int[switches];
    }

    /** From now on destinations are of this span of columns. */
    void begin(int span) {
        entries.begin(span);
        alike.group(places.families, entries);
    }

    /**
     * Destinations of the span at hand, those after each other that the first source sends to by the same port: their trees
     * have mostly the same switches, and what is known of these is still in the cache.
     */
    int[] ordered(int[] destinations) {
        byte[] first = entries.of(alike.first(0));
        int[] next = new int[257];
        for (int d : destinations) {
            next[1 + (first[d % LftRow.SPAN_COLUMNS] & 0xff)]++;
        }
        for (int port = 0; port < 256; port++) {
            next[port + 1] += next[port];
        }
        int[] ordered = new int[destinations.length];
        for (int d : destinations) {
            ordered[next[first[d % LftRow.SPAN_COLUMNS] & 0xff]++] = d;
        }
        return ordered;
    }

    /** Of the span at hand; they stay the same until the next {@link #begin}. */
    SourceGroups alike() {
        return alike;
    }

    /** Follows the packets of all sources to node {@code d}, which takes part. */
    void grow(int d) {
        int home = places.home[d];
        column = d % LftRow.SPAN_COLUMNS;
        groups = alike;
        apart = alike.isShared(home);
        if (!apart) {
            followAll(d, home);
        }
        if (apart) {
            groups = singles;
            followAll(d, home);
        }
    }

    /** The groups this tree was grown with: those {@link #alike} or each source for itself. */
    SourceGroups groups() {
        return groups;
    }

    boolean arrives(int s) {
        return fate[s] == ARRIVES;
    }

    /** Entry of a switch for the destination, unsigned. */
    int port(int s) {
        return entries.of(s)[column] & 0xff;
    }

    private void followAll(int d, int home) {
        if (++grown == 0) {
            Arrays.fill(met, 0);
            grown = 1;
        }
        count = 0;
        lostCount = 0;
        met[home] = grown;
        via[home] = -1;
        if (port(home) == channels.view.nodePort(d)) {
            fate[home] = ARRIVES;
            order[count++] = home;
        } else {
            fate[home] = LOST;
            lost[lostCount++] = home;
        }
        for (int i = 0; i < groups.count && !(apart && groups == alike); i++) {
            follow(groups.first(i));
        }
    }

    private void follow(int start) {
        int length = 0;
        int at = start;
        while (at >= 0 && met[at] != grown) {
            met[at] = grown;
            fate[at] = UNDERWAY;
            path[length++] = at;
            int channel = channels.channel[at << 8 | port(at)];
            via[at] = channel;
            at = channel < 0 ? -1 : channels.peer[channel];
            apart |= at >= 0 && alike.isShared(at);
        }
        byte end = at >= 0 && fate[at] == ARRIVES ? ARRIVES : LOST;
        while (length > 0) {
            int s = path[--length];
            fate[s] = end;
            if (end == ARRIVES) {
                order[count++] = s;
            } else {
                lost[lostCount++] = s;
            }
        }
    }
}
