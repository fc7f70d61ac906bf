package io.dmodc.detector;

import java.util.SplittableRandom;

/**
 * Moves members of a ring order until no neighbours share a failure domain, or a bound is reached.
 *
 * <p>First from each bad pair on, nearest first: one of the two goes into the nearest gap where that lessens the number of
 * bad pairs. Everything else keeps its order, and the same corner is repaired the same way when somebody joins elsewhere.
 * With one kind of domain this alone ends at the fewest bad pairs there can be: as long as more than {@code max(0, 2 c -
 * n)} of them are inside a domain of c members there is a gap between two others. With several kinds it can get stuck;
 * then members of bad pairs are put into gaps by chance, seldom also where that makes it worse, and the best order met
 * counts.
 *
 * <p>Bounds: {@value #LOOKS_PER_SLOT} gaps looked at per slot, then {@value #CHANCES} moves by chance. Source: Minton et
 * al., "Minimizing Conflicts", Artificial Intelligence 58 (1992).
 */
final class OrderRepair {
    static final int LOOKS_PER_SLOT = 1024;
    static final int CHANCES = 1 << 14;

    /** One chance in so many may make it worse, by one bad pair. */
    private static final int DARING = 8;

    private final int[] order;
    private final int[] table;
    private final int kinds;
    private final SplittableRandom random;
    private long looks;
    private int cost;

    /**
     * @param order members by slot; changed in place
     * @param table {@code table[member * kinds + kind]}: the domain, or {@link FailureDomains#NONE}
     * @param seed  of the moves by chance
     */
    OrderRepair(int[] order, int[] table, int kinds, long seed) {
        this.order = order;
        this.table = table;
        this.kinds = kinds;
        this.random = new SplittableRandom(seed);
    }

    void run() {
        if (order.length < 4) {
            return; // everybody is next to everybody
        }
        for (int slot = 0; slot < order.length; slot++) {
            cost += shared(at(slot), at(slot + 1));
        }
        looks = (long) LOOKS_PER_SLOT * order.length;
        int least = leastCost();
        descend(least);
        if (cost > least) {
            wander(least);
        }
    }

    /** In each kind, a domain of c members has at least 2 c - n pairs of neighbours inside. */
    private int leastCost() {
        int least = 0;
        for (int kind = 0; kind < kinds; kind++) {
            int[] sizes = new int[order.length];
            int largest = 0;
            for (int member = 0; member < order.length; member++) {
                int domain = table[member * kinds + kind];
                if (domain != FailureDomains.NONE) {
                    largest = Math.max(largest, ++sizes[domain]);
                }
            }
            least += Math.max(0, 2 * largest - order.length);
        }
        return least;
    }

    private void descend(int least) {
        boolean better = true;
        while (better && cost > least) {
            better = false;
            for (int slot = 0; slot < order.length && looks > 0; slot++) {
                if (shared(at(slot), at(slot + 1)) > 0) {
                    better |= moveNear(slot);
                }
            }
        }
    }

    /** Moves one of a bad pair into the nearest gap that makes it better. */
    private boolean moveNear(int slot) {
        for (int distance = 1; distance < order.length && looks > 0; distance++) {
            if (moveIfGain(slot + 1, slot + 1 + distance, 1)
                    || moveIfGain(slot, slot - 1 - distance, 1)
                    || moveIfGain(slot + 1, slot - distance, 1)
                    || moveIfGain(slot, slot + distance, 1)) {
                return true;
            }
        }
        return false;
    }

    private void wander(int least) {
        int[] best = order.clone();
        int bestCost = cost;
        for (int chance = 0; chance < CHANCES && bestCost > least; chance++) {
            int who = badPair(random.nextInt(order.length)) + random.nextInt(2);
            int gain = random.nextInt(DARING) == 0 ? -1 : 0;
            if (moveIfGain(who, random.nextInt(order.length), gain) && cost < bestCost) {
                bestCost = cost;
                System.arraycopy(order, 0, best, 0, order.length);
            }
        }
        System.arraycopy(best, 0, order, 0, order.length);
    }

    /** The next one from a slot on; there is one while the cost is above 0. */
    private int badPair(int from) {
        int slot = from;
        while (shared(at(slot), at(slot + 1)) == 0) {
            slot++;
        }
        return slot;
    }

    /**
     * Moves the member of a slot into the gap behind another, if that lessens the cost by so much. Slots are taken modulo
     * the slot count.
     */
    private boolean moveIfGain(int from, int behind, int gain) {
        looks--;
        int who = Math.floorMod(from, order.length);
        int gap = Math.floorMod(behind, order.length);
        if (gap == who || gap == Math.floorMod(who - 1, order.length)) {
            return false;
        }
        int member = at(who);
        int before = shared(at(who - 1), member) + shared(member, at(who + 1)) + shared(at(gap), at(gap + 1));
        int after = shared(at(who - 1), at(who + 1)) + shared(at(gap), member) + shared(member, at(gap + 1));
        if (before - after < gain) {
            return false;
        }
        cost += after - before;
        move(who, gap);
        return true;
    }

    private void move(int who, int gap) {
        int member = order[who];
        if (who < gap) {
            System.arraycopy(order, who + 1, order, who, gap - who);
            order[gap] = member;
        } else {
            System.arraycopy(order, gap + 1, order, gap + 2, who - gap - 1);
            order[gap + 1] = member;
        }
    }

    private int at(int slot) {
        return order[Math.floorMod(slot, order.length)];
    }

    /** In how many kinds two members share a domain. */
    private int shared(int a, int b) {
        int count = 0;
        for (int kind = 0; kind < kinds; kind++) {
            int domain = table[a * kinds + kind];
            count += domain != FailureDomains.NONE && domain == table[b * kinds + kind] ? 1 : 0;
        }
        return count;
    }
}
