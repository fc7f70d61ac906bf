package io.dmodc.routing.explanation;

import io.dmodc.routing.LftSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why one switch sends packets to one node as it does. Indices are those of the view that was asked.
 *
 * @param home switch of the node; −1 where the index has no host at present
 * @param way where it goes on, or why nowhere
 * @param hops cables from the switch to {@code home} on a shortest path the engine allows; −1 without one
 * @param candidates port groups that lead closer, by GUID of the switch they lead to; none where nothing is chosen
 * @param formula how the port was chosen of them; {@code null} where nothing is chosen, or not by a formula
 * @param port what the table has: {@link LftSet#NO_ROUTE} where there is no route
 */
public record RouteExplanation(
        int switchIndex,
        int node,
        int home,
        Way way,
        int hops,
        List<Candidate> candidates,
        @Nullable Formula formula,
        int port) {

    /** Where packets go on from the switch, or why they do not. */
    public enum Way {
        /** The node is cabled to this switch. */
        HERE,
        DOWN,
        UP,
        /** Inside a rank, or across several. */
        ASIDE,
        /** The node index has no host at present. */
        NO_HOST,
        /** The switch is dead or drained, or has no rank. */
        NO_TABLE,
        /** No path the engine allows leads there. */
        NO_PATH;

        /** True where packets leave for another switch. */
        public boolean goesOn() {
            return this == DOWN || this == UP || this == ASIDE;
        }
    }

    /**
     * A port group that leads closer.
     *
     * @param remote the switch behind it (Ω_g)
     * @param ports ascending
     */
    public record Candidate(int remote, List<Integer> ports) {
        public Candidate {
            ports = List.copyOf(ports);
        }
    }

    /**
     * Equations (3) and (4), with d the node index and C the candidates.
     *
     * @param divider Π: how many consecutive nodes leave the switch through one port
     * @param group ⌊d / Π⌋ mod #C: which candidate
     * @param place ⌊d / (Π · #C)⌋ mod #group: which port of it, counted from 0
     */
    public record Formula(int divider, int group, int place) {}

    public RouteExplanation {
        candidates = List.copyOf(candidates);
    }

    /** All ports that lead closer (P of equation (2)), in the order of the candidates. */
    public List<Integer> alternatives() {
        return candidates.stream().flatMap(each -> each.ports().stream()).toList();
    }
}
