package io.dmodc.fuzz;

/** How everything that cannot be read is told to people. */
final class OneLine {
    private OneLine() {}

    /** Fails unless it was told in one line that begins with the place. */
    static void require(Exception refused, String place) {
        String text = String.valueOf(refused.getMessage());
        if (!text.startsWith(place) || text.lines().count() != 1) {
            throw new IllegalStateException("not one line that begins with " + place + ": " + text, refused);
        }
    }
}
