package io.dmodc.manager.opensm;

import io.dmodc.manager.core.FabricEvent.SubnetManagerReported;
import io.dmodc.manager.loop.FabricLoop;
import java.util.EnumMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is wrong at present, one line a kind; told to the core and to the log when it changes. Thread-safe, never blocks. */
final class Troubles {
    private static final Logger LOG = LoggerFactory.getLogger(Troubles.class);

    /** What can be. */
    enum Kind {
        /** The fabric cannot be looked at, or what is seen is not believed yet. */
        DISCOVERY,
        /** Some switch has no tables to write. */
        INCOMPLETE,
        /** The file cannot be written. */
        FILE,
        /** The file was taken away: OpenSM routes by its next engine. */
        WITHDRAWN,
        /** OpenSM cannot be told. */
        SIGNAL,
        /** Switches do not hold what was written, or do not say. */
        READ_BACK
    }

    private final FabricLoop loop;
    private final Map<Kind, String> troubles = new EnumMap<>(Kind.class);
    private String told = "";

    Troubles(FabricLoop loop) {
        this.loop = loop;
    }

    /** @param text one line, or empty when it is over */
    synchronized void set(Kind kind, String text) {
        String before = text.isEmpty() ? troubles.remove(kind) : troubles.put(kind, text);
        if (!text.isEmpty() && !text.equals(before)) {
            LOG.warn("{}", text);
        }
        String all = String.join("; ", troubles.values());
        if (!all.equals(told) && loop.offer(new SubnetManagerReported(loop.nowNanos(), all))) {
            told = all;
        }
    }

    void clear(Kind kind) {
        set(kind, "");
    }

    synchronized boolean has(Kind kind) {
        return troubles.containsKey(kind);
    }
}
