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
    /** A death in an incarnation that many above what is known of the subject is nobody's. */
    static final int INCARNATION_STEP_MAX = 1 << 16;

    /** A claim that many above this node's own incarnation is not outbid, so that no claim comes near the last one. */
    static final int OUTBID_MAX = 1 << 28;

    private final Revocation revocation = new Revocation();
    private final RingSender sender;
    private final EmitterWatch watch;
    private final ObserverLink link;
    private final DoubtedDeaths doubted;
    private final Broadcast broadcast;
    private final AntiEntropy antiEntropy;
    private final RingListener listener;
    private RingPosition position;
    private SlotRecords records;

    /** Whether the broadcast has anything to spread: asked for each message, and hardly ever true. */
    private boolean newsWaits;

    /** What the listener was told last. */
    private boolean deaf;

    /** Until then what is read may have lain in the socket while this node was stopped. */
    private long staleUntil = Long.MIN_VALUE;

    /** When to look again for those whom nobody may be watching. */
    private long unwatchedDue = Long.MIN_VALUE;

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
        watch = new EmitterWatch(sender, position, records);
        link = new ObserverLink(sender, position, records);
        doubted = new DoubtedDeaths(sender);
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
        doubted.clear();
        watch.moveTo(now, position, records);
        link.moveTo(now, position, records);
        if (ownIncarnation() != membership.incarnation(ownSlot)) {
            broadcast.begin(ownSlot, ownSlot);
        } else if (ownIncarnation() != before) {
            listener.ownIncarnation(ownIncarnation());
        }
        tellDeafness();
        return true;
    }

    /**
     * Takes one message in. What it tells that is news goes to the others at {@link #spreadNews}, which must follow
     * when no more messages wait.
     *
     * @return why the message was not acted on, or null if it was
     */
    public @Nullable DropReason receive(long now, RingMessage message) {
        lookForLateness(now);
        DropReason refused = refusal(message);
        if (refused != null) {
            if (refused == DropReason.EPOCH) {
                receiveForeign(now, message);
            }
            return refused;
        }
        int from = message.fromSlot;
        int subject = message.type.hasSubject() ? position.membership().slotOf(message.subjectGuid) : -1;
        if (message.type.isRecord() && subject == position.ownSlot()) {
            // Before the sender's standing is looked at: two nodes that hold each other dead must still get through.
            hearOfSelf(now, message, false);
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
        doubted.lives(from);
        watch.heardFrom(now, from);
        dispatch(now, message, subject);
        tellDeafness();
        return null;
    }

    private void tellDeafness() {
        if (deaf != watch.isDeaf()) {
            deaf = watch.isDeaf();
            link.fence(deaf);
            listener.deaf(deaf);
        }
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
                && (!message.type.hasSubject() || membership.slotOf(message.subjectGuid) >= 0)
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
     * The manager's epochs reach the members one after the other, and some late. In between nobody may be accused: a
     * heartbeat of the emitter proves life in any epoch, and whoever asks is answered to where it asked from. A death
     * found in another epoch is doubted, not dropped: its observer there may be the only one that watched. A revocation
     * names no slot: it holds in all epochs.
     */
    private void receiveForeign(long now, RingMessage message) {
        int from = position.membership().slotOf(message.senderGuid);
        if (from == position.ownSlot()) {
            return;
        }
        if (message.type.isRecord()
                && message.subjectGuid == position.membership().guid(position.ownSlot())) {
            hearOfSelf(now, message, true);
            return;
        }
        boolean lives = from >= 0 && !records.outdates(from, message.incarnation);
        if (from >= 0 && !lives) {
            sender.replyRecord(from);
        } else if (lives && learn(now, from, message.incarnation, false, from, 0)) {
            broadcast.passOn(from, 2, from);
            newsWaits = true;
            listener.agentAlive(from, message.incarnation, 1);
        }
        boolean isOutdated = message.epoch < position.membership().epoch();
        if (lives && doubted.lives(from) && isOutdated) {
            lookAtUnwatched(now, from);
        }
        if (lives) {
            watch.heardFrom(now, from);
        }
        switch (message.type) {
            case HEARTBEAT -> {
                if (lives) {
                    watch.heard(now, from, message.nonce, false);
                }
            }
            case NEW_OBSERVER -> sender.replyHeartbeat(message.nonce);
            case PING -> pingedFromAfar(message, from);
            case PONG -> answeredFromAfar(now, message, from);
            case DEAD -> doubtForeign(now, message);
            case REVOKE -> hearRevocation(message, Broadcast.NOBODY);
            case ALIVE, SYNC -> {}
        }
        if (lives && isOutdated && from == watch.emitter()) {
            watch.emitterIsOutdated(now);
        }
        tellDeafness();
    }

    /** As {@link #pinged}; who asks from another epoch is told under the slot it has in this one. */
    private void pingedFromAfar(RingMessage message, int from) {
        int subject = position.membership().slotOf(message.subjectGuid);
        if (subject == position.ownSlot()) {
            sender.replyPong(message);
        } else if (subject >= 0 && from >= 0) {
            sender.ping(subject, subject, from, message.nonce);
        }
    }

    /** An answer to what was asked in an earlier epoch may name a slot that is another one's now. */
    private void answeredFromAfar(long now, RingMessage message, int from) {
        int subject = position.membership().slotOf(message.subjectGuid);
        if (subject < 0 || from < 0 || records.outdates(subject, message.subjectIncarnation)) {
            return;
        }
        Membership membership = position.membership();
        int observer = message.observerSlot;
        if (message.observerHash == membership.guidHash(position.ownSlot())) {
            watch.answered(now, subject, message.nonce, subject != from);
        } else if (subject == from && isSlot(observer) && message.observerHash == membership.guidHash(observer)) {
            sender.pong(observer, subject, message.subjectIncarnation, observer, message.nonce);
        }
    }

    private void doubtForeign(long now, RingMessage message) {
        int subject = position.membership().slotOf(message.subjectGuid);
        if (subject >= 0
                && subject != position.ownSlot()
                && records.isNews(subject, message.subjectIncarnation, true)
                && isPlausible(subject, message.subjectIncarnation)) {
            doubt(now, subject, records.incarnation(subject), false);
        }
    }

    private void doubt(long now, int subject, int incarnation, boolean isTold) {
        doubted.begin(now, position.rules(), subject, incarnation, isTold, watch.pingNonce());
    }

    /** Whoever knows an older membership does not watch the slot before it, as it should: this node asks that one. */
    private void lookAtUnwatched(long now, int outdated) {
        int before = records.liveBefore(outdated);
        if (before != position.ownSlot() && before != watch.emitter()) {
            doubt(now, before, records.incarnation(before), false);
        }
    }

    private void dispatch(long now, RingMessage message, int subject) {
        int from = message.fromSlot;
        switch (message.type) {
            case HEARTBEAT -> {
                watch.heard(now, from, message.nonce, true);
                if (from == watch.emitter()) {
                    antiEntropy.compare(message);
                }
            }
            case NEW_OBSERVER -> {
                link.newObserver(now, from, message.nonce);
                watch.watchedBy(from);
            }
            case DEAD -> hearOfDeath(now, message, subject);
            case ALIVE -> hear(now, message, subject, false, subject);
            case SYNC -> antiEntropy.answer(message);
            case PING -> pinged(message, subject);
            case PONG -> answered(now, message, subject);
            case REVOKE -> hearRevocation(message, from);
        }
    }

    /**
     * What a broadcast brings is fresh. Anything else, and whatever is read after a stop, may have been said during a split
     * that is over, and is doubted.
     */
    private void hearOfDeath(long now, RingMessage message, int subject) {
        int incarnation = message.subjectIncarnation;
        if (!isPlausible(subject, incarnation)) {
            return;
        }
        boolean isDoubtful = (message.hops == RingMessage.HOPS_TOLD || now < staleUntil)
                && position.rules().opinions() > 0
                && records.isNews(subject, incarnation, true);
        if (isDoubtful) {
            doubt(now, subject, incarnation, true);
        } else {
            hear(now, message, subject, true, message.observerSlot);
        }
    }

    /** Nobody dies in an incarnation that nobody has heard of. */
    private boolean isPlausible(int subject, int incarnation) {
        int step = incarnation - records.incarnation(subject);
        return Integer.compareUnsigned(incarnation, records.incarnation(subject)) <= 0
                || Integer.compareUnsigned(step, INCARNATION_STEP_MAX) <= 0;
    }

    /**
     * T5: first the ring, then the listener; the others at the end of the batch. Only a copy the source itself sent
     * counts one hop.
     */
    private void hear(long now, RingMessage message, int subject, boolean isDead, int source) {
        int incarnation = message.subjectIncarnation;
        int hops = message.fromSlot == source ? 1 : Math.max(2, Math.min(message.hops, RingMessage.HOPS_MAX));
        boolean isNews = learn(now, subject, incarnation, isDead, message.observerSlot, message.silence);
        pass(message, subject, hops, isNews);
        if (isNews && isDead) {
            long silence = position.rules().silenceNanos(message.silence);
            listener.agentSilent(subject, incarnation, message.observerSlot, silence, hops);
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
            mendWithout(now, subject);
        } else {
            watch.joined(now, subject);
            link.joined(now, subject);
        }
        doubted.lives(subject); // or is dead: it is known now
        return true;
    }

    private void mendWithout(long now, int dead) {
        watch.died(now, dead);
        link.died(now, dead);
    }

    /** Answers for itself; for another asks it, and whoever asked hears of the answer. Relays keep no state. */
    private void pinged(RingMessage message, int subject) {
        int own = position.ownSlot();
        if (subject == own) {
            sender.pong(message.fromSlot, own, ownIncarnation(), message.observerSlot, message.nonce);
        } else if (message.observerSlot == message.fromSlot) {
            sender.ping(subject, subject, message.fromSlot, message.nonce);
        }
    }

    private void answered(long now, RingMessage message, int subject) {
        if (message.observerSlot != position.ownSlot()) {
            if (subject == message.fromSlot) {
                sender.pong(
                        message.observerSlot, subject, message.subjectIncarnation, message.observerSlot, message.nonce);
            }
        } else if (!records.outdates(subject, message.subjectIncarnation)) {
            watch.answered(now, subject, message.nonce, subject != message.fromSlot);
        }
    }

    /** @param from slot that has it, or NOBODY in this epoch */
    private void hearRevocation(RingMessage message, int from) {
        int hops = Math.max(1, message.hops);
        boolean isNews = revocation.raise(message.leaderEpoch, message.fabricEpoch);
        if (from == Broadcast.NOBODY) {
            if (isNews) {
                broadcast.passOn(Broadcast.REVOCATION, Math.min(hops + 1, RingMessage.HOPS_MAX), from);
                newsWaits = true;
            }
        } else {
            pass(message, Broadcast.REVOCATION, hops, isNews);
        }
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
    private void hearOfSelf(long now, RingMessage message, boolean isForeign) {
        int order = Integer.compareUnsigned(message.subjectIncarnation, ownIncarnation());
        if (order < 0) {
            correct(message, isForeign);
            return;
        }
        int raised = message.subjectIncarnation + 1;
        boolean isPossible = raised != Membership.INCARNATION_RESERVED
                && Integer.compareUnsigned(raised - ownIncarnation(), OUTBID_MAX) <= 0;
        if ((order == 0 && message.type == MessageType.ALIVE) || !isPossible) {
            return;
        }
        records.learn(position.ownSlot(), raised, false, position.ownSlot(), 0);
        correct(message, isForeign);
        broadcast.begin(position.ownSlot(), isForeign ? Broadcast.NOBODY : message.fromSlot);
        // Whoever was held dead has lost its place: its emitter sends elsewhere until it hears of the new incarnation.
        watch.restart(now);
        listener.ownIncarnation(raised);
    }

    /** Tells who was wrong about this node how it is; in another epoch its incarnation says all. */
    private void correct(RingMessage message, boolean isForeign) {
        if (isForeign) {
            sender.replyRecord(position.ownSlot());
        } else {
            sender.record(message.fromSlot, position.ownSlot());
        }
    }

    /**
     * Lets time pass. Call at {@link #nextDeadline()}, and only after all messages that already wait have been given to
     * {@link #receive}: after a pause the heartbeats that prove the emitter alive are among them.
     */
    public void tick(long now) {
        spreadNews();
        lookForLateness(now);
        link.tick(now);
        // Bounded: whoever is accused is dead then, and a node that stays alone accuses nobody.
        for (int suspect = watch.tick(now); suspect != EmitterWatch.NOBODY; suspect = watch.tick(now)) {
            suspect(now, suspect);
        }
        tellDeafness();
        takeDoubted(now);
        if (watch.isEmitterOutdated(now) && now >= unwatchedDue) {
            unwatchedDue = now + position.rules().suspicionNanos();
            lookAtUnwatched(now, watch.emitter());
        }
    }

    /**
     * Does what is due soon, for a caller that has just been woken by a message and would be woken again for it: a heartbeat that is due within
     * η/4, and the next one is due 1.05 η later. The live member of the lowest slot sends its own when they are due: if all of a ring came sooner to go with those
     * before them, none ever would. Not needed: {@link #tick} does all when it is due.
     */
    public void tickEarly(long now) {
        lookForLateness(now);
        watch.tickEarly(now);
        if (watch.emitter() < position.ownSlot()) {
            link.tickEarly(now);
        }
    }

    /**
     * Looks whether this node was stopped. Asked before anything moves a deadline, by the first message as by a tick: what
     * lay in the socket meanwhile says what was so, for the η it takes to read it, not what is.
     */
    private void lookForLateness(long now) {
        long late = now - nextDeadline();
        if (late > position.rules().heartbeatNanos() && now >= staleUntil) {
            staleUntil = now + position.rules().heartbeatNanos();
            watch.wokeLate(now, late);
            doubted.postpone(now + position.rules().suspicionNanos());
        }
    }

    private void takeDoubted(long now) {
        if (doubted.isEmpty()) {
            return;
        }
        long delta = position.rules().suspicionNanos();
        long lastHeard = Math.max(doubted.since(), watch.lastAnswered());
        boolean isHeard = watch.state() == RingState.ALONE
                || now - lastHeard < position.rules().unheardNanos();
        if (watch.state() == RingState.ASKING || !isHeard) {
            doubted.postpone(now + delta); // whose silence is it?
        }
        for (int number = doubted.due(now); number >= 0; number = doubted.due(now)) {
            int slot = doubted.slot(number);
            int incarnation = doubted.incarnation(number);
            doubted.remove(number);
            records.learn(slot, incarnation, true, position.ownSlot(), RingRules.SILENCE_PARTS);
            mendWithout(now, slot);
            broadcast.begin(slot, slot);
            listener.agentSilent(slot, incarnation, position.ownSlot(), delta, 0);
        }
        if (doubted.tick(now, position.rules(), watch.pingNonce())) {
            watch.askWhetherHeard();
        }
    }

    /** T3. The accused is told too, so that it can refute at once if it lives. */
    private void suspect(long now, int suspect) {
        long silence = watch.silence(now);
        int own = position.ownSlot();
        int incarnation = records.incarnation(suspect);
        records.learn(suspect, incarnation, true, own, position.rules().silenceParts(silence));
        mendWithout(now, suspect);
        broadcast.begin(suspect, suspect);
        sender.record(suspect, suspect);
        listener.agentSilent(suspect, incarnation, own, silence, 0);
    }

    /** When {@link #tick} is due next; {@link Long#MAX_VALUE} if nothing is. */
    public long nextDeadline() {
        return Math.min(Math.min(watch.nextDeadline(), link.nextDeadline()), doubted.nextDeadline());
    }

    /** True if {@code tick(now)} would declare the emitter dead: the moment to look for waiting messages once more. */
    public boolean isSuspicionDue(long now) {
        return watch.isSuspicionDue(now);
    }

    public RingState state() {
        return watch.state();
    }

    /** Slot this node watches; its own when there is nobody. */
    public int emitter() {
        return watch.emitter();
    }

    /** Slot this node sends its heartbeats to; its own when there is nobody. */
    public int observer() {
        return link.observer();
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
        return watch.lateWakeUps();
    }

    /** Times another one's word spoke for the emitter of this node when it was about to be accused. */
    public long vouched() {
        return watch.vouched();
    }

    /** 0: trusts itself; each late wake-up or refutation adds one, up to 8, each quiet δ takes one away. */
    public int selfScore() {
        return watch.selfScore();
    }

    /** How many slots this node holds dead. */
    public int deadCount() {
        return records.deadCount();
    }

    /** True if this node hears nobody: its heartbeats stop, and others take it for dead. */
    public boolean isDeaf() {
        return watch.isDeaf();
    }

    /** For how long nothing has been heard of the emitter; without meaning while {@link RingState#ALONE}. */
    public long silenceNanos(long now) {
        return watch.silence(now);
    }
}
