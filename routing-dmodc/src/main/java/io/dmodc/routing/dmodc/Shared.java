package io.dmodc.routing.dmodc;

import org.jspecify.annotations.Nullable;

/** What switches that are alike in something have once for all of them. */
abstract class Shared {
    /** What they are alike in. */
    final IntKey key;

    /** Switches that have it. */
    int members;

    Shared(IntKey key) {
        this.key = key;
    }

    /** A switch has another one now, or none any more; what nobody has is forgotten. */
    static <T extends Shared> @Nullable T replace(@Nullable T old, @Nullable T now, Interner<T> all) {
        if (now != null) {
            now.members++;
        }
        if (old != null && --old.members == 0) {
            all.remove(old.key);
        }
        return now;
    }
}
