package io.dmodc.manager.config;

import io.dmodc.detector.RingRules;

/**
 * How many members of the ring further back are asked at the same time, as a setting: a number, or {@code auto} for what
 * suits the number of members.
 *
 * @param slots −1: automatic
 */
public record AskingWidth(int slots) {
    /** Twice the logarithm of the number of members. */
    public static final AskingWidth AUTO = new AskingWidth(-1);

    private static final String AUTO_TEXT = "auto";

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException when the text is neither
     */
    public static AskingWidth parse(String text) {
        if (text.equals(AUTO_TEXT)) {
            return AUTO;
        }
        if (!text.matches("\\d{1,3}") || Integer.parseInt(text) > RingRules.ASKING_WIDTH_MAX) {
            throw new IllegalArgumentException(
                    "'" + text + "' is neither " + AUTO_TEXT + " nor a number in 0.." + RingRules.ASKING_WIDTH_MAX);
        }
        return new AskingWidth(Integer.parseInt(text));
    }

    int forMembers(int count) {
        return slots < 0 ? RingRules.askingWidthFor(count) : slots;
    }

    @Override
    public String toString() {
        return slots < 0 ? AUTO_TEXT : Integer.toString(slots);
    }
}
