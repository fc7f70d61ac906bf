package io.dmodc.agent.linux;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What is wrong at one port, told once in ten minutes while it lasts, and anew after the cable was moved. Not thread-safe. */
final class Complaints {
    static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** What there is to complain about. */
    enum Kind {
        NO_INTERFACE,
        NO_SOCKET,
        NO_SENDING,
        UNREADABLE,
        LOOP,
        ANOTHER_CLUSTER,
        SECOND,
        CHANGED_AGAIN,
        TOO_MUCH,
        TOO_OFTEN
    }

    private final Map<Kind, Long> quietUntil = new EnumMap<>(Kind.class);

    /** True when it is to be told now. */
    boolean take(Kind kind, long now) {
        if (now < quietUntil.getOrDefault(kind, 0L)) {
            return false;
        }
        quietUntil.put(kind, now + QUIET_NANOS);
        return true;
    }

    void forget() {
        quietUntil.clear();
    }
}
