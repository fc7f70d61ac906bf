package io.dmodc.southbound;

import io.dmodc.southbound.proto.PortTable;

/**
 * The forwarding table of a push.
 *
 * @param kind what its entries are
 * @param entries whole, or as a difference from those in force, whatever these are
 */
public record PushedTable(TableKind kind, PortTable entries) {
    /**
     * Applies it, all or nothing.
     *
     * @param present the entries in force; not changed
     * @return the new entries, those of a valid {@link TurnTable} where that is its kind
     * @throws TableRefusedException as {@link TableCodec#apply} and {@link TurnTable#of}
     */
    public byte[] applyTo(byte[] present) {
        byte[] next = TableCodec.apply(entries, present);
        if (kind == TableKind.TURNS) {
            TurnTable.of(next);
        }
        return next;
    }
}
