package io.dmodc.manager.loop;

import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricState;
import java.util.List;

/** Hears of each turn of the loop, on its thread: neither blocks nor throws. */
public interface TurnListener {
    /**
     * Events were taken in, and their consequences drawn; nothing was performed yet.
     *
     * @param events not changed afterwards
     * @param settledNanos the time that {@code settle} was told
     * @param effects how many came of it
     * @param state to be read during the call
     */
    void turned(List<FabricEvent> events, long settledNanos, int effects, FabricState state);

    /** The core was told something else besides: that an effect could not be performed. */
    void toldOtherwise(String what);
}
