package io.dmodc.manager.northbound;

import io.dmodc.manager.northbound.answer.AlarmAnswer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One series for each alarm that no other explains, so that an alert can name what it is about. Bounded by the first
 * {@value #SERIES_MAX}; how many there are in all, {@code fabric_alarms} says.
 */
final class AlarmMeters {
    static final int SERIES_MAX = 100;

    private final MultiGauge gauge;

    AlarmMeters(MeterRegistry registry) {
        gauge = MultiGauge.builder("fabric.alarm")
                .description("1 for each open alarm that no other explains, the first " + SERIES_MAX)
                .register(registry);
    }

    /** Shows these and no others; two scrapes may come at a time. */
    synchronized void show(List<AlarmAnswer> alarms) {
        Map<Tags, Row<?>> rows = new LinkedHashMap<>();
        for (AlarmAnswer alarm : alarms) {
            if (alarm.parent() == null && rows.size() < SERIES_MAX) {
                Tags tags = Tags.of("kind", alarm.kind(), "object", object(alarm.object()))
                        .and("acknowledged", String.valueOf(alarm.acknowledged() != null));
                rows.put(tags, Row.of(tags, 1));
            }
        }
        gauge.register(rows.values(), true);
    }

    private static String object(AlarmAnswer.Subject of) {
        return switch (of.type()) {
            case "link" -> of.switchName() + ":" + of.port() + " " + of.peerName() + ":" + of.peerPort();
            case "host" -> of.peerName() + " " + of.switchName() + ":" + of.port();
            case "switch" -> String.valueOf(of.switchName());
            default -> of.type();
        };
    }
}
