package io.dmodc.manager.service;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricEvent.Persisted;
import io.dmodc.manager.loop.FabricLoop;
import org.jspecify.annotations.Nullable;

/** To be replaced. */
final class RecordKeeper implements AutoCloseable {
    private @Nullable FabricLoop loop;

    void connect(FabricLoop fabricLoop) {
        loop = fabricLoop;
    }

    void keep(Effect.Persist persist) {
        if (loop != null) {
            loop.offer(new Persisted(loop.nowNanos(), persist.number()));
        }
    }

    @Override
    public void close() {}
}
