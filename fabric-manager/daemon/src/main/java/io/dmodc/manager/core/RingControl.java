package io.dmodc.manager.core;

import static io.dmodc.manager.core.LoggedEvent.Severity.INFO;
import static io.dmodc.manager.core.LoggedEvent.Severity.WARNING;

import io.dmodc.detector.RingOrder;
import io.dmodc.manager.core.FabricEvent.RevokeAsked;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.routing.Tables;
import java.util.List;

/**
 * Draws the ring, and lets it tell which tables must not be applied any more.
 *
 * <p>A manager revokes by itself in one case: it takes over. The tables of the one before it are then refused by all
 * members that have taken its ring in, also if their session has gone since. Nothing else needs it: to one agent, tables
 * go over one connection and one at a time, so an older one cannot overtake a newer one, and what a superseded epoch left
 * on its way is replaced by the next difference.
 */
final class RingControl {
    private static final int PAIRS_TOLD = 4;

    private final FabricState state;
    private List<RingOrder.Violation> told = List.of();

    RingControl(FabricState state) {
        this.state = state;
    }

    void timePassed(long nowNanos, List<Effect> effects) {
        if (state.ring.renew(nowNanos, state.switches.values())) {
            tellRing(nowNanos, effects);
        }
        tellShared(nowNanos, effects);
        revokeOlderLeaders(nowNanos, effects);
    }

    /** A ring that nobody is left in is not drawn: the manager keeps its place in the last one until somebody comes. */
    private void tellRing(long nowNanos, List<Effect> effects) {
        if (state.ring.current().members().isEmpty()) {
            tell(effects, nowNanos, INFO, Kind.RING_CHANGED, "no agent is left in the ring");
            return;
        }
        List<Long> sessions = state.switches.values().stream()
                .map(record -> record.session)
                .filter(session -> session != 0)
                .toList();
        effects.add(new Effect.SendMembership(sessions, state.ring.current()));
        int agents = state.ring.current().members().size() - (state.ring.hasPlace() ? 1 : 0);
        int leftOut = state.ring.leftOut();
        String text = "ring of " + agents + " agents" + (state.ring.hasPlace() ? " and the manager" : "")
                + (leftOut == 0 ? "" : "; " + leftOut + " more have no place in it, their sessions alone watch them");
        tell(effects, nowNanos, leftOut == 0 ? INFO : WARNING, Kind.RING_CHANGED, text);
    }

    /** Told anew only when other neighbours share something, or in another domain. */
    private void tellShared(long nowNanos, List<Effect> effects) {
        List<RingOrder.Violation> shared = state.ring.violations();
        boolean same = shared == told || shared.equals(told);
        told = shared;
        if (!same && !shared.isEmpty()) {
            StringBuilder text = new StringBuilder();
            shared.stream().limit(PAIRS_TOLD).forEach(pair -> text.append("; ").append(pair(pair)));
            int more = shared.size() - Math.min(PAIRS_TOLD, shared.size());
            tell(
                    effects,
                    nowNanos,
                    WARNING,
                    Kind.RING_SHARES_DOMAIN,
                    "ring neighbours that may fail as one: " + text.substring(2)
                            + (more > 0 ? "; and " + more + " more pairs" : ""));
        }
    }

    private String pair(RingOrder.Violation pair) {
        return name(pair.slot()) + " and " + name(pair.nextSlot()) + " in " + pair.kind() + " " + pair.domain();
    }

    private String name(int slot) {
        return state.nameOf(state.ring.current().members().get(slot).guid());
    }

    /** Once there is a ring to tell it to, and again should this manager have to outbid another leader epoch. */
    private void revokeOlderLeaders(long nowNanos, List<Effect> effects) {
        if (state.ring.hasPlace()
                && !state.ring.current().members().isEmpty()
                && !state.deposed()
                && state.leaderEpoch() > state.revokedLeader) {
            state.revokedLeader = state.leaderEpoch();
            revoke(0, nowNanos, effects);
        }
    }

    /** The tables in force are not older than themselves: no more than what came before them can be revoked. */
    void revokeAsked(RevokeAsked asked, List<Effect> effects) {
        Tables tables = state.tables;
        long newest = tables == null ? 0 : tables.epoch();
        if (state.ring.hasPlace() && !state.deposed() && asked.fabricEpoch() <= newest) {
            revoke(asked.fabricEpoch(), asked.nowNanos(), effects);
        } else {
            String why = !state.ring.hasPlace()
                    ? "no place in the ring"
                    : state.deposed() ? "another manager leads" : "the newest tables are of epoch " + newest;
            String text = "tables below epoch " + asked.fabricEpoch() + " not revoked: " + why;
            tell(effects, asked.nowNanos(), WARNING, Kind.TABLES_REVOKED, text);
        }
    }

    private void revoke(long fabricEpoch, long nowNanos, List<Effect> effects) {
        effects.add(new Effect.Revoke(state.leaderEpoch(), fabricEpoch));
        String text = "tables below leader epoch " + state.leaderEpoch()
                + (fabricEpoch == 0 ? "" : ", fabric epoch " + fabricEpoch) + " are revoked";
        tell(effects, nowNanos, INFO, Kind.TABLES_REVOKED, text);
    }

    private void tell(List<Effect> effects, long nowNanos, LoggedEvent.Severity severity, Kind kind, String text) {
        effects.add(new Effect.Tell(new LoggedEvent(nowNanos, state.epoch, severity, kind, 0, text)));
    }
}
