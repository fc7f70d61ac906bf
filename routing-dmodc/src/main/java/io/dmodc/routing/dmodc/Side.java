package io.dmodc.routing.dmodc;

import java.util.Arrays;

/**
 * What switches with the same neighbours on one side have there: the bits of the layers that lead over these. Shared by
 * all of them.
 */
final class Side extends Shared {
    /** A number that no other side has. */
    final int id;

    /** Switch indices, in the order of groups. */
    final int[] remotes;

    /** Target of the switch itself, or −1. Only below. */
    final int own;

    /** Update in which the bits were last looked at. */
    long stamp;

    /** Targets for which the last update changed a layer. */
    TargetSet changed = TargetSet.NONE;

    private LayerBits bits = LayerBits.NONE;

    /** What they were before the update of the stamp. */
    private LayerBits before = LayerBits.NONE;

    /** @param key target of the switch itself, then the neighbours */
    Side(int id, IntKey key) {
        super(key);
        this.id = id;
        own = key.values[0];
        remotes = Arrays.copyOfRange(key.values, 1, key.count);
    }

    /** True until the bits were found for the first time. */
    boolean isNew() {
        return bits.length == 0;
    }

    /** True of a leaf: below it is nothing but itself. */
    boolean isOwnAlone() {
        return own >= 0 && remotes.length == 0;
    }

    LayerBits bits() {
        return bits;
    }

    LayerBits bitsBefore(long update) {
        return stamp == update ? before : bits;
    }

    /** @param changes targets for which they differ from what they were */
    void keep(LayerBits newBits, TargetSet changes) {
        changed = changes;
        before = bits;
        bits = newBits;
    }
}
