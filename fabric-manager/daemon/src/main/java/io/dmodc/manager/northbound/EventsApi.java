package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.northbound.answer.EventsAnswer;
import java.util.Set;
import java.util.function.Predicate;

/** What happened: as a list, and as a stream. */
final class EventsApi {
    /** Most events in one answer. */
    static final int EVENTS_MAX = 1000;

    private static final int EVENTS_USUAL = 100;
    private static final Set<String> LIST = Set.of("after", "limit", "severity", "kind", "name", "since");

    private final EventLog eventLog;
    private final EventStreams streams;
    private final UnsentAnswers unsent;

    EventsApi(EventLog eventLog, EventStreams streams, UnsentAnswers unsent) {
        this.eventLog = eventLog;
        this.streams = streams;
        this.unsent = unsent;
    }

    HttpResponse list(ServiceRequestContext context, HttpRequest request) {
        String accepted = request.headers().get(HttpHeaderNames.ACCEPT, "");
        if (accepted.contains(MediaType.EVENT_STREAM.nameWithoutParameters())) {
            return stream(context, request);
        }
        Parameters parameters = new Parameters(context, LIST);
        EventsAnswer.Wanted wanted = new EventsAnswer.Wanted(
                parameters.number("after", -1, 0, Long.MAX_VALUE), parameters.has("since"), filter(parameters), (int)
                        parameters.number("limit", EVENTS_USUAL, 1, EVENTS_MAX));
        return unsent.of(context, request, () -> EventsAnswer.of(eventLog, wanted));
    }

    private static Predicate<EventLog.Entry> filter(Parameters parameters) {
        LoggedEvent.Severity least = parameters.word("severity", LoggedEvent.Severity.class);
        LoggedEvent.Kind kind = parameters.word("kind", LoggedEvent.Kind.class);
        NameFilter names = parameters.names();
        long since = parameters.instant("since");
        return entry -> entry.epochMillis() >= since
                && (least == null || entry.note().severity().compareTo(least) >= 0)
                && (kind == null || entry.note().kind() == kind)
                && isAbout(entry.note(), names);
    }

    /** A cable is about the switches at both ends. */
    private static boolean isAbout(LoggedEvent note, NameFilter names) {
        LoggedEvent.Cable cable = note.cable();
        return names.passes(note.name()) || (cable != null && names.passes(cable.peerName()));
    }

    /** A browser that lost its connection says itself what it had last. */
    HttpResponse stream(ServiceRequestContext context, HttpRequest request) {
        Parameters parameters = new Parameters(context, Set.of("after"));
        long after = parameters.number("after", eventLog.lastNumber(), 0, Long.MAX_VALUE);
        String lastSeen = request.headers().get("last-event-id", "");
        boolean number = lastSeen.matches("\\d{1,18}");
        return streams.open(context, number ? Long.parseLong(lastSeen) : after);
    }
}
