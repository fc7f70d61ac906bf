package io.dmodc.manager.opensm;

import io.dmodc.manager.core.FabricEvent.SubnetManagerReported;
import io.dmodc.manager.loop.FabricLoop;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is wrong at present, one line a kind, and one for kinds that say the same; told to the core, which logs each once, when it changes. What goes on and is only said in other
 * words is told {@value #REWORDED_SECONDS} s after the first at the earliest, the newest words alone; then after twice that each time, up to {@value #PAUSE_SECONDS_MAX} s. What ends and comes back within
 * that time, again and again, is told to have ended when it has stayed away for 1 s, then for 2, up to {@value #AWAY_SECONDS_MAX}. Thread-safe, never blocks.
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
        /** Files of GUIDs or LIDs beside the dump cannot be written. */
        GUID_FILES,
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
    static final int PAUSE_SECONDS_MAX = 640;
    static final int AWAY_SECONDS_MAX = 60;
    private static final long REWORDED_NANOS = REWORDED_SECONDS * 1_000_000_000L;
    private static final long PAUSE_NANOS_MAX = PAUSE_SECONDS_MAX * 1_000_000_000L;
    private static final long AWAY_NANOS_MIN = 1_000_000_000L;
    private static final long AWAY_NANOS_MAX = AWAY_SECONDS_MAX * 1_000_000_000L;

    private final FabricLoop loop;

    /** How one kind is told of. */
    private static final class Telling {
        /** The newest words; empty when it is over. */
        String text = "";

        /** What was told of it; empty for nothing, or that it is over. */
        String told = "";

        /** When it may be told in other words, and how long after that again. */
        long rewordNanos;

        long pauseNanos = REWORDED_NANOS;

        /** When it was over last, 0 for never, and how long it has to be before that is told. */
        long endedNanos;

        long awayNanos;

        boolean isOver() {
            return text.isEmpty();
        }
    }

    private final Map<Kind, Telling> tellings = new EnumMap<>(Kind.class);

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
        Telling of = tellings.get(kind);
        if (of == null && !text.isEmpty()) {
            of = new Telling();
            tellings.put(kind, of);
        }
        if (of != null && !of.text.equals(text)) {
            take(of, text);
            of.text = text;
        }
        timePassed();
    }

    private void take(Telling of, String text) {
        long now = loop.nowNanos();
        if (text.isEmpty()) {
            of.endedNanos = now;
        } else if (of.isOver() && of.endedNanos != 0) { // It is back.
            boolean isSoon = now - of.endedNanos < PAUSE_NANOS_MAX;
            of.awayNanos = isSoon ? Math.min(AWAY_NANOS_MAX, Math.max(AWAY_NANOS_MIN, 2 * of.awayNanos)) : 0;
        }
    }

    /** What may be said by now. */
    private void tell(Telling of) {
        long now = loop.nowNanos();
        if (of.isOver()) {
            if (!of.told.isEmpty() && now - of.endedNanos >= of.awayNanos) {
                of.told = "";
            }
        } else if (of.told.isEmpty()) {
            of.told = of.text;
            of.pauseNanos = REWORDED_NANOS;
            of.rewordNanos = now + of.pauseNanos;
        } else if (!of.told.equals(of.text) && now - of.rewordNanos >= 0) {
            of.told = of.text;
            of.pauseNanos = Math.min(PAUSE_NANOS_MAX, 2 * of.pauseNanos);
            of.rewordNanos = now + of.pauseNanos;
        }
    }

    private void tell() {
        List<String> all = tellings.values().stream()
                .map(of -> of.told)
                .filter(each -> !each.isEmpty())
                .distinct()
                .toList();
        Told now = new Told(all, areStopped());
        if (!now.equals(told) && loop.offer(new SubnetManagerReported(loop.nowNanos(), all, now.stopped))) {
            told = now;
        }
    }

    /** Says what had to wait, if its time has come: to be called now and then. */
    synchronized void timePassed() {
        tellings.values().forEach(this::tell);
        tell();
    }

    void clear(Kind kind) {
        set(kind, "");
    }

    /** True if nothing that is written gets into any switch: it is the fault of none of them. */
    synchronized boolean areStopped() {
        return Stream.of(Kind.values()).anyMatch(kind -> kind.stops() && has(kind));
    }

    synchronized boolean has(Kind kind) {
        Telling of = tellings.get(kind);
        return of != null && !of.isOver();
    }
}
