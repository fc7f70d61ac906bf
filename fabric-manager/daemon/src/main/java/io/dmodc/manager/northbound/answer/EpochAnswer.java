package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.congestion.MeasuredCongestion;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.EpochRecord.Stage;
import org.jspecify.annotations.Nullable;

/**
 * How one fabric epoch went. Times not reached yet are left out.
 *
 * @param noticeToStartMicros from the first news to the start of the computation
 * @param planMicros time spent on planning the order of pushes
 * @param restoredMicros from the first news to the acknowledgement of the last switch that mends something; left out where nothing was broken
 * @param pushMicros from checked tables to the last acknowledgement
 * @param totalMicros from the first news to the last acknowledgement
 * @param switches tables sent, repeated sendings left out
 * @param blocks 64-entry blocks sent
 * @param cutOffLeaves leaves that some other leaf cannot reach
 * @param verdict what the check said; empty while computing
 * @param change what is known of the change of tables; empty while computing
 * @param congestion left out until it is measured, and in the status, which has it beside
 */
public record EpochAnswer(
        long epoch,
        String stage,
        String cause,
        long noticeToStartMicros,
        @Nullable Long routeMicros,
        @Nullable Long checkMicros,
        @Nullable Long planMicros,
        @Nullable Long restoredMicros,
        @Nullable Long pushMicros,
        @Nullable Long totalMicros,
        int switches,
        long blocks,
        int cutOffLeaves,
        String verdict,
        String change,
        @Nullable CongestionAnswer congestion) {

    static EpochAnswer of(EpochRecord epoch, @Nullable MeasuredCongestion measured) {
        boolean routed = epoch.routedNanos() != 0;
        boolean complete = epoch.stage() == Stage.COMPLETE;
        return new EpochAnswer(
                epoch.epoch(),
                EnumWords.of(epoch.stage()),
                epoch.cause(),
                micros(epoch.startedNanos() - epoch.noticedNanos()),
                routed ? micros(epoch.routeNanos()) : null,
                routed ? micros(epoch.checkNanos()) : null,
                routed ? micros(epoch.planNanos()) : null,
                epoch.restoredNanos() != 0 ? micros(epoch.restoredNanos() - epoch.noticedNanos()) : null,
                complete ? micros(epoch.completeNanos() - epoch.routedNanos()) : null,
                complete ? micros(epoch.completeNanos() - epoch.noticedNanos()) : null,
                epoch.switchesPushed(),
                epoch.blocksPushed(),
                epoch.cutOffLeaves().size(),
                epoch.verdict(),
                epoch.change(),
                CongestionAnswer.of(measured));
    }

    private static long micros(long nanos) {
        return nanos / 1000;
    }
}
