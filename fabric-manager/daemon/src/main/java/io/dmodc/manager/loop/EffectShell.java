package io.dmodc.manager.loop;

import io.dmodc.manager.core.Effect;

/** Performs what the core decided. On the loop's thread: does not block. */
@FunctionalInterface
public interface EffectShell {
    /** Performs one effect of a step; those of one step come in order. */
    void accept(Effect effect);

    /** All effects of a step have been performed: what belongs together is whole. */
    default void performed() {}
}
