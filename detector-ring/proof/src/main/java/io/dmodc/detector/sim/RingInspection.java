package io.dmodc.detector.sim;

import io.dmodc.detector.RingDetector;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Looks at all live nodes of a calm ring: each holds dead exactly those that are, knows the others in their present
 * incarnation, and the ring is closed over the live. Asks the state machines themselves; shares nothing with {@link
 * KnowledgeTracker}. O(nodes * dead) time, at most {@value #FAULTS_MAX} faults are told.
 */
public final class RingInspection {
    static final int FAULTS_MAX = 16;

    private final VirtualRing ring;
    private final int[] dead;
    private final int[] risen;
    private final List<String> faults = new ArrayList<>();
    private int falselyDead;
    private int unknownDeaths;
    private int openEdges;

    private RingInspection(VirtualRing ring) {
        this.ring = ring;
        dead = nodes(ring, false);
        risen = IntStream.of(nodes(ring, true))
                .filter(node -> ring.detector(node).ownIncarnation() != 0)
                .toArray();
    }

    /** Looks at a ring now. */
    public static RingInspection of(VirtualRing ring) {
        RingInspection inspection = new RingInspection(ring);
        int[] live = IntStream.of(ring.ringOrder()).filter(ring::isLive).toArray();
        for (int i = 0; i < live.length; i++) {
            inspection.lookAt(live[i], live[(i + live.length - 1) % live.length]);
        }
        return inspection;
    }

    private static int[] nodes(VirtualRing ring, boolean live) {
        return IntStream.range(0, ring.nodeCount())
                .filter(node -> ring.isLive(node) == live)
                .toArray();
    }

    private void lookAt(int node, int liveBefore) {
        RingDetector detector = ring.detector(node);
        int known = 0;
        for (int subject : dead) {
            if (ring.isHeldDead(node, subject)) {
                known++;
            } else {
                unknownDeaths++;
                tell(node + " holds " + subject + " alive, which is dead");
            }
        }
        if (detector.deadCount() != known) {
            falselyDead += detector.deadCount() - known;
            tellFalselyDead(node);
        }
        for (int subject : risen) {
            int own = ring.detector(subject).ownIncarnation();
            int incarnation = ring.knownIncarnation(node, subject);
            if (incarnation != own) {
                tell(node + " knows " + subject + " in incarnation " + incarnation + ", which is in " + own);
            }
        }
        lookAtEdge(node, ring.emitter(node), liveBefore);
    }

    private void tellFalselyDead(int node) {
        for (int subject = 0; subject < ring.nodeCount() && faults.size() < FAULTS_MAX; subject++) {
            if (ring.isLive(subject) && ring.isHeldDead(node, subject)) {
                tell(node + " holds " + subject + " dead, which lives");
            }
        }
    }

    private void lookAtEdge(int node, int emitter, int liveBefore) {
        if (emitter != liveBefore) {
            openEdges++;
            tell(node + " watches " + emitter + ", expected " + liveBefore);
        } else if (ring.observer(emitter) != node) {
            openEdges++;
            tell(emitter + " sends its heartbeats to " + ring.observer(emitter) + ", expected " + node);
        }
    }

    private void tell(String fault) {
        if (faults.size() < FAULTS_MAX) {
            faults.add(fault);
        }
    }

    /** What is not as it should be, one line each; empty if all is well. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    public boolean isClosed() {
        return openEdges == 0;
    }

    /** Pairs of a live node and another live one it holds dead. */
    public int falselyDead() {
        return falselyDead;
    }

    /** Pairs of a live node and a dead one it holds alive. */
    public int unknownDeaths() {
        return unknownDeaths;
    }
}
