package io.dmodc.detector;

/**
 * Whom this node watches: task T2 of the source, the re-connection half of T3, and what was added so that silence is
 * not blamed on others.
 *
 * <p>The emitter is always the next live slot backwards. Before it is accused others are asked for their opinion, and
 * asked whether they hear this node at all: while none of them answers, the silence may be this node's own, and nobody
 * is accused. After δ of that the node is <em>deaf</em>: it {@link #isDeaf fences itself}, so that its own emitter gets
 * another observer, and goes on asking ever more seldom. Sources: Dadgar et al., "Lifeguard", DSN 2018 (NACK); rules
 * with no opinions are the published algorithm, which knows nothing of that.
 *
 * <p>Only a heartbeat that carries the nonce of this watch counts: one that was on its way for long, or is played again,
 * proves nothing. All times are nanoseconds on the caller's one monotonic scale. No allocation after {@link #moveTo};
 * O(1) per call, except the search for the next live slot, which steps over the dead, and asking, which is O(asking
 * width).
 */
final class EmitterWatch {
    static final long NEVER = Long.MAX_VALUE;
    static final int NOBODY = -1;

    /** An answer to one of so many rounds of questions, the last ones, still counts. */
    private static final int ROUNDS_COUNTED = 8;

    /** The pause between the questions of a deaf node doubles up to so many δ. */
    private static final int DEAF_PAUSE_DELTA = 4;

    private final RingSender sender;
    private final AskingRound round = new AskingRound();
    private final SelfScore score = new SelfScore();
    private RingPosition position;
    private SlotRecords records;

    private RingState state = RingState.ALONE;
    private int emitter;
    private long askDue = NEVER;
    private long suspicionDue = NEVER;
    private long probeDue = NEVER;
    private long lastHeard;
    private long outdatedUntil = Long.MIN_VALUE;
    private boolean excused;
    private int probed;
    private int heardLast;
    private int watcher;
    private int opinionsAsked;

    /** Goes into the questions to the emitter; another one for each watch. */
    private int nonce;

    /** Goes into the pings; another one for each round of questions. */
    private int pingNonce;

    /** Since when others have been asked about the present emitter; NEVER: they were not. */
    private long othersAsked = NEVER;

    /** What the first of those questions carried: an answer to an earlier one may be any old. */
    private int othersNonce;

    /** When the first of them has answered, whatever: since then this node hears and is heard. NEVER: none has. */
    private long othersAnswered = NEVER;

    /** The emitter would have been accused, had others answered. */
    private boolean postponed;

    private boolean deaf;
    private long deafPause;
    private long lastAsked;
    private long lastAnswered = Long.MIN_VALUE;
    private long lateWakeUps;
    private long vouched;

    EmitterWatch(RingSender sender, RingPosition position, SlotRecords records) {
        this.sender = sender;
        this.position = position;
        this.records = records;
        emitter = position.ownSlot();
    }

    /** Moves to a new membership; whoever is watched by the same rules still has what was left of its time. */
    void moveTo(long now, RingPosition next, SlotRecords nextRecords) {
        int nextEmitter = nextRecords.liveBefore(next.ownSlot());
        boolean sameRules = next.rules().equals(position.rules());
        boolean stays = sameRules
                && state != RingState.ALONE
                && position.membership().guid(emitter) == next.membership().guid(nextEmitter)
                && records.incarnation(emitter) == nextRecords.incarnation(nextEmitter);
        round.moveTo(position, next);
        heardLast = next.ownSlot();
        watcher = heardLast;
        position = next;
        records = nextRecords;
        probeDue = next.membership().slotCount() == 1
                ? NEVER
                : Math.min(probeDue, now + next.rules().graceNanos());
        if (stays) {
            emitter = nextEmitter;
        } else if (sameRules && round.awaits(nextEmitter)) {
            watchAwaited(now, nextEmitter);
        } else {
            watch(now, nextEmitter);
        }
    }

    /**
     * A node that was itself stopped must not blame the silence on its emitter: after a wake-up more than η late the
     * deadline moves to 2 η from now and the emitter is asked. Only once between two heartbeats, so that a node which
     * is always late still finds the dead; but after δ all that it knew is old.
     */
    void wokeLate(long now, long late) {
        lateWakeUps++;
        score.starved(now);
        if (state != RingState.ALONE && (!excused || late >= position.rules().suspicionNanos())) {
            excused = true;
            state = RingState.ASKING;
            askDue = now;
            unsure(now + 2 * position.rules().heartbeatNanos());
        }
    }

    /** Nobody is accused before that time, nor before others have answered anew. */
    private void unsure(long until) {
        suspicionDue = Math.max(suspicionDue, until);
        round.excuse(suspicionDue);
        othersAsked = NEVER;
        othersAnswered = NEVER;
        postponed = false;
    }

    /**
     * The repeated questions and the probe. Returns the slot whose silence has lasted too long, or NOBODY; after a slot
     * was returned and has {@link #died}, there may be another one.
     */
    int tick(long now) {
        score.tick(now, position.rules().suspicionNanos());
        if (now >= probeDue) {
            probe(now);
        }
        if (isSuspicionDue(now)) {
            if (mayAccuse(now)) {
                return emitter;
            }
            postpone(now);
        }
        if (now >= askDue) {
            ask(now);
        }
        return NOBODY;
    }

    /** The probe within η, for a caller that is awake. */
    void tickEarly(long now) {
        if (now >= probeDue - position.rules().heartbeatNanos()) {
            probe(now);
        }
    }

    /** True if this node has been known for a while to hear and be heard, or there is nobody else in the ring. */
    private boolean mayAccuse(long now) {
        return position.rules().opinions() == 0
                || (othersAnswered != NEVER
                        && now - othersAnswered >= position.rules().certaintyNanos())
                || position.membership().slotCount() == 2;
    }

    private void postpone(long now) {
        if (othersAnswered != NEVER) {
            suspicionDue = othersAnswered + position.rules().certaintyNanos();
            return;
        }
        long delta = position.rules().suspicionNanos();
        if (!deaf && othersAsked != NEVER && now - othersAsked >= delta) {
            deaf = true;
            deafPause = delta / 2;
        }
        if (deaf) {
            deafPause = Math.min(2 * deafPause, DEAF_PAUSE_DELTA * delta);
        }
        postponed = true;
        ask(now); // and others: it is time for their opinion
        suspicionDue = now + (deaf ? deafPause : position.rules().heartbeatNanos());
        askDue = suspicionDue;
        round.excuse(suspicionDue);
    }

    /**
     * T2. A heartbeat of another epoch proves life but does not answer a NewObserver of this one.
     *
     * @param answered the nonce it carries
     */
    void heard(long now, int from, int answered, boolean sameEpoch) {
        if (from != emitter || state == RingState.ALONE) {
            return;
        }
        if (answered != nonce) {
            if (state == RingState.WATCHING) {
                state = RingState.ASKING;
                askDue = now;
            }
            return;
        }
        livesNow(now);
        hearsAgain(now);
        if (sameEpoch) {
            state = RingState.WATCHING;
            round.end();
        } else {
            // It sends one for each question only, and either may get lost.
            suspicionDue = now + position.rules().graceNanos();
        }
        if (state == RingState.WATCHING) {
            askDue = now + position.rules().doubtNanos();
        }
    }

    /** Any message from a member: should all others be silent, this one may still answer. */
    void heardFrom(long now, int slot) {
        if (slot != emitter) {
            heardLast = slot;
        } else if (position.rules().opinions() > 0 && state != RingState.ALONE) {
            // It said something: no proof that it hears this node, but the next questions may bring that.
            suspicionDue = Math.max(suspicionDue, now + 2 * position.rules().heartbeatNanos());
        }
        if (deaf && now - lastAsked >= position.rules().heartbeatNanos()) {
            deafPause = position.rules().suspicionNanos() / 2;
            suspicionDue = now;
        }
    }

    /** Who has asked for heartbeats: as long as that one hears this node, others need not. */
    void watchedBy(int slot) {
        watcher = slot;
    }

    /** The emitter has shown that it knows an older membership: it does not watch for this one. */
    void emitterIsOutdated(long now) {
        outdatedUntil = now + position.rules().suspicionNanos();
    }

    boolean isEmitterOutdated(long now) {
        return now < outdatedUntil && state != RingState.ALONE;
    }

    /** A slot has answered a ping, itself or through another: it lives, even if its heartbeats go elsewhere. */
    void answered(long now, int slot, int answeredNonce, boolean byAnother) {
        if ((pingNonce - answeredNonce & 0xff) >= ROUNDS_COUNTED) {
            return;
        }
        lastAnswered = now;
        if (othersAsked != NEVER && (answeredNonce - othersNonce & 0xff) <= (pingNonce - othersNonce & 0xff)) {
            othersAnswered = Math.min(othersAnswered, now);
        }
        if (postponed) {
            // What was not heard meanwhile proves nothing: from here on the emitter has time to answer.
            unsure(now + position.rules().suspicionNanos());
            askDue = Math.min(askDue, now + position.rules().heartbeatNanos());
        }
        if (slot == emitter && state != RingState.ALONE) {
            livesNow(now);
            vouched += byAnother ? 1 : 0;
        } else {
            round.answered(slot);
        }
        hearsAgain(now);
    }

    private void livesNow(long now) {
        lastHeard = now;
        excused = false;
        othersAsked = NEVER;
        othersAnswered = NEVER;
        postponed = false;
        suspicionDue = now + score.stretched(position.rules().suspicionNanos());
    }

    private void hearsAgain(long now) {
        if (deaf) {
            deaf = false;
            watch(now, emitter);
        }
    }

    /** A slot has died: if it was the emitter, the next live one is. */
    void died(long now, int slot) {
        if (slot != emitter) {
            return;
        }
        int next = records.liveBefore(position.ownSlot());
        if (round.awaits(next)) {
            watchAwaited(now, next);
        } else {
            watch(now, next);
            round.begin(now, emitter, position, records);
            askRound(now);
        }
    }

    /** A slot lives in a new incarnation: it is the emitter if it is closer than that. */
    void joined(long now, int slot) {
        round.answered(slot); // what was asked of its former life is void
        int before = records.liveBefore(position.ownSlot());
        if (before != emitter || slot == emitter) {
            watch(now, before);
        }
    }

    /** Starts over with the present emitter, as after a join: others held this node dead. */
    void restart(long now) {
        score.starved(now);
        watch(now, emitter);
    }

    private void watch(long now, int slot) {
        round.end();
        emitter = slot;
        lastHeard = now;
        excused = false;
        othersAsked = NEVER;
        othersAnswered = NEVER;
        postponed = false;
        outdatedUntil = Long.MIN_VALUE;
        nonce = sender.newNonce();
        if (slot == position.ownSlot()) {
            state = RingState.ALONE;
            suspicionDue = NEVER;
            askDue = NEVER;
            deaf = false;
            return;
        }
        state = RingState.ASKING;
        suspicionDue = now + position.rules().graceNanos();
        ask(now);
    }

    /** This one was asked before, and its time runs already. */
    private void watchAwaited(long now, int slot) {
        emitter = slot;
        state = RingState.ASKING;
        lastHeard = round.begun();
        suspicionDue = round.due();
        nonce = sender.newNonce();
        if (now < suspicionDue) {
            ask(now);
        }
    }

    private void ask(long now) {
        state = RingState.ASKING;
        boolean isLate = position.rules().opinions() > 0
                && suspicionDue - now < position.rules().suspicionNanos();
        askDue = now + position.rules().heartbeatNanos() / (isLate ? 2 : 1);
        pingNonce++;
        lastAsked = now;
        sender.newObserver(emitter, nonce);
        if (deaf || isOpinionDue(now)) {
            askOthersAbout(now, emitter);
        }
        askRound(now);
    }

    private void askRound(long now) {
        for (int i = 0; i < round.count(); i++) {
            int slot = round.open(i, records);
            if (slot != NOBODY && slot != emitter) {
                sender.ping(slot, slot, pingNonce);
                if (isOpinionDue(now)) {
                    askOthersAbout(now, slot);
                }
            }
        }
    }

    private boolean isOpinionDue(long now) {
        return now >= suspicionDue - position.rules().opinionNanos();
    }

    /**
     * The second opinion: neighbours of the suspect in the overlay, others each time, ping it and tell what it said; and
     * say whether they hear this node.
     */
    private void askOthersAbout(long now, int suspect) {
        int count = position.membership().slotCount();
        int left = position.rules().opinions();
        for (int tried = 0; left > 0 && tried < 2 * RingRules.OPINIONS_MAX; tried++) {
            int other = Overlay.neighbour(suspect, count, opinionsAsked++);
            if (mayAnswer(other, suspect)) {
                askOther(now, other, suspect);
                left--;
            }
        }
        if (position.rules().opinions() > 0 && suspect == emitter) {
            // Of the neighbours of the suspect all may be dead, or beyond a split.
            int other = mayAnswer(heardLast, suspect) ? heardLast : records.liveBefore(emitter);
            if (mayAnswer(other, suspect)) {
                askOther(now, other, suspect);
            }
            if (watcher != heardLast && mayAnswer(watcher, suspect)) {
                askOther(now, watcher, suspect);
            }
        }
    }

    private boolean mayAnswer(int other, int suspect) {
        return other != suspect && other != position.ownSlot() && !records.isDead(other);
    }

    private void askOther(long now, int other, int suspect) {
        sender.ping(other, suspect, pingNonce);
        sender.ping(other, other, pingNonce);
        if (othersAsked == NEVER) {
            othersAsked = now;
            othersNonce = pingNonce;
        }
    }

    /**
     * Tells one of the dead between the emitter and this node that it is held dead, each in turn. Whoever lives after
     * all refutes it: without this, the two halves of a healed network would never speak to each other again.
     */
    private void probe(long now) {
        probeDue = now + position.rules().graceNanos();
        int own = position.ownSlot();
        int count = position.membership().slotCount();
        int gap = (emitter == own ? count : position.stepsBetween(emitter, own)) - 1;
        if (gap > 0) {
            int slot = Math.floorMod(own - 1 - probed++ % gap, count);
            sender.record(slot, slot);
        }
    }

    boolean isSuspicionDue(long now) {
        return now >= suspicionDue;
    }

    long nextDeadline() {
        return Math.min(probeDue, Math.min(askDue, suspicionDue));
    }

    long silence(long now) {
        return now - lastHeard;
    }

    RingState state() {
        return state;
    }

    int emitter() {
        return emitter;
    }

    /** True from δ after the first unanswered question to others until one of them, or the emitter, answers. */
    boolean isDeaf() {
        return deaf;
    }

    /** Asks the emitter whether it hears this node, for {@link #lastAnswered}. */
    void askWhetherHeard() {
        if (state != RingState.ALONE) {
            sender.ping(emitter, emitter, pingNonce);
        }
    }

    /** When a ping was answered last, by whomever; Long.MIN_VALUE before the first. */
    long lastAnswered() {
        return lastAnswered;
    }

    /** What a ping that is sent now carries. */
    int pingNonce() {
        return pingNonce;
    }

    long lateWakeUps() {
        return lateWakeUps;
    }

    /** Times another one's word kept this node from accusing its emitter, or would have. */
    long vouched() {
        return vouched;
    }

    int selfScore() {
        return score.score();
    }
}
