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
    private int nonces;

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

    void heartbeat(int observer, int nonce) {
        outbox.send(observer, knowing(header(MessageType.HEARTBEAT), nonce));
    }

    /** Answers an asker of another epoch, who may have no slot here. */
    void replyHeartbeat(int nonce) {
        outbox.reply(knowing(header(MessageType.HEARTBEAT), nonce));
    }

    void newObserver(int emitter, int nonce) {
        RingMessage message = header(MessageType.NEW_OBSERVER);
        message.nonce = nonce;
        outbox.send(emitter, message);
    }

    /** Another number than all before it in this life, never 0. */
    int newNonce() {
        int nonce = SplitMix64.hash(records.incarnation(position.ownSlot()), ++nonces, 0);
        return nonce == 0 ? 1 : nonce;
    }

    void sync(int slot) {
        outbox.send(slot, knowing(header(MessageType.SYNC), 0));
    }

    /** Asks the subject, or another one to ask it, whether it is alive. */
    void ping(int to, int subject, int nonce) {
        ping(to, subject, position.ownSlot(), nonce);
    }

    /** The same for another one, who is told the answer. */
    void ping(int to, int subject, int observer, int nonce) {
        RingMessage message = about(header(MessageType.PING), subject, 0, observer);
        name(message, position.membership().guidHash(observer), nonce & RingMessage.PING_NONCE_MAX);
        outbox.send(to, message);
    }

    /** Says to the observer, or to the one that asks for it, that the subject has answered in this incarnation. */
    void pong(int to, int subject, int incarnation, int observer, int nonce) {
        outbox.send(
                to, answer(subject, incarnation, observer, position.membership().guidHash(observer), nonce));
    }

    /** Answers a ping of another epoch for this node; the observer's slot is of that one. */
    void replyPong(RingMessage ping) {
        int own = position.ownSlot();
        outbox.reply(answer(own, records.incarnation(own), ping.observerSlot, ping.observerHash, ping.nonce));
    }

    private RingMessage answer(int subject, int incarnation, int observer, int observerHash, int nonce) {
        RingMessage message = about(header(MessageType.PONG), subject, incarnation, observer);
        name(message, observerHash, nonce);
        return message;
    }

    private static void name(RingMessage ping, int observerHash, int nonce) {
        ping.observerHash = observerHash;
        ping.setHash = 0;
        ping.nonce = nonce;
    }

    /** Tells a slot that others hold it dead, which this node does not. */
    void accusation(int subject, int incarnation) {
        RingMessage message = about(header(MessageType.DEAD), subject, incarnation, position.ownSlot());
        message.hops = RingMessage.HOPS_TOLD;
        outbox.send(subject, message);
    }

    /** Tells one slot what this node holds to be true of a subject, with the hops the copy will have travelled. */
    void record(int to, int subject, int hops) {
        outbox.send(to, recordOf(subject, hops));
    }

    /** As above for a copy outside a broadcast: it may be old. */
    void record(int to, int subject) {
        RingMessage message = recordOf(subject, 1);
        message.hops = RingMessage.HOPS_TOLD;
        outbox.send(to, message);
    }

    /** The same to an asker of another epoch. */
    void replyRecord(int subject) {
        RingMessage message = recordOf(subject, 1);
        message.hops = RingMessage.HOPS_TOLD;
        outbox.reply(message);
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
        about(message, subject, records.incarnation(subject), records.observer(subject));
        message.silence = records.silence(subject);
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

    private RingMessage knowing(RingMessage message, int nonce) {
        message.recordCount = recordCount();
        message.nonce = nonce;
        return message;
    }

    private RingMessage about(RingMessage message, int subject, int incarnation, int observer) {
        message.subjectGuid = position.membership().guid(subject);
        message.subjectIncarnation = incarnation;
        message.observerSlot = observer;
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
        message.subjectGuid = 0;
        message.subjectIncarnation = 0;
        message.observerSlot = 0;
        message.observerHash = 0;
        message.silence = 0;
        message.nonce = 0;
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
