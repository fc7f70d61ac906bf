package io.dmodc.manager.core;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How often a switch is heard that calls for another epoch: the first time at once, then after ever longer, as a push that is refused is sent again: after the
 * acknowledgement timeout, twice that, a minute at most. It begins anew when the switch was not heard for twice the longest wait.
 *
 * <p>At most two entries a switch, until it is forgotten.
 */
final class CallLimit {
    private record Heard(int times, long nanos) {}

    private final FabricState state;
    private final Map<Long, Heard> last = new HashMap<>();

    /** When switches that called too soon are heard. */
    private final Deadlines<Long> waiting = new Deadlines<>(Long::compareUnsigned);

    CallLimit(FabricState state) {
        this.state = state;
    }

    /** True if this switch is heard now; false: it waits until it is. */
    boolean hears(long guid, long nowNanos) {
        if (waits(guid)) {
            return false;
        }
        int times = times(guid, nowNanos);
        Heard heard = last.get(guid);
        long againNanos =
                heard == null || times == 0 ? nowNanos : heard.nanos + PushesUnderWay.waitNanos(state.rules, times);
        if (nowNanos < againNanos) {
            waiting.set(guid, againNanos);
            return false;
        }
        last.put(guid, new Heard(times + 1, nowNanos));
        return true;
    }

    /** How often it was heard, each time soon after the last. */
    int times(long guid, long nowNanos) {
        Heard heard = last.get(guid);
        return heard == null || nowNanos - heard.nanos > quietNanos() ? 0 : heard.times;
    }

    /** After so long it begins anew. */
    long quietNanos() {
        return 2 * PushesUnderWay.longestWaitNanos(state.rules);
    }

    /** True while it is not heard yet. */
    boolean waits(long guid) {
        return waiting.contains(guid);
    }

    /** It waits no more. */
    void cancel(long guid) {
        waiting.cancel(guid);
    }

    /** All that wait; a list of its own. */
    List<Long> waiting() {
        return List.copyOf(waiting.keys());
    }

    /** Those that waited long enough, and wait no more. */
    List<Long> takeDue(long nowNanos) {
        return waiting.takeDue(nowNanos);
    }

    /** It is part of the fabric no more. */
    void forgotten(long guid) {
        waiting.cancel(guid);
        last.remove(guid);
    }

    /** When somebody is heard next. */
    long nextDeadline() {
        return waiting.next();
    }
}
