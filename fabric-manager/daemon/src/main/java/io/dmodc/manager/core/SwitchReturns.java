package io.dmodc.manager.core;

import io.dmodc.topology.FabricView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Switches that come up again, can be told their table again, or are called otherwise, each of which is another view. One that does so again and again, as its
 * agent comes and goes or says something else in each Hello, is heard as {@link CallLimit} has it, once a minute in the end, and makes one epoch more where it is
 * gone again after that. Only coming up is put off: that a switch does not forward, or does not take what others were told it would, is news at once. Each view that is
 * drawn meanwhile has all that was put off.
 *
 * <p>One that was heard {@value #OFTEN} times in a row is in alarm until it did not call for as long as {@link CallLimit} takes to begin anew. At most one entry of each kind a switch.
 */
final class SwitchReturns {
    static final int OFTEN = 4;

    private final FabricState state;
    private final CallLimit limit;

    /** Those that were heard since the last view was drawn: the next one has all else that they call for, too. */
    private final Set<Long> heard = new HashSet<>();

    /** Why switches that wait call, in words. */
    private final Map<Long, String> causes = new HashMap<>();

    /** Those in alarm, and when they have been quiet for long enough. */
    private final Deadlines<Long> quiet = new Deadlines<>(Long::compareUnsigned);

    SwitchReturns(FabricState state) {
        this.state = state;
        limit = new CallLimit(state);
    }

    /** The next view has this of it: that is news now or later. */
    void calls(SwitchRecord record, String how, long nowNanos) {
        if (heard.contains(record.guid) || hears(record, nowNanos)) {
            state.news.add(nowNanos, record.name + " " + how);
        } else {
            causes.put(record.guid, how);
        }
    }

    /** True if what it says may be taken in now. */
    boolean hears(SwitchRecord record, long nowNanos) {
        boolean taken = limit.hears(record.guid, nowNanos);
        if (taken) {
            heard.add(record.guid);
        }
        if (limit.times(record.guid, nowNanos) >= OFTEN) {
            quiet.set(record.guid, nowNanos + limit.quietNanos());
            state.touchSwitch(record.guid);
        }
        return taken;
    }

    /** True while it waits to be heard. */
    boolean waits(SwitchRecord record) {
        return limit.waits(record.guid);
    }

    /** True while it is in alarm. */
    boolean callsOften(long guid) {
        return quiet.contains(guid);
    }

    /** A view is drawn, which has all of it. */
    void drawn() {
        heard.clear();
        limit.waiting().forEach(limit::cancel);
        causes.clear();
    }

    /** Those that waited long enough are heard. */
    void timePassed(long nowNanos) {
        for (long guid : limit.takeDue(nowNanos)) {
            String cause = causes.remove(guid);
            SwitchRecord record = state.switches.get(guid);
            if (cause != null && record != null && isNews(record)) {
                calls(record, cause, nowNanos);
            }
        }
        for (long guid : quiet.takeDue(nowNanos)) {
            state.touchSwitch(guid);
        }
    }

    /** False: it is gone again meanwhile, and drawn and called as it is. */
    private boolean isNews(SwitchRecord record) {
        FabricView drawn = state.view;
        int s = drawn == null ? -1 : drawn.switchOf(record.guid);
        return record.reachable()
                || drawn == null
                || s < 0
                || drawn.alive(s) != state.cabling.alive(record.guid)
                || !drawn.switchName(s).equals(record.name);
    }

    /** It is part of the fabric no more. */
    void forgotten(long guid) {
        limit.forgotten(guid);
        heard.remove(guid);
        causes.remove(guid);
        quiet.cancel(guid);
    }

    /** When {@link #timePassed} has something to do; {@code Long.MAX_VALUE}: never. */
    long nextDeadline() {
        return Math.min(limit.nextDeadline(), quiet.next());
    }
}
