package io.dmodc.detector.net;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.RingState;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * An endpoint's counters and vitals as meters {@code dmodc.ring.*}. A scrape reads what the event loop has written and
 * never waits for it. The only class here that needs Micrometer: programs without it leave it unused.
 */
public final class RingMeters implements MeterBinder {
    private static final String PREFIX = "dmodc.ring.";

    private final RingEndpoint endpoint;
    private final Tags tags;

    /**
     * Meters of one endpoint.
     *
     * @param endpoint to be kept by somebody else: meters hold on to nothing
     * @param tags     on every meter; they must tell endpoints that share a registry apart
     */
    public RingMeters(RingEndpoint endpoint, Iterable<Tag> tags) {
        this.endpoint = endpoint;
        this.tags = Tags.of(tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        counter(registry, "sent", "Datagrams given to the socket", RingCounters::sent);
        counter(registry, "send.failures", "Datagrams the socket refused", RingCounters::sendFailures);
        counter(registry, "received", "Datagrams that arrived, dropped ones included", RingCounters::received);
        counter(registry, "suspicions", "Agents this one declared silent", RingCounters::suspicions);
        counter(registry, "refutations", "Own deaths this agent refuted", RingCounters::refutations);
        counter(registry, "vouched", "Suspects another one vouched for", RingCounters::vouched);
        counter(registry, "late.wake.ups", "Wake-ups more than a heartbeat late", RingCounters::lateWakeUps);
        for (DropReason reason : DropReason.values()) {
            dropped(registry, reason);
        }
        for (RingState state : RingState.values()) {
            state(registry, state);
        }
        gauge(registry, "suspicion.level", "Silence of the watched agent, 1 = accused", RingVitals::suspicionLevel);
        gauge(registry, "self.score", "0: trusts its own clockwork", RingVitals::selfScore);
        gauge(registry, "dead", "Members held dead", RingVitals::deadCount);
    }

    private void counter(MeterRegistry registry, String name, String text, ToDoubleFunction<RingCounters> value) {
        FunctionCounter.builder(PREFIX + name, endpoint.counters(), value)
                .tags(tags)
                .description(text)
                .register(registry);
    }

    private void dropped(MeterRegistry registry, DropReason reason) {
        FunctionCounter.builder(PREFIX + "dropped", endpoint.counters(), counters -> counters.dropped(reason))
                .tags(tags.and("reason", lower(reason)))
                .description("Datagrams not acted on, by reason")
                .register(registry);
    }

    private void state(MeterRegistry registry, RingState state) {
        Gauge.builder(PREFIX + "state", endpoint.vitals(), vitals -> vitals.state() == state ? 1 : 0)
                .tags(tags.and("state", lower(state)))
                .description("1 for how this agent stands to the one it watches")
                .register(registry);
    }

    private void gauge(MeterRegistry registry, String name, String text, ToDoubleFunction<RingVitals> value) {
        Gauge.builder(PREFIX + name, endpoint.vitals(), value)
                .tags(tags)
                .description(text)
                .register(registry);
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
