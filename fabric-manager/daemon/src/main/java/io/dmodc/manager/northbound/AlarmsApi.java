package io.dmodc.manager.northbound;

import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.northbound.answer.AlarmAnswer;
import io.dmodc.manager.northbound.answer.AlarmsAnswer;
import io.dmodc.manager.northbound.answer.EnumWords;
import java.time.Instant;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The list of what should be and is not. */
final class AlarmsApi {
    static final Set<String> PARAMETERS = Set.of("severity", "kind", "name", "since", "limit", "after");

    private AlarmsApi() {}

    static AlarmsAnswer list(Parameters parameters, FabricSnapshot fabric) {
        return AlarmsAnswer.of(fabric)
                .where(wanted(parameters), parameters.number("after", 0, 0, Long.MAX_VALUE), parameters.limit());
    }

    private static Predicate<AlarmAnswer> wanted(Parameters parameters) {
        Severity least = parameters.word("severity", Severity.class);
        Alarm.Kind kind = parameters.word("kind", Alarm.Kind.class);
        NameFilter names = parameters.names();
        long since = parameters.instant("since");
        return alarm -> (least != Severity.ALARM || alarm.severity().equals(EnumWords.of(Severity.ALARM)))
                && (kind == null || alarm.kind().equals(EnumWords.of(kind)))
                && (names == NameFilter.ALL
                        || passes(names, alarm.object().switchName())
                        || passes(names, alarm.object().peerName()))
                && Instant.parse(alarm.since()).toEpochMilli() >= since;
    }

    private static boolean passes(NameFilter names, @Nullable String name) {
        return name != null && names.passes(name);
    }
}
