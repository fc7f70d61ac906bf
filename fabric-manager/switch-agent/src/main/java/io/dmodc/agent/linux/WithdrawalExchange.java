package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Neighbour.SwitchPort;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Withdrawals between this switch and those at the far ends of its cables: a switch whose port died, and which has no other one that leads some
 * destinations closer, says so to its neighbours, and these lead them over others of their own alternatives. One that has none withdraws in turn.
 *
 * <p>A switch withdraws a destination exactly while each port that may lead it (its table's, and the alternatives told with it) is dead, or
 * has a switch at the far end that withdraws it; late by what a frame takes, and {@link WithdrawalTeller#HOLD_NANOS} later when it takes it back.
 * It never withdraws what it reaches over anybody.
 *
 * <p><b>It ends, and all is taken back.</b> Where all tables are of one epoch, each of those ports leads closer to the destination, so who depends on
 * whom has no circle. After the last fault those nearest to the destination say their last word first, then those that lead to them, and so on:
 * after as many words as the longest way has cables nothing is said any more. What is withdrawn then depends on the ports and tables alone, so it is what it
 * was before a cable was cut when that is back. A word that is lost is said again, and the last one is lost for {@link Withdrawals#SILENCE_NANOS} at most.
 *
 * <p>Between tables of several epochs there can be circles. A switch that has a living way, of ports that may lead, ends up without withdrawing there, too:
 * the last switch of the way leads to the host itself, and each hears of the next one that it withdraws no more. So a circle can
 * uphold withdrawals only among switches none of which has a way out. And it does not send them round and round: what is withdrawn is told at once, what is taken back
 * later, so with each hop a withdrawal lasts longer and the pause behind it is shorter, until it is none. Whatever else is told, true or not, the
 * {@link Pace} of both ends bounds, and a packet follows legal ports only.
 *
 * <p>For the plane's worker, but for {@link #farEndChanged} and what arrives.
 */
final class WithdrawalExchange {
    /** So often those are looked for that fell silent. */
    private static final long SILENCE_CHECK_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final long origin = System.nanoTime();
    private final Cabling cabling;
    private final PlaneWorker worker;
    private final Runnable changed;
    private final Withdrawals heard;
    private final WithdrawalTeller teller;

    /** The worker is to come to {@link #hearLater} again. */
    private final AtomicBoolean hearingLater = new AtomicBoolean();

    /** Nothing is told before. */
    private long beginAt;

    /** When the worker is to come here next. */
    private long armedAt = WithdrawalTeller.NEVER;

    /** @param changed told on any thread when neighbours withdraw something else; must return at once */
    WithdrawalExchange(String who, LinuxSettings settings, Cabling cabling, PlaneWorker worker, Runnable changed) {
        this.cabling = cabling;
        this.worker = worker;
        this.changed = changed;
        heard = new Withdrawals(who, cabling);
        teller = new WithdrawalTeller(settings.guid(), settings.portCount(), new SplittableRandom().nextInt(), cabling);
    }

    /** Begins to listen. */
    void start() {
        cabling.withdrawals().listen((port, frame) -> {
            tellIf(heard.arrived(port, frame, now()));
            hearLater();
        });
        worker.every(SILENCE_CHECK_NANOS, () -> tellIf(heard.dropOld(now())));
    }

    /** A list that waits is heard when it may be, though nothing arrives any more. */
    private void hearLater() {
        long now = now();
        long next = heard.nextDeadline(now);
        if (next != WithdrawalTeller.NEVER && hearingLater.compareAndSet(false, true)) {
            worker.later(next - now, () -> {
                hearingLater.set(false);
                tellIf(heard.hearWaiting(now()));
                hearLater();
            });
        }
    }

    private long now() {
        return System.nanoTime() - origin;
    }

    private void tellIf(boolean anything) {
        if (anything) {
            changed.run();
        }
    }

    /** Returns what neighbours withdraw, by port; the same object until they withdraw something else. Read only. */
    Map<Integer, Set<RouteAddress>> heard() {
        return heard.byPort();
    }

    /**
     * A run before has told neighbours something, which counts until this one tells another thing: it does when it knows what they withdraw, on which
     * that may rest.
     */
    void begunAnew() {
        beginAt = now() + Withdrawals.HEARING_NANOS;
        worker.later(Withdrawals.HEARING_NANOS, changed);
    }

    /** Tells neighbours what this switch does not reach over any of them. */
    void tell(RouteBook book) {
        if (now() - beginAt < 0) {
            return;
        }
        teller.withdraw(
                book.unreached(this::mayLeadToSwitch, WithdrawalCodec.ADDRESSES_MAX + 1), book::routeState, now());
        tick();
    }

    /** Where nobody was heard since this agent began, it may: a host that is withdrawn needlessly is led nowhere as before. */
    private boolean mayLeadToSwitch(int port) {
        FarEnd far = cabling.farEnd(port);
        return far == null || far.neighbour() instanceof SwitchPort;
    }

    private void tick() {
        long now = now();
        teller.tick(now);
        long next = teller.nextDeadline(now);
        if (next != WithdrawalTeller.NEVER && (armedAt == WithdrawalTeller.NEVER || next - armedAt < 0)) {
            armedAt = next;
            worker.later(Math.max(0, next - now), () -> {
                armedAt = armedAt == next ? WithdrawalTeller.NEVER : armedAt;
                tick();
            });
        }
    }

    /** A port died, so that it counts and not what was withdrawn there; or it carries again, and who is there may have missed something. */
    void portChanged(int port, boolean dead) {
        if (dead) {
            heard.forget(port);
        } else {
            teller.tell(port, now());
        }
    }

    /** From any thread. */
    void farEndChanged(int port) {
        heard.farEndChanged(port);
        worker.later(0, () -> {
            teller.tell(port, now());
            tick();
        });
    }
}
