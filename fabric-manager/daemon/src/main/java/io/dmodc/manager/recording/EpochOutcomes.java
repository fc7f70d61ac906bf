package io.dmodc.manager.recording;

import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.EpochRecord.Stage;
import io.dmodc.manager.recording.proto.Outcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Tells epochs as they come to an end: complete, refused or superseded. Bounded by the epochs the core keeps. */
final class EpochOutcomes {
    private final Set<Long> open = new HashSet<>();
    private long newest;

    /** @param epochs all that the core keeps, newest last */
    List<Outcome> ended(Collection<EpochRecord> epochs) {
        List<Outcome> ended = new ArrayList<>();
        for (EpochRecord epoch : epochs) {
            if (epoch.epoch() > newest) {
                newest = epoch.epoch();
                open.add(newest);
            }
            if (open.contains(epoch.epoch()) && isOver(epoch.stage())) {
                open.remove(epoch.epoch());
                ended.add(outcome(epoch));
            }
        }
        return ended;
    }

    private static boolean isOver(Stage stage) {
        return stage != Stage.COMPUTING && stage != Stage.PUSHING;
    }

    private static Outcome outcome(EpochRecord epoch) {
        return Outcome.newBuilder()
                .setEpoch(epoch.epoch())
                .setCause(epoch.cause())
                .setStage(epoch.stage().name().toLowerCase(Locale.ROOT))
                .setVerdict(epoch.verdict())
                .setSwitches(epoch.switchesPushed())
                .setBlocks(epoch.blocksPushed())
                .build();
    }
}
