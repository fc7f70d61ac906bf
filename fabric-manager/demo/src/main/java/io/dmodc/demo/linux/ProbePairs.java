package io.dmodc.demo.linux;

import java.util.ArrayList;
import java.util.List;

/**
 * Who sends to whom. All pairs as long as there are few; beyond that each host has as many partners as there is room for, at
 * distances that are spread over all hosts. Stateless.
 */
final class ProbePairs {
    /** Most pairs: each costs two hundred datagrams a second on every cable of its way. */
    static final int PAIRS_MAX = 256;

    private ProbePairs() {}

    /** Whom a host sends to, ascending by distance. */
    static List<Integer> targets(int host, int hosts) {
        return distances(hosts).stream().map(by -> (host + by) % hosts).toList();
    }

    /** Who sends to a host. */
    static List<Integer> sources(int host, int hosts) {
        return distances(hosts).stream().map(by -> (host - by + hosts) % hosts).toList();
    }

    private static List<Integer> distances(int hosts) {
        int partners = Math.max(1, Math.min(hosts - 1, PAIRS_MAX / hosts));
        List<Integer> distances = new ArrayList<>();
        for (int i = 0; i < partners && hosts > 1; i++) {
            distances.add(1 + (int) ((long) i * (hosts - 1) / partners));
        }
        return distances;
    }
}
