package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.AcknowledgeAsked;
import io.dmodc.manager.core.FabricEvent.WithdrawAsked;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has alarms wait quietly that somebody takes care of: they stay open and listed, and nobody is called for them until they
 * get worse. Every word of people is told, with who said it.
 */
final class Acknowledging {
    private static final String GONE = "it is not open any more";

    private final FabricState state;

    Acknowledging(FabricState state) {
        this.state = state;
    }

    void asked(AcknowledgeAsked asked, List<Effect> effects) {
        Alarm alarm = state.openAlarms.byId().get(asked.alarm());
        if (alarm == null) {
            effects.add(new Effect.Declined(asked, GONE));
            return;
        }
        state.openAlarms.acknowledge(alarm, asked.by(), asked.why(), asked.nowNanos());
        String text = " acknowledged by " + asked.by() + ": " + asked.why();
        tell(effects, asked.nowNanos(), Kind.ALARM_ACKNOWLEDGED, alarm, text);
    }

    void withdrawAsked(WithdrawAsked asked, List<Effect> effects) {
        Alarm alarm = state.openAlarms.byId().get(asked.alarm());
        if (alarm == null || !state.openAlarms.withdraw(alarm)) {
            effects.add(new Effect.Declined(asked, noWithdrawal(alarm)));
            return;
        }
        String text = ": acknowledgement withdrawn by " + asked.by();
        tell(effects, asked.nowNanos(), Kind.ACKNOWLEDGEMENT_WITHDRAWN, alarm, text);
    }

    private static String noWithdrawal(@Nullable Alarm alarm) {
        return alarm == null
                ? GONE
                : alarm.acknowledgement() == null
                        ? "it is not acknowledged"
                        : "it counts as acknowledged while what it is about is drained";
    }

    private void tell(List<Effect> effects, long nowNanos, Kind kind, Alarm alarm, String what) {
        state.records.asked();
        String name = alarm.guid() == 0 ? "" : state.nameOf(alarm.guid());
        String text = "alarm " + alarm.id() + " (" + alarm.text() + ")" + what;
        effects.add(new Effect.Tell(
                new LoggedEvent(nowNanos, state.epoch, Severity.INFO, kind, alarm.guid(), name, null, text)));
    }
}
