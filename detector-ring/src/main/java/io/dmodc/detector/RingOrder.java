package io.dmodc.detector;

import java.util.ArrayList;
import java.util.List;

/**
 * The order in which members sit on the ring: scattered by a seed, and such that no two neighbours share a failure
 * domain.
 *
 * <p>Why: f members next to each other on the ring that die together are found one after the other, f members apart
 * from each other all at once (16.96 δ against 1.00 δ at f = 9). So the loss of a pod, a rack or a power feed must hit
 * single slots. Idea: members are sorted by a seeded mix of their GUIDs, which needs no agreement and keeps its order
 * when one joins; then {@link OrderRepair} moves single members a short way wherever neighbours share something.
 *
 * <p>Not always possible: a domain of more than half the members must have neighbours inside. What remains is listed by
 * {@link #violations()} with the domain's name, and {@link #worstRun} tells how many slots in a row one domain holds.
 *
 * <p>Immutable. Time O(n log n) plus the repair's, bounded there; memory O(n) per kind.
 */
public final class RingOrder {
    private final int[] members;
    private final FailureDomains domains;
    private final List<String> kinds;
    private final int[] table;

    /**
     * Two neighbours in one domain.
     *
     * @param slot     the one before, in ring order
     * @param nextSlot the one after it
     */
    public record Violation(String kind, String domain, int slot, int nextSlot) {}

    /**
     * Slots in a row that are in one domain.
     *
     * @param domain name, empty if no slot is in a domain of that kind
     * @param length 1 where no neighbours share one, 0 if no slot is in any
     */
    public record Run(String kind, String domain, int slot, int length) {}

    private RingOrder(int[] members, FailureDomains domains) {
        this.members = members;
        this.domains = domains;
        this.kinds = domains.kinds();
        this.table = domains.table();
    }

    /**
     * Orders members.
     *
     * @param seed    any number; the same seed, GUIDs and domains give the same order
     * @param guids   one per member, no duplicates
     * @param domains of the same members
     */
    public static RingOrder of(long seed, long[] guids, FailureDomains domains) {
        if (guids.length != domains.memberCount()) {
            throw new IllegalArgumentException("ring order: " + guids.length + " guids, domains of "
                    + domains.memberCount() + " members, expected as many");
        }
        int[] members = scattered(seed, guids);
        RingOrder order = new RingOrder(members, domains);
        new OrderRepair(members, order.table, order.kinds.size(), seed).run();
        return order;
    }

    private static int[] scattered(long seed, long[] guids) {
        List<Integer> members = new ArrayList<>(guids.length);
        for (int member = 0; member < guids.length; member++) {
            members.add(member);
        }
        members.sort((a, b) -> Long.compareUnsigned(mixed(seed, guids[a]), mixed(seed, guids[b])));
        return members.stream().mapToInt(Integer::intValue).toArray();
    }

    /** For each seed a bijection, so GUIDs never share a place. */
    private static long mixed(long seed, long guid) {
        return SplitMix64.mix(guid + seed * SplitMix64.GAMMA);
    }

    public int slotCount() {
        return members.length;
    }

    /** Which member sits in a slot. */
    public int member(int slot) {
        return members[slot];
    }

    /** All neighbours that share a domain, by slot, then by kind; the last slot and the first are neighbours, too. */
    public List<Violation> violations() {
        List<Violation> violations = new ArrayList<>();
        int pairs = members.length > 2 ? members.length : members.length - 1;
        for (int slot = 0; slot < pairs; slot++) {
            int next = (slot + 1) % members.length;
            for (int kind = 0; kind < kinds.size(); kind++) {
                int domain = domain(slot, kind);
                if (domain != FailureDomains.NONE && domain == domain(next, kind)) {
                    violations.add(new Violation(kinds.get(kind), domains.name(kind, domain), slot, next));
                }
            }
        }
        return violations;
    }

    /** For each kind the longest row of slots in one of its domains, around the end too; of equal ones the first. */
    public List<Run> worstRuns() {
        List<Run> runs = new ArrayList<>();
        for (int kind = 0; kind < kinds.size(); kind++) {
            runs.add(worstRun(kind));
        }
        return runs;
    }

    private Run worstRun(int kind) {
        Run worst = new Run(kinds.get(kind), "", 0, 0);
        for (int slot = 0; slot < members.length; slot++) {
            int domain = domain(slot, kind);
            if (domain != FailureDomains.NONE && startsRun(slot, kind)) {
                int length = runLength(slot, kind);
                if (length > worst.length) {
                    worst = new Run(worst.kind, domains.name(kind, domain), slot, length);
                }
            }
        }
        return worst;
    }

    /** Slot 0 starts one in any case, because a run may go all around. */
    private boolean startsRun(int slot, int kind) {
        int before = (slot + members.length - 1) % members.length;
        return slot == 0 || domain(before, kind) != domain(slot, kind);
    }

    private int runLength(int slot, int kind) {
        int length = 1;
        while (length < members.length && domain((slot + length) % members.length, kind) == domain(slot, kind)) {
            length++;
        }
        return length;
    }

    private int domain(int slot, int kind) {
        return table[members[slot] * kinds.size() + kind];
    }
}
