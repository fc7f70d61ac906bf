package io.dmodc.detector;

/**
 * Fills the one scratch message of a node and hands it to the outbox: what each kind of message carries is decided here
 * and nowhere else.
 */
final class RingSender {
    private final RingOutbox outbox;
    private final RingMessage scratch = new RingMessage();
    private Seat seat;
    private SlotRecords records;
    private int sequence;

    RingSender(RingOutbox outbox, Seat seat, SlotRecords records) {
        this.outbox = outbox;
        this.seat = seat;
        this.records = records;
    }

    void reseat(Seat newSeat, SlotRecords newRecords) {
        seat = newSeat;
        records = newRecords;
    }

    void heartbeat(int observer) {
        outbox.send(observer, header(MessageType.HEARTBEAT));
    }

    /** Answers an asker of another epoch, who may have no slot here. */
    void replyHeartbeat() {
        outbox.reply(header(MessageType.HEARTBEAT));
    }

    void newObserver(int emitter) {
        outbox.send(emitter, header(MessageType.NEW_OBSERVER));
    }

    void sync(int slot) {
        outbox.send(slot, header(MessageType.SYNC));
    }

    /** Tells one slot what this node holds to be true of a subject, with the hops the copy will have travelled. */
    void record(int to, int subject, int hops) {
        RingMessage message = header(records.isDead(subject) ? MessageType.DEAD : MessageType.ALIVE);
        message.subjectSlot = subject;
        message.subjectIncarnation = records.incarnation(subject);
        message.observerSlot = records.observer(subject);
        message.silenceMicros = records.silenceMicros(subject);
        message.hops = Math.min(hops, RingMessage.HOPS_MAX);
        outbox.send(to, message);
    }

    /** As above for a copy outside a flood: its path is not counted, so it is second hand unless this is the source. */
    void record(int to, int subject) {
        boolean firstHand = seat.ownSlot() == (records.isDead(subject) ? records.observer(subject) : subject);
        record(to, subject, firstHand ? 1 : 2);
    }

    private RingMessage header(MessageType type) {
        RingMessage message = scratch;
        message.type = type;
        message.cluster = seat.membership().cluster();
        message.epoch = seat.membership().epoch();
        message.senderGuid = seat.membership().guid(seat.ownSlot());
        message.fromSlot = seat.ownSlot();
        message.incarnation = records.incarnation(seat.ownSlot());
        message.subjectSlot = 0;
        message.subjectIncarnation = 0;
        message.observerSlot = 0;
        message.silenceMicros = 0;
        message.hops = 1;
        message.sequence = sequence++;
        message.setHash = records.setHash();
        return message;
    }
}
