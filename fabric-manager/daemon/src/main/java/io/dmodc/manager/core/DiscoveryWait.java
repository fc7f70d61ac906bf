package io.dmodc.manager.core;

import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.PortPlace;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** How long a manager that has started waits for agents before it makes its first tables. Used by the thread of the state. */
final class DiscoveryWait {
    private final FabricState state;

    /** The port at which a switch was named last that is not in: looked at first, as it is asked often while all wait for one. */
    private @Nullable PortPlace naming;

    DiscoveryWait(FabricState state) {
        this.state = state;
    }

    /**
     * All who are waited for are in; or it has been quiet and enough are in. Of a fabric that is known that is the share without which nothing is
     * pushed: the others are headless then, nothing is lost by going on. Where the fabric changed since the last run, their tables may not fit
     * it any more, and they would be led around for nothing but being slow: then those that forward are waited for. Of an unknown fabric it is all
     * switches that an agent names at the other end of a cable: tables without them would lead around them, or cut off who is behind.
     * At the latest when the time is over.
     */
    boolean isOver(long nowNanos) {
        if (isAnythingKnown()
                && state.share.allTold()
                && state.switches.keySet().containsAll(state.expected)) {
            return true;
        }
        return (waitsForTime() && nowNanos >= timeOverAt()) || (isAnyIn() && nowNanos >= quietAt() && isEnoughIn());
    }

    /** Nanoseconds until when to wait for news; {@link Long#MAX_VALUE} where time alone changes nothing. */
    long nextDeadline() {
        return Math.min(
                isAnyIn() ? ahead(quietAt()) : Long.MAX_VALUE, waitsForTime() ? ahead(timeOverAt()) : Long.MAX_VALUE);
    }

    /** A moment that has passed wakes nobody a second time: what is missing then is no matter of time. */
    private long ahead(long nanos) {
        return nanos > state.settledNanos ? nanos : Long.MAX_VALUE;
    }

    private boolean isAnyIn() {
        return state.firstJoinNanos != Long.MAX_VALUE;
    }

    /** Before any of a subnet manager's switches is in nobody has seen its fabric, and none of them is known to be missing. */
    private boolean waitsForTime() {
        return isAnyIn() || (state.knewSwitches && !state.subnetManaged);
    }

    private boolean isAnythingKnown() {
        return !state.expected.isEmpty() || state.knewSwitches;
    }

    private boolean isEnoughIn() {
        if (!state.expected.isEmpty() || !state.enoughConnected()) {
            return false;
        }
        return state.knewSwitches ? !(changedSinceTheLastRun() && awaitsWhoForwards()) : !namesWhoIsNotIn();
    }

    /** There is more news than that the manager started. */
    private boolean changedSinceTheLastRun() {
        return state.news.isMoreThanOne();
    }

    /** A switch that was there before, of which no agent came in, has a link that both ends hold to be up. */
    private boolean awaitsWhoForwards() {
        return state.switches.values().stream().anyMatch(record -> record.awaited && hasLiveLink(record.guid));
    }

    private boolean hasLiveLink(long guid) {
        return state.cabling.knows(guid) && ports(guid).anyMatch(port -> state.cabling.isLive(guid, port));
    }

    private boolean namesWhoIsNotIn() {
        if (naming == null || !namesWhoIsNotIn(naming)) {
            naming = state.switches.keySet().stream()
                    .filter(state.cabling::knows)
                    .flatMap(guid -> ports(guid).mapToObj(port -> new PortPlace(guid, port)))
                    .filter(this::namesWhoIsNotIn)
                    .findFirst()
                    .orElse(null);
        }
        return naming != null;
    }

    private boolean namesWhoIsNotIn(PortPlace at) {
        return state.cabling.claim(at.guid(), at.port()) instanceof ToSwitch to
                && state.cabling.saysUp(at.guid(), at.port())
                && !state.switches.containsKey(to.guid());
    }

    private IntStream ports(long guid) {
        return IntStream.rangeClosed(1, state.cabling.portCount(guid));
    }

    /** News of host ports, and answers to questions, do not put it off. */
    private long quietAt() {
        return state.lastJoinNanos + state.rules.discoveryQuietNanos();
    }

    /**
     * A fabric of which something is known is waited for from the start on. Of an unknown one nobody can tell how many switches are to
     * come: each that was not in before is waited for anew, up to a bound from the first one on.
     */
    private long timeOverAt() {
        long timeout = state.rules.discoveryTimeoutNanos();
        return isAnythingKnown()
                ? state.startedNanos + timeout
                : Math.min(
                        state.lastNewNanos + timeout,
                        state.firstJoinNanos + FabricRules.FIRST_START_TIMEOUTS * timeout);
    }
}
