package io.dmodc.routing.dmodc;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.Rerouter;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.topology.FabricView;

/**
 * Dmodc: Dmodk's arithmetic on whatever fabric is left.
 *
 * <p><b>Idea.</b> One sweep up and one down by rank find which neighbours lead closer to a destination
 * ({@link CostLayers}) and how many consecutive destinations share a port ({@link Dividers}); the port then follows
 * from the destination's index alone, by two divisions. So routes of one destination run together as early as possible,
 * routes to different ones spread, and on a whole PGFT the tables equal Dmodk's.
 *
 * <p><b>Three forms.</b> {@link #strict()} lets a packet descend as soon as it can and never climb again: no down–up
 * turn on any fabric, hence no cyclic channel dependency, and always a shortest legal path. {@link #standard()} has the
 * same paths to choose among, and chooses better where a fabric is no PGFT: among several ways down, and where GUIDs do
 * not follow the cabling. On PGFTs, whole or damaged, the two are equal. {@link #plain()} is
 * equation (1) as printed, which compares costs without looking at directions. On degraded PGFTs it equals them
 * wherever both route; on mis-cabled fabrics plain tables can deadlock.
 *
 * <p><b>Cost.</b> O(links × ranks × targets / 64) word operations for the costs, O(switches × groups × targets / 64)
 * plus one write of the tables for the routes. Memory beside the tables: one bit per switch, target and turn rank.
 *
 * <p><b>Sources.</b> (1) Gliksberg, Capra, Louvet, García, Sohier: High-Quality Fault Resiliency in Fat-Trees,
 * Procedure 1 and equations (1)–(4). (2) docs/algorithms/dmodc.md for what strict changes and why.
 */
public final class Dmodc implements RoutingEngine {
    /** Highest rank that can be routed: bounds the layers of {@link CostLayers} and a path to 62 hops. */
    public static final int RANK_MAX = 31;

    private final DmodcForm form;

    private Dmodc(DmodcForm form) {
        this.form = form;
    }

    /**
     * The default, {@code dmodc}: candidates by direction and cost, descents by Π↓, groups by plane where the view has
     * planes ({@link io.dmodc.topology.PlaneNumbers}).
     */
    public static Dmodc standard() {
        return new Dmodc(DmodcForm.DMODC);
    }

    /** {@code dmodc-strict}: candidates as for {@link #standard}, with the paper's arithmetic and order of groups. */
    public static Dmodc strict() {
        return new Dmodc(DmodcForm.STRICT);
    }

    /** {@code dmodc-plain}: candidates by cost alone, equation (1) as printed. */
    public static Dmodc plain() {
        return new Dmodc(DmodcForm.PLAIN);
    }

    @Override
    public String name() {
        return form.engine;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Unroutable: no leaf is alive, or a rank is above {@link #RANK_MAX}.
     */
    @Override
    public RoutingResult route(FabricView view, Parallel parallel) {
        return rerouter().route(view, parallel);
    }

    /** {@inheritDoc} A fault costs what it changes, not what the fabric is. */
    @Override
    public Rerouter rerouter() {
        return new DmodcRerouter(form);
    }

    /**
     * {@inheritDoc}
     *
     * <p>Every live ranked switch is a destination, with {@code nodeCount + switch index} as d: those numbers follow
     * the nodes' and are as stable as the switch indices.
     *
     * @throws IllegalArgumentException if a rank is above {@link #RANK_MAX}
     */
    @Override
    public LftSet routeSwitches(FabricView view, Parallel parallel) {
        return switchRerouter().route(view, parallel);
    }

    /** {@link #routeSwitches} for a row of epochs of one fabric. */
    public SwitchRerouter switchRerouter() {
        return new SwitchRerouter(form);
    }

    /**
     * Does the first half only: costs and dividers, from which single routes and alternatives can be asked.
     *
     * @throws IllegalArgumentException if a rank is above {@link #RANK_MAX}
     */
    public CostsAndDividers costsAndDividers(FabricView view, Parallel parallel) {
        requireRank(view);
        return CostsAndDividers.compute(view, TargetColumns.nodes(view), form, parallel);
    }

    static void requireRank(FabricView view) {
        if (view.rankMax() > RANK_MAX) {
            throw new IllegalArgumentException(tooHigh(view));
        }
    }

    static String tooHigh(FabricView view) {
        int s = 0;
        while (view.rank(s) <= RANK_MAX) {
            s++;
        }
        return "switch " + view.switchName(s) + " has rank " + view.rank(s) + ", expected at most " + RANK_MAX;
    }
}
