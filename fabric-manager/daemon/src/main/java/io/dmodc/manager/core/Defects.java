package io.dmodc.manager.core;

import java.util.Map;
import java.util.TreeMap;

/**
 * Mistakes of this program that showed and did not end it, for the alarm about them. Bounded: one line for each part of
 * {@link FabricStep}, and of all that was dropped the last.
 */
final class Defects {
    private static final int TEXT_MAX = 200;

    private final Map<String, String> failing = new TreeMap<>();
    private long droppedCount;
    private String lastDropped = "";

    /** A part fails; it is tried again. */
    void fails(String part, String what) {
        failing.put(part, what);
    }

    /** A part that failed works again. */
    void works(String part) {
        failing.remove(part);
    }

    /** An event or an effect was dropped. What it should have changed is missing until the manager starts again. */
    void dropped(String what) {
        droppedCount++;
        lastDropped = what;
    }

    /** What to tell people; empty while nothing is wrong. */
    String alarmText() {
        String parts = failing.isEmpty() ? "" : String.join("; ", failing.values()) + "; tried again";
        String dropped = droppedCount == 0 ? "" : droppedCount + " dropped since the start, the last: " + lastDropped;
        String both = parts + (parts.isEmpty() || dropped.isEmpty() ? "" : "; ") + dropped;
        return both.isEmpty() ? "" : "defect in the manager: " + both;
    }

    /** One line of at most {@value #TEXT_MAX} characters. */
    static String text(Throwable cause) {
        String text = cause.toString().replaceAll("\\s+", " ");
        return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX) + "…";
    }
}
