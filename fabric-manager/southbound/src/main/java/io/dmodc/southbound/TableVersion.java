package io.dmodc.southbound;

import java.util.Comparator;

/**
 * Who decided a table and for which view of the fabric; ordered by leader first, so a new leader need not know how far
 * the fabric epochs of the one before it went.
 *
 * @param leaderEpoch 0..{@link SouthboundProtocol#MAX_LEADER_EPOCH}, grows with every change of the leading manager
 * @param fabricEpoch 0..{@link SouthboundProtocol#MAX_FABRIC_EPOCH}, grows with every view of the fabric
 */
public record TableVersion(long leaderEpoch, long fabricEpoch) implements Comparable<TableVersion> {
    /** Before any table. */
    public static final TableVersion NONE = new TableVersion(0, 0);

    private static final Comparator<TableVersion> ORDER =
            Comparator.comparingLong(TableVersion::leaderEpoch).thenComparingLong(TableVersion::fabricEpoch);

    /** True if both epochs are in their ranges. */
    public boolean isInRange() {
        return EpochCheck.invalid(leaderEpoch, fabricEpoch).isEmpty();
    }

    @Override
    public int compareTo(TableVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return leaderEpoch + "/" + fabricEpoch;
    }
}
