package io.dmodc.manager.core;

/**
 * How many switches are how. The first four are of switches that came in since the start or are known from before, by
 * {@link SwitchRecord.Condition}; so are agents; the last three are of switches that should be there.
 *
 * @param connected whose agent answers
 * @param headless without a reachable agent, forwarding
 * @param unproved of these, not shown to forward by hellos through them
 * @param dead without a reachable agent, all links down or hung
 * @param agents with a session
 * @param silent of these, found silent by the ring
 * @param flagged left all pushes of a table unanswered, with a session or without
 * @param heedless of the agents, neither silent nor taking their table
 * @param down should be there and do not forward
 * @param held should be there, and hold a table that does not fit
 */
public record SwitchCounts(
        int connected,
        int headless,
        int unproved,
        int dead,
        int agents,
        int silent,
        int flagged,
        int heedless,
        int down,
        int held) {
    static final SwitchCounts NONE = new SwitchCounts(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}
