package io.dmodc.routing.cycles;

import io.dmodc.routing.cycles.Deadlock.Stuck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds packets that can never move again, exactly, whatever else still moves.
 *
 * <p>A head that knows its way can move some day if it waits for a node, or for a virtual channel with room at the far
 * end, or behind a queue there whose own head can move some day. All others with full queues before them wait for each
 * other. Found by sweeps until nothing changes: O(queues) each, at most as many as a chain of full queues is long.
 */
final class DeadlockSearch {
    private final Wiring wiring;
    private final InputQueues queues;
    private final RoutedHeads heads;
    private final QueueIndex index;
    private final boolean[] moves;

    DeadlockSearch(Wiring wiring, InputQueues queues, RoutedHeads heads, QueueIndex index) {
        this.wiring = wiring;
        this.queues = queues;
        this.heads = heads;
        this.index = index;
        moves = new boolean[queues.count()];
    }

    /** The deadlock there is at present, if there is one. */
    @Nullable
    Deadlock find(int cycle) {
        Arrays.fill(moves, false);
        boolean changed = true;
        while (changed) {
            changed = false;
            for (int queue = 0; queue < moves.length; queue++) {
                if (!moves[queue] && canMove(queue)) {
                    moves[queue] = true;
                    changed = true;
                }
            }
        }
        long packets = 0;
        int stuck = -1;
        for (int queue = 0; queue < moves.length; queue++) {
            if (!moves[queue]) {
                packets += queues.size(queue);
                stuck = queue;
            }
        }
        return stuck < 0 ? null : new Deadlock(cycle, packets, ring(stuck));
    }

    /** Empty queues, and heads that are just looking for their way, can. */
    private boolean canMove(int queue) {
        int output = RoutedHeads.output(heads.way(queue));
        int input = output < 0 ? -1 : wiring.to[output];
        boolean can = queues.size(queue) == 0 || input < 0;
        for (int left = input < 0 ? 0 : RoutedHeads.vcs(heads.way(queue)); left != 0 && !can; left &= left - 1) {
            int next = index.of(input, Integer.numberOfTrailingZeros(left));
            can = queues.size(next) < queues.buffers || moves[next];
        }
        return can;
    }

    /** Following the first channel that each waits for leads into a ring. */
    private List<Stuck> ring(int start) {
        int[] seenAt = new int[moves.length];
        List<Stuck> way = new ArrayList<>();
        int queue = start;
        while (seenAt[queue] == 0) {
            int input = index.place(queue);
            way.add(new Stuck(wiring.switchOf[input], wiring.port(input), index.vc(queue)));
            seenAt[queue] = way.size();
            long next = heads.way(queue);
            queue = index.of(wiring.to[RoutedHeads.output(next)], Integer.numberOfTrailingZeros(RoutedHeads.vcs(next)));
        }
        return way.subList(seenAt[queue] - 1, way.size());
    }
}
