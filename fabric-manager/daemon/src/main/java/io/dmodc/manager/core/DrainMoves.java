package io.dmodc.manager.core;

import io.dmodc.topology.PortPlace;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of drains when a switch is replaced, or something is forgotten. A new switch is drained if the old one was. A drained
 * cable stays drained by its other end, whichever end it was drained by; what leads from the old switch to the new one is gone, as is what is
 * forgotten.
 *
 * @param moves by what is drained now what is drained instead; empty: nothing
 */
public record DrainMoves(Map<PortPlace, Optional<PortPlace>> moves) {
    /**
     * Of an act; there are none of most.
     *
     * @param drained port 0 for a whole switch
     * @param farEnd the other end of a cable between switches; {@code null} for all else
     */
    public static DrainMoves of(
            Act act, Collection<PortPlace> drained, Function<PortPlace, @Nullable PortPlace> farEnd) {
        Map<PortPlace, Optional<PortPlace>> moves = new LinkedHashMap<>();
        for (PortPlace place : drained) {
            PortPlace far = place.port() == 0 ? null : farEnd.apply(place);
            if (act.replacesSwitch() && place.guid() == act.oldGuid()) {
                moves.put(place, moved(act, place, far));
            } else if (act.replacesSwitch() ? isBetween(act, place, far) : isForgotten(act, place, far)) {
                moves.put(place, Optional.empty());
            }
        }
        return new DrainMoves(moves);
    }

    private static Optional<PortPlace> moved(Act act, PortPlace place, @Nullable PortPlace far) {
        if (place.port() == 0 || far == null) {
            return Optional.of(new PortPlace(act.newGuid(), place.port()));
        }
        return far.guid() == act.newGuid() ? Optional.empty() : Optional.of(far);
    }

    private static boolean isBetween(Act act, PortPlace place, @Nullable PortPlace far) {
        return far != null && place.guid() == act.newGuid() && far.guid() == act.oldGuid();
    }

    private static boolean isForgotten(Act act, PortPlace place, @Nullable PortPlace far) {
        for (Forgettable what : act.forgotten()) {
            boolean gone = what instanceof Forgettable.SwitchGuid it
                    ? place.guid() == it.guid() || (far != null && far.guid() == it.guid())
                    : what instanceof Forgettable.CableAt at
                            && (new PortPlace(at.guid(), at.port()).equals(place)
                                    || new PortPlace(at.guid(), at.port()).equals(far));
            if (gone) {
                return true;
            }
        }
        return false;
    }

    /** What is drained no more, nor anything instead. */
    public List<PortPlace> gone() {
        return moves.entrySet().stream()
                .filter(move -> move.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** What is drained instead of something else. */
    public List<PortPlace> instead() {
        return moves.values().stream().flatMap(Optional::stream).toList();
    }

    /** What is drained afterwards. */
    public Set<PortPlace> after(Collection<PortPlace> drained) {
        Set<PortPlace> after = new LinkedHashSet<>(drained);
        after.removeAll(moves.keySet());
        moves.values().forEach(to -> to.ifPresent(after::add));
        return after;
    }
}
