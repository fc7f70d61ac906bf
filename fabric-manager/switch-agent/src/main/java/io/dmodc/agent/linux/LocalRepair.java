package io.dmodc.agent.linux;

import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableDigest;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * By which ports the entries of a table lead while some of its ports carry nothing: the table's own, or one of the alternatives that
 * the manager told for exactly these routes, so that no packet climbs again after it descended and none goes round. A port is dead, and
 * carries nothing at all, or the switch at its far end withdrew some destinations, and it carries nothing for these.
 *
 * <p>An entry moves when its port carries nothing for it and an alternative of it lives, stays there while that lives, and goes back when its own port
 * carries again, or to where the next table has it. An entry without a living alternative stays where it is. Alternatives that go
 * with other routes move nothing; what they moved before stays until it is known to be wrong or not needed any more.
 *
 * <p>One sweep over the table for each change: O(entries) time, and a byte for each entry. Pure; not thread-safe.
 */
final class LocalRepair {
    private static final byte NONE = SouthboundProtocol.NO_ROUTE;

    private byte[] entries = {};

    /** Where entries lead instead; {@link #NONE}: as the table says. */
    private byte[] moved = {};

    private Alternatives alternatives = Alternatives.NONE;

    /** The alternatives go with the entries. */
    private boolean matching;

    private final BitSet dead = new BitSet();

    /** Entries that lead nowhere now. */
    private final BitSet stranded = new BitSet();

    /** Entries that a run before moved, or that led nowhere then, for a reason that is not known. */
    private final BitSet restored = new BitSet();

    /** By port, the indices that the switch at its far end withdrew; shorter where none did. */
    private @Nullable BitSet[] withdrawn = {};

    /** What became of the entries of one port. */
    record Count(int moved, int stranded) {
        static final Count NONE = new Count(0, 0);
    }

    /** Returns the table. Read only. */
    byte[] entries() {
        return entries;
    }

    /** Returns whether an entry of the table leads anywhere. */
    boolean hasRoute(int index) {
        return index >= 0 && index < entries.length && entries[index] != NONE;
    }

    /** Returns the port that an entry is to lead over now; 255: none. */
    int port(int index) {
        if (index >= entries.length) {
            return Byte.toUnsignedInt(NONE);
        }
        return Byte.toUnsignedInt(moved[index] == NONE ? entries[index] : moved[index]);
    }

    /** Returns those told last. */
    Alternatives alternatives() {
        return alternatives;
    }

    /** Returns whether the alternatives told last go with the table. */
    boolean isMatching() {
        return matching;
    }

    /** Returns the port that an entry would move to if the one it leads over died; 255: none, or the alternatives go with another table. */
    int portNext(int index) {
        boolean has = matching && hasRoute(index);
        return Byte.toUnsignedInt(has ? choice(index, (byte) port(index)) : NONE);
    }

    /** Returns whether an entry may lead over a port by the alternatives; false while they go with another table. */
    boolean isAlternative(int index, int port) {
        return matching && hasRoute(index) && contains(alternatives.at(index), (byte) port);
    }

    /** Returns the ports of entries that a run before moved, or had no other port for. */
    BitSet restoredPorts() {
        BitSet ports = new BitSet();
        for (int index = restored.nextSetBit(0); index >= 0; index = restored.nextSetBit(index + 1)) {
            ports.set(Byte.toUnsignedInt(entries[index]));
        }
        return ports;
    }

    /** Returns where entries lead instead of their port, which stands for nowhere; 255: as the table says. A copy. */
    byte[] moves() {
        byte[] moves = moved.clone();
        stranded.stream().filter(index -> moves[index] == NONE).forEach(index -> moves[index] = entries[index]);
        return moves;
    }

    /**
     * Takes over what a run before had moved, or led nowhere, until {@link #trust}; those that are none of the table's routes are passed over.
     *
     * @param withdrawals as with {@link #dead}
     */
    void restore(byte[] table, byte[] moves, @Nullable BitSet[] withdrawals) {
        entries = table;
        withdrawn = withdrawals;
        moved = newMoves(table.length);
        restored.clear();
        for (int index = 0; index < Math.min(moves.length, table.length); index++) {
            restored.set(index, table[index] != NONE && moves[index] != NONE);
            moved[index] = restored.get(index) && moves[index] != table[index] ? moves[index] : NONE;
        }
        alternatives = Alternatives.NONE;
        matching = false;
        settle();
    }

    /**
     * What is dead and withdrawn is all there is to know of a port.
     *
     * @return indices that lead over another port now
     */
    BitSet trust(int port) {
        byte[] before = inForce();
        for (int index = restored.nextSetBit(0); index >= 0; index = restored.nextSetBit(index + 1)) {
            restored.set(index, Byte.toUnsignedInt(entries[index]) != port);
        }
        settle();
        return differences(before);
    }

    /**
     * Goes over to another table.
     *
     * @param fresh indices that stand for something else, so that what was moved for them is over
     * @param told alternatives as last told
     * @param withdrawals as with {@link #dead}: indices may stand for something else now
     * @return indices that lead over another port now
     */
    BitSet table(byte[] table, BitSet fresh, Alternatives told, @Nullable BitSet[] withdrawals) {
        byte[] before = inForce();
        byte[] kept = newMoves(table.length);
        for (int index = 0; index < Math.min(table.length, entries.length); index++) {
            boolean same = table[index] == entries[index] && !fresh.get(index);
            kept[index] = same ? moved[index] : NONE;
            restored.set(index, same && restored.get(index));
        }
        restored.clear(Math.min(table.length, entries.length), Integer.MAX_VALUE);
        if (told != alternatives || table != entries) {
            matching = told.entryCount() > 0 && told.routesDigest() == TableDigest.of(table);
        }
        entries = table;
        moved = kept;
        alternatives = told;
        withdrawn = withdrawals;
        settle();
        return differences(before);
    }

    /** Goes on with the same table but for entries that lead nowhere now, which were lost: whether alternatives go with the others is as it was. */
    void lose(byte[] table) {
        for (int index = 0; index < table.length; index++) {
            if (table[index] == NONE) {
                moved[index] = NONE;
                restored.clear(index);
            }
        }
        entries = table;
        settle();
    }

    /**
     * Says which ports carry nothing at all, and which carry nothing for some indices, all at once: one that is said to be dead a moment after
     * another is would lose what was moved for it.
     *
     * @param withdrawals by port, indices that the switch at its far end withdrew; null, or no such port: none
     * @return indices that lead over another port now
     */
    BitSet dead(BitSet ports, @Nullable BitSet[] withdrawals) {
        if (dead.equals(ports) && Arrays.equals(withdrawn, withdrawals)) {
            return new BitSet();
        }
        dead.clear();
        dead.or(ports);
        withdrawn = withdrawals;
        byte[] before = inForce();
        settle();
        return differences(before);
    }

    /** Returns what became of the entries that the table has at a port which carries nothing, or nothing for some. */
    Count count(int port) {
        int away = 0;
        int lost = 0;
        for (int index = 0; index < entries.length && !(carriesAll(port) && restored.isEmpty()); index++) {
            if (Byte.toUnsignedInt(entries[index]) == port && isLost(index)) {
                boolean led = isLed(index);
                away += led ? 1 : 0;
                lost += led ? 0 : 1;
            }
        }
        return new Count(away, lost);
    }

    /** Returns the entries that lead nowhere now: their own port carries nothing for them, and no other one is known that does. Read only. */
    BitSet stranded() {
        return stranded;
    }

    /** The table's own port carries nothing for this entry, or did not and is not trusted yet. */
    private boolean isLost(int index) {
        return entries[index] != NONE && (restored.get(index) || !carries(index, entries[index]));
    }

    private boolean isLed(int index) {
        return moved[index] != NONE && carries(index, moved[index]);
    }

    private boolean carriesAll(int port) {
        return !dead.get(port) && (port >= withdrawn.length || withdrawn[port] == null);
    }

    private boolean carries(int index, byte port) {
        int number = Byte.toUnsignedInt(port);
        BitSet gone = number < withdrawn.length ? withdrawn[number] : null;
        return !dead.get(number) && (gone == null || !gone.get(index));
    }

    private void settle() {
        stranded.clear();
        for (int index = 0; index < entries.length; index++) {
            boolean away = moved[index] != NONE;
            if (matching && isLost(index)) {
                moved[index] = settled(index, moved[index]);
            }
            boolean led = isLed(index);
            if (away && !led) {
                restored.clear(index); // nowhere is no better than a port that is not trusted
            }
            boolean lost = isLost(index);
            moved[index] = lost ? moved[index] : NONE;
            stranded.set(index, lost && !led);
        }
    }

    /** Returns where an entry whose own port carries nothing for it is to lead; {@link #NONE}: it stays. */
    private byte settled(int index, byte now) {
        byte[] set = alternatives.at(index);
        boolean legal = now != NONE && contains(set, now);
        if (legal && carries(index, now)) {
            return now;
        }
        byte choice = choice(index, now);
        return choice == NONE && legal ? now : choice;
    }

    /**
     * Returns the alternative that takes an entry over; {@link #NONE}: none lives. Entries are spread over all, dead or not, and again
     * over those that live where the first choice is dead: so a port that dies changes the choice of those alone that would take it.
     *
     * @param now port that it leads over meanwhile
     */
    private byte choice(int index, byte now) {
        byte own = entries[index];
        byte[] set = alternatives.at(index);
        int others = 0;
        int living = 0;
        for (byte port : set) {
            others += port == own ? 0 : 1;
            living += isChoice(index, port, now) ? 1 : 0;
        }
        if (living == 0) {
            return NONE;
        }
        int first = index % others; // neighbours in the table are spread as the routes are
        int pick = index / others % living;
        byte instead = NONE;
        for (byte port : set) {
            boolean choosable = isChoice(index, port, now);
            if (port != own && first-- == 0 && choosable) {
                return port;
            }
            if (choosable && pick-- == 0) {
                instead = port;
            }
        }
        return instead;
    }

    private boolean isChoice(int index, byte port, byte now) {
        return port != entries[index] && port != now && carries(index, port);
    }

    private static boolean contains(byte[] set, byte port) {
        for (byte one : set) {
            if (one == port) {
                return true;
            }
        }
        return false;
    }

    private byte[] inForce() {
        byte[] ports = new byte[entries.length];
        for (int index = 0; index < ports.length; index++) {
            ports[index] = (byte) port(index);
        }
        return ports;
    }

    private BitSet differences(byte[] before) {
        BitSet different = new BitSet();
        for (int index = 0; index < Math.max(before.length, entries.length); index++) {
            int was = index < before.length ? Byte.toUnsignedInt(before[index]) : Byte.toUnsignedInt(NONE);
            different.set(index, was != port(index));
        }
        return different;
    }

    private static byte[] newMoves(int length) {
        byte[] none = new byte[length];
        Arrays.fill(none, NONE);
        return none;
    }
}
