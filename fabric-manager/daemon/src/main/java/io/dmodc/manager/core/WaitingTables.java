package io.dmodc.manager.core;

import io.dmodc.routing.change.ChangePlan;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which switches keep some entries until others have acknowledged theirs, and for whom they wait: {@link PushRounds} as people ask for it, found from
 * a snapshot on their thread.
 *
 * <p>O(switches that wait × those they wait for).
 *
 * @param epoch of the tables; 0 before the first
 * @param switchCount how many wait
 * @param entryCount entries that they must keep until then; others may wait with them
 * @param switches that wait, by index: the first {@value #LISTED_MAX}
 * @param awaitedCount how many are waited for
 * @param awaited those that most wait for: the first {@value #LISTED_MAX}
 */
public record WaitingTables(
        long epoch, int switchCount, long entryCount, List<Waiting> switches, int awaitedCount, List<Awaited> awaited) {
    static final int LISTED_MAX = 100;

    /** Of the switches that one waits for, so many are named. */
    static final int NAMED_MAX = 10;

    /**
     * A switch that waits.
     *
     * @param round of its next table
     * @param entries that it keeps until then, or longer
     * @param sinceMillis since 1970: when this became its next table
     * @param awaited the first {@value #NAMED_MAX} of those it waits for; none: packets that were sent before are to leave
     * @param awaitedCount how many these are in all
     */
    public record Waiting(
            long guid,
            String name,
            int round,
            int entries,
            long sinceMillis,
            List<SwitchSnapshot> awaited,
            int awaitedCount) {}

    /** A switch that so many wait for. */
    public record Awaited(SwitchSnapshot who, int switchCount) {}

    /** Nobody waits. */
    private static final WaitingTables NONE = new WaitingTables(0, 0, 0, List.of(), 0, List.of());

    /** Those of a moment. */
    static WaitingTables of(
            @Nullable FabricView view, PlannedChange change, LongFunction<@Nullable SwitchSnapshot> switches) {
        ChangePlan plan = change.plan();
        return view == null || plan == null ? NONE : new Search(view, change, plan, switches).find();
    }

    /** Switches that are to acknowledge before all can leave that waits for them next, by GUID. */
    static Set<Long> awaited(
            @Nullable FabricView view, PlannedChange change, LongFunction<@Nullable SwitchSnapshot> switches) {
        ChangePlan plan = change.plan();
        return view == null || plan == null ? Set.of() : new Search(view, change, plan, switches).awaitedNext();
    }

    /** Looks at each switch that may wait. */
    private static final class Search {
        private final FabricView view;
        private final PlannedChange change;
        private final ChangePlan plan;
        private final @Nullable SwitchSnapshot[] switches;
        private final List<Waiting> waiting = new ArrayList<>();
        private final int[] awaitedBy;
        private int switchCount;
        private long entryCount;

        Search(
                FabricView view,
                PlannedChange change,
                ChangePlan plan,
                LongFunction<@Nullable SwitchSnapshot> switches) {
            this.view = view;
            this.change = change;
            this.plan = plan;
            this.switches = new SwitchSnapshot[view.switchCount()];
            for (int s = 0; s < this.switches.length; s++) {
                this.switches[s] = switches.apply(view.switchGuid(s));
            }
            awaitedBy = new int[this.switches.length];
        }

        WaitingTables find() {
            for (int s :
                    change.ordered().keySet().stream().sorted().mapToInt(s -> s).toArray()) {
                SwitchSnapshot it = switches[s];
                if (it != null && it.nextRound() > 1 && !it.pushInFlight()) {
                    look(s, it);
                }
            }
            List<Awaited> awaited = new ArrayList<>();
            for (int s = 0; s < awaitedBy.length; s++) {
                SwitchSnapshot it = switches[s];
                if (it != null && awaitedBy[s] > 0) {
                    awaited.add(new Awaited(it, awaitedBy[s]));
                }
            }
            int awaitedCount = awaited.size();
            awaited.sort(Comparator.comparingInt(Awaited::switchCount).reversed());
            return new WaitingTables(
                    view.epoch(),
                    switchCount,
                    entryCount,
                    List.copyOf(waiting),
                    awaitedCount,
                    List.copyOf(awaited.subList(0, Math.min(awaitedCount, LISTED_MAX))));
        }

        Set<Long> awaitedNext() {
            BitSet awaited = new BitSet();
            change.ordered().forEach((s, tables) -> {
                SwitchSnapshot it = switches[s];
                int round = it == null || it.nextRound() == 0 ? 0 : nextToLeave(it, tables);
                if (it != null && round > 1) {
                    awaited.set(s, awaited.get(s) || it.pushInFlight());
                    for (int other : unfinished(s, round)) {
                        awaited.set(other);
                    }
                }
            });
            return awaited.stream().mapToObj(view::switchGuid).collect(Collectors.toUnmodifiableSet());
        }

        /** Of the first of its tables that is not under way; 0 if there is none. */
        private static int nextToLeave(SwitchSnapshot it, List<PlannedTable> tables) {
            return tables.stream()
                    .mapToInt(PlannedTable::round)
                    .filter(round -> round > it.nextRound() || (round == it.nextRound() && !it.pushInFlight()))
                    .findFirst()
                    .orElse(0);
        }

        private int[] unfinished(int s, int round) {
            BitSet all = change.roundsForAll() ? everybody() : change.awaited(s, round);
            return all.stream().filter(other -> isUnfinished(other, round)).toArray();
        }

        private void look(int s, SwitchSnapshot it) {
            int round = it.nextRound();
            int[] unfinished = unfinished(s, round);
            if (unfinished.length == 0 && !change.drains(round)) {
                return;
            }
            for (int other : unfinished) {
                awaitedBy[other]++;
            }
            int entries = IntStream.rangeClosed(round, plan.rounds())
                    .map(later -> plan.later(s, later).cardinality())
                    .sum();
            switchCount++;
            entryCount += entries;
            if (waiting.size() < LISTED_MAX) {
                List<SwitchSnapshot> named = new ArrayList<>();
                for (int i = 0; i < Math.min(unfinished.length, NAMED_MAX); i++) {
                    SwitchSnapshot other = switches[unfinished[i]];
                    if (other != null) {
                        named.add(other);
                    }
                }
                waiting.add(new Waiting(
                        it.guid(), it.name(), round, entries, it.roundSinceMillis(), named, unfinished.length));
            }
        }

        private BitSet everybody() {
            BitSet all = new BitSet();
            all.set(0, switches.length);
            return all;
        }

        /** As {@link PushRounds} sees it. */
        private boolean isUnfinished(int other, int round) {
            SwitchSnapshot it = switches[other];
            return it != null
                    && ((it.nextRound() > 0 && it.nextRound() < round)
                            || (change.unknown().get(other) && !change.roundsForAll() && !it.upToDate()));
        }
    }
}
