package io.dmodc.manager.core;

import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What operators want to hold, for readers.
 *
 * @param drained the places of the drains, in their order: port 0 for a whole switch
 * @param pause why no tables are sent; {@code null} while they are
 * @param engine the engine that somebody chose; {@code null} for that of the settings
 * @param kept a crash would undo nothing that anybody asked for
 * @param moves entries that are moved, or are to be with the next tables
 * @param rebalance by whose word; {@code null} while nothing is moved
 */
public record IntentSnapshot(
        List<Drain> drains,
        Set<PortPlace> drained,
        @Nullable Intent pause,
        @Nullable Intent engine,
        boolean kept,
        EntryMoves moves,
        @Nullable Intent rebalance) {
    static final IntentSnapshot NONE = new IntentSnapshot(List.of(), Set.of(), null, null, true, EntryMoves.NONE, null);

    /**
     * A switch or a cable that routes lead around.
     *
     * @param intent who wanted it, when and why
     * @param name what people call it
     * @param safe nothing is sent there any more: it can be unplugged
     * @param senders switches that may still send there, as far as they were looked at
     */
    public record Drain(Intent intent, String name, boolean safe, List<String> senders) {
        /** What is drained; port 0 for a whole switch. */
        public PortPlace place() {
            return new PortPlace(intent.guid(), intent.port());
        }
    }

    public IntentSnapshot {
        drains = List.copyOf(drains);
        drained = Collections.unmodifiableSet(new LinkedHashSet<>(drained));
    }

    static IntentSnapshot of(FabricState state) {
        OperatorIntent intent = state.intent;
        boolean kept = state.records.askedIsPersisted();
        Intent rebalance = state.moves.author();
        if (intent.drains().isEmpty()
                && intent.pause() == null
                && intent.engine() == null
                && rebalance == null
                && kept) {
            return NONE;
        }
        List<Drain> drains = intent.drains().stream()
                .map(it -> {
                    PortPlace place = new PortPlace(it.guid(), it.port());
                    DrainWatch.Drain known = state.drainWatch.of(place);
                    return new Drain(it, state.nameOf(place), known.safe(), known.senders());
                })
                .toList();
        Set<PortPlace> drained = new LinkedHashSet<>(intent.drained());
        return new IntentSnapshot(
                drains, drained, intent.pause(), intent.engine(), kept, state.moves.wanted(), rebalance);
    }

    /**
     * A view as tables are to be computed for it.
     *
     * @param drained port 0 for a whole switch, else the cable there, by either end
     * @param works the links that work
     */
    public static FabricView without(Collection<PortPlace> drained, FabricView works) {
        List<PortPlace> links = new ArrayList<>(drained);
        links.removeIf(place -> place.port() == 0);
        return works.without(switches(drained, works), links);
    }

    /** Switches of a view that are named as a whole. */
    public static BitSet switches(Collection<PortPlace> places, FabricView view) {
        BitSet switches = new BitSet();
        for (PortPlace place : places) {
            int s = place.port() == 0 ? view.switchOf(place.guid()) : -1;
            if (s >= 0) {
                switches.set(s);
            }
        }
        return switches;
    }

    /** True if this switch (port 0) or this end of a cable was named. */
    public boolean isDrained(PortPlace place) {
        return drained.contains(place);
    }

    /** Name of the engine that was chosen; empty for that of the settings. */
    public String engineName() {
        return engine == null ? "" : engine.value();
    }
}
