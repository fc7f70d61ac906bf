package io.dmodc.detector;

/**
 * Fills the one scratch message of a node and hands it to the outbox: what each kind of message carries is decided here
 * and nowhere else.
 */
final class RingSender {
    private final RingOutbox outbox;
    private final Revocation revocation;
    private final RingMessage scratch = new RingMessage();
    private RingPosition position;
    private SlotRecords records;
    private int sequence;

    RingSender(RingOutbox outbox, Revocation revocation, RingPosition position, SlotRecords records) {
        this.outbox = outbox;
        this.revocation = revocation;
        this.position = position;
        this.records = records;
    }

    void moveTo(RingPosition newPosition, SlotRecords newRecords) {
        position = newPosition;
        records = newRecords;
    }

    void heartbeat(int observer) {
        outbox.send(observer, knowing(header(MessageType.HEARTBEAT)));
    }

    /** Answers an asker of another epoch, who may have no slot here. */
    void replyHeartbeat() {
        outbox.reply(knowing(header(MessageType.HEARTBEAT)));
    }

    void newObserver(int emitter) {
        outbox.send(emitter, header(MessageType.NEW_OBSERVER));
    }

    void sync(int slot) {
        outbox.send(slot, knowing(header(MessageType.SYNC)));
    }

    /** Asks the subject, or another one to ask it, whether it is alive, for this observer. */
    void ping(int to, int subject, int observer) {
        RingMessage message = header(MessageType.PING);
        message.subjectSlot = subject;
        message.observerSlot = observer;
        outbox.send(to, message);
    }

    /** Says to the observer, or to the one that asks for it, that the subject has answered in this incarnation. */
    void pong(int to, int subject, int incarnation, int observer) {
        RingMessage message = header(MessageType.PONG);
        message.subjectSlot = subject;
        message.subjectIncarnation = incarnation;
        message.observerSlot = observer;
        outbox.send(to, message);
    }

    /** Tells one slot what this node holds to be true of a subject, with the hops the copy will have travelled. */
    void record(int to, int subject, int hops) {
        outbox.send(to, recordOf(subject, hops));
    }

    /**
     * As above for a copy outside a broadcast: its path is not counted, so it is second hand unless this is the source.
     */
    void record(int to, int subject) {
        boolean firstHand = position.ownSlot() == (records.isDead(subject) ? records.observer(subject) : subject);
        record(to, subject, firstHand ? 1 : 2);
    }

    /** Tells one slot which tables are revoked. */
    void revocation(int to, int hops) {
        outbox.send(to, revocationOf(hops));
    }

    /** A copy of a hypercube broadcast that begins here: of a subject's record or, for none, of the revocation. */
    void copy(int to, int subject, Hypercube route, int copy) {
        RingMessage message = subject == Broadcast.REVOCATION ? revocationOf(1) : recordOf(subject, 1);
        message.copy = copy;
        message.sourceSlot = route.source();
        message.deadCount = route.copyDead(message.deadSlots);
        outbox.send(to, message);
    }

    /** Hands a received copy of a hypercube broadcast on, unchanged but for the hops. */
    void passOn(int to, RingMessage received) {
        RingMessage message = signed(scratch.set(received));
        message.hops = Math.min(received.hops + 1, RingMessage.HOPS_MAX);
        outbox.send(to, message);
    }

    private RingMessage recordOf(int subject, int hops) {
        RingMessage message = header(records.isDead(subject) ? MessageType.DEAD : MessageType.ALIVE);
        message.subjectSlot = subject;
        message.subjectIncarnation = records.incarnation(subject);
        message.observerSlot = records.observer(subject);
        message.silenceMicros = records.silenceMicros(subject);
        message.hops = Math.min(hops, RingMessage.HOPS_MAX);
        return message;
    }

    private RingMessage revocationOf(int hops) {
        RingMessage message = header(MessageType.REVOKE);
        message.leaderEpoch = revocation.leaderEpoch();
        message.fabricEpoch = revocation.fabricEpoch();
        message.hops = Math.min(hops, RingMessage.HOPS_MAX);
        return message;
    }

    private RingMessage knowing(RingMessage message) {
        message.recordCount = recordCount();
        return message;
    }

    /** How many things this node knows beyond the membership. */
    int recordCount() {
        return records.count() + (revocation.isSet() ? 1 : 0);
    }

    /** Hash over the things this node knows beyond the membership. */
    int setHash() {
        return records.setHash() ^ revocation.share();
    }

    private RingMessage header(MessageType type) {
        RingMessage message = signed(scratch);
        message.type = type;
        message.subjectSlot = 0;
        message.subjectIncarnation = 0;
        message.observerSlot = 0;
        message.silenceMicros = 0;
        message.hops = 1;
        message.recordCount = 0;
        message.leaderEpoch = 0;
        message.fabricEpoch = 0;
        message.copy = RingMessage.NO_COPY;
        message.sourceSlot = 0;
        message.deadCount = 0;
        return message;
    }

    /** Puts into a message what says who sends it, and what this node knows. */
    private RingMessage signed(RingMessage message) {
        message.cluster = position.membership().cluster();
        message.epoch = position.membership().epoch();
        message.senderGuid = position.membership().guid(position.ownSlot());
        message.fromSlot = position.ownSlot();
        message.incarnation = records.incarnation(position.ownSlot());
        message.sequence = sequence++;
        message.setHash = setHash();
        return message;
    }
}
