package io.dmodc.detector.theory;

/** What the ring spares (SC16, slide 34): per round each node looks at one other node, chosen at random. */
public final class RandomPinging {
    private RandomPinging() {}

    /** Nodes that nobody looks at in one round, on average: n (1 - 1 / (n - 1))^(n - 1), about n / e. */
    public static double ignoredPerRound(int nodeCount) {
        if (nodeCount < 2) {
            throw new IllegalArgumentException("random pinging: " + nodeCount + " nodes, expected at least 2");
        }
        double others = nodeCount - 1.0;
        return nodeCount * Math.exp(others * Math.log1p(-1 / others));
    }

    /** Rounds until one given node stays ignored with no more than this probability, for many nodes: ⌈-ln p⌉. */
    public static int rounds(double probability) {
        if (!(probability > 0 && probability < 1)) {
            throw new IllegalArgumentException(
                    "random pinging: probability " + probability + ", expected between 0 and 1");
        }
        return (int) Math.ceil(-Math.log(probability));
    }
}
