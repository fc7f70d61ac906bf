package io.dmodc.manager.core;

import io.dmodc.manager.core.LoggedEvent.Cable;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds ports whose word is contradicted: the far end is up and says that it leads elsewhere, or another port is up and
 * says to lead to the same host port. Such a cable is in no view; here it gets a name.
 *
 * <p>While a cable is moved, the ends speak one after the other. So when a contradiction is found, both ends are asked
 * once, and it counts when both have spoken since and it has lasted for {@link #LASTING_NANOS} more. What a switch said
 * whose agent is gone, and what a port says that hears no hellos, contradicts nobody.
 *
 * <p>Whoever changes what is known of a port touches it before and after; only what was touched is looked at, once a
 * batch. Bounded by the ports of all switches.
 */
final class CableDisagreements {
    /** How long both ends must go on contradicting each other. */
    static final long LASTING_NANOS = 2_000_000_000L;

    /** A port, who contradicts it, and what both say. */
    record Contradiction(PortPlace near, PortPlace far, Neighbour nearSays, Neighbour farSays) {
        /** True if the same ends say the same, whatever the hosts there are called and whichever addresses they have. */
        boolean isSame(Contradiction other) {
            return near.equals(other.near)
                    && far.equals(other.far)
                    && nearSays.isSameEnd(other.nearSays)
                    && farSays.isSameEnd(other.farSays);
        }
    }

    private static final class Found {
        Contradiction what;
        boolean asked;
        boolean nearSpoke;
        boolean farSpoke;

        Found(Contradiction what) {
            this.what = what;
        }
    }

    private final FabricState state;

    /** By the port whose word is contradicted. */
    private final Map<PortPlace, Found> found = new TreeMap<>();

    /** Ports that name a port of a switch which does not name them back, by the port they name; and the reverse. */
    private final Map<PortPlace, Set<PortPlace>> namedBy = new HashMap<>();

    private final Map<PortPlace, PortPlace> names = new HashMap<>();

    /** Those of {@link #found} that do not count yet. */
    private final Set<PortPlace> undecided = new HashSet<>();

    /** When those of them count whose ends have both spoken. */
    private final Deadlines<PortPlace> counting = new Deadlines<>(Comparator.naturalOrder());

    private final DirtyPorts touched = new DirtyPorts();
    private final DirtyPorts spoke = new DirtyPorts();

    CableDisagreements(FabricState state) {
        this.state = state;
    }

    /** The contradiction that counts against what this port says; {@code null} for none. */
    @Nullable
    Contradiction lasting(long guid, int port) {
        Found here = found.isEmpty() ? null : found.get(new PortPlace(guid, port));
        return here == null || undecided.contains(here.what.near) ? null : here.what;
    }

    /** Ports whose word is contradicted at present, whether it counts or not. */
    Set<PortPlace> contradicted() {
        return Collections.unmodifiableSet(found.keySet());
    }

    /** Ports that name a port of a switch which does not name them back. */
    Set<PortPlace> oneSided() {
        return Collections.unmodifiableSet(names.keySet());
    }

    /** True while a contradiction waits to count. */
    boolean undecided() {
        return !undecided.isEmpty();
    }

    /** An agent told the state of this port, news or not. */
    void spoke(long guid, int port) {
        spoke.add(guid, port);
        touch(guid, port);
    }

    /** What is known of this port is about to change, or has just changed. */
    void touch(long guid, int port) {
        touched.add(guid, port);
        Neighbour says = state.cabling.claim(guid, port);
        if (says instanceof ToSwitch to) {
            touched.add(to.guid(), to.port());
        } else if (says instanceof ToHost to) {
            touched.addAll(state.cabling.claimants(to.host().portGuid()));
        }
    }

    /** The same for all ports of a switch, known or not. */
    void touchSwitch(long guid) {
        int ports = state.cabling.knows(guid) ? state.cabling.portCount(guid) : 0;
        for (int port = 1; port <= ports; port++) {
            touch(guid, port);
        }
    }

    /** Looks at everything touched since the last call; tells what has lasted long enough. */
    void timePassed(long nowNanos, List<Effect> effects) {
        if (!namedBy.isEmpty()) {
            List<PortPlace> naming = new ArrayList<>();
            touched.forEach(at -> naming.addAll(namedBy.getOrDefault(at, Set.of())));
            touched.addAll(naming);
        }
        touched.forEach(this::look);
        // Who speaks touches all ports whose word it contradicts.
        NavigableSet<PortPlace> waiting = new TreeSet<>(counting.due(nowNanos));
        if (!undecided.isEmpty()) {
            touched.forEach(at -> addUndecided(at, waiting));
        }
        touched.clear();
        for (PortPlace at : waiting) {
            await(Objects.requireNonNull(found.get(at)), nowNanos, effects);
        }
        spoke.clear();
    }

    private void addUndecided(PortPlace at, Set<PortPlace> waiting) {
        if (undecided.contains(at)) {
            waiting.add(at);
        }
    }

    private void look(PortPlace at) {
        rememberNamed(at);
        Contradiction now = contradiction(at);
        Found before = found.get(at);
        Contradiction was = before == null ? null : before.what;
        boolean counted = before != null && !undecided.contains(at);
        if (now == null) {
            found.remove(at);
            undecided.remove(at);
            counting.cancel(at);
        } else if (before != null && before.what.isSame(now)) {
            before.what = now;
        } else {
            found.put(at, new Found(now));
            undecided.add(at);
            counting.cancel(at);
        }
        if (counted && !Objects.equals(was, now)) {
            state.touchPort(at.guid(), at.port());
        }
    }

    private void rememberNamed(PortPlace at) {
        Neighbour says = state.cabling.claim(at.guid(), at.port());
        PortPlace far = says instanceof ToSwitch to ? new PortPlace(to.guid(), to.port()) : null;
        boolean oneSided = far != null && !namesBack(far, at);
        PortPlace before = oneSided ? names.put(at, Objects.requireNonNull(far)) : names.remove(at);
        if (before != null && !(oneSided && before.equals(far))) {
            Set<PortPlace> rest = namedBy.getOrDefault(before, new HashSet<>());
            rest.remove(at);
            if (rest.isEmpty()) {
                namedBy.remove(before);
            }
        }
        if (oneSided) {
            namedBy.computeIfAbsent(Objects.requireNonNull(far), port -> new LinkedHashSet<>())
                    .add(at);
        }
    }

    private boolean namesBack(PortPlace far, PortPlace near) {
        return new ToSwitch(near.guid(), near.port()).equals(state.cabling.claim(far.guid(), far.port()));
    }

    private @Nullable Contradiction contradiction(PortPlace at) {
        Neighbour says = state.cabling.claim(at.guid(), at.port());
        if (says == null || !saysUpNow(at)) {
            return null;
        }
        PortPlace other = says instanceof ToHost to
                ? otherWithHost(at, to)
                : new PortPlace(((ToSwitch) says).guid(), ((ToSwitch) says).port());
        if (other == null || other.equals(at) || !saysUpNow(other)) {
            return null;
        }
        Neighbour otherSays = state.cabling.claim(other.guid(), other.port());
        boolean agreed = otherSays == null || (says instanceof ToSwitch && namesBack(other, at));
        return agreed ? null : new Contradiction(at, other, says, Objects.requireNonNull(otherSays));
    }

    /** Who has the host, else the first that says so; {@code null} if nobody else does or this is that port. */
    private @Nullable PortPlace otherWithHost(PortPlace at, ToHost host) {
        List<PortPlace> up = state.cabling.claimants(host.host().portGuid()).stream()
                .filter(this::saysUpNow)
                .toList();
        return up.stream()
                .filter(place -> state.cabling.neighbour(place.guid(), place.port()) != null)
                .findFirst()
                .or(() -> up.stream().findFirst())
                .filter(place -> !place.equals(at))
                .orElse(null);
    }

    private boolean saysUpNow(PortPlace at) {
        return state.cabling.claimsUpNow(at.guid(), at.port()) && !state.unheard(at.guid(), at.port());
    }

    private void await(Found one, long nowNanos, List<Effect> effects) {
        one.nearSpoke |= spoke.contains(one.what.near);
        one.farSpoke |= spoke.contains(one.what.far);
        if (!one.asked) {
            one.asked = true;
            ask(one.nearSpoke, one.what.near, effects);
            ask(one.farSpoke, one.what.far, effects);
        }
        if (one.nearSpoke && one.farSpoke && !counting.contains(one.what.near)) {
            counting.set(one.what.near, nowNanos + LASTING_NANOS);
        }
        if (counting.isDue(one.what.near, nowNanos)) {
            undecided.remove(one.what.near);
            counting.cancel(one.what.near);
            state.touchPort(one.what.near.guid(), one.what.near.port());
            tell(one.what, nowNanos, effects);
        }
    }

    private void ask(boolean spokeAlready, PortPlace at, List<Effect> effects) {
        SwitchRecord record = state.switches.get(at.guid());
        if (!spokeAlready && record != null && record.session != 0) {
            effects.add(new Effect.QueryPorts(record.session, List.of(at.port())));
        }
    }

    /** When a contradiction counts; {@code Long.MAX_VALUE}: none waits for that. */
    long nextDeadline() {
        return counting.next();
    }

    /** One line for people. */
    String text(Contradiction what) {
        String near = end(what.near);
        String far = end(what.far);
        if (what.nearSays instanceof ToHost to) {
            boolean has = state.cabling.neighbour(what.far.guid(), what.far.port()) != null;
            return "host " + to.host().name() + " ("
                    + Guid.format(to.host().portGuid()) + "): " + near + " and " + far + " both say to have it; "
                    + (has ? far + " keeps it" : "neither is believed");
        }
        return "cable: " + near + " says it leads to " + far + ", and that one says to "
                + (what.farSays instanceof ToSwitch to
                        ? end(new PortPlace(to.guid(), to.port()))
                        : "host " + ((ToHost) what.farSays).host().name())
                + "; not used";
    }

    private String end(PortPlace at) {
        return state.nameOf(at.guid()) + " port " + at.port();
    }

    private void tell(Contradiction what, long nowNanos, List<Effect> effects) {
        PortPlace near = what.near;
        Cable cable = what.nearSays instanceof ToHost to
                ? new Cable(near.port(), to.host().portGuid(), to.host().name(), 0)
                : new Cable(near.port(), what.far.guid(), state.nameOf(what.far.guid()), what.far.port());
        effects.add(new Effect.Tell(new LoggedEvent(
                nowNanos,
                state.epoch,
                Severity.WARNING,
                Kind.CABLE_DISAGREES,
                near.guid(),
                state.nameOf(near.guid()),
                cable,
                text(what))));
    }
}
