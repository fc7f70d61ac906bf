package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.manager.core.SwitchRecord.Condition;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Switches that were ever part of the fabric, or those that are not yet, by GUID.
 *
 * @param next GUID of the last one listed, when there are more
 */
public record SwitchesAnswer(
        long epoch, List<SwitchAnswer> switches, @Nullable String next) {
    /**
     * Which switches are listed; {@code null} is any.
     *
     * @param after GUID above which the list begins
     * @param limit most switches listed
     */
    public record Wanted(
            Predicate<String> name,
            @Nullable Condition condition,
            @Nullable Integer rank,
            @Nullable Boolean leaf,
            long after,
            int limit) {
        private boolean has(SwitchRecord record) {
            return Long.compareUnsigned(record.guid(), after) > 0
                    && (condition == null || record.condition() == condition)
                    && name.test(record.name());
        }

        private boolean has(SwitchAnswer answer) {
            return (rank == null || rank.equals(answer.rank())) && (leaf == null || leaf == answer.leaf());
        }
    }

    /** Copies them out; on the loop thread. */
    public static SwitchesAnswer of(FabricState state, Wanted wanted) {
        Set<String> cutOff = Set.copyOf(state.cutOff());
        Page<SwitchAnswer> page = Page.of(
                (wanted.condition == Condition.UNATTACHED ? state.unattached() : state.switches())
                        .stream()
                                .filter(wanted::has)
                                .map(record -> SwitchAnswer.of(state, record, cutOff))
                                .filter(wanted::has),
                wanted.limit);
        SwitchAnswer last = page.last();
        return new SwitchesAnswer(state.epoch(), page.rows(), last == null ? null : last.guid());
    }
}
