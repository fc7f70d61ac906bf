package io.dmodc.detector;

import java.util.Arrays;

/**
 * How news reaches all nodes although some are dead: two reliable broadcasts, both non-uniform and without order (what
 * a node delivers and dies over, the others need not hear of; receivers are idempotent).
 *
 * <p><b>Binomial</b>: a node that hears news sends it once to all its neighbours in the {@link Overlay}; a copy that is
 * no news goes nowhere. It does so at the end of the batch of messages it heard the news in, and leaves out whoever
 * sent it the same meanwhile. Of constant size, at most n times degree messages, reaches all while fewer than degree
 * nodes are dead.
 *
 * <p><b>Hypercube</b>: the source sends k = ⌊log2 n⌋ copies over k node-disjoint paths to every node, copy j first
 * across dimension j, then each holder across j+1, j+2, ... (mod k), and last across j again to the corners where bit j
 * is clear. A node forwards each copy once, and by the D of the message, never by its own: that is what keeps the paths
 * disjoint. k (n - 1) messages of size O(|D|), twice that if n is no power of two; reaches all while fewer than k nodes
 * die that the source did not know of. News that names more than {@link RingMessage#DEAD_MAX} dead, and whatever a node
 * learns outside such a broadcast, goes over the binomial graph.
 *
 * <p>Sources: Angskun, Bosilca, Dongarra, ISPA 2007; Ramanathan, Shin, "Reliable Broadcast in Hypercube
 * Multicomputers", IEEE ToC 37(12), 1988; SC16 slides 16 to 18.
 */
final class Broadcast {
    /** In place of a subject: the news is the revocation. */
    static final int REVOCATION = -1;

    /** In place of a slot: no member of this epoch. */
    static final int NOBODY = -1;

    private final RingSender sender;
    private final Revocation revocation;
    private final Hypercube hypercube = new Hypercube();
    private final CopiesSeen seen = new CopiesSeen();
    private final PendingNews pending = new PendingNews();
    private RingPosition position;
    private SlotRecords records;

    Broadcast(RingSender sender, Revocation revocation, RingPosition position, SlotRecords records) {
        this.sender = sender;
        this.revocation = revocation;
        this.position = position;
        this.records = records;
    }

    /** What is pending must have left: it speaks in slots of the old membership. */
    void moveTo(RingPosition newPosition, SlotRecords newRecords) {
        position = newPosition;
        records = newRecords;
    }

    /** Sends this node's own news of a subject to all, in a flood all but one. */
    void begin(int subject, int except) {
        if (position.rules().overlay() == Overlay.Kind.HYPERCUBE && records.deadCount() <= RingMessage.DEAD_MAX) {
            beginCopies(subject);
        } else {
            passOn(subject, 1, except);
            spread();
        }
    }

    /**
     * Passes on what a message says of a subject: a copy of a hypercube broadcast at once and once, anything else only
     * if it was news here, and at the next {@link #spread}.
     */
    void pass(RingMessage message, int subject, int hops, boolean isNews) {
        if (message.copy != RingMessage.NO_COPY) {
            if (isNews) {
                pending.forgetHolders(subject);
            }
            if (seen.isFirst(message)) {
                passCopy(message);
            }
        } else if (isNews) {
            passOn(subject, hops + 1, message.fromSlot);
        } else if (isHeldHere(message, subject)) {
            noteHolder(subject, message.fromSlot);
        }
    }

    /** Floods at the next {@link #spread} what this node has just learnt of a subject, to all but one. */
    void passOn(int subject, int hops, int except) {
        if (pending.isFull()) {
            spread();
        }
        pending.add(subject, hops);
        noteHolder(subject, except);
    }

    private void noteHolder(int subject, int slot) {
        int neighbour = Arrays.binarySearch(position.neighbours(), slot);
        if (neighbour >= 0) {
            pending.addHolder(subject, neighbour);
        }
    }

    private boolean isHeldHere(RingMessage message, int subject) {
        if (subject == REVOCATION) {
            return revocation.isEqual(message.leaderEpoch, message.fabricEpoch);
        }
        return message.subjectIncarnation == records.incarnation(subject)
                && (message.type == MessageType.DEAD) == records.isDead(subject);
    }

    /** Sends the news of the batch that has ended to the neighbours that do not have it. */
    void spread() {
        try {
            for (int number = 0; number < pending.count(); number++) {
                spread(number);
            }
        } finally {
            pending.clear();
        }
    }

    private void spread(int number) {
        int[] neighbours = position.neighbours();
        for (int neighbour = 0; neighbour < neighbours.length; neighbour++) {
            if (!pending.isHeldBy(number, neighbour)) {
                send(neighbours[neighbour], pending.subject(number), pending.hops(number));
            }
        }
    }

    private void send(int neighbour, int subject, int hops) {
        if (subject == REVOCATION) {
            sender.revocation(neighbour, hops);
        } else {
            sender.record(neighbour, subject, hops);
        }
    }

    private void beginCopies(int subject) {
        hypercube.set(position.membership().slotCount(), position.ownSlot(), records);
        for (int part = 0; part < hypercube.partCount(); part++) {
            hypercube.turnTo(part);
            for (int dimension = 0; dimension < hypercube.dimensionCount(); dimension++) {
                int to = hypercube.slotAt(1 << dimension);
                sender.copy(to, subject, hypercube, Hypercube.copyOf(part, dimension));
            }
        }
    }

    private void passCopy(RingMessage message) {
        hypercube.set(
                position.membership().slotCount(),
                message.sourceSlot,
                message.deadSlots,
                message.deadCount,
                message.copy);
        int own = hypercube.cornerOf(position.ownSlot());
        int crossed = own ^ hypercube.cornerOf(message.fromSlot);
        int first = Hypercube.firstDimension(message.copy);
        boolean isOnPath = own > 0 && Integer.bitCount(crossed) == 1 && first < hypercube.dimensionCount();
        if (isOnPath && (own & (1 << first)) != 0) {
            passAcross(message, own, first, Integer.numberOfTrailingZeros(crossed));
        }
    }

    private void passAcross(RingMessage message, int own, int first, int crossed) {
        int dimensions = hypercube.dimensionCount();
        for (int step = Math.floorMod(crossed - first, dimensions) + 1; step < dimensions; step++) {
            sender.passOn(hypercube.slotAt(own ^ (1 << ((first + step) % dimensions))), message);
        }
        int last = own ^ (1 << first);
        if (last != 0) {
            sender.passOn(hypercube.slotAt(last), message);
        }
    }
}
