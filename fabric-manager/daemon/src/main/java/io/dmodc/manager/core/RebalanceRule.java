package io.dmodc.manager.core;

import java.util.Locale;

/**
 * Whether entries of tables may be moved to where shifts press less, and how many.
 *
 * @param blocksMost most blocks of 64 entries that may differ from the engine's; 0: no bound of its own
 */
public record RebalanceRule(Policy policy, int blocksMost) {
    /** Only where somebody asks for it. */
    public static final RebalanceRule STANDARD = new RebalanceRule(Policy.ON_DEMAND, 0);

    /** When entries are moved. */
    public enum Policy {
        /** Never; what was moved before stays until it is taken back. */
        OFF,
        /** When somebody plans it and applies the plan. */
        ON_DEMAND,
        /** Then, and when nothing has happened for some time. */
        QUIET;

        /** As operators write it. */
        public String text() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
