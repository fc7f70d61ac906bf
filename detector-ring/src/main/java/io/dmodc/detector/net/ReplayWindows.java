package io.dmodc.detector.net;

/**
 * Which datagrams of whom have been taken in: each sequence number of a sender counts once.
 *
 * <p>A sender is a GUID in its highest incarnation heard. Of it there are kept the highest sequence number heard and one
 * bit for each of the {@value #WIDTH} numbers up to it, as in RFC 4303, section 3.4.3. What is older than those cannot
 * be told from a repetition and is refused, too. Numbers are compared as in RFC 1982, so they may wrap: a datagram can
 * be repeated once 2^31 later ones were heard, after seven years at ten a second, if its sender did not restart.
 *
 * <p>Only senders heard take memory, 24 to 96 bytes each. They stand in two tables: whoever is heard moves to the newer
 * one, and when that holds {@value #SENDERS_MAX} the older one is emptied and they change places. So a sender is
 * forgotten only after that many others were heard and not it; its next datagram starts a new window, whichever it is.
 * A node hears its emitter and O(log n) neighbours all the time, others seldom. Confined to one thread; allocates only
 * where a table grows.
 */
final class ReplayWindows {
    /** Sequence numbers remembered per sender. */
    static final int WIDTH = Long.SIZE;

    /** Most senders in one of the two tables. */
    static final int SENDERS_MAX = 2048;

    private SenderTable newer = new SenderTable();
    private SenderTable older = new SenderTable();

    /** How a datagram stands to those heard before from the same sender. */
    enum Standing {
        /** Heard for the first time. */
        NEW,
        /** Heard before, or so old that it may have been. */
        REPEATED,
        /** Of an incarnation below the sender's latest. */
        OUTDATED
    }

    /**
     * Judges one datagram and remembers it if it is new.
     *
     * @param incarnation of the sender, unsigned
     * @param sequence    may wrap
     */
    Standing admit(long guid, int incarnation, int sequence) {
        int at = newer.find(guid);
        if (at < 0) {
            at = enter(guid, incarnation, sequence);
            if (at < 0) {
                return Standing.NEW;
            }
        }
        int order = Integer.compareUnsigned(incarnation, newer.incarnation(at));
        if (order > 0) {
            newer.start(at, guid, incarnation, sequence);
            return Standing.NEW;
        }
        if (order < 0) {
            return Standing.OUTDATED;
        }
        return newer.mark(at, sequence) ? Standing.NEW : Standing.REPEATED;
    }

    /** Brings a sender into the newer table. Returns its place, or -1 if it was in neither: then it starts here. */
    private int enter(long guid, int incarnation, int sequence) {
        if (newer.count() == SENDERS_MAX) {
            SenderTable emptied = older;
            older = newer;
            newer = emptied;
            newer.clear();
        }
        int before = older.find(guid);
        int at = newer.add(guid);
        if (before < 0) {
            newer.start(at, guid, incarnation, sequence);
            return -1;
        }
        newer.copy(at, older, before);
        return at;
    }
}
