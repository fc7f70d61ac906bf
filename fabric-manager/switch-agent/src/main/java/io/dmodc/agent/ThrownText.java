package io.dmodc.agent;

/** What was thrown, for a log line or a frame. */
final class ThrownText {
    private ThrownText() {}

    /** Returns one line: class, and the first line of its message. */
    static String line(Throwable thrown) {
        String message = thrown.getMessage();
        String name = thrown.getClass().getSimpleName();
        return message == null
                ? name
                : name + ": " + message.lines().findFirst().orElse("");
    }
}
