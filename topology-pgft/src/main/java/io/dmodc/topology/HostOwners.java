package io.dmodc.topology;

import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which port has a host when several say so.
 *
 * <p><b>Rule.</b> A claim that is up beats one that is down, and one by a switch that is heard beats one by a switch that
 * nobody speaks for at present, as its cable may have been pulled since. In between stands a port that is up, by a switch
 * that is heard, and held down because it flapped: the host is there and nowhere else. Among the strongest claims the
 * port keeps the host that had it last while up, held or not. Without such a port, two that are up both go without, and
 * of two that are down the one in front has it, because a host that is off still has its place.
 *
 * <p>So a host that moves to a port that is held moves once, and stays while that port goes on flapping. Where several
 * ports flap that name one host, it follows them {@link #HELD_MOVES_MAX} times; then one of them must stay up first.
 *
 * <p>So the owner follows from all claims and from who was the last owner while up, and the latter changes only when a
 * view is drawn ({@link #settle}): the order in which reports come in between does not matter. Every claim is kept as it
 * was said in {@link KnownSwitch#claim}; {@link KnownSwitch#neighbour} is what follows.
 *
 * <p>One entry per host port named by any port; O(ports that name it) a change.
 */
final class HostOwners {
    /** How often a host moves to a port that is held before it is seen at one that is up. */
    static final int HELD_MOVES_MAX = 8;

    private static final class Claims {
        /** Ports that name this host, in order. */
        PortPlace[] places = {};

        /** Which of them had it last while up. */
        @Nullable
        PortPlace lastUp;

        /** Moves to ports that were held since the host was seen at one that was up. */
        int heldMoves;
    }

    /** How strong a claim is. */
    private static final int DOWN = 0;

    private static final int UP_UNHEARD = 1;
    private static final int HELD = 2;
    private static final int UP_HEARD = 3;

    /** Is told of a port, by number − 1, that leads to another host, to none, or to one of another name. */
    interface HostListener {
        void hostChanged(KnownSwitch known, int at);
    }

    private final Map<Long, KnownSwitch> switches;
    private final HostListener listener;
    private final Map<Long, Claims> hosts = new HashMap<>();

    /** Hosts of which a claim changed since {@link #settle} was called last. */
    private final Set<Long> touched = new HashSet<>();

    /** Ports that got or lost a host since {@link #takeMoved} was called last. */
    private Set<PortPlace> moved = new HashSet<>();

    HostOwners(Map<Long, KnownSwitch> switches, HostListener listener) {
        this.switches = switches;
        this.listener = listener;
    }

    /** The switch with the port that has this host; null if none has it. */
    @Nullable
    KnownSwitch switchOf(long hostPortGuid) {
        for (PortPlace place : claimants(hostPortGuid)) {
            KnownSwitch known = known(place);
            if (known.neighbour[place.port() - 1] instanceof ToHost) {
                return known;
            }
        }
        return null;
    }

    /** Ports that name this host, in order. */
    List<PortPlace> claimants(long hostPortGuid) {
        Claims claims = hosts.get(hostPortGuid);
        return claims == null ? List.of() : List.of(claims.places);
    }

    Set<PortPlace> takeMoved() {
        if (moved.isEmpty()) {
            return Set.of();
        }
        Set<PortPlace> taken = moved;
        moved = new HashSet<>();
        return taken;
    }

    boolean isLastUp(PortPlace place, long hostPortGuid) {
        Claims claims = hosts.get(hostPortGuid);
        return claims != null && place.equals(claims.lastUp);
    }

    /**
     * A port says to lead elsewhere, or calls what it leads to otherwise; {@code claim} of the switch has been set.
     *
     * @return true if the neighbour of some port is another one now
     */
    boolean claimChanged(KnownSwitch known, int at, @Nullable Neighbour before) {
        Neighbour resolvedBefore = known.neighbour[at];
        Neighbour now = known.claim[at];
        PortPlace place = new PortPlace(known.guid, at + 1);
        boolean changed = false;
        known.neighbour[at] = now instanceof ToHost ? null : now;
        if (resolvedBefore instanceof ToHost) {
            listener.hostChanged(known, at);
        }
        if (before instanceof ToHost old && !old.isSameEnd(now)) {
            changed = withdraw(old.host().portGuid(), place);
        }
        if (now instanceof ToHost to) {
            add(to.host().portGuid(), place);
            changed |= resolve(to.host().portGuid(), place);
        }
        return changed || !Objects.equals(resolvedBefore, known.neighbour[at]);
    }

    /** A port that names a host went up or down; true if the neighbour of some port is another one now. */
    boolean upChanged(KnownSwitch known, int at) {
        return known.claim[at] instanceof ToHost to && resolve(to.host().portGuid(), null);
    }

    /** Someone speaks for a switch again, or nobody does any more. */
    boolean heardChanged(KnownSwitch known) {
        boolean changed = false;
        for (int at = 0; at < known.up.length; at++) {
            changed |= upChanged(known, at);
        }
        return changed;
    }

    /** A switch is gone, with all it said. */
    void forget(KnownSwitch known) {
        for (int at = 0; at < known.up.length; at++) {
            Neighbour before = known.claim[at];
            known.claim[at] = null;
            claimChanged(known, at, before);
        }
    }

    /** This port had the host last while up, says a record of it; of several that say so the one in front counts. */
    void restoreLastUp(PortPlace place, long hostPortGuid) {
        Claims claims = Objects.requireNonNull(hosts.get(hostPortGuid));
        if (claims.lastUp == null || place.compareTo(claims.lastUp) < 0) {
            claims.lastUp = place;
        }
        resolve(hostPortGuid, null);
    }

    /**
     * A view is drawn: who has a host now and is up is who had it last while up.
     *
     * @param changed receives the switches of which that was not so before
     */
    void settle(Set<Long> changed) {
        for (long host : touched) {
            Claims claims = hosts.get(host);
            PortPlace owner = claims == null ? null : owner(claims);
            if (claims != null && owner != null && strength(claims, owner) > DOWN) {
                settle(claims, owner, changed);
            }
        }
        touched.clear();
    }

    private void settle(Claims claims, PortPlace owner, Set<Long> changed) {
        int strength = strength(claims, owner);
        claims.heldMoves = strength == UP_HEARD ? 0 : claims.heldMoves;
        if (!owner.equals(claims.lastUp)) {
            claims.heldMoves += strength == HELD ? 1 : 0;
            if (claims.lastUp != null) {
                changed.add(claims.lastUp.guid());
            }
            claims.lastUp = owner;
            changed.add(owner.guid());
        }
    }

    private void add(long host, PortPlace place) {
        Claims claims = hosts.computeIfAbsent(host, guid -> new Claims());
        int found = Arrays.binarySearch(claims.places, place);
        if (found < 0) {
            int count = claims.places.length;
            PortPlace[] more = Arrays.copyOf(claims.places, count + 1);
            System.arraycopy(claims.places, -found - 1, more, -found, count + found + 1);
            more[-found - 1] = place;
            claims.places = more;
        }
    }

    private boolean withdraw(long host, PortPlace place) {
        Claims claims = Objects.requireNonNull(hosts.get(host));
        claims.places = Arrays.stream(claims.places)
                .filter(other -> !other.equals(place))
                .toArray(PortPlace[]::new);
        if (place.equals(claims.lastUp)) {
            claims.lastUp = null;
        }
        if (claims.places.length == 0) {
            hosts.remove(host);
        }
        return claims.places.length > 0 && resolve(host, null);
    }

    /**
     * Gives the host to its owner and to nobody else.
     *
     * @param apart a port whose change is not counted
     * @return true if the neighbour of some port is another one now
     */
    private boolean resolve(long host, @Nullable PortPlace apart) {
        Claims claims = Objects.requireNonNull(hosts.get(host));
        touched.add(host);
        PortPlace owner = owner(claims);
        boolean changed = false;
        for (PortPlace place : claims.places) {
            KnownSwitch known = known(place);
            Neighbour neighbour = place.equals(owner) ? known.claim[place.port() - 1] : null;
            if (!Objects.equals(neighbour, known.neighbour[place.port() - 1])) {
                changed |= !place.equals(apart);
                moved.add(place);
                known.neighbour[place.port() - 1] = neighbour;
                listener.hostChanged(known, place.port() - 1);
            }
        }
        return changed;
    }

    private @Nullable PortPlace owner(Claims claims) {
        if (claims.places.length == 1) {
            return claims.places[0];
        }
        int best = -1;
        PortPlace strongest = null;
        for (PortPlace place : claims.places) {
            int strength = strength(claims, place);
            if (strength > best) {
                best = strength;
                strongest = place;
            } else if (strength == best) {
                // The one in front keeps it among those that are down.
                strongest = strength == DOWN ? strongest : null;
            }
        }
        PortPlace last = claims.lastUp;
        return last != null && strength(claims, last) == best ? last : strongest;
    }

    private int strength(Claims claims, PortPlace place) {
        KnownSwitch known = known(place);
        if (known.up[place.port() - 1]) {
            return known.heard ? UP_HEARD : UP_UNHEARD;
        }
        boolean held = known.held[place.port() - 1] && known.heard;
        return held && (claims.heldMoves < HELD_MOVES_MAX || place.equals(claims.lastUp)) ? HELD : DOWN;
    }

    private KnownSwitch known(PortPlace place) {
        return Objects.requireNonNull(switches.get(place.guid()));
    }
}
