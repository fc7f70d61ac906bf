package io.dmodc.routing.cycles;

/**
 * How switches are built and how long is simulated.
 *
 * @param vcs virtual channels a link, 1..16
 * @param buffers packets that fit into each of them at an input, 1..1024
 * @param warmUp cycles before anything is measured
 * @param measured cycles that are measured
 */
public record SimulationSettings(int vcs, int buffers, int warmUp, int measured) {
    private static final int BUFFERS_MAX = 1024;
    private static final int CYCLES_MAX = 100_000_000;

    /** As BookSim2 was run for the figures this simulator is compared with. */
    public static final SimulationSettings USUAL = new SimulationSettings(4, 16, 1000, 3000);

    /** @throws IllegalArgumentException in one line, if a number is outside its range */
    public SimulationSettings {
        check("virtual channels", vcs, 1, PacketRouting.VC_MAX);
        check("buffers", buffers, 1, BUFFERS_MAX);
        check("warm-up cycles", warmUp, 0, CYCLES_MAX);
        check("measured cycles", measured, 1, CYCLES_MAX);
    }

    private static void check(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(value + " " + what + "; expected " + min + ".." + max);
        }
    }

    /** Cycles of a whole run. */
    public int cycles() {
        return warmUp + measured;
    }
}
