package io.dmodc.topology;

import java.util.Arrays;

/**
 * Which switches hang together by cables, live or dead, over whatever others: the parts of a fabric. Faults part
 * nothing, so a pod that lost all its cables is still of its fabric; only what was never cabled to it is another part.
 * A switch without a cable to another one is of no part: whatever lacks a path to it is cut off.
 *
 * <p>Parts are numbered from 0 by their lowest switch index. O(ports).
 */
final class CablingParts {
    /** Part of a switch without a cable to another one. */
    static final int NONE = -1;

    /** Of a fabric without switches. */
    static final CablingParts EMPTY = new CablingParts(new int[1], new int[0]);

    final int[] part;
    final int count;

    /** @param farSwitch by place, the switch at the other end of a cable, or −1 */
    CablingParts(int[] portBase, int[] farSwitch) {
        part = new int[portBase.length - 1];
        int[] queue = new int[part.length];
        int found = 0;
        Arrays.fill(part, NONE);
        for (int first = 0; first < part.length; first++) {
            if (part[first] == NONE && isCabled(first, portBase, farSwitch)) {
                spread(first, found++, portBase, farSwitch, queue);
            }
        }
        count = found;
    }

    private static boolean isCabled(int s, int[] portBase, int[] farSwitch) {
        for (int place = portBase[s]; place < portBase[s + 1]; place++) {
            if (farSwitch[place] >= 0) {
                return true;
            }
        }
        return false;
    }

    private void spread(int first, int number, int[] portBase, int[] farSwitch, int[] queue) {
        part[first] = number;
        queue[0] = first;
        int end = 1;
        for (int next = 0; next < end; next++) {
            for (int place = portBase[queue[next]]; place < portBase[queue[next] + 1]; place++) {
                int far = farSwitch[place];
                if (far >= 0 && part[far] == NONE) {
                    part[far] = number;
                    queue[end++] = far;
                }
            }
        }
    }
}
