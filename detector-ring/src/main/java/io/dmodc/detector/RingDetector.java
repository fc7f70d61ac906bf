package io.dmodc.detector;

import org.jspecify.annotations.Nullable;

/**
 * One node of the heartbeat ring with reliable broadcast: a state machine without clock, socket, thread or logger.
 *
 * <p>Idea: each node watches one other node, the next live one before it on the ring; one heartbeat per node and period
 * is all the steady traffic. A node that misses its emitter's heartbeats for δ declares it dead, watches the next one
 * back, and floods the news over the {@link Overlay}. Records of death and of new life are ordered by incarnation (see
 * {@code SlotRecords}), which makes the flood end, lets the falsely accused refute, and the restarted come back. What
 * loss keeps from a node arrives later: heartbeats carry a hash of all records, and an observer that sees another hash
 * than its own twice in a row swaps records with its emitter.
 *
 * <p>Layout and cost: 24 bytes per slot that differs from the membership, O(log n) overlay neighbours; in calm nothing
 * is allocated outside {@link #install}. A heartbeat costs O(1), news O(log n) messages. No queues: the memory is
 * bounded by the slot count.
 *
 * <p>Times are nanoseconds on one monotonic scale that never goes back. Confined to one thread. After each call the
 * caller looks at {@link #nextDeadline()}.
 *
 * <p>Sources: Bosilca, Bouteiller, Guermouche, Herault, Robert, Sens, Dongarra, "Failure Detection and Propagation in
 * HPC Systems", SC16 (tasks T1 to T5); Angskun et al., ISPA 2007 (overlay). Where it differs from them and why:
 * {@code docs/algorithms/detector.md}.
 */
public final class RingDetector {
    private final Revocation revocation = new Revocation();
    private final RingSender sender;
    private final RingEdges edges;
    private final Broadcast broadcast;
    private final AntiEntropy antiEntropy;
    private final RingListener listener;
    private RingPosition position;
    private SlotRecords records;

    /** Whether the broadcast has anything to spread: asked for each message, and hardly ever true. */
    private boolean newsWaits;

    /**
     * A node that belongs to no ring yet: it drops everything until {@link #install}.
     *
     * @param ownGuid        GUID of this agent's switch
     * @param ownIncarnation unsigned, below 2^32 - 1, above that of all earlier runs of this agent
     */
    public RingDetector(long ownGuid, int ownIncarnation, RingOutbox outbox, RingListener listener) {
        if (ownIncarnation == Membership.INCARNATION_RESERVED) {
            throw new IllegalArgumentException("ring detector: own incarnation 4294967295, expected 0..4294967294");
        }
        this.listener = listener;
        position = RingPosition.of(Membership.outside(ownGuid, ownIncarnation), 0, RingRules.published(1, 2));
        records = new SlotRecords(position.membership());
        sender = new RingSender(outbox, revocation, position, records);
        edges = new RingEdges(sender, position, records);
        broadcast = new Broadcast(sender, revocation, position, records);
        antiEntropy = new AntiEntropy(sender, revocation, records);
    }

    /**
     * Takes a place in a membership. What is known of a GUID stays known unless the membership names a newer
     * incarnation. An edge to a new neighbour starts with a grace of 2 δ that ends at the first heartbeat.
     *
     * @return false, and nothing has changed, if the epoch is not above the installed one
     * @throws IllegalArgumentException if the slot is not this node's
     */
    public boolean install(long now, Membership membership, int ownSlot, RingRules rules) {
        membership.checkOwnSlot(ownSlot, position.membership().guid(position.ownSlot()));
        if (membership.epoch() <= position.membership().epoch()) {
            return false;
        }
        spreadNews();
        int before = ownIncarnation();
        records = records.movedTo(membership);
        records.learn(ownSlot, before, false, ownSlot, 0);
        position = RingPosition.of(membership, ownSlot, rules);
        sender.moveTo(position, records);
        broadcast.moveTo(position, records);
        antiEntropy.moveTo(records);
        edges.moveTo(now, position, records);
        if (ownIncarnation() != membership.incarnation(ownSlot)) {
            broadcast.begin(ownSlot, ownSlot);
        } else if (ownIncarnation() != before) {
            listener.ownIncarnation(ownIncarnation());
        }
        return true;
    }

    /**
     * Takes one message in. What it tells that is news goes to the others at {@link #spreadNews}, which must follow
     * when no more messages wait.
     *
     * @return why the message was not acted on, or null if it was
     */
    public @Nullable DropReason receive(long now, RingMessage message) {
        DropReason refused = refusal(message);
        if (refused != null) {
            if (refused == DropReason.EPOCH) {
                receiveForeign(now, message);
            }
            return refused;
        }
        int from = message.fromSlot;
        if (message.type.isRecord() && message.subjectSlot == position.ownSlot()) {
            // Before the sender's standing is looked at: two nodes that hold each other dead must still get through.
            hearOfSelf(now, message);
            return null;
        }
        if (records.outdates(from, message.incarnation)) {
            sender.record(from, from);
            return DropReason.STALE;
        }
        if (learn(now, from, message.incarnation, false, from, 0)) {
            broadcast.passOn(from, 2, from);
            newsWaits = true;
            listener.agentAlive(from, message.incarnation, 1);
        }
        dispatch(now, message);
        return null;
    }

    /**
     * Ends a batch of messages given to {@link #receive}, however many: floods what they told that was news, to those
     * neighbours that have not sent it meanwhile. So up to half of the copies are saved, and a node that is behind
     * sends less, not more.
     */
    public void spreadNews() {
        if (newsWaits) {
            newsWaits = false;
            broadcast.spread();
        }
    }

    private @Nullable DropReason refusal(RingMessage message) {
        Membership membership = position.membership();
        if (membership.epoch() == 0) {
            return DropReason.NO_MEMBERSHIP;
        }
        if (message.cluster != membership.cluster()) {
            return DropReason.CLUSTER;
        }
        if (message.incarnation == Membership.INCARNATION_RESERVED
                || message.subjectIncarnation == Membership.INCARNATION_RESERVED) {
            return DropReason.TYPE;
        }
        if (message.epoch != membership.epoch()) {
            return DropReason.EPOCH;
        }
        boolean slotsFit = isOtherSlot(message.fromSlot)
                && membership.guid(message.fromSlot) == message.senderGuid
                && isSlot(message.subjectSlot)
                && isSlot(message.observerSlot)
                && isSlot(message.sourceSlot)
                && (message.deadCount == 0 || isSlot(message.deadSlots[message.deadCount - 1]));
        return slotsFit ? null : DropReason.SLOT;
    }

    private boolean isSlot(int slot) {
        return slot >= 0 && slot < position.membership().slotCount();
    }

    private boolean isOtherSlot(int slot) {
        return isSlot(slot) && slot != position.ownSlot();
    }

    /**
     * The manager's epochs reach the members one after the other. In between nobody may be accused: a heartbeat of the
     * emitter proves life in any epoch, and an asker of another epoch gets one back, sent to where it asked from.
     */
    private void receiveForeign(long now, RingMessage message) {
        int emitter = edges.emitter();
        switch (message.type) {
            case HEARTBEAT -> {
                if (message.senderGuid == position.membership().guid(emitter)
                        && !records.outdates(emitter, message.incarnation)) {
                    edges.heard(now, emitter, false);
                }
            }
            case NEW_OBSERVER -> sender.replyHeartbeat();
            case DEAD, ALIVE, SYNC, PING, PONG, REVOKE -> {}
        }
    }

    private void dispatch(long now, RingMessage message) {
        int from = message.fromSlot;
        switch (message.type) {
            case HEARTBEAT -> {
                edges.heard(now, from, true);
                if (from == edges.emitter()) {
                    antiEntropy.compare(message);
                }
            }
            case NEW_OBSERVER -> edges.turnTo(now, from);
            case DEAD -> hear(now, message, true, message.observerSlot);
            case ALIVE -> hear(now, message, false, message.subjectSlot);
            case SYNC -> antiEntropy.answer(message);
            case PING -> pinged(message);
            case PONG -> answered(now, message);
            case REVOKE -> hearRevocation(message);
        }
    }

    /**
     * T5: first the ring, then the listener; the others at the end of the batch. Only a copy the source itself sent
     * counts one hop.
     */
    private void hear(long now, RingMessage message, boolean isDead, int source) {
        int subject = message.subjectSlot;
        int incarnation = message.subjectIncarnation;
        int hops = message.fromSlot == source ? 1 : Math.max(2, message.hops);
        boolean isNews = learn(now, subject, incarnation, isDead, message.observerSlot, message.silenceMicros);
        pass(message, subject, hops, isNews);
        if (isNews && isDead) {
            listener.agentSilent(subject, incarnation, message.observerSlot, message.silenceMicros * 1_000L, hops);
        } else if (isNews) {
            listener.agentAlive(subject, incarnation, hops);
        }
    }

    /** A copy that is no news, while nothing waits to be spread, is no matter of the broadcast: nearly all are so. */
    private void pass(RingMessage message, int subject, int hops, boolean isNews) {
        if (isNews || newsWaits || message.copy != RingMessage.NO_COPY) {
            broadcast.pass(message, subject, hops, isNews);
            newsWaits |= isNews;
        }
    }

    /** Takes a record over if it is news, and mends the ring. */
    private boolean learn(long now, int subject, int incarnation, boolean isDead, int observer, int silence) {
        if (!records.learn(subject, incarnation, isDead, observer, silence)) {
            return false;
        }
        if (isDead) {
            edges.lost(now, subject);
        } else {
            edges.found(now, subject);
        }
        return true;
    }

    /** Answers for itself; for another asks it, and whoever asked hears of the answer. Relays keep no state. */
    private void pinged(RingMessage message) {
        int own = position.ownSlot();
        if (message.subjectSlot == own) {
            sender.pong(message.fromSlot, own, ownIncarnation(), message.observerSlot);
        } else if (message.observerSlot == message.fromSlot) {
            sender.ping(message.subjectSlot, message.subjectSlot, message.fromSlot);
        }
    }

    private void answered(long now, RingMessage message) {
        int subject = message.subjectSlot;
        if (message.observerSlot != position.ownSlot()) {
            if (subject == message.fromSlot) {
                sender.pong(message.observerSlot, subject, message.subjectIncarnation, message.observerSlot);
            }
        } else if (!records.outdates(subject, message.subjectIncarnation)) {
            edges.answered(now, subject, subject != message.fromSlot);
        }
    }

    private void hearRevocation(RingMessage message) {
        int hops = Math.max(1, message.hops);
        boolean isNews = revocation.raise(message.leaderEpoch, message.fabricEpoch);
        pass(message, Broadcast.REVOCATION, hops, isNews);
        if (isNews) {
            listener.revoked(message.leaderEpoch, message.fabricEpoch, hops);
        }
    }

    /**
     * Tells all members, reliably though agents die meanwhile, that tables older than this one must not be applied any
     * more: the revoke of ULFM. Kept and passed on to whoever joins later; a pair not above an earlier one does
     * nothing. Before the first membership it is kept until there is somebody to tell.
     */
    public void revoke(long leaderEpoch, long fabricEpoch) {
        if (revocation.raise(leaderEpoch, fabricEpoch)) {
            spreadNews();
            broadcast.begin(Broadcast.REVOCATION, position.ownSlot());
        }
    }

    /** A record about this node: dead ones and those of a later incarnation are outbid, old ones corrected. */
    private void hearOfSelf(long now, RingMessage message) {
        int order = Integer.compareUnsigned(message.subjectIncarnation, ownIncarnation());
        if (order < 0) {
            sender.record(message.fromSlot, position.ownSlot());
            return;
        }
        int raised = message.subjectIncarnation + 1;
        if ((order == 0 && message.type == MessageType.ALIVE) || raised == Membership.INCARNATION_RESERVED) {
            return;
        }
        records.learn(position.ownSlot(), raised, false, position.ownSlot(), 0);
        sender.record(message.fromSlot, position.ownSlot());
        broadcast.begin(position.ownSlot(), message.fromSlot);
        // Whoever was held dead has lost its place: its emitter sends elsewhere until it hears of the new incarnation.
        edges.restart(now);
        listener.ownIncarnation(raised);
    }

    /**
     * Lets time pass. Call at {@link #nextDeadline()}, and only after all messages that already wait have been given to
     * {@link #receive}: after a pause the heartbeats that prove the emitter alive are among them.
     */
    public void tick(long now) {
        spreadNews();
        // Bounded: whoever is accused is dead then, and a node that stays alone accuses nobody.
        for (int suspect = edges.tick(now); suspect != RingEdges.NOBODY; suspect = edges.tick(now)) {
            suspect(now, suspect);
        }
    }

    /** T3. The accused is told too, so that it can refute at once if it lives. */
    private void suspect(long now, int suspect) {
        long silence = edges.silence(now);
        int own = position.ownSlot();
        int incarnation = records.incarnation(suspect);
        records.learn(suspect, incarnation, true, own, (int) Math.min(silence / 1_000, Integer.MAX_VALUE));
        edges.lost(now, suspect);
        broadcast.begin(suspect, suspect);
        sender.record(suspect, suspect);
        listener.agentSilent(suspect, incarnation, own, silence, 0);
    }

    /** When {@link #tick} is due next; {@link Long#MAX_VALUE} if nothing is. */
    public long nextDeadline() {
        return edges.nextDeadline();
    }

    /** True if {@code tick(now)} would declare the emitter dead: the moment to look for waiting messages once more. */
    public boolean isSuspicionDue(long now) {
        return edges.isSuspicionDue(now);
    }

    public RingState state() {
        return edges.state();
    }

    /** Slot this node watches; its own when there is nobody. */
    public int emitter() {
        return edges.emitter();
    }

    /** Slot this node sends its heartbeats to; its own when there is nobody. */
    public int observer() {
        return edges.observer();
    }

    /** Epoch of the installed membership, 0 before the first. */
    public long epoch() {
        return position.membership().epoch();
    }

    /** True if this node holds the agent in that slot dead. */
    public boolean isDead(int slot) {
        return records.isDead(slot);
    }

    /** Highest incarnation this node knows of a slot. */
    public int incarnation(int slot) {
        return records.incarnation(slot);
    }

    public int ownIncarnation() {
        return records.incarnation(position.ownSlot());
    }

    /** Wake-ups that came more than η after the deadline: a starved or stopped process. */
    public long lateWakeUps() {
        return edges.lateWakeUps();
    }

    /** Times another one's word spoke for the emitter of this node when it was about to be accused. */
    public long vouched() {
        return edges.vouched();
    }

    /** 0: trusts itself; each late wake-up or refutation adds one, up to 8, each quiet δ takes one away. */
    public int selfScore() {
        return edges.selfScore();
    }

    /** How many slots this node holds dead. */
    public int deadCount() {
        return records.deadCount();
    }

    /** For how long nothing has been heard of the emitter; without meaning while {@link RingState#ALONE}. */
    public long silenceNanos(long now) {
        return edges.silence(now);
    }
}
