package io.dmodc.manager.opensm;

import io.dmodc.manager.core.FabricEvent.SubnetManagerReported;
import io.dmodc.manager.loop.FabricLoop;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What is wrong at present, one line a kind, and one for kinds that say the same; told to the core, which logs each once, when it changes. What goes on and is only said in other
 * words is told {@value #REWORDED_SECONDS} s after the words before at the earliest, the newest words alone. Thread-safe, never blocks.
 */
final class Troubles {
    /** What can be. */
    enum Kind {
        /** The fabric cannot be looked at, or what is seen is not believed yet. */
        DISCOVERY,
        /** OpenSM does not answer, or is not the master. */
        PRESENCE,
        /** There is no program to ask whether OpenSM answers. */
        QUERY,
        /** OpenSM's log cannot be read. */
        LOG,
        /** Some switch has no tables to write. */
        INCOMPLETE,
        /** The file cannot be written. */
        FILE,
        /** The file has no port GUIDs, and cannot be written again with them. */
        WITHOUT_GUIDS,
        /** The file uses a dead port and cannot be taken away. */
        DEAD_PORT,
        /** The file is another than was written. */
        OVERWRITTEN,
        /** The file was taken away: OpenSM routes by its next engine. */
        WITHDRAWN,
        /** OpenSM cannot be told to load the file. */
        SIGNAL,
        /** OpenSM cannot be told to sweep for a change. */
        SWEEP_SIGNAL,
        /** Switches do not hold what was written, or do not say. */
        READ_BACK,
        /** No switch has taken what was written, and OpenSM does not say that it has loaded it. */
        NOT_LOADED;

        /** Nothing that is written gets into any switch. */
        boolean stops() {
            return this == PRESENCE || this == FILE || this == SIGNAL || this == SWEEP_SIGNAL || this == NOT_LOADED;
        }
    }

    static final int REWORDED_SECONDS = 10;
    private static final long REWORDED_NANOS = REWORDED_SECONDS * 1_000_000_000L;

    private final FabricLoop loop;
    private final Map<Kind, Long> saidNanos = new EnumMap<>(Kind.class);
    private final Map<Kind, String> troubles = new EnumMap<>(Kind.class);

    /** The newest words of what goes on and was said in others a short while ago. */
    private final Map<Kind, String> reworded = new EnumMap<>(Kind.class);

    private record Told(List<String> troubles, boolean stopped) {}

    private Told told = new Told(List.of(), false);

    Troubles(FabricLoop loop) {
        this.loop = loop;
    }

    /** The core is told that there is a subnet manager: before it hears of any of its switches. */
    void begin() {
        loop.offer(new SubnetManagerReported(loop.nowNanos(), List.of(), false));
    }

    /** @param text one line, or empty when it is over */
    synchronized void set(Kind kind, String text) {
        String before = troubles.get(kind);
        reworded.remove(kind);
        if (text.isEmpty()) {
            troubles.remove(kind);
        } else if (before == null || (!text.equals(before) && mayReword(kind))) {
            say(kind, text);
        } else if (!text.equals(before)) {
            reworded.put(kind, text);
        }
        tell();
    }

    private void say(Kind kind, String text) {
        troubles.put(kind, text);
        saidNanos.put(kind, loop.nowNanos());
    }

    private void tell() {
        List<String> all = troubles.values().stream().distinct().toList();
        Told now = new Told(all, areStopped());
        if (!now.equals(told) && loop.offer(new SubnetManagerReported(loop.nowNanos(), all, now.stopped))) {
            told = now;
        }
    }

    private boolean mayReword(Kind kind) {
        return loop.nowNanos() - saidNanos.getOrDefault(kind, 0L) >= REWORDED_NANOS;
    }

    /** Says what had to wait, if its time has come: to be called now and then. */
    synchronized void timePassed() {
        for (Kind kind : List.copyOf(reworded.keySet())) {
            if (mayReword(kind)) {
                say(kind, Objects.requireNonNull(reworded.remove(kind)));
            }
        }
        tell();
    }

    void clear(Kind kind) {
        set(kind, "");
    }

    /** True if nothing that is written gets into any switch: it is the fault of none of them. */
    synchronized boolean areStopped() {
        return troubles.keySet().stream().anyMatch(Kind::stops);
    }

    synchronized boolean has(Kind kind) {
        return troubles.containsKey(kind);
    }
}
