package io.dmodc.topology.design;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.PgftShape;
import java.util.HashSet;
import java.util.Set;

/**
 * Compares a fabric with a PGFT, whatever the order of its GUIDs and the numbering of its ports, whole or damaged.
 *
 * <p><b>Idea.</b> A PGFT is two trees in one: the subtrees that grow together from the leaves up, and the sets of top
 * switches that grow together from the top down. Each switch is one node of the first and one of the second, and that
 * pair says all its neighbours. So the trees are found first, by majority at every step ({@link SiblingFinder}), then
 * each switch gets its place ({@link PlaceAssignment}), then every cable is compared with what the places say
 * ({@link CableDifferences}), and wrong cables are paired with lacking ones ({@link Rewiring}).
 *
 * <p><b>What it cannot know.</b> Damage that yields another numbering of the same design is no deviation. Where two
 * explanations are equally short, one is told; following it leads to a fabric as designed. See
 * {@code docs/algorithms/design.md}.
 *
 * <p><b>Cost.</b> O(sum over switches of neighbours²) time, about a second for 65,536 nodes, O(ports) memory.
 * Stateless.
 */
public final class DesignCheck {
    /**
     * Times switches compared with shapes near a guess: a few for the largest fabrics, all that help for small ones.
     */
    private static final int TRIES_MAX = 20_000;

    private DesignCheck() {}

    /**
     * Compares with a given shape.
     *
     * @param view drawn without known levels: leaves are those with hosts
     */
    public static DesignReport verify(FabricView view, PgftShape design) {
        return DeviationText.report(view, PlaceAssignment.assign(view, design), false);
    }

    /**
     * Guesses the most likely shape, the one with fewest faults of those tried, and compares with it.
     *
     * @param view drawn without known levels: leaves are those with hosts
     * @throws IllegalArgumentException in one line, if the fabric has no leaf or resembles no PGFT: what its switches
     *     agree on makes none, or one of more than twice or less than half as many switches
     */
    public static DesignReport verify(FabricView view) {
        PgftShape guess = ShapeGuess.of(view);
        long switches = view.switchCount();
        if (guess.switchCount() > 2 * switches || 2L * guess.switchCount() < switches) {
            throw new IllegalArgumentException("most like " + guess + ", but that has " + guess.switchCount()
                    + " switches and the fabric " + switches);
        }
        return best(view, guess);
    }

    /** Follows ever better shapes, each a step from the last, while one explains the fabric with fewer faults. */
    private static DesignReport best(FabricView view, PgftShape guess) {
        PlaceAssignment best = PlaceAssignment.assign(view, guess);
        long fewest = best.faults();
        int triesLeft = TRIES_MAX / Math.max(1, view.switchCount());
        Set<PgftShape> tried = new HashSet<>(Set.of(guess));
        boolean better = fewest > 0;
        while (better) {
            better = false;
            for (PgftShape shape : ShapeGuess.near(best.shape)) {
                if (triesLeft > 0 && tried.add(shape)) {
                    triesLeft--;
                    PlaceAssignment places = PlaceAssignment.assign(view, shape);
                    long faults = places.faults();
                    if (faults < fewest) {
                        best = places;
                        fewest = faults;
                        better = true;
                        break;
                    }
                }
            }
        }
        return DeviationText.report(view, best, true);
    }

    /**
     * The shape of which a fabric is exactly a whole instance, up to the order of GUIDs and port numbers.
     *
     * @param view drawn without known levels
     */
    public static Recognition recognise(FabricView view) {
        try {
            DesignReport report = verify(view);
            return report.asDesigned()
                    ? new Recognition.Whole(report.design())
                    : new Recognition.NotWhole("most like " + report.design() + ", but "
                            + report.deviations().get(0).text()
                            + (report.deviationCount() > 1 ? " (and " + (report.deviationCount() - 1) + " more)" : ""));
        } catch (IllegalArgumentException e) {
            return new Recognition.NotWhole(e.getMessage() == null ? "resembles no PGFT" : e.getMessage());
        }
    }
}
