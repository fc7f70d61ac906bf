package io.dmodc.manager.northbound;

import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchRecord;
import io.dmodc.manager.northbound.answer.EnumWords;
import io.dmodc.manager.northbound.answer.LinkAnswer;
import io.dmodc.manager.northbound.answer.LinkPlace;
import io.dmodc.manager.northbound.answer.LinksAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The list of cables, gathered slice by slice, so that a large fabric does not keep the loop from its work. */
final class LinksApi {
    static final Set<String> PARAMETERS = Set.of("name", "state", "live", "limit", "after");

    /** Switches whose cables one question looks at. */
    private static final int SLICE = 128;

    private final LoopQuestions inquiry;

    LinksApi(LoopQuestions inquiry) {
        this.inquiry = inquiry;
    }

    /** Where a walk over all cables is. */
    private record Walk(long epoch, List<Long> guids, List<LinksAnswer.Part> parts) {
        static Walk of(FabricState state) {
            List<Long> guids = state.switches().stream().map(SwitchRecord::guid).toList();
            return new Walk(state.epoch(), guids, new ArrayList<>());
        }
    }

    CompletableFuture<LinksAnswer> list(Parameters parameters, Executor elsewhere) {
        Predicate<LinkAnswer> wanted = wanted(parameters);
        LinkPlace after = after(parameters.text("after"));
        int limit = parameters.limit();
        return inquiry.ask(Walk::of)
                .thenCompose(walk -> nextSlice(walk, wanted))
                .thenApplyAsync(walk -> LinksAnswer.of(walk.epoch, walk.parts, after, limit), elsewhere);
    }

    private static Predicate<LinkAnswer> wanted(Parameters parameters) {
        NameFilter names = parameters.names();
        LinkAnswer.State state = parameters.word("state", LinkAnswer.State.class);
        Boolean live = parameters.flag("live");
        if (state != null && live != null) {
            throw RequestRefused.badRequest("parameters 'state' and 'live' say the same; give one");
        }
        return link -> (state == null || EnumWords.of(state).equals(link.state()))
                && (live == null || live == link.live())
                && link.endsAt(names::passes);
    }

    private static LinkPlace after(@Nullable String text) {
        LinkPlace place = text == null ? LinkPlace.START : LinkPlace.parse(text);
        if (place == null) {
            throw RequestRefused.badRequest(
                    "after: '" + text + "' is not a place in the list; expected what an answer had as 'next'");
        }
        return place;
    }

    /** Slices are taken one after the other: a cable that changes meanwhile is shown before or after, never torn. */
    private CompletableFuture<Walk> nextSlice(Walk walk, Predicate<LinkAnswer> wanted) {
        int from = walk.parts.size() * SLICE;
        if (from >= walk.guids.size()) {
            return CompletableFuture.completedFuture(walk);
        }
        List<Long> slice = walk.guids.subList(from, Math.min(from + SLICE, walk.guids.size()));
        return inquiry.ask(state -> LinksAnswer.part(state, slice, wanted)).thenCompose(part -> {
            walk.parts.add(part);
            return nextSlice(walk, wanted);
        });
    }
}
