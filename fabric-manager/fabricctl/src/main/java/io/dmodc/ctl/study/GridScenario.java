package io.dmodc.ctl.study;

import io.dmodc.routing.vtftr.traffic.DetourChoice;

/**
 * A state of a grid whose traffic is compared with that of others.
 *
 * @param name in files and legends
 * @param faults how many leaves are dead, as tables know
 * @param seed which draw of {@link FaultPlacement#RANDOM}
 * @param faultTolerantVcs virtual channels that are kept for packets after their change; 0 if all share all
 */
record GridScenario(
        String name, int faults, FaultPlacement placement, long seed, DetourChoice detours, int faultTolerantVcs) {
    /** As the paper had it: half of them. */
    static final int VCS = 4;

    static final GridScenario SHARED =
            new GridScenario("no fault, all channels shared", 0, FaultPlacement.DIAGONAL, 0, DetourChoice.RANDOM, 0);
    static final GridScenario WHOLE =
            new GridScenario("no fault", 0, FaultPlacement.DIAGONAL, 0, DetourChoice.RANDOM, VCS / 2);
    static final GridScenario ONE_FAULT =
            new GridScenario("1 fault, VTFTR", 1, FaultPlacement.DIAGONAL, 0, DetourChoice.RANDOM, VCS / 2);
    static final GridScenario ONE_FAULT_FIXED =
            new GridScenario("1 fault, fixed detour", 1, FaultPlacement.DIAGONAL, 0, DetourChoice.FIXED, VCS / 2);

    static GridScenario placed(int faults, FaultPlacement placement, long seed) {
        String how = switch (placement) {
            case DIAGONAL -> "diagonal";
            case ROW -> "one row";
            case COLUMN -> "one column";
            case RANDOM -> "random " + seed;
        };
        return new GridScenario(faults + " faults, " + how, faults, placement, seed, DetourChoice.RANDOM, VCS / 2);
    }
}
