package io.dmodc.manager.config;

import io.dmodc.manager.state.LeaderEpochs;

/**
 * Which of several managers this one is, as a setting: a number, or {@code auto} for one drawn at the first start.
 *
 * @param number −1: automatic
 */
public record ManagerNumber(int number) {
    /** Drawn at the first start and kept in the state directory. */
    public static final ManagerNumber AUTO = new ManagerNumber(-1);

    private static final String AUTO_TEXT = "auto";

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException when the text is neither
     */
    public static ManagerNumber parse(String text) {
        if (text.equals(AUTO_TEXT)) {
            return AUTO;
        }
        if (!text.matches("\\d{1,4}") || Integer.parseInt(text) >= LeaderEpochs.NUMBERS) {
            throw new IllegalArgumentException(
                    "'" + text + "' is neither " + AUTO_TEXT + " nor a number in 0.." + (LeaderEpochs.NUMBERS - 1));
        }
        return new ManagerNumber(Integer.parseInt(text));
    }

    /** True if it is to be drawn. */
    public boolean isAuto() {
        return number < 0;
    }

    @Override
    public String toString() {
        return isAuto() ? AUTO_TEXT : Integer.toString(number);
    }
}
