package io.dmodc.topology.design;

import io.dmodc.topology.FabricView;
import java.util.Arrays;

/**
 * Who is cabled to what, counted: for each connector (a switch) the items its cables lead to, with how many. An item
 * is a switch of the neighbouring level or a whole group of them. Compressed rows; items ascend in a row.
 */
final class CableCounts {
    final int itemCount;
    final int[] base;
    final int[] item;
    final int[] links;

    /**
     * @param connectors switches of one level
     * @param itemOf item of each switch of the neighbouring level, −1 for all others
     */
    CableCounts(FabricView view, int[] connectors, int[] itemOf, int itemCount) {
        this.itemCount = itemCount;
        base = new int[connectors.length + 1];
        int capacity = Arrays.stream(connectors)
                .map(x -> view.groupEnd(x) - view.groupStart(x))
                .sum();
        int[] items = new int[capacity];
        int[] counts = new int[capacity];
        int[] linksTo = new int[itemCount];
        int end = 0;
        for (int c = 0; c < connectors.length; c++) {
            int x = connectors[c];
            int start = end;
            for (int group = view.groupStart(x); group < view.groupEnd(x); group++) {
                int to = itemOf[view.groupRemote(group)];
                if (to >= 0) {
                    if (linksTo[to] == 0) {
                        items[end++] = to;
                    }
                    linksTo[to] += view.groupSize(group);
                }
            }
            Arrays.sort(items, start, end);
            for (int at = start; at < end; at++) {
                counts[at] = linksTo[items[at]];
                linksTo[items[at]] = 0;
            }
            base[c + 1] = end;
        }
        item = Arrays.copyOf(items, end);
        links = Arrays.copyOf(counts, end);
    }

    private CableCounts(int itemCount, int[] base, int[] item, int[] links) {
        this.itemCount = itemCount;
        this.base = base;
        this.item = item;
        this.links = links;
    }

    int connectorCount() {
        return base.length - 1;
    }

    /** The same seen from the items: for each item its connectors. */
    CableCounts turned() {
        int[] turnedBase = new int[itemCount + 1];
        for (int i : item) {
            turnedBase[i + 1]++;
        }
        for (int i = 0; i < itemCount; i++) {
            turnedBase[i + 1] += turnedBase[i];
        }
        int[] next = Arrays.copyOf(turnedBase, itemCount);
        int[] connector = new int[item.length];
        int[] count = new int[item.length];
        for (int c = 0; c < connectorCount(); c++) {
            for (int at = base[c]; at < base[c + 1]; at++) {
                int to = next[item[at]]++;
                connector[to] = c;
                count[to] = links[at];
            }
        }
        return new CableCounts(connectorCount(), turnedBase, connector, count);
    }
}
