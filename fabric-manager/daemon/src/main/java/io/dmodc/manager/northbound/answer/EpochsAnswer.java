package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.congestion.CongestionHistory;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.FabricSnapshot;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The last epochs, newest last.
 *
 * @param next number of the last one listed, when there are newer ones
 */
public record EpochsAnswer(
        List<EpochAnswer> epochs, @Nullable Long next) {
    /**
     * Those of a moment.
     *
     * @param after list begins above this epoch; negative: it ends with the newest
     * @param limit most epochs listed
     */
    public static EpochsAnswer of(FabricSnapshot fabric, CongestionHistory congestion, long after, int limit) {
        Stream<EpochRecord> wanted = fabric.epochs().stream();
        if (after < 0) {
            wanted = wanted.skip(Math.max(0, fabric.epochs().size() - (long) limit));
        } else {
            wanted = wanted.filter(epoch -> epoch.epoch() > after);
        }
        Page<EpochAnswer> page =
                Page.of(wanted.map(epoch -> EpochAnswer.of(epoch, congestion.of(epoch.epoch()))), limit);
        EpochAnswer last = page.last();
        return new EpochsAnswer(page.rows(), last == null ? null : last.epoch());
    }
}
