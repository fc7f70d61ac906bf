package io.dmodc.manager.northbound;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.northbound.answer.LinkAnswer;
import io.dmodc.manager.northbound.answer.LinkPlace;
import io.dmodc.manager.northbound.answer.LinksAnswer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The list of cables. */
final class LinksApi {
    static final Set<String> PARAMETERS = Set.of("name", "state", "live", "limit", "after");

    private LinksApi() {}

    static LinksAnswer list(Parameters parameters, FabricSnapshot fabric) {
        return LinksAnswer.of(fabric, wanted(parameters));
    }

    private static LinksAnswer.Wanted wanted(Parameters parameters) {
        LinkAnswer.State state = parameters.word("state", LinkAnswer.State.class);
        Boolean live = parameters.flag("live");
        if (state != null && live != null) {
            throw RequestRefused.badRequest("parameters 'state' and 'live' say the same; give one");
        }
        return new LinksAnswer.Wanted(
                parameters.names()::passes, state, live, after(parameters.text("after")), parameters.limit());
    }

    private static LinkPlace after(@Nullable String text) {
        LinkPlace place = text == null ? LinkPlace.START : LinkPlace.parse(text);
        if (place == null) {
            throw RequestRefused.badRequest(
                    "after: '" + text + "' is not a place in the list; expected what an answer had as 'next'");
        }
        return place;
    }
}
