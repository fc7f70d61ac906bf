package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchSnapshot;
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
        private boolean has(SwitchSnapshot record) {
            return Long.compareUnsigned(record.guid(), after) > 0
                    && (condition == null || record.condition() == condition)
                    && name.test(record.name());
        }

        private boolean has(SwitchAnswer answer) {
            return (rank == null || rank.equals(answer.rank())) && (leaf == null || leaf == answer.leaf());
        }
    }

    /** Those of a moment. */
    public static SwitchesAnswer of(FabricSnapshot fabric, Wanted wanted) {
        Set<String> cutOff = Set.copyOf(fabric.cutOff());
        Page<SwitchAnswer> page = Page.of(
                (wanted.condition == Condition.UNATTACHED ? fabric.unattached() : fabric.switches())
                        .stream()
                                .filter(wanted::has)
                                .map(record -> SwitchAnswer.of(fabric, record, cutOff))
                                .filter(wanted::has),
                wanted.limit);
        SwitchAnswer last = page.last();
        return new SwitchesAnswer(fabric.epoch(), page.rows(), last == null ? null : last.guid());
    }
}
