package io.dmodc.detector;

/**
 * Brings what a broadcast failed to: heartbeats carry a hash and a count of all that the sender knows, and an observer
 * whose own differ twice in a row swaps records with its emitter. So every fact walks the ring at the latest.
 */
final class AntiEntropy {
    /**
     * Records sent in one answer to a differing hash: at least so many, twice the difference in their number if that is
     * more, and no more than fit into a receive queue. The next answer goes on where this one stopped.
     */
    static final int RECORDS_PER_SYNC = 16;

    static final int RECORDS_PER_SYNC_MAX = 256;

    private final RingSender sender;
    private final Revocation revocation;
    private SlotRecords records;
    private int differences;
    private int cursor;

    AntiEntropy(RingSender sender, Revocation revocation, SlotRecords records) {
        this.sender = sender;
        this.revocation = revocation;
        this.records = records;
    }

    void moveTo(SlotRecords newRecords) {
        records = newRecords;
        differences = 0;
    }

    /** One difference from the emitter is a broadcast under way; a second one is something that got lost. */
    void compare(RingMessage heartbeat) {
        if (isSame(heartbeat)) {
            differences = 0;
        } else if (++differences >= 2) {
            sender.sync(heartbeat.fromSlot);
            sendRecords(heartbeat);
        }
    }

    void answer(RingMessage sync) {
        if (!isSame(sync)) {
            sendRecords(sync);
        }
    }

    private boolean isSame(RingMessage message) {
        return message.setHash == sender.setHash() && message.recordCount == sender.recordCount();
    }

    private void sendRecords(RingMessage differing) {
        int to = differing.fromSlot;
        int wanted = Math.max(RECORDS_PER_SYNC, 2 * Math.abs(sender.recordCount() - differing.recordCount));
        int sending = Math.min(records.count(), Math.min(wanted, RECORDS_PER_SYNC_MAX));
        for (int sent = 0; sent < sending; sent++) {
            cursor = (cursor + 1) % records.count();
            sender.record(to, records.slotAt(cursor));
        }
        if (revocation.isSet()) {
            sender.revocation(to, RingMessage.HOPS_TOLD);
        }
    }
}
